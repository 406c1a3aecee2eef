// An instrumented test that measures the texts of a kit of the platform android with a TextView. Put it into src/androidTest, and
// the directory of the kit into src/androidTest/assets/kit. It needs minSdk 29 (Android 10), androidx.test:runner, junit 4.13, and
// testInstrumentationRunner "androidx.test.runner.AndroidJUnitRunner". The device must have the scale of the kit: the number of
// device pixels a point. `./gradlew connectedDebugAndroidTest` leaves measured.jsonl in
// build/outputs/connected_android_test_additional_output.
package galley.kit

import android.graphics.Typeface
import android.graphics.fonts.Font
import android.graphics.fonts.FontFamily
import android.graphics.fonts.FontVariationAxis
import android.text.TextUtils
import android.util.TypedValue
import android.view.View.MeasureSpec
import android.widget.TextView
import androidx.test.platform.app.InstrumentationRegistry
import java.io.File
import kotlin.math.abs
import kotlin.math.roundToInt
import org.json.JSONArray
import org.json.JSONObject
import org.junit.Assert.assertTrue
import org.junit.Assume.assumeTrue
import org.junit.Test

open class MeasureTexts {
    private val assets = InstrumentationRegistry.getInstrumentation().context.assets
    protected val context = InstrumentationRegistry.getInstrumentation().targetContext
    protected open val platform = "android"

    private fun read(name: String) = assets.open("kit/$name").bufferedReader().readText()

    private fun font(face: JSONObject): Font {
        val axes = face.getJSONObject("axes")
        val values = axes.keys().asSequence().map { FontVariationAxis(it, axes.getDouble(it).toFloat()) }.toMutableList()
        val weight = face.getInt("weight")
        if (weight > 0) values += FontVariationAxis("wght", weight.toFloat())
        val builder = Font.Builder(assets, "kit/" + face.getString("file")).setTtcIndex(face.getInt("index"))
        return builder.setFontVariationSettings(values.toTypedArray()).build()
    }

    /** A typeface of the face of a text and of the kit's fallback, in its order, without the fonts of the system before them. */
    private fun typeface(faces: List<Font>, face: Int, fallback: JSONArray): Typeface {
        val builder = Typeface.CustomFallbackBuilder(FontFamily.Builder(faces[face]).build())
        for (index in 0 until minOf(fallback.length(), Typeface.CustomFallbackBuilder.getMaxCustomFallbackCount() - 1)) {
            builder.addCustomFallback(FontFamily.Builder(faces[fallback.getInt(index)]).build())
        }
        return builder.build()
    }

    protected open fun measure(text: JSONObject, typeface: Typeface, density: Double): String {
        val view = TextView(context)
        val scale = text.getDouble("textScale")
        val size = text.getDouble("size")
        view.typeface = typeface
        view.setTextSize(TypedValue.COMPLEX_UNIT_PX, (size * scale * density).toFloat())
        view.letterSpacing = (text.getDouble("letterSpacing") / size).toFloat()
        if (text.isNull("lineHeight")) {
            view.setLineSpacing((text.getDouble("lineSpacing") * density).toFloat(), 1f)
        } else {
            // A line height replaces the spacing.
            view.setLineHeight((text.getDouble("lineHeight") * scale * density).roundToInt())
        }
        view.breakStrategy = listOf("simple", "highQuality", "balanced").indexOf(text.getString("breakStrategy"))
        if (text.getInt("maxLines") > 0) {
            view.maxLines = text.getInt("maxLines")
            view.ellipsize = TextUtils.TruncateAt.END
        }
        view.text = text.getString("text")
        // As the layout does, which counts a width of almost a whole pixel as one.
        val width = (text.getDouble("width") * density + 1e-6).toInt()
        view.measure(MeasureSpec.makeMeasureSpec(width, MeasureSpec.AT_MOST), MeasureSpec.makeMeasureSpec(0, MeasureSpec.UNSPECIFIED))
        val height = view.measuredHeight / density
        return """{"id":${text.getInt("id")},"lines":${view.lineCount},"height":$height}"""
    }

    @Test
    fun measure() {
        val kit = JSONObject(read("kit.json"))
        assumeTrue("the kit is of the platform ${kit.getString("platform")}", kit.getString("platform") == platform)
        val density = context.resources.displayMetrics.density.toDouble()
        assertTrue("the kit has the scale ${kit.getDouble("scale")}, the device $density", abs(kit.getDouble("scale") - density) < 0.01)
        val faces = kit.getJSONArray("faces")
        val fonts = (0 until faces.length()).map { font(faces.getJSONObject(it)) }
        val typefaces = HashMap<Int, Typeface>()
        val measured = read("texts.jsonl").split("\n").filter { it.isNotEmpty() }.joinToString("\n", postfix = "\n") { line ->
            val text = JSONObject(line)
            val face = text.getInt("face")
            measure(text, typefaces.getOrPut(face) { typeface(fonts, face, kit.getJSONArray("fallback")) }, density)
        }
        // Gradle removes the files of the application after the tests, and keeps those of this directory.
        val additional = InstrumentationRegistry.getArguments().getString("additionalTestOutputDir")
        val output = additional?.let { File(it) } ?: context.getExternalFilesDir(null)!!
        output.mkdirs()
        File(output, "measured.jsonl").writeText(measured)
    }
}
