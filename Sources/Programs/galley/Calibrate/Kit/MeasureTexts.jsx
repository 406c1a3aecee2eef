// A screen of React Native that measures the texts of a kit. Link the fonts of the kit under the names galley0, galley1, …,
// which are those of the faces in kit.json, and show
//
//     <MeasureTexts texts={texts} onMeasured={(lines) => …} />
//
// with the parsed lines of texts.jsonl. React Native has no list of fallback fonts: on Android, declare the fonts of
// `fallback` as a font family in XML. Write the lines that `onMeasured` receives to measured.jsonl.
import React, { useRef, useState } from "react";
import { Text, View } from "react-native";

// The number of texts on the screen at a time.
const BATCH = 50;

function style(text) {
  return {
    fontFamily: `galley${text.face}`,
    fontSize: text.size * text.textScale,
    lineHeight: text.lineHeight == null ? undefined : text.lineHeight * text.textScale,
    letterSpacing: text.letterSpacing * text.textScale || undefined,
    // The layout has the width of a text that may be narrower than its box.
    alignSelf: "flex-start",
  };
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
    <View style={{ width: text.width }}>
      <Text
        allowFontScaling={false}
        numberOfLines={text.maxLines || undefined}
        ellipsizeMode="tail"
        textBreakStrategy={text.breakStrategy ?? "highQuality"}
        style={style(text)}
        onTextLayout={(event) => note({ lines: event.nativeEvent.lines.length })}
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
