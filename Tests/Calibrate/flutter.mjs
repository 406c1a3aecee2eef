// Measures the texts of a kit with Flutter's own text engine, CanvasKit: `node flutter.mjs ENGINE KIT > measured.jsonl`. ENGINE is
// a directory with canvaskit.js, named canvaskit.mjs, and canvaskit.wasm. WIDER (points) and HIGHER (a factor) spoil the engine.
import fs from "node:fs";
import path from "node:path";

const [engine, kit] = process.argv.slice(2).map((name) => path.resolve(name));
const wider = Number(process.env.WIDER ?? 0);
const higher = Number(process.env.HIGHER ?? 1);

async function load() {
  const { default: open } = await import(path.join(engine, "canvaskit.mjs"));
  const wasm = fs.readFileSync(path.join(engine, "canvaskit.wasm"));
  globalThis.fetch = async () => new Response(wasm, { headers: { "Content-Type": "application/wasm" } });
  return open({ locateFile: (file) => path.join(engine, file) });
}

const CK = await load();
const description = JSON.parse(fs.readFileSync(path.join(kit, "kit.json"), "utf8"));
const provider = CK.TypefaceFontProvider.Make();
description.faces.forEach((face, index) => provider.registerFont(fs.readFileSync(path.join(kit, face.file)), `galley${index}`));
const fonts = CK.FontCollection.Make();
fonts.setDefaultFontManager(provider);

function measure(text) {
  const style = {
    fontFamilies: [text.face, ...description.fallback].map((face) => `galley${face}`),
    fontSize: text.size * text.textScale, letterSpacing: text.letterSpacing,
    ...(text.lineHeight == null ? {} : { heightMultiplier: (text.lineHeight / text.size) * higher }),
  };
  const paragraph = new CK.ParagraphStyle({
    textStyle: style, textDirection: CK.TextDirection.LTR, replaceTabCharacters: true, applyRoundingHack: false,
    ...(text.maxLines > 0 ? { maxLines: text.maxLines, ellipsis: text.truncation } : {}),
  });
  const builder = CK.ParagraphBuilder.MakeFromFontCollection(paragraph, fonts);
  builder.pushStyle(new CK.TextStyle(style));
  builder.addText(text.text);
  const built = builder.build();
  built.layout(text.width + wider);
  const measured = { id: text.id, lines: built.getLineMetrics().length, height: built.getHeight() };
  built.delete();
  builder.delete();
  return measured;
}

const texts = fs.readFileSync(path.join(kit, "texts.jsonl"), "utf8").split("\n").filter(Boolean);
for (const line of texts) console.log(JSON.stringify(measure(JSON.parse(line))));
