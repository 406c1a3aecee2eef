// The same as MeasureTexts.kt, which it needs, for a kit of the platform compose and a Text of Jetpack Compose with the defaults of
// Material 3. It needs androidx.compose.ui:ui-text 1.6 or later.
package galley.kit

import android.graphics.Typeface
import androidx.compose.ui.text.AnnotatedString
import androidx.compose.ui.text.PlatformTextStyle
import androidx.compose.ui.text.TextMeasurer
import androidx.compose.ui.text.TextStyle
import androidx.compose.ui.text.font.FontFamily
import androidx.compose.ui.text.font.createFontFamilyResolver
import androidx.compose.ui.text.style.LineBreak
import androidx.compose.ui.text.style.LineHeightStyle
import androidx.compose.ui.text.style.TextOverflow
import androidx.compose.ui.unit.Constraints
import androidx.compose.ui.unit.Density
import androidx.compose.ui.unit.LayoutDirection
import androidx.compose.ui.unit.TextUnit
import androidx.compose.ui.unit.sp
import org.json.JSONObject

class MeasureTextsCompose : MeasureTexts() {
    override val platform = "compose"
    private val strategies = mapOf(
        "simple" to LineBreak.Strategy.Simple,
        "highQuality" to LineBreak.Strategy.HighQuality,
        "balanced" to LineBreak.Strategy.Balanced,
    )

    override fun measure(text: JSONObject, typeface: Typeface, density: Double): String {
        val scale = text.getDouble("textScale")
        val lineBreak = LineBreak(
            strategies.getValue(text.getString("breakStrategy")), LineBreak.Strictness.Normal, LineBreak.WordBreak.Default)
        val style = TextStyle(
            fontFamily = FontFamily(typeface),
            fontSize = (text.getDouble("size") * scale).sp,
            letterSpacing = (text.getDouble("letterSpacing") * scale).sp,
            lineHeight = if (text.isNull("lineHeight")) TextUnit.Unspecified else (text.getDouble("lineHeight") * scale).sp,
            lineBreak = lineBreak,
            platformStyle = PlatformTextStyle(includeFontPadding = false),
            lineHeightStyle = LineHeightStyle(LineHeightStyle.Alignment.Center, LineHeightStyle.Trim.None),
        )
        val measurer = TextMeasurer(createFontFamilyResolver(context), Density(density.toFloat(), 1f), LayoutDirection.Ltr)
        val maxLines = text.getInt("maxLines")
        val measured = measurer.measure(
            AnnotatedString(text.getString("text")),
            style,
            overflow = TextOverflow.Ellipsis,
            maxLines = if (maxLines > 0) maxLines else Int.MAX_VALUE,
            constraints = Constraints(maxWidth = (text.getDouble("width") * density + 1e-6).toInt()),
        )
        return """{"id":${text.getInt("id")},"lines":${measured.lineCount},"height":${measured.size.height / density}}"""
    }
}
