// A test that measures the texts of a kit as a Text of Flutter does. Copy it into the directory `test` of a project, and run
//
//     flutter test test/measure_texts_test.dart --dart-define=KIT=/path/of/kit
//
// It writes measured.jsonl into the working directory. The tester has the text engine of devices. Files with several fonts
// (.ttc) give their first one, and variable fonts their weight.
import 'dart:convert';
import 'dart:io';
import 'dart:ui' show FontVariation;

import 'package:flutter/painting.dart';
import 'package:flutter/services.dart';
import 'package:flutter_test/flutter_test.dart';

const kit = String.fromEnvironment('KIT', defaultValue: 'kit');

Future<void> loadFonts(List<dynamic> faces) async {
  for (final (index, face) in faces.indexed) {
    final bytes = await File('$kit/${face['file']}').readAsBytes();
    final loader = FontLoader('galley$index')..addFont(Future.value(ByteData.sublistView(bytes)));
    await loader.load();
  }
}

Map<String, Object> measure(Map<String, dynamic> description, Map<String, dynamic> text) {
  final face = description['faces'][text['face']];
  final weight = (face['weight'] as num).toDouble();
  final axes = {...face['axes'] as Map<String, dynamic>, if (weight > 0) 'wght': weight};
  final height = text['lineHeight'] as num?;
  final size = (text['size'] as num) * (text['textScale'] as num);
  final maxLines = text['maxLines'] as int;
  final painter = TextPainter(
    text: TextSpan(
      text: text['text'] as String,
      style: TextStyle(
        fontFamily: 'galley${text['face']}',
        fontFamilyFallback: [for (final index in description['fallback']) 'galley$index'],
        fontSize: size.toDouble(),
        height: height == null ? null : height / (text['size'] as num),
        letterSpacing: (text['letterSpacing'] as num).toDouble(),
        fontVariations: [for (final axis in axes.entries) FontVariation(axis.key, (axis.value as num).toDouble())],
      ),
    ),
    textDirection: TextDirection.ltr,
    maxLines: maxLines > 0 ? maxLines : null,
    ellipsis: maxLines > 0 ? text['truncation'] as String : null,
  )..layout(maxWidth: (text['width'] as num).toDouble());
  return {'id': text['id'], 'lines': painter.computeLineMetrics().length, 'height': painter.height};
}

void main() {
  TestWidgetsFlutterBinding.ensureInitialized();

  test('the texts of the kit are measured', () async {
    final description = jsonDecode(await File('$kit/kit.json').readAsString()) as Map<String, dynamic>;
    await loadFonts(description['faces'] as List<dynamic>);
    final lines = await File('$kit/texts.jsonl').readAsLines();
    final measured = [for (final line in lines) jsonEncode(measure(description, jsonDecode(line) as Map<String, dynamic>))];
    await File('measured.jsonl').writeAsString('${measured.join('\n')}\n');
  });
}
