// A screen of React Native on Android 10 and later that measures the texts of a kit of the platform reactNative. The device must
// have the scale of the kit. Register the faces of kit.json, which have the names galley0, galley1, …, in `Application.onCreate`,
// with the kit in the assets of the application and with `font` and `typeface` of MeasureTexts.kt:
//
//     ReactFontManager.getInstance().setTypeface("galley$face", Typeface.NORMAL, typeface(fonts, face, fallback))
//
// Make an array of the texts with `jq -s . texts.jsonl > texts.json`, import it, and show
//
//     <MeasureTexts texts={texts} onMeasured={(lines) => …} />
//
// Write the lines that `onMeasured` receives to measured.jsonl: send them to a server with `fetch`, or pass them on with `Share`.
import React, { useRef, useState } from "react";
import { PixelRatio, Text, View } from "react-native";

// The number of texts on the screen at a time.
const BATCH = 50;

function style(text) {
  return {
    fontFamily: `galley${text.face}`,
    fontSize: text.size * text.textScale,
    lineHeight: text.lineHeight == null ? undefined : text.lineHeight * text.textScale,
    letterSpacing: text.letterSpacing * text.textScale || undefined,
  };
}

// The layout has whole pixels, and counts a width of almost one as one.
function wholePixels(width) {
  const density = PixelRatio.get();
  return Math.floor(width * density + 1e-6) / density;
}

function MeasuredText({ text, onMeasured }) {
  const found = useRef({});

  // The lines and the height come by two events, in any order.
  const note = (part) => {
    Object.assign(found.current, part);
    const { lines, height } = found.current;
    if (lines != null && height != null) onMeasured({ id: text.id, lines, height });
  };

  return (
    <View style={{ width: wholePixels(text.width) }}>
      <Text
        allowFontScaling={false}
        numberOfLines={text.maxLines || undefined}
        ellipsizeMode="tail"
        textBreakStrategy={text.breakStrategy ?? "highQuality"}
        style={style(text)}
        // Android reports the lines after the last one that is shown, too.
        onTextLayout={(event) => note({ lines: Math.min(event.nativeEvent.lines.length, text.maxLines || Infinity) })}
        onLayout={(event) => note({ height: event.nativeEvent.layout.height })}
      >
        {text.text}
      </Text>
    </View>
  );
}

export default function MeasureTexts({ texts, onMeasured }) {
  const [first, setFirst] = useState(0);
  const measured = useRef(new Map());
  const shown = texts.slice(first, first + BATCH);

  const note = (size) => {
    measured.current.set(size.id, size);
    if (!shown.every((text) => measured.current.has(text.id))) return;
    if (first + BATCH < texts.length) {
      setFirst(first + BATCH);
    } else {
      onMeasured([...measured.current.values()].map((each) => JSON.stringify(each)));
    }
  };

  return (
    <View>
      {shown.map((text) => (
        <MeasuredText key={text.id} text={text} onMeasured={note} />
      ))}
    </View>
  );
}
