// Heights, frames and lines of the rows of a list, as `galley layout` wrote them, and what a list does with them.
// One ES module without dependencies, for browsers, React Native and Node.js 18 or later.
// Sources/Documentation.docc/GalleyJS.md describes it. deploy/galley-js builds it from Sources/galley-js/src.

// axis.js
// How the rows of a list follow each other in the direction in which it scrolls.
/** @typedef {'vertical' | 'inverted' | 'horizontal' | 'rightToLeft'} Axis */
/** @typedef {'down' | 'up' | 'right' | 'left'} Direction */
/** @type {readonly Axis[]} */
var AXES = ["vertical", "inverted", "horizontal", "rightToLeft"];
/**
 * The directions on the screen in which a list scrolls, the one towards the last row first.
 *
 * @type {Record<Axis, readonly [Direction, Direction]>}
 */
var DIRECTIONS = {
  vertical: ["down", "up"],
  inverted: ["up", "down"],
  horizontal: ["right", "left"],
  rightToLeft: ["left", "right"]
};
/** @param {Axis} axis */
function isHorizontal(axis) {
  return axis === "horizontal" || axis === "rightToLeft";
}
/**
 * Returns the points by which lengths may differ and still count as equal. The lengths in tables are floats of 32 bits, those of a
 * query are of 64, and the differences of all rows before one add up, to a quarter of this at most. The limit is less than a device
 * pixel where a point has up to 16 of them.
 *
 * @param {{ offset: number, viewport: number }} query
 */
function toleranceOf({ offset, viewport }) {
  return Math.min((Math.abs(offset) + viewport) * 2 ** -22, 1 / 16);
}
/**
 * Returns the points between the first row and the edge of the viewport on its side. Offsets of a list from right to left count
 * from its left end, which is its last row.
 *
 * @param {Axis} axis
 * @param {number} contentLength The length of the content, in points.
 * @param {number} offset
 * @param {number} viewport
 */
function startOfViewport(axis, contentLength, offset, viewport) {
  return axis === "rightToLeft" ? contentLength - viewport - offset : offset;
}
/**
 * Returns where a row lies on the screen: the points from the viewport's top or left edge to that of the row.
 *
 * @param {Axis} axis
 * @param {{ start: number, end: number, contentLength: number }} row The offsets at which the row begins and ends.
 * @param {number} offset
 * @param {number} viewport
 */
function screenPosition(axis, { start, end: end2, contentLength }, offset, viewport) {
  if (axis === "inverted")
    return viewport - (end2 - offset);
  return axis === "rightToLeft" ? contentLength - end2 - offset : start - offset;
}

// checks.js
// Checks of what callers pass.
/** @param {unknown} value */
function shown(value) {
  return typeof value === "string" ? `'${value}'` : String(value);
}
/**
 * Checks that heights, frames and lines were read, and are of one run.
 *
 * @param {{ heights: Heights, frames?: Frames, lines?: Lines }} tables
 */
function requireTables(tables) {
  for (const [name, table] of Object.entries(tables)) {
    if (typeof table !== "object" || table === null || table instanceof Promise) {
      throw new TypeError(`Pass what fromArrow returned for ${name}, awaited if it was a promise, not ${shown(table)}`);
    }
  }
  const { heights, frames, lines } = tables;
  // Tables of earlier versions state no checksum, but their heights state the number of frames.
  if (frames !== void 0) {
    if (heights.frameSum !== null && heights.frameSum !== frames.frameSum)
      throw differentRuns("heights", "frames");
    requireRun(heights, frames, "heights", "frames");
  }
  if (lines !== void 0)
    requireRun(heights, lines, "heights", "lines");
}
/**
 * Checks that two tables are of one run, if both state it.
 *
 * @param {{ framesChecksum: string | null }} table
 * @param {{ framesChecksum: string | null }} other
 * @param {string} name
 * @param {string} otherName
 */
function requireRun(table, other, name, otherName) {
  if (table.framesChecksum && other.framesChecksum && table.framesChecksum !== other.framesChecksum)
    throw differentRuns(name, otherName);
}
/**
 * @param {string} name
 * @param {string} otherName
 */
function differentRuns(name, otherName) {
  return new Error(`The ${name} and the ${otherName} are of two runs. Read all tables from one directory that galley layout wrote`);
}
/**
 * Checks that an object has no other properties than those that are known.
 *
 * @param {unknown} object
 * @param {readonly string[]} names
 * @param {string} what
 */
function requireProperties(object, names, what) {
  if (typeof object !== "object" || object === null) {
    throw new TypeError(`Pass an object for ${what}, which can have ${names.join(", ")}, not ${shown(object)}`);
  }
  const unknown = Object.keys(object).find((name) => !names.includes(name));
  if (unknown !== void 0) {
    throw new TypeError(`There is no property ${shown(unknown)} in ${what}, only ${names.join(", ")}`);
  }
}
/**
 * Returns a value that is one of those that are known.
 *
 * @template Known
 * @param {unknown} value
 * @param {readonly Known[]} known
 * @param {string} what
 * @returns {Known}
 */
function oneOf(value, known, what) {
  const found = known.find((one) => one === value);
  if (found !== void 0)
    return found;
  throw new RangeError(`${what} is ${shown(value)}: pass one of ${known.map(shown).join(", ")}`);
}
/**
 * @param {unknown} row
 * @param {number} last
 */
function requireRow(row, last) {
  requireNumber(row, "a row");
  if (Number.isInteger(row) && row >= 0 && row <= last)
    return;
  const advice = last < 0 ? "insert rows with splice first" : `pass a whole number from 0 to ${last}`;
  throw new RangeError(`There is no row ${shown(row)} in this list of heights: ${advice}`);
}
/**
 * @param {unknown} number
 * @param {string} what
 * @returns {asserts number is number}
 */
function requireNumber(number, what) {
  if (typeof number !== "number")
    throw new TypeError(`Pass a number for ${what}, not ${shown(number)}`);
}
/**
 * @param {unknown} number
 * @param {string} what
 * @returns {asserts number is number}
 */
function requireFinite(number, what) {
  requireNumber(number, what);
  if (!Number.isFinite(number))
    throw new RangeError(`Pass a finite number for ${what}, not ${number}`);
}
/**
 * @param {unknown} flag
 * @param {string} what
 */
function requireBoolean(flag, what) {
  if (typeof flag !== "boolean")
    throw new TypeError(`Pass true or false for ${what}, not ${shown(flag)}`);
}
/**
 * @param {unknown} height
 * @param {string} what
 */
function requireHeight(height, what) {
  requireFinite(height, what);
  if (height < 0)
    throw new RangeError(`Pass a number that is at least 0 for ${what}, not ${height}`);
}
/**
 * @param {Float64Array} heights
 * @param {string} what
 */
function requireHeights(heights, what) {
  for (let row = 0; row < heights.length; row += 1) {
    if (!(heights[row] >= 0 && heights[row] < Infinity))
      requireHeight(heights[row], `height ${row} of ${what}`);
  }
}
/**
 * Returns numbers as a copy of their own, rounded to 32 bits. JSON has the shortest text of a float32 number, which is another
 * float64 number: 526.3281 stands for 526.328125.
 *
 * @param {Iterable<number> | ArrayLike<number>} heights
 * @param {string} what
 */
function heightsIn(heights, what) {
  if (heights instanceof Float64Array || heights instanceof Float32Array)
    return new Float64Array(new Float32Array(heights));
  if (!isSequence(heights)) {
    throw new TypeError(`Pass an array of numbers for ${what}, or anything else that can be iterated, such as the property heights of what galley export --format json writes, not ${shown(heights)}`);
  }
  const values = Array.from(heights);
  values.forEach((value, row) => {
    // A Float32Array would make 0 of null.
    if (typeof value !== "number")
      throw new TypeError(`Height ${row} must be a number, not ${shown(value)}`);
  });
  return new Float64Array(new Float32Array(values));
}
/**
 * Returns whether a value has elements. `Array.from` makes an empty array of any other value but null and undefined.
 *
 * @param {any} value
 */
function isSequence(value) {
  return typeof value === "object" && value !== null && (Symbol.iterator in value || typeof value.length === "number");
}

// links.js
// The addresses to which a page may lead.
/** The protocols of links. A row's data must not be able to run a script with `javascript:`. */
var PROTOCOLS = ["http:", "https:", "mailto:", "tel:"];
/** What an address without a protocol is relative to, wherever the page is: it has the protocol of the page. */
var PAGE = "https://page.invalid/";
/**
 * Returns whether a value is the address of a link that may be followed.
 *
 * @param {unknown} address
 * @returns {address is string}
 */
function isLink(address) {
  if (typeof address !== "string")
    return false;
  try {
    return PROTOCOLS.includes(new URL(address, PAGE).protocol);
  } catch {
    return false;
  }
}

// markup.js
// The description of elements of a page, from which `draw` makes elements and `cellHTML` a string.
/**
 * An element.
 *
 * @typedef {object} Markup
 * @property {string} name The name of the element, such as `div`.
 * @property {Record<string, string>} attributes Its attributes but for `style`.
 * @property {string} style The declarations of its attribute `style`.
 * @property {(Markup | string)[]} children Elements and texts.
 */
/**
 * Returns the description of an element.
 *
 * @param {string} name
 * @param {Record<string, string>} attributes
 * @param {string} style
 * @param {(Markup | string)[]} [children]
 * @returns {Markup}
 */
function markup(name, attributes, style, children = []) {
  return { name, attributes, style, children };
}

// justification.js
// Lines that are as wide as the room of their text.
/** The most points by which the ends of justified lines differ: some platforms let a line be wider than its room. */
var TOLERANCE = 1;
/**
 * Returns the lines whose spaces and tabs are wider, so that all of one direction end at the same place. The tables have the width of each
 * line, not the alignment of the text: lines that happen to end at one place are returned too, and already have that width.
 *
 * @param {Text} text
 * @returns {Set<Line>}
 */
function justifiedLines({ text, lines }) {
  const continued = lines.filter((line, index) => !line.ellipsis && isContinued(text, lines[index + 1]));
  /** @param {Line} line @param {RegExp} space */
  const has = ({ start, end: end2 }, space) => space.test(text.slice(start, end2));
  return new Set([true, false].flatMap((direction) => {
    const own = continued.filter((line) => line.rightToLeft === direction && has(line, /[ \u00A0\t]/));
    // Some platforms make only spaces wider: a line without them may end elsewhere than the others.
    const spaced = own.filter((line) => has(line, /[ \u00A0]/));
    /** @param {Line} line */
    const endOf = ({ x, width }) => direction ? -x : x + width;
    const end2 = Math.max(...(spaced.length > 0 ? spaced : own).map(endOf));
    const stretched = own.filter((line) => Math.abs(end2 - endOf(line)) <= TOLERANCE);
    return spaced.every((line) => stretched.includes(line)) ? stretched : [];
  }));
}
/**
 * Returns whether the line before another one is in the same paragraph.
 *
 * @param {string} text
 * @param {Line | undefined} next
 */
function isContinued(text, next) {
  return next !== void 0 && next.start > 0 && text[next.start - 1] !== "\n";
}

// spans.js
// The links, mentions and attachments of texts.
/**
 * Returns the link, mention or attachment at a point of a text, such as the one that was tapped; null if there is none.
 *
 * @param {Text} text
 * @param {number} x The distance from the left side of the text's frame, in points.
 * @param {number} y The distance from its top.
 * @returns {Span | null}
 */
function spanAt({ spans }, x, y) {
  return spans.find((span) => x >= span.x && x < span.x + span.width && y >= span.y && y < span.y + span.height) ?? null;
}
/** The character of the text that stands for an attachment (U+FFFC). */
var ATTACHMENT = "￼";
/**
 * Returns whether a span is an attachment, whose `url` is the address of what it shows.
 *
 * @param {Text} text
 * @param {Span} span
 */
function isAttachment({ text }, { start, end: end2 }) {
  return text.slice(start, end2) === ATTACHMENT;
}

// textmarkup.js
// The description of the lines of a text.
/**
 * A part of a line.
 *
 * @typedef {object} Part
 * @property {string} characters
 * @property {string} font
 * @property {Span | null} span The link, mention or attachment that it is.
 */
/**
 * Returns an element for each line of a text.
 *
 * @param {Text} text
 * @param {boolean} isInLink Whether the text is in a link, in which there cannot be others.
 */
function textMarkup(text, isInLink) {
  const { pointSizeScaleFactor: factor } = text;
  const justified = justifiedLines(text);
  return text.lines.map((line, number) => {
    const parts = partsOf(line, number, text);
    const elements = parts.map((part) => part.span !== null && isAttachment(text, part.span) ? attachmentMarkup(part.span, line) : partMarkup(part, factor, isInLink));
    const hasTabs = line.characters.includes("	");
    // The tab stops of all lines are those of the text's first font.
    const font = hasTabs ? text.runs[0]?.font : parts[0]?.font;
    // A line with one font and no links needs no other element, unless it has tab stops of another size.
    const isPlain = parts.length === 1 && parts[0].span === null && parts[0].font === font && (!hasTabs || factor === 1);
    const children = [strutMarkup(line), ...isPlain ? elements[0].children : elements];
    // Tab stops are those of the font of a block.
    return lineMarkup(line, justified.has(line), font, hasTabs ? scaled("div", children, factor) : children);
  });
}
/**
 * Returns an element at the place of a line. It cannot wrap, and its glyphs have no height of their own.
 *
 * @param {Line} line
 * @param {boolean} isJustified
 * @param {string | undefined} font
 * @param {(Markup | string)[]} children
 */
function lineMarkup({ x, y, width, height, rightToLeft }, isJustified, font, children) {
  /** @type {Record<string, string>} */
  const attributes = { dir: rightToLeft ? "rtl" : "ltr" };
  if (font !== void 0)
    attributes.class = classOf(font);
  const style = `position:absolute;white-space:pre;line-height:0;left:${x}px;top:${y}px;height:${height}px`;
  const stretch = isJustified ? `;min-width:${width}px;text-align-last:justify;text-justify:inter-word` : "";
  return markup("div", attributes, style + stretch, children);
}
/**
 * Returns a strut with the height of a line above and below its baseline, which is that of the table whatever its fonts are.
 *
 * @param {Line} line
 */
function strutMarkup({ y, height, baseline }) {
  return markup("span", {}, `display:inline-block;height:${height}px;vertical-align:${baseline - y - height}px`);
}
/**
 * Returns an element for a part of a line that is text.
 *
 * @param {Part} part
 * @param {number} factor The factor of the size of its font.
 * @param {boolean} isInLink
 */
function partMarkup({ characters, font, span }, factor, isInLink) {
  /** @type {Record<string, string>} */
  const attributes = { class: classOf(font) };
  if (span !== null && span.kind !== "")
    attributes["data-kind"] = span.kind;
  const leads = span !== null && span.url !== "" && !isInLink && isLink(span.url);
  if (leads)
    attributes.href = span.url;
  // The class of a font states a line height, which must not move the line.
  return markup(leads ? "a" : "span", attributes, "line-height:0", characters === "" ? [] : scaled("span", [characters], factor));
}
/**
 * Returns the class that `galley css` writes for a font: white space in its name (Unicode's White_Space) would end the class.
 *
 * @param {string} font
 */
function classOf(font) {
  // Of the characters of `\s`, U+FEFF is no white space, and U+0085 is missing.
  return font.replace(/\r\n|(?!\uFEFF)[\s\u0085]/g, "-");
}
/**
 * Returns children in a font whose size is multiplied and rounded to whole pixels. The class of the font is that of the element
 * around them.
 *
 * @param {string} name The name of the element that has the size.
 * @param {(Markup | string)[]} children
 * @param {number} factor
 */
function scaled(name, children, factor) {
  if (factor === 1)
    return children;
  // Halves are rounded up, also where the product of floats is a little less, but for a factor that is less with 32 bits.
  const half = Math.fround(factor) < factor ? "-" : "+";
  return [markup(name, {}, `font-size:round(${factor}em ${half} 0.00001px,1px)`, children)];
}
/**
 * Returns the image of an attachment, or an empty box if it has no address. It has its rectangle in the flow of the line, so that
 * what follows is at its place in both directions.
 *
 * @param {Span} span
 * @param {Line} line
 */
function attachmentMarkup({ y, width, height, url, kind }, { baseline }) {
  /** @type {Record<string, string>} */
  const attributes = kind === "" ? {} : { "data-kind": kind };
  const style = `display:inline-block;width:${width}px;height:${height}px;vertical-align:${baseline - y - height}px`;
  if (url === "")
    return markup("span", attributes, style);
  return markup("img", { ...attributes, alt: "", decoding: "async", src: url }, `${style};max-width:none;object-fit:contain`);
}
/**
 * Returns the parts of a line: where the font changes, and where links, mentions and attachments begin and end. A hyphen has the
 * font of what it follows, the truncation string that of the last run of the text.
 *
 * @param {Line} line
 * @param {number} number
 * @param {Text} text
 * @returns {Part[]}
 */
function partsOf({ characters, start: first, end: last, hyphen }, number, { text, runs, spans }) {
  const own = spans.filter(({ line }) => line === number);
  const offsets = [first, last, ...[...runs, ...own].flatMap(({ start, end: end2 }) => [start, end2])].filter((offset) => offset >= first && offset <= last).sort((one, other) => one - other);
  /** @type {Part[]} */
  const parts = [];
  offsets.forEach((start, index) => {
    const end2 = offsets[index + 1] ?? start;
    if (end2 === start)
      return;
    parts.push({
      characters: text.slice(start, end2),
      font: runs.find((run) => start >= run.start && start < run.end)?.font ?? "",
      span: own.find((span) => start >= span.start && end2 <= span.end) ?? null
    });
  });
  const added = characters.slice(last - first);
  const previous = parts.at(-1);
  if (added === "" && previous !== void 0)
    return parts;
  const font = hyphen ? previous?.font : runs.at(-1)?.font;
  if (previous !== void 0 && previous.span === null && previous.font === font)
    previous.characters += added;
  else if (font !== void 0)
    parts.push({ characters: added, font, span: null });
  return parts;
}

// cellmarkup.js
// The description of a cell from its frames and lines: an element at the place of each frame, with texts, images and links.
/**
 * An image of a cell.
 *
 * @typedef {object} CellImage
 * @property {string} [src] Its address; that of the node in `heights.resources` if it is left out.
 * @property {string} [alt] What it shows, in words; none if it is left out, for an image that only decorates.
 */
/**
 * The tables that a cell is drawn from, and what the tables do not have.
 *
 * @typedef {object} CellData
 * @property {Heights} heights The heights of the list. Network images are drawn if it has `resources`.
 * @property {Frames} frames
 * @property {Lines} lines
 * @property {Record<string, CellImage>} [images] The images of nodes by name, in any element.
 * @property {Record<string, string>} [links] The addresses that nodes lead to, by name.
 * @property {'visible' | 'display' | 'preload'} [range] The range of `prefetch` in which the row is. Images of visible rows
 * and of the display range load at once, others when the browser finds that they are near.
 */
var RANGES = ["visible", "display", "preload"];
var IMAGE_TYPES = ["networkImage", "multiplexImage"];
/**
 * Returns the elements of a row's cell that are in no other element of it.
 *
 * @param {number} row The row of the list.
 * @param {CellData} data
 */
function cellMarkup(row, data) {
  const { heights, frames, lines, links = {}, range } = data;
  requireTables({ heights, frames, lines });
  if (range !== void 0)
    oneOf(range, RANGES, "The range of a row");
  const tableRow = tableRowOf(row, heights);
  const cellFrames = frames.of(tableRow);
  const texts = lines.of(tableRow);
  const sources = sourcesOf(tableRow, heights);
  /** @type {{ box: Markup, isInLink: boolean }[]} */
  const boxes = [];
  /** @type {Markup[]} */
  const outermost = [];
  for (const frame of cellFrames) {
    const parent = frame.parent < 0 ? null : cellFrames[frame.parent];
    const isParentInLink = parent !== null && boxes[frame.parent].isInLink;
    // A node can be named as what every object has, such as `constructor`.
    const link = !isParentInLink && Object.hasOwn(links, frame.node) ? links[frame.node] : void 0;
    const box = boxOf(frame, parent, link);
    const isInLink = isParentInLink || box.name === "a";
    const image = imageOf(frame, sources, data);
    if (image !== null)
      box.children.push(image);
    if (frame.type === "text")
      box.children.push(...textMarkup(textOf(frame, texts.shift(), row), isInLink));
    if (parent === null)
      outermost.push(box);
    else
      boxes[frame.parent].box.children.push(box);
    boxes.push({ box, isInLink });
  }
  return outermost;
}
/**
 * Returns the row of the tables that a row of the list is.
 *
 * @param {number} row
 * @param {Heights} heights
 */
function tableRowOf(row, heights) {
  const tableRow = heights.tableRowOf(row);
  if (tableRow >= 0)
    return tableRow;
  throw new RangeError(`Row ${row} was inserted or updated after the tables were read, which have no frames for it. Lay it out and read the tables again, or draw it without them`);
}
/**
 * Returns the address of the image of each node.
 *
 * @param {number} tableRow
 * @param {Heights} heights
 */
function sourcesOf(tableRow, heights) {
  /** @type {Map<string, string>} */
  const sources = /* @__PURE__ */ new Map();
  for (const { node, url, type } of heights.resources?.of(tableRow) ?? []) {
    // A node with several addresses has the best first.
    if (IMAGE_TYPES.includes(type) && !sources.has(node))
      sources.set(node, url);
  }
  return sources;
}
/**
 * Returns the element at the place of a frame.
 *
 * @param {Frame} frame
 * @param {Frame | null} parent
 * @param {string | undefined} link
 */
function boxOf({ node, type, x, y, width, height }, parent, link) {
  const [left, top] = parent === null ? [x, y] : [x - parent.x, y - parent.y];
  const style = `position:absolute;box-sizing:border-box;left:${left}px;top:${top}px;width:${width}px;height:${height}px`;
  const attributes = { "data-node": node, "data-type": type };
  return isLink(link) ? markup("a", { ...attributes, href: link }, style) : markup("div", attributes, style);
}
/**
 * Returns the image of a frame, or null if it has none.
 *
 * @param {Frame} frame
 * @param {Map<string, string>} sources
 * @param {CellData} data
 */
function imageOf({ node }, sources, { images = {}, range }) {
  const image = (Object.hasOwn(images, node) ? images[node] : void 0) ?? {};
  requireProperties(image, ["src", "alt"], `the image of ${node}`);
  const { src = sources.get(node), alt = "" } = image;
  if (src === void 0)
    return null;
  const loading = range === "visible" || range === "display" ? "eager" : "lazy";
  // The address is the last attribute: an image without `loading` begins to load at once.
  return markup("img", { alt, decoding: "async", loading, src }, "display:block;width:100%;height:100%;object-fit:cover");
}
/**
 * @param {Frame} frame
 * @param {Text | undefined} text
 * @param {number} row
 * @returns {Text}
 */
function textOf({ node, lines }, text, row) {
  // A frame counts at most 65,535 lines.
  if (text?.node === node && Math.min(text.lines.length, 65535) === lines)
    return text;
  throw new Error(
    (text?.node === node ? `Row ${row} has ${lines} line${lines === 1 ? "" : "s"} of the text ${node} in frames.arrow, where lines.arrow has ${text.lines.length}. ` : `Row ${row} has the text ${node} in frames.arrow, where texts.arrow has ${text?.node ?? "none"}. `) + "Read both from one directory that galley layout --lines wrote"
  );
}

// draw.js
// Drawing a cell in a web page from its frames and lines.
/**
 * Draws a row's cell into an element, in place of what is in it: an element at the place of each frame, texts line by line,
 * images and links. The element must be positioned, and gets the height of the row. Fonts are classes.
 *
 * @param {number} row The row of the list.
 * @param {HTMLElement} element
 * @param {CellData} data
 */
function draw(row, element, data) {
  const elements = cellMarkup(row, data).map(elementOf);
  element.style[isHorizontal(data.heights.axis) ? "width" : "height"] = `${data.heights.heightOf(row)}px`;
  element.replaceChildren(...elements);
}
/**
 * @param {Markup} markup
 * @returns {HTMLElement}
 */
function elementOf({ name, attributes, style, children }) {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes))
    element.setAttribute(attribute, value);
  // The security policy of a page can forbid the attribute `style`, but not this property.
  element.style.cssText = style;
  element.append(...children.map((child) => typeof child === "string" ? child : elementOf(child)));
  return element;
}

// reading.js
// Reading files.
/** @typedef {ArrayBuffer | SharedArrayBuffer | ArrayBufferView} Buffer */
/**
 * Reads a buffer at once, or a file by its address.
 *
 * @template Result
 * @param {Buffer | string | URL} source
 * @param {string} name
 * @param {(bytes: Uint8Array, name: string) => Result} parse
 * @returns {any}
 */
function read(source, name, parse) {
  if (ArrayBuffer.isView(source)) {
    return parse(new Uint8Array(source.buffer, source.byteOffset, source.byteLength), name);
  }
  if (typeof source === "string" || source instanceof URL) {
    return fetched(source, "arrayBuffer").then((buffer) => parse(new Uint8Array(buffer), String(source)));
  }
  // Only pages that are isolated from other origins have shared buffers.
  const isShared = typeof SharedArrayBuffer === "function" && source instanceof SharedArrayBuffer;
  if (isShared || source instanceof ArrayBuffer)
    return parse(new Uint8Array(source), name);
  throw new TypeError(`Pass an ArrayBuffer, a view of one, or a URL for ${name}, not ${shown(source)}`);
}
/**
 * Returns the content of a file.
 *
 * @param {string | URL} url
 * @param {'arrayBuffer' | 'text'} form
 * @returns {Promise<any>}
 */
async function fetched(url, form) {
  /** @param {Error} error */
  const fail = (error) => {
    throw new Error(`${url} could not be read: ${error.message}. Check the address and the server`, { cause: error });
  };
  const response = await fetch(url).catch(fail);
  if (!response.ok) {
    throw new Error(`${url} could not be read: the server replied ${response.status}. Check the address`);
  }
  // A transfer can be cut.
  return response[form]().catch(fail);
}
/**
 * @param {string} name
 * @param {string} what
 */
function damage(name, what) {
  return new Error(
    `${name} is damaged or incomplete: ${what}. Copy the file again from the directory that galley wrote`
  );
}

// flatbuffers.js
// A reader of FlatBuffers, the format of the metadata of Arrow files.
/**
 * The size of a number in bytes and the function that reads it, by its type.
 *
 * @type {Record<string, [number, (section: Section, position: number) => number]>}
 */
var NUMBERS = {
  int8: [1, ({ view }, position) => view.getInt8(position)],
  uint8: [1, ({ view }, position) => view.getUint8(position)],
  int16: [2, ({ view }, position) => view.getInt16(position, true)],
  uint16: [2, ({ view }, position) => view.getUint16(position, true)],
  int32: [4, ({ view }, position) => view.getInt32(position, true)],
  uint32: [4, ({ view }, position) => view.getUint32(position, true)],
  int64: [8, int64],
  uint64: [8, int64],
  float32: [4, ({ view }, position) => view.getFloat32(position, true)],
  float64: [8, ({ view }, position) => view.getFloat64(position, true)]
};
/**
 * @param {Section} section
 * @param {number} position
 */
function int64({ view, name, what }, position) {
  const number = view.getInt32(position + 4, true) * 2 ** 32 + view.getUint32(position, true);
  if (!Number.isSafeInteger(number))
    throw damage(name, `${what} has the number ${number}`);
  return number;
}
/** A part of a file that must not be read beyond its bounds. */
class Section {
  /**
   * @param {Uint8Array} bytes
   * @param {string} name The name of the file.
   * @param {string} what
   */
  constructor(bytes, name, what) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.name = name;
    this.what = what;
  }
  /**
   * Returns the bytes of a part.
   *
   * @param {number} start
   * @param {number} length
   * @param {string} what
   */
  section(start, length, what) {
    this.require(start, length);
    return new Section(this.bytes.subarray(start, start + length), this.name, what);
  }
  /**
   * @param {number} position
   * @param {number} length
   */
  require(position, length) {
    if (!(position >= 0 && length >= 0 && position + length <= this.bytes.length)) {
      const end2 = position + length;
      throw damage(this.name, `${this.what} refers to bytes ${position} to ${end2} of ${this.bytes.length}`);
    }
  }
  /**
   * @param {string} type One of those of `NUMBERS`.
   * @param {number} position
   */
  number(type, position) {
    const [size, value] = NUMBERS[type];
    this.require(position, size);
    return value(this, position);
  }
  /** The table that a FlatBuffer begins with. */
  root() {
    return new Table(this, this.number("int32", 0));
  }
}
/** A table of a FlatBuffer. The fields that it lacks have their default. */
class Table {
  /**
   * @param {Section} section
   * @param {number} position
   */
  constructor(section, position) {
    this.section = section;
    this.position = position;
    this.vtable = position - section.number("int32", position);
    this.vtableSize = section.number("uint16", this.vtable);
  }
  /**
   * Returns the position of a field, or null if the table lacks it.
   *
   * @param {number} field
   */
  find(field) {
    const entry = 4 + 2 * field;
    if (entry + 2 > this.vtableSize)
      return null;
    const offset = this.section.number("uint16", this.vtable + entry);
    return offset === 0 ? null : this.position + offset;
  }
  /**
   * @param {string} type
   * @param {number} field
   */
  number(type, field) {
    const position = this.find(field);
    return position === null ? 0 : this.section.number(type, position);
  }
  /** @param {number} field */
  table(field) {
    const position = this.find(field);
    return position === null ? null : new Table(this.section, position + this.section.number("int32", position));
  }
  /**
   * @param {number} field
   * @param {string} what
   */
  requiredTable(field, what) {
    const table = this.table(field);
    if (table === null)
      throw damage(this.section.name, `${this.section.what} has no ${what}`);
    return table;
  }
  /**
   * Returns the positions of the elements of a vector.
   *
   * @param {number} field
   * @param {number} elementSize
   */
  vector(field, elementSize) {
    const position = this.find(field);
    if (position === null)
      return [];
    const start = position + this.section.number("int32", position);
    const count = this.section.number("int32", start);
    this.section.require(start + 4, count * elementSize);
    return Array.from({ length: count }, (_, index) => start + 4 + index * elementSize);
  }
  /** @param {number} field */
  tables(field) {
    return this.vector(field, 4).map((position) => new Table(this.section, position + this.section.number("int32", position)));
  }
  /** @param {number} field */
  string(field) {
    // The names of Galley's columns and variants are ASCII.
    return this.vector(field, 1).map((position) => String.fromCharCode(this.section.number("uint8", position))).join("");
  }
}

// numbers.js
// Arrays of numbers.
/** @param {Float64Array} numbers */
function sum(numbers) {
  let total = 0;
  for (let index = 0; index < numbers.length; index += 1)
    total += numbers[index];
  return total;
}
/**
 * @template {Float64Array | Int32Array} Numbers
 * @param {new (length: number) => Numbers} type
 * @param {...Numbers} parts
 * @returns {Numbers}
 */
function concatenated(type, ...parts) {
  const result = new type(parts.reduce((length, part) => length + part.length, 0));
  let end2 = 0;
  for (const part of parts) {
    result.set(part, end2);
    end2 += part.length;
  }
  return result;
}
/**
 * Returns the index of the last of the first `count` numbers that is not greater than a value. The numbers ascend, and
 * the first is not greater.
 *
 * @param {Float64Array} numbers
 * @param {number} count
 * @param {number} value
 */
function lastAtMost(numbers, count, value) {
  let low = 0;
  let high = count;
  while (high - low > 1) {
    const middle = low + high >> 1;
    if (numbers[middle] <= value)
      low = middle;
    else
      high = middle;
  }
  return low;
}
/**
 * Returns the greatest number that is less than a positive one.
 *
 * @param {number} number
 */
function justBelow(number) {
  return number * (1 - Number.EPSILON / 2);
}

// arrownumbers.js
// Columns of numbers in the batches of an Arrow file. The numbers stay in the bytes of the file.
/** The numbers of a column in all batches. A null is NaN, a bit 0 or 1. */
class NumberColumn {
  /** @type {ColumnPart[]} */
  #parts;
  /** @type {(part: ColumnPart, index: number) => number} */
  #value;
  /**
   * The number of values before each part, and after the last.
   *
   * @type {Float64Array}
   */
  #firsts;
  /**
   * @param {ColumnPart[]} parts
   * @param {string} type
   */
  constructor(parts, type) {
    this.#parts = parts;
    this.#value = valueOf(parts, type);
    this.#firsts = firstsOf(parts.map(({ rows }) => rows));
  }
  get length() {
    return this.#firsts[this.#parts.length];
  }
  /** @param {number} index */
  at(index) {
    const part = lastAtMost(this.#firsts, this.#parts.length, index);
    return this.#value(this.#parts[part], index - this.#firsts[part]);
  }
  /** @param {(value: number, index: number) => void} callback */
  forEach(callback) {
    this.#parts.forEach((part, number) => {
      for (let index = 0; index < part.rows; index += 1) {
        callback(this.#value(part, index), this.#firsts[number] + index);
      }
    });
  }
  /** Returns the numbers as an array of their own. */
  toArray() {
    const result = new Float64Array(this.length);
    this.forEach((value, index) => {
      result[index] = value;
    });
    return result;
  }
}
/**
 * Returns the function that reads a value, after a check that the parts are as long as they state.
 *
 * @param {ColumnPart[]} parts
 * @param {string} type
 * @returns {(part: ColumnPart, index: number) => number}
 */
function valueOf(parts, type) {
  if (type === "bool") {
    for (const { rows, buffers: [values] } of parts)
      values.require(0, rows + 7 >>> 3);
    return ({ buffers: [values] }, index) => bit(values, index);
  }
  const known = Object.prototype.hasOwnProperty.call(NUMBERS, type);
  const [size, value] = known ? NUMBERS[type] : [0, () => NaN];
  for (const { rows, validity, buffers: [values] } of parts) {
    if (!known)
      throw new Error(`${values.what} of ${values.name} is ${type}, which galley does not write. Pass its own files`);
    values.require(0, rows * size);
    validity?.require(0, rows + 7 >>> 3);
  }
  return ({ validity, buffers: [values] }, index) => validity !== null && bit(validity, index) === 0 ? NaN : value(values, index * size);
}
/**
 * @param {Section} bits
 * @param {number} index
 */
function bit(bits, index) {
  return bits.view.getUint8(index >>> 3) >>> (index & 7) & 1;
}
/**
 * Returns the number of values before each part, and after the last.
 *
 * @param {number[]} counts
 */
function firstsOf(counts) {
  const firsts = new Float64Array(counts.length + 1);
  counts.forEach((count, part) => {
    firsts[part + 1] = firsts[part] + count;
  });
  return firsts;
}

// arrowlists.js
// Columns of lists of records in the batches of an Arrow file.
/**
 * A column of the records of one batch.
 *
 * @typedef {{ at(index: number): string | number }} Column
 */
/** A column whose values are lists of records. */
class ListColumn {
  /** @type {ColumnPart[]} */
  #parts;
  /** @type {Float64Array} */
  #firsts;
  /**
   * The columns of the records of each part, by name.
   *
   * @type {Record<string, Column>[]}
   */
  #columns;
  /**
   * @param {ColumnPart[]} parts
   * @param {Record<string, Column>[]} columns
   */
  constructor(parts, columns) {
    for (const { rows, buffers: [offsets] } of parts)
      if (rows > 0)
        offsets.require(0, (rows + 1) * 4);
    this.#parts = parts;
    this.#firsts = firstsOf(parts.map(({ rows }) => rows));
    this.#columns = columns;
  }
  /**
   * Returns the records of a value.
   *
   * @param {number} index
   * @returns {Record<string, string | number>[]}
   */
  at(index) {
    const number = lastAtMost(this.#firsts, this.#parts.length, index);
    const { buffers: [offsets], children: [records] } = this.#parts[number];
    const position = (index - this.#firsts[number]) * 4;
    const [first, end2] = [offsets.view.getInt32(position, true), offsets.view.getInt32(position + 4, true)];
    if (first < 0 || end2 < first || end2 > records.rows) {
      throw damage(offsets.name, `${offsets.what} has a list of the records ${first} to ${end2} of ${records.rows}`);
    }
    const columns = Object.entries(this.#columns[number]);
    return Array.from({ length: end2 - first }, (_, record) => Object.fromEntries(columns.map(([name, column]) => [name, column.at(first + record)])));
  }
}

// arrowstrings.js
// Columns of strings in the batches of an Arrow file. The strings stay in the bytes of the file.
/**
 * Strings of one batch.
 *
 * @typedef {object} Strings
 * @property {Uint8Array} bytes
 * @property {Int32Array} offsets
 */
/**
 * Returns the strings of a part of a column.
 *
 * @param {ColumnPart} part
 * @returns {Strings}
 */
function stringsOf({ rows, buffers: [offsets, bytes] }) {
  const ends = new Int32Array(rows + 1);
  // A column without rows may have no offsets.
  if (rows > 0)
    offsets.require(0, (rows + 1) * 4);
  for (let row = 0; row <= rows && rows > 0; row += 1) {
    ends[row] = offsets.view.getInt32(row * 4, true);
    if (ends[row] < (row === 0 ? 0 : ends[row - 1]) || ends[row] > bytes.bytes.length) {
      throw damage(offsets.name, `${offsets.what} has a string that ends at byte ${ends[row]} of ${bytes.bytes.length}`);
    }
  }
  return { bytes: bytes.bytes, offsets: ends };
}
/** The strings of a column in all batches, or of a dictionary to which the records refer by number. */
class StringColumn {
  /** @type {string} */
  #file;
  /** @type {string} */
  #name;
  /** @type {Strings[]} */
  #strings;
  /** @type {Float64Array} */
  #firsts;
  /** @type {NumberColumn | null} */
  #numbers;
  /**
   * The strings of the dictionary that were read. There are few, such as the names of the nodes.
   *
   * @type {string[]}
   */
  #known = [];
  /**
   * @param {string} file The name of the file, for errors.
   * @param {string} name The name of the column.
   * @param {Strings[]} strings
   * @param {NumberColumn | null} numbers The numbers of the strings of the records, if they are in a dictionary.
   */
  constructor(file, name, strings, numbers) {
    this.#file = file;
    this.#name = name;
    this.#strings = strings;
    this.#firsts = firstsOf(strings.map(({ offsets }) => offsets.length - 1));
    this.#numbers = numbers;
    const count = this.#firsts[strings.length];
    numbers?.forEach((number, record) => {
      if (number < 0 || number >= count) {
        throw damage(file, `${name} of record ${record} is string ${number} of a dictionary of ${count}`);
      }
    });
  }
  /** @param {number} record */
  at(record) {
    if (this.#numbers === null)
      return this.#decoded(record, record);
    const number = this.#numbers.at(record);
    return this.#known[number] ??= this.#decoded(number, record);
  }
  /**
   * @param {number} number
   * @param {number} record
   */
  #decoded(number, record) {
    const part = lastAtMost(this.#firsts, this.#strings.length, number);
    const { bytes, offsets } = this.#strings[part];
    const index = number - this.#firsts[part];
    // It is made here, so that a list without resources needs none: React Native may lack it.
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    try {
      return decoder.decode(bytes.subarray(offsets[index], offsets[index + 1]));
    } catch {
      throw damage(this.#file, `${this.#name} of record ${record} is no UTF-8`);
    }
  }
}

// arrowcolumns.js
// Columns in the batches of an Arrow file.
/**
 * A message with its body.
 *
 * @typedef {object} Message
 * @property {Table} header
 * @property {Section} body
 */
/**
 * A column in one batch.
 *
 * @typedef {object} ColumnPart
 * @property {number} rows
 * @property {Section | null} validity The bits of the values that are not null, if it has nulls.
 * @property {Section[]} buffers Its other buffers.
 * @property {ColumnPart[]} children
 */
/**
 * Returns a column of a batch.
 *
 * @param {Message} message
 * @param {Field[]} fields
 * @param {number} column
 * @param {boolean} [isNullable] Whether the column can have nulls.
 * @returns {ColumnPart}
 */
function partOf({ header, body }, fields, column, isNullable = false) {
  const { name } = body;
  if (header.table(3) !== null)
    throw new Error(`${name} is compressed, which galley does not do. Pass its own files`);
  const rows = header.number("int64", 0);
  const metadata = header.section;
  const nodes = header.vector(1, 16);
  const buffers = header.vector(2, 16);
  const all = countsOf(fields);
  if (nodes.length !== all.nodes || buffers.length !== all.buffers) {
    throw damage(name, `the columns of ${body.what} are not those of the schema`);
  }
  const first = countsOf(fields.slice(0, column));
  /**
   * Takes the next node and buffers of the batch for a column, and those after them for its children.
   *
   * @param {Field} field
   * @returns {ColumnPart}
   */
  const next = (field) => {
    const node = nodes[first.nodes];
    const hasNulls = metadata.number("int64", node + 8) !== 0;
    if (hasNulls && !isNullable) {
      throw new Error(`The column ${field.name} of ${name} has nulls. Pass the table that galley wrote`);
    }
    const [validity, ...others] = buffers.slice(first.buffers, first.buffers + bufferCount(field)).map((position) => body.section(metadata.number("int64", position), metadata.number("int64", position + 8), `the column ${field.name}`));
    first.nodes += 1;
    first.buffers += bufferCount(field);
    const children = field.children.map(next);
    return { rows: metadata.number("int64", node), validity: hasNulls ? validity : null, buffers: others, children };
  };
  const part = next(fields[column]);
  if (part.rows !== rows || rows < 0) {
    throw damage(name, `the column ${fields[column].name} in ${body.what} has not as many values as the batch`);
  }
  return part;
}
/**
 * Returns the number of buffers of a column itself.
 *
 * @param {Field} field
 */
function bufferCount({ stored }) {
  if (stored === "utf8")
    return 3;
  return stored === "struct" ? 1 : 2;
}
/**
 * Returns the numbers of nodes and buffers that columns have in a batch, with those of their children.
 *
 * @param {Field[]} fields
 * @returns {{ nodes: number, buffers: number }}
 */
function countsOf(fields) {
  const count = { nodes: 0, buffers: 0 };
  for (const field of fields) {
    const children = countsOf(field.children);
    count.nodes += 1 + children.nodes;
    count.buffers += bufferCount(field) + children.buffers;
  }
  return count;
}
/**
 * Returns a column of all batches.
 *
 * @param {string} file The name of the file, for errors.
 * @param {Field} field
 * @param {ColumnPart[]} parts
 * @param {Map<number | null, Strings[]>} dictionaries The strings of each dictionary by its number.
 */
function columnOf(file, field, parts, dictionaries) {
  if (field.type === "list") {
    const columns = parts.map(({ children: [records] }) => recordColumns(file, field.children[0], records, dictionaries));
    return new ListColumn(parts, columns);
  }
  return valueColumn(file, field, parts, dictionaries);
}
/**
 * @param {string} file
 * @param {Field} field
 * @param {ColumnPart[]} parts
 * @param {Map<number | null, Strings[]>} dictionaries
 */
function valueColumn(file, { name, type, stored, dictionary }, parts, dictionaries) {
  if (stored === "utf8")
    return new StringColumn(file, name, parts.map(stringsOf), null);
  const numbers = new NumberColumn(parts, stored);
  return type === "utf8" ? new StringColumn(file, name, dictionaries.get(dictionary) ?? [], numbers) : numbers;
}
/**
 * Returns the columns of the records of one batch.
 *
 * @param {string} file
 * @param {Field} field
 * @param {ColumnPart} records
 * @param {Map<number | null, Strings[]>} dictionaries
 */
function recordColumns(file, field, records, dictionaries) {
  return Object.fromEntries(field.children.map((child, index) => {
    const part = records.children[index];
    if (part.rows !== records.rows) {
      throw damage(file, `the column ${child.name} has ${part.rows} values for ${records.rows} records`);
    }
    return [child.name, valueColumn(file, child, [part], dictionaries)];
  }));
}

// arrowschema.js
// The schema of an Arrow file.
/** @typedef {'uint64' | 'uint32' | 'uint16' | 'int32' | 'float32' | 'float64' | 'utf8' | 'bool'} ColumnType */
/**
 * The types that columns must have, by their names. Those of the fields of records are the type of a list of records.
 *
 * @typedef {Record<string, ColumnType | Record<string, ColumnType>>} ColumnTypes
 */
/**
 * A column of the schema.
 *
 * @typedef {object} Field
 * @property {string} name
 * @property {string} type The type of its values.
 * @property {string} stored The type of what the batches have: the values, or the numbers of strings of a dictionary.
 * @property {number | null} dictionary The number of its dictionary.
 * @property {Field[]} children The records of lists, or the fields of records.
 */
/**
 * @param {Table} field
 * @param {string} file
 * @returns {Field}
 */
function fieldOf(field, file) {
  const name = field.string(0);
  const type = typeOf(field.number("uint8", 2), field.requiredTable(3, `type of the column ${name}`));
  const children = type === "list" || type === "struct" ? field.tables(5).map((child) => fieldOf(child, file)) : [];
  // The only lists that galley writes are those of records.
  if (type === null || type === "list" && (children.length !== 1 || children[0].type !== "struct")) {
    throw new Error(`The column ${name} of ${file} has a type that galley does not write`);
  }
  const encoding = field.table(4);
  if (encoding === null)
    return { name, type, stored: type, dictionary: null, children };
  const index = encoding.table(1);
  // The numbers of strings are signed integers of 32 bits if the file does not say what they are.
  return { name, type, stored: index === null ? "int32" : integerType(index), dictionary: encoding.number("int64", 0), children };
}
/**
 * Returns the type for a code in Arrow's union Type, or null if it is one that Galley does not write.
 *
 * @param {number} code
 * @param {Table} type
 */
function typeOf(code, type) {
  switch (code) {
    case 2:
      return integerType(type);
    case 3:
      return ["float16", "float32", "float64"][type.number("int16", 0)] ?? null;
    case 5:
      return "utf8";
    case 6:
      return "bool";
    case 12:
      return "list";
    case 13:
      return "struct";
    default:
      return null;
  }
}
/** @param {Table} type */
function integerType(type) {
  return `${type.number("uint8", 1) === 0 ? "uint" : "int"}${type.number("int32", 0)}`;
}
/**
 * A column of each table that no other one has.
 *
 * @type {Record<string, string>}
 */
var OWN_COLUMNS = { heights: "cell", resources: "url", frames: "parent", lines: "baseline", texts: "truncation" };
/**
 * Checks that columns are not those of another table.
 *
 * @param {Field[]} fields
 * @param {string} table
 * @param {string} name
 */
function requireTable(fields, table, name) {
  const found = Object.keys(OWN_COLUMNS).filter((other) => fields.some((field) => field.name === OWN_COLUMNS[other]));
  if (found.length === 0 || found.includes(table))
    return;
  throw new Error(`${name} has the columns of ${found[0]}.arrow. Pass ${table}.arrow of the directory that galley wrote`);
}
/**
 * @param {Field[]} fields
 * @param {ColumnTypes} columns
 * @param {string} name
 */
function requireColumns(fields, columns, name) {
  for (const [column, type] of Object.entries(columns)) {
    const field = fields.find((field2) => field2.name === column);
    if (field === void 0) {
      const present = fields.map((field2) => field2.name).join(", ");
      throw new Error(`${name} has no column ${column}, only ${present}. Pass the table of that name that galley wrote`);
    }
    if (typeof type === "object" && field.type === "list") {
      requireColumns(field.children[0].children, type, `the column ${column} of ${name}`);
    } else if (field.type !== type) {
      const expected = typeof type === "object" ? "list" : type;
      throw new Error(`The column ${column} of ${name} is ${field.type}, not ${expected}. Pass the table that galley wrote`);
    }
  }
}

// arrowtable.js
// The columns of an Arrow file.
/** Columns of all batches of an Arrow file. Those that are asked for must be among those that it was read with. */
class ArrowTable {
  /** @type {Map<string, any>} */
  #columns;
  /**
   * @param {string} name
   * @param {Map<string, string>} metadata Those of the schema.
   * @param {Map<string, NumberColumn | StringColumn | ListColumn>} columns
   */
  constructor(name, metadata, columns) {
    this.name = name;
    this.metadata = metadata;
    this.#columns = columns;
  }
  /** The checksum of the frames to which it belongs; null if there are none, and for tables of earlier versions. */
  get framesChecksum() {
    return this.metadata.get("galley.frames") ?? null;
  }
  /** @param {string} column */
  has(column) {
    return this.#columns.has(column);
  }
  /**
   * @param {string} column
   * @returns {NumberColumn}
   */
  numbers(column) {
    return this.#columns.get(column);
  }
  /**
   * @param {string} column
   * @param {number} record
   * @returns {number}
   */
  number(column, record) {
    return this.#columns.get(column).at(record);
  }
  /**
   * @param {string} column
   * @param {number} record
   * @returns {string}
   */
  string(column, record) {
    return this.#columns.get(column).at(record);
  }
  /**
   * Returns the records of a list.
   *
   * @param {string} column
   * @param {number} record
   * @returns {any[]}
   */
  records(column, record) {
    return this.#columns.get(column).at(record);
  }
}

// arrow.js
// Arrow IPC files: the magic bytes, messages, a footer with the schema and the places of the messages, the footer's
// length, and the magic bytes again. Metadata are FlatBuffers, of which the numbers of the fields are in Arrow's
// File.fbs, Message.fbs and Schema.fbs.
var MAGIC = [65, 82, 82, 79, 87, 49];
/** The size of a file without footer: the magic bytes with padding, the footer's length and the magic bytes. */
var SMALLEST_FILE = 8 + 4 + 6;
var DICTIONARY_BATCH = 2;
var RECORD_BATCH = 3;
var LITTLE_ENDIAN = 0;
/**
 * @param {Uint8Array} bytes
 * @param {number} position
 */
function hasMagic(bytes, position) {
  return position >= 0 && MAGIC.every((byte, index) => bytes[position + index] === byte);
}
/**
 * Reads columns of an Arrow IPC file. Their values stay in its bytes.
 *
 * @param {Uint8Array} bytes
 * @param {string} name The name of the file, for errors.
 * @param {string} table The name of the table that it must be, such as `heights`.
 * @param {ColumnTypes} columns The columns to read and the types that they must have.
 * @param {ColumnTypes} [later] Columns that tables of earlier versions lack, which can have nulls.
 * @returns {ArrowTable}
 */
function readArrow(bytes, name, table, columns, later = {}) {
  const file = new Section(bytes, name, "the file");
  const footer = footerOf(file);
  const schema = footer.requiredTable(1, "schema");
  if (schema.number("int16", 0) !== LITTLE_ENDIAN)
    throw new Error(`${name} is big-endian. Write it with galley`);
  const fields = schema.tables(1).map((field) => fieldOf(field, name));
  requireTable(fields, table, name);
  requireColumns(fields, columns, name);
  const present = Object.entries(later).filter(([column]) => fields.some((field) => field.name === column));
  requireColumns(fields, Object.fromEntries(present), name);
  const batches = bodies(file, footer, 3, RECORD_BATCH);
  const dictionaries = readDictionaries(bodies(file, footer, 2, DICTIONARY_BATCH));
  /** @type {Map<string, ReturnType<typeof columnOf>>} */
  const found = /* @__PURE__ */ new Map();
  for (const column of [...Object.keys(columns), ...Object.keys(later)]) {
    const index = fields.findIndex((field) => field.name === column);
    if (index < 0)
      continue;
    const parts = batches.map((batch) => partOf(batch, fields, index, column in later));
    found.set(column, columnOf(name, fields[index], parts, dictionaries));
  }
  /** @type {Map<string, string>} */
  const metadata = /* @__PURE__ */ new Map();
  for (const entry of schema.tables(2))
    metadata.set(entry.string(0), entry.string(1));
  return new ArrowTable(name, metadata, found);
}
/** @param {Section} file */
function footerOf(file) {
  const { bytes, name } = file;
  const foreign = `${name} is no Arrow file. Pass heights.arrow or another table of a directory that galley wrote`;
  if (bytes.length < SMALLEST_FILE) {
    if (hasMagic(bytes, 0))
      throw damage(name, `it has only ${bytes.length} bytes`);
    throw new Error(foreign);
  }
  if (!hasMagic(bytes, 0))
    throw new Error(foreign);
  const lengthPosition = bytes.length - MAGIC.length - 4;
  if (!hasMagic(bytes, lengthPosition + 4))
    throw damage(name, "its end is missing");
  const length = file.number("int32", lengthPosition);
  return file.section(lengthPosition - length, length, "its footer").root();
}
/**
 * Returns the messages that a vector of the footer refers to.
 *
 * @param {Section} file
 * @param {Table} footer
 * @param {number} field
 * @param {number} headerType
 * @returns {Message[]}
 */
function bodies(file, footer, field, headerType) {
  const { section: blocks } = footer;
  let end2 = 0;
  return footer.vector(field, 24).map((position, index) => {
    const start = blocks.number("int64", position);
    const metadataLength = blocks.number("int32", position + 8);
    const bodyLength = blocks.number("int64", position + 16);
    const what = `${headerType === RECORD_BATCH ? "batch" : "dictionary"} ${index}`;
    // Messages that overlap would let a small file claim any number of rows.
    if (start < end2)
      throw damage(file.name, `${what} begins before the end of the one before`);
    end2 = start + metadataLength + bodyLength;
    const metadata = file.section(start, metadataLength, what);
    if (metadata.number("int32", 0) !== -1)
      throw damage(file.name, `there is no message where ${what} should begin`);
    const message = metadata.section(8, metadata.number("int32", 4), what).root();
    if (message.number("uint8", 1) !== headerType || message.number("int64", 3) !== bodyLength) {
      throw damage(file.name, `the footer and the message of ${what} differ`);
    }
    return {
      header: message.requiredTable(2, "header"),
      body: file.section(start + metadataLength, bodyLength, `the body of ${what}`)
    };
  });
}
/**
 * Returns the strings of each dictionary by its number.
 *
 * @param {Message[]} messages
 */
function readDictionaries(messages) {
  /** @type {Map<number | null, Strings[]>} */
  const dictionaries = /* @__PURE__ */ new Map();
  for (const { header, body } of messages) {
    const id = header.number("int64", 0);
    if (dictionaries.has(id)) {
      throw new Error(`${body.name} has a dictionary in parts, which galley does not write. Pass its own files`);
    }
    const message = { header: header.requiredTable(1, "strings"), body };
    const field = { name: "strings", type: "utf8", stored: "utf8", dictionary: null, children: [] };
    dictionaries.set(id, [stringsOf(partOf(message, [field], 0))]);
  }
  return dictionaries;
}

// records.js
// The records of rows in tables that have any number of records for each row.
/**
 * Checks that the rows of the records ascend.
 *
 * @param {ArrowTable} table
 */
function requireRowOrder(table) {
  let last = 0;
  table.numbers("row").forEach((row, record) => {
    if (row < last)
      throw damage(table.name, `record ${record} is of row ${row}, the one before of a later row`);
    last = row;
  });
}
/**
 * Returns a checksum of the number of frames of each row with another row.
 *
 * @param {number} checksum
 * @param {number} row
 * @param {number} frames The number of its frames.
 */
function frameSumWith(checksum, row, frames) {
  return checksum + Math.imul(row + 1, frames) | 0;
}
/**
 * Returns the index of the first record of a row and that after its last. The rows ascend.
 *
 * @param {ArrowTable} table
 * @param {number} row
 */
function recordsOf(table, row) {
  requireNumber(row, "a row");
  const rows = table.numbers("row");
  const first = firstRecord(rows, row);
  let end2 = first;
  while (end2 < rows.length && rows.at(end2) === row)
    end2 += 1;
  return { first, end: end2 };
}
/**
 * Returns the index of the first record of a row or of a later one.
 *
 * @param {NumberColumn} rows
 * @param {number} row
 */
function firstRecord(rows, row) {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (rows.at(middle) < row)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// frames.js
// The frames of the nodes of a list.
/**
 * The frame of a node. Lengths are in points, in the coordinates of the cell.
 *
 * @typedef {object} Frame
 * @property {string} node The name of the node.
 * @property {string} type The type of its element, such as `text` or `networkImage`.
 * @property {number} parent The index among the row's frames of the node that contains this one; -1 for the cell.
 * @property {number} x
 * @property {number} y
 * @property {number} width
 * @property {number} height
 * @property {number} lines The number of lines of a text; 0 for other nodes.
 * @property {boolean} truncated Whether a text is cut.
 */
/** The frames of the nodes of frames.arrow. They are read from the bytes of the file when they are asked for. */
class Frames {
  /** @type {ArrowTable} */
  #table;
  #frameSum = 0;
  /** @param {ArrowTable} table */
  constructor(table) {
    this.#table = table;
    requireRowOrder(table);
    table.numbers("row").forEach((row) => {
      this.#frameSum = frameSumWith(this.#frameSum, row, 1);
    });
  }
  /**
   * Reads frames.arrow.
   *
   * @template {Buffer | string | URL} Source
   * @param {Source} source The content of the file, which must not be changed afterwards, or its address, for which a
   * promise is returned.
   * @returns {Source extends string | URL ? Promise<Frames> : Frames}
   */
  static fromArrow(source) {
    return read(source, "frames.arrow", (bytes, name) => new Frames(readArrow(bytes, name, "frames", {
      row: "uint64",
      node: "utf8",
      type: "utf8",
      parent: "int32",
      x: "float32",
      y: "float32",
      width: "float32",
      height: "float32",
      lines: "uint16",
      truncated: "bool"
    })));
  }
  /** The checksum of the frames of the run; null for tables of earlier versions. */
  get framesChecksum() {
    return this.#table.framesChecksum;
  }
  /** The number of frames. */
  get length() {
    return this.#table.numbers("row").length;
  }
  /** A checksum of the rows of the frames, which is that of the heights of the same run. */
  get frameSum() {
    return this.#frameSum;
  }
  /**
   * Returns the frames of a row of the tables, in the order of the layout. A node comes after the one that contains it.
   *
   * @param {number} row
   * @returns {Frame[]}
   */
  of(row) {
    const table = this.#table;
    const { first, end: end2 } = recordsOf(table, row);
    return Array.from({ length: end2 - first }, (_, index) => {
      const record = first + index;
      const parent = table.number("parent", record);
      if (parent < -1 || parent >= index) {
        throw damage(table.name, `frame ${index} of row ${row} has the parent ${parent}, which is neither -1 nor a frame before it`);
      }
      return {
        node: table.string("node", record),
        type: table.string("type", record),
        parent,
        x: table.number("x", record),
        y: table.number("y", record),
        width: table.number("width", record),
        height: table.number("height", record),
        lines: table.number("lines", record),
        truncated: table.number("truncated", record) === 1
      };
    });
  }
}

// components.js
// What list components take instead of measuring.
/**
 * An item of TanStack Virtual.
 *
 * @typedef {object} VirtualItem
 * @property {number | string | bigint} key
 * @property {number} index
 * @property {number} start
 * @property {number} end
 * @property {number} size
 * @property {number} lane
 */
/**
 * The options of TanStack Virtual's virtualizer on which the positions of items depend.
 *
 * @typedef {object} VirtualizerOptions
 * @property {(index: number) => number | string | bigint} [getItemKey]
 * @property {number} [paddingStart]
 * @property {number} [scrollMargin]
 * @property {number} [gap]
 */
/**
 * Returns rows as items of TanStack Virtual that were measured.
 *
 * @param {Iterable<number>} heights
 * @param {VirtualizerOptions} options
 * @returns {VirtualItem[]}
 */
function measuredItems(heights, options) {
  const { getItemKey = (index) => index, paddingStart = 0, scrollMargin = 0, gap = 0 } = options;
  for (const [name, length] of Object.entries({ paddingStart, scrollMargin, gap }))
    requireFinite(length, name);
  /** @type {VirtualItem[]} */
  const items = [];
  let start = paddingStart + scrollMargin;
  for (const size of heights) {
    const index = items.length;
    items.push({ key: getItemKey(index), index, start, end: start + size, size, lane: 0 });
    start += size + gap;
  }
  return items;
}
/**
 * Returns a length of an element as the browser has it.
 *
 * @param {HTMLElement} element
 * @param {'offsetHeight' | 'offsetWidth'} field
 */
function measuredSize(element, field) {
  const { width, height } = element.getBoundingClientRect();
  return field === "offsetWidth" ? width : height;
}

// widths.js
// Widths of lists, and the variants that were laid out for them.
/**
 * What a variant has beside its width. Those that are left out are those of `galley layout`.
 *
 * @typedef {object} VariantOptions
 * @property {string} [platform] `texture` if it is left out.
 * @property {number} [textScale] 1 if it is left out.
 * @property {string} [textSize] None if it is left out.
 * @property {string} [layoutDirection] `ltr` if it is left out.
 * @property {number} [scale] 2 if it is left out.
 */
/**
 * A variant in manifest.json.
 *
 * @typedef {object} Variant
 * @property {string} name
 * @property {number} width
 * @property {number} textScale
 * @property {number} scale
 * @property {string} [textSize]
 * @property {string} [platform] None for texture.
 * @property {string} [layoutDirection] None for ltr.
 */
/** How far the heights of a table hold in other widths of the list, in points. */
class Widths {
  /** @type {Float32Array} */
  #narrower;
  /** @type {Float32Array} */
  #wider;
  /**
   * @param {number} width The width of the variant.
   * @param {Float32Array} narrower The length for each row by less than which the list can be narrower.
   * @param {Float32Array} wider The length for each row by less than which the list can be wider.
   */
  constructor(width, narrower, wider) {
    this.width = width;
    this.#narrower = narrower;
    this.#wider = wider;
  }
  /**
   * Returns what a table states; null if an earlier version wrote it.
   *
   * @param {ArrowTable} table
   */
  static of(table) {
    const width = /^(?:[A-Za-z]+-)?w([0-9.]+)/.exec(table.metadata.get("galley.variant") ?? "")?.[1];
    if (width === void 0 || !table.has("holds_for_width"))
      return null;
    const holds = table.numbers("holds_for_width");
    /** @param {string} column */
    const margins = (column) => {
      if (!table.has(column)) {
        throw new Error(`${table.name} has no column ${column}, but has holds_for_width. Pass the table that galley wrote`);
      }
      // A row without margins has no texts.
      return Float32Array.from(table.numbers(column).toArray(), (margin, row) => holds.at(row) === 0 ? 0 : Number.isNaN(margin) ? Infinity : margin);
    };
    return new Widths(Number(width), margins("margin_narrower"), margins("margin_wider"));
  }
  /**
   * Returns whether a row of the table has the same height in a list of another width.
   *
   * @param {number} row
   * @param {number} width
   */
  holds(row, width) {
    const change = width - this.width;
    return change === 0 || (change < 0 ? -change < this.#narrower[row] : change < this.#wider[row]);
  }
}
var VARIANT_OPTIONS = ["platform", "textScale", "textSize", "layoutDirection", "scale"];
/**
 * Returns the address of the directory of the variant whose width is nearest to a list's; of two that are equally near the
 * narrower one.
 *
 * @param {string | URL} run The address of the directory that galley layout has written.
 * @param {number} width
 * @param {VariantOptions} [options]
 */
async function variantFor(run, width, options = {}) {
  requireProperties(options, VARIANT_OPTIONS, "the options of a variant");
  const { platform = "texture", textScale = 1, textSize, layoutDirection = "ltr", scale = 2 } = options;
  requireFinite(width, "the width of the list");
  requireFinite(textScale, "the textScale of a variant");
  requireFinite(scale, "the scale of a variant");
  const directory = String(run).replace(/\/+$/, "");
  const manifest = `${directory}/manifest.json`;
  const variants = variantsOf(await fetched(manifest, "text"), manifest);
  const candidates = variants.filter((variant) => (variant.platform ?? "texture") === platform && isSame(variant.textScale, textScale) && variant.textSize === textSize && isSame(variant.scale, scale) && (variant.layoutDirection ?? "ltr") === layoutDirection);
  if (candidates.length === 0) {
    const wanted = [`platform ${platform}`, `text scale ${textScale}`, `scale ${scale}`];
    if (textSize !== void 0)
      wanted.push(`text size ${textSize}`);
    if (layoutDirection !== "ltr")
      wanted.push(`layout direction ${layoutDirection}`);
    throw new RangeError(`${directory} has no variant with ${wanted.join(", ")}, only ${variants.map(({ name }) => shown(name)).join(", ")}. Lay out the rows for it, or pass what a variant has`);
  }
  // The differences from a width far beyond all variants would be rounded to one number.
  const widths = candidates.map((variant) => variant.width);
  const clamped = Math.max(Math.min(...widths), Math.min(width, Math.max(...widths)));
  let [nearest] = candidates;
  for (const variant of candidates) {
    const difference = Math.abs(variant.width - clamped) - Math.abs(nearest.width - clamped);
    if (difference < 0 || difference === 0 && variant.width < nearest.width)
      nearest = variant;
  }
  return `${directory}/${nearest.name}`;
}
/**
 * Returns whether two scales are the same to a device that keeps them as 32-bit floats, as Android does.
 *
 * @param {number} one
 * @param {number} other
 */
function isSame(one, other) {
  return Math.fround(one) === Math.fround(other);
}
/**
 * @param {string} text
 * @param {string} name
 * @returns {Variant[]}
 */
function variantsOf(text, name) {
  try {
    const { variants } = JSON.parse(text);
    if (Array.isArray(variants) && variants.every((variant) => typeof variant?.name === "string"))
      return variants;
  } catch {
    // Servers of applications reply with a page where they have no file.
  }
  throw new Error(`${name} is no manifest of a run. Pass the address of the directory that galley layout wrote`);
}

// heightsfiles.js
// The files that have the heights of a list.
/**
 * Returns the heights of a file of floats.
 *
 * @param {Uint8Array} bytes
 * @param {string} name
 */
function heightsOfFloats(bytes, name) {
  if (hasMagic(bytes, 0))
    throw new Error(`${name} is an Arrow file: read it with fromArrow`);
  if (bytes.length % 4 !== 0) {
    throw new Error(
      `${name} has ${bytes.length} bytes, which is no multiple of 4. Pass all that galley export --format f32 wrote, and nothing else`
    );
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const heights = new Float64Array(bytes.length / 4);
  for (let row = 0; row < heights.length; row += 1)
    heights[row] = view.getFloat32(row * 4, true);
  return heights;
}
/**
 * Returns the widths of the rows of heights.arrow, which are the lengths of rows beside each other, and the height of the
 * highest row. A row of height 0 has no length.
 *
 * @param {Uint8Array} bytes
 * @param {string} name
 */
function lengthsOfArrow(bytes, name) {
  const table = readArrow(bytes, name, "heights", { height: "float32", y: "float64", width: "float32" }, { frame_count: "uint32" });
  const heights = checkedHeights(table, name);
  const lengths = table.numbers("width").toArray().map((width, row) => heights[row] > 0 ? width : 0);
  return { heights: lengths, crossSize: heights.reduce((highest, height) => Math.max(highest, height), 0), widths: null, frameSum: frameSumOf(table), framesChecksum: table.framesChecksum };
}
/**
 * Returns the heights of heights.arrow, and how far they hold in other widths, if the table states it.
 *
 * @param {Uint8Array} bytes
 * @param {string} name
 */
function heightsOfArrow(bytes, name) {
  const table = readArrow(bytes, name, "heights", { height: "float32", y: "float64" }, {
    frame_count: "uint32",
    margin_narrower: "float32",
    margin_wider: "float32",
    holds_for_width: "bool"
  });
  return { heights: checkedHeights(table, name), crossSize: null, widths: Widths.of(table), frameSum: frameSumOf(table), framesChecksum: table.framesChecksum };
}
/**
 * Returns the checksum of the frames of a table; null if it does not state them.
 *
 * @param {ArrowTable} table
 */
function frameSumOf(table) {
  if (!table.has("frame_count"))
    return null;
  let sum2 = 0;
  table.numbers("frame_count").forEach((frames, row) => {
    sum2 = frameSumWith(sum2, row, frames);
  });
  return sum2;
}
/**
 * Returns the heights of a table after they were compared with the offsets of the rows. These are not needed, but they show
 * whether a height above the last row was changed since galley wrote it.
 *
 * @param {ArrowTable} table
 * @param {string} name
 */
function checkedHeights(table, name) {
  const heights = table.numbers("height").toArray();
  const offsets = table.numbers("y").toArray();
  let top = 0;
  for (let row = 0; row < heights.length; row += 1) {
    if (offsets[row] !== top) {
      throw damage(name, `row ${row} is at ${offsets[row]}, but the heights above add up to ${top}`);
    }
    top += heights[row];
    if (!(heights[row] >= 0 && top < Infinity))
      throw damage(name, `the height of row ${row} is ${heights[row]}`);
  }
  return heights;
}

// batchfetching.js
// Whether a list asks for its next rows: the rules of Texture's ASBatchFetching.
var MILLISECONDS_PER_SECOND = 1e3;
/**
 * Returns the members of a reply that state whether to fetch the next rows.
 *
 * @param {number} contentLength The length of the content along the axis of the list, in points.
 * @param {CheckedQuery} query
 * @param {Axis} axis
 */
function batchFetching(contentLength, query, axis) {
  const { offset, viewport, leadingScreens, velocity } = query;
  // The end of a list from right to left is at its left, from where offsets count.
  const remaining = axis === "rightToLeft" ? offset : contentLength - viewport - offset;
  const decision = decisionWithoutDistance(contentLength, query);
  const fetches = decision ?? remaining - toleranceOf(query) <= viewport * leadingScreens;
  const time = remaining / (velocity * MILLISECONDS_PER_SECOND);
  const hasTime = decision === null && velocity > 0 && Number.isFinite(time);
  return { fetch_next_batch: fetches, remaining, ...hasTime ? { remaining_time: time } : {} };
}
/**
 * Returns the decision that does not depend on the remaining distance, or null if the distance decides. The order of the
 * rules matters.
 *
 * @param {number} contentLength
 * @param {CheckedQuery} query
 */
function decisionWithoutDistance(contentLength, query) {
  const { viewport, isForward, leadingScreens, fetching, hidden } = query;
  if (fetching)
    return false;
  if (leadingScreens <= 0 || viewport <= 0)
    return false;
  if (contentLength < viewport - toleranceOf(query))
    return true;
  if (hidden)
    return false;
  return isForward ? null : false;
}

// nodes.js
// The nodes of a list of heights: a B-tree of rows in which every branch knows the numbers of rows and the heights of its
// children.
class Leaf {
  /**
   * @param {Float64Array} heights
   * @param {Int32Array} tableRows The rows of the tables that these rows were at first.
   */
  constructor(heights, tableRows) {
    this.heights = heights;
    this.tableRows = tableRows;
    this.rows = heights.length;
    this.height = sum(heights);
  }
  get size() {
    return this.heights.length;
  }
}
class Branch {
  /** @param {Node[]} children */
  constructor(children) {
    this.children = children;
    /** The number of rows before each child, and after the last. */
    this.firstRows = new Float64Array(children.length + 1);
    /** The height before each child, and after the last. */
    this.tops = new Float64Array(children.length + 1);
    this.rows = 0;
    this.height = 0;
    this.addRows(0);
    this.addHeights(0);
  }
  get size() {
    return this.children.length;
  }
  /**
   * Adds up the rows of the children from one on.
   *
   * @param {number} first
   */
  addRows(first) {
    const { children, firstRows } = this;
    let row = firstRows[first];
    for (let index = first; index < children.length; index += 1) {
      row += children[index].rows;
      firstRows[index + 1] = row;
    }
    this.rows = row;
  }
  /**
   * Adds up the heights of the children from one on. Sums are made anew instead of being corrected by differences, so
   * that rounding errors of heights that are no multiples of a power of two do not accumulate.
   *
   * @param {number} first
   */
  addHeights(first) {
    const { children, tops } = this;
    let top = tops[first];
    for (let index = first; index < children.length; index += 1) {
      top += children[index].height;
      tops[index + 1] = top;
    }
    this.height = top;
  }
}
/** @typedef {Leaf | Branch} Node */

// lookup.js
// Finding rows and offsets in the tree of a list of heights.
/**
 * Returns the height of a row.
 *
 * @param {Node} node
 * @param {number} row
 */
function heightOf(node, row) {
  while (node instanceof Branch) {
    const child = lastAtMost(node.firstRows, node.size, row);
    row -= node.firstRows[child];
    node = node.children[child];
  }
  return node.heights[row];
}
/**
 * Returns the row of the tables that a row was at first.
 *
 * @param {Node} node
 * @param {number} row
 */
function tableRowOf2(node, row) {
  while (node instanceof Branch) {
    const child = lastAtMost(node.firstRows, node.size, row);
    row -= node.firstRows[child];
    node = node.children[child];
  }
  return node.tableRows[row];
}
/**
 * Returns the offset of a row's top: the sum of the heights above. The sum within a node can be rounded to more than the top of the
 * next node. It is limited to this top, so that offsets never descend and `countTops` finds them.
 *
 * @param {Node} node
 * @param {number} row
 */
function offsetOf(node, row) {
  let limit = node.height;
  if (row === node.rows)
    return limit;
  let top = 0;
  while (node instanceof Branch) {
    const child = lastAtMost(node.firstRows, node.size, row);
    if (child + 1 < node.size)
      limit = Math.min(limit, top + node.tops[child + 1]);
    row -= node.firstRows[child];
    top += node.tops[child];
    node = node.children[child];
  }
  for (let index = 0; index < row; index += 1)
    top += node.heights[index];
  return Math.min(top, limit);
}
/**
 * Returns the row at an offset: the last row with a height whose top is at the offset or above it.
 *
 * @param {Node} root
 * @param {number} offset
 */
function rowAt(root, offset) {
  requireFinite(offset, "an offset");
  offset = Math.max(offset, 0);
  if (offset >= root.height)
    return root.rows - 1;
  // The sum within a leaf can be rounded to less than the top of the next leaf. The last rows before this gap can have no height.
  return nearestWithHeight(root, countTops(root, offset) - 1, false);
}
/**
 * Returns the nearest row with a height, which is the given one or a row after it or before it; -1 if there is none.
 *
 * @param {Node} node
 * @param {number} row
 * @param {boolean} isForward Whether to search the rows after the given one.
 * @returns {number}
 */
function nearestWithHeight(node, row, isForward) {
  if (node.height === 0)
    return -1;
  const step = isForward ? 1 : -1;
  if (node instanceof Leaf) {
    while (node.heights[row] === 0)
      row += step;
    return row < node.rows ? row : -1;
  }
  let child = lastAtMost(node.firstRows, node.size, row);
  row -= node.firstRows[child];
  while (child >= 0 && child < node.size) {
    const nearest = nearestWithHeight(node.children[child], row, isForward);
    if (nearest >= 0)
      return node.firstRows[child] + nearest;
    child += step;
    row = isForward ? 0 : (node.children[child]?.rows ?? 0) - 1;
  }
  return -1;
}
/**
 * Returns the number of rows with tops at an offset or before. The offset is above the end of the content.
 *
 * @param {Node} node
 * @param {number} offset
 */
function countTops(node, offset) {
  let top = 0;
  let row = 0;
  while (node instanceof Branch) {
    // The comparison is made with the sums that `offsetOf` returns, so that both agree if sums are rounded. The limits of
    // `offsetOf` have no effect here, because the top of the node after this one is greater than the offset.
    const { tops } = node;
    let low = 0;
    let high = node.size;
    while (high - low > 1) {
      const middle = low + high >> 1;
      if (top + tops[middle] <= offset)
        low = middle;
      else
        high = middle;
    }
    top += tops[low];
    row += node.firstRows[low];
    node = node.children[low];
  }
  const { heights } = node;
  let index = 0;
  while (index < heights.length && top <= offset) {
    top += heights[index];
    index += 1;
  }
  return row + index;
}
/**
 * Yields the leaves in the order of their rows.
 *
 * @param {Node} node
 * @returns {IterableIterator<Leaf>}
 */
function* leavesOf(node) {
  if (node instanceof Leaf)
    yield node;
  else
    for (const child of node.children)
      yield* leavesOf(child);
}

// query.js
// The queries of prefetching.
/**
 * A query of a list: where its viewport is, and how it moves.
 *
 * @typedef {object} Query
 * @property {number} offset The offset of the viewport's top in the list, or of its left edge, in points.
 * @property {number} viewport The height of the viewport, or its width, in points.
 * @property {Direction} [direction] The direction in which the viewport moves on the screen, which leads to the last row if
 * it is not given.
 * @property {'full' | 'minimum' | 'visibleOnly' | 'lowMemory'} [mode] The mode of the ranges, which is `full` if it is
 * not given.
 * @property {readonly [number, number]} [display] The leading and the trailing number of viewports of the display
 * range, instead of those of the mode.
 * @property {readonly [number, number]} [preload] The same of the preload range.
 * @property {number} [leading_screens_for_batching] The number of viewports before the end of the content at which the
 * next rows are to be fetched, which is 2 if it is not given.
 * @property {boolean} [fetching] Whether rows that the list has asked for are on their way.
 * @property {boolean} [hidden] Whether the list is in no window. It then asks for rows only if it has fewer than fill the
 * viewport.
 * @property {number} [velocity] The velocity towards the end of the list, in points per millisecond.
 */
/**
 * The leading and the trailing numbers of viewports of the ranges, as Texture has them.
 *
 * @type {Record<string, { display: readonly [number, number], preload: readonly [number, number] }>}
 */
var MODES = {
  full: { display: [1, 0.5], preload: [2.5, 1.5] },
  minimum: { display: [0.25, 0.25], preload: [0.5, 0.25] },
  visibleOnly: { display: [0, 0], preload: [0, 0] },
  lowMemory: { display: [0, 0], preload: [0, 0] }
};
var QUERY_PROPERTIES = [
  "offset",
  "viewport",
  "direction",
  "mode",
  "display",
  "preload",
  "leading_screens_for_batching",
  "fetching",
  "hidden",
  "velocity"
];
/** The largest offset and viewport in points: beyond it, not every whole number is a 64-bit floating-point number. */
var MAX_POINTS = 2 ** 53;
/** The largest extent of a range in viewports. */
var MAX_VIEWPORTS = 1e6;
/**
 * A query whose properties are checked, with the defaults of those that it lacks.
 *
 * @typedef {ReturnType<typeof checkedQuery>} CheckedQuery
 */
/**
 * @param {Query} query
 * @param {Axis} axis
 */
function checkedQuery(query, axis) {
  requireProperties(query, QUERY_PROPERTIES, "a query");
  const [forward] = DIRECTIONS[axis];
  const { offset, viewport, direction = forward, mode = "full" } = query;
  const { leading_screens_for_batching: leadingScreens = 2, fetching = false, hidden = false, velocity = 0 } = query;
  requirePoints(offset, "offset");
  requirePoints(viewport, "viewport");
  if (viewport < 0)
    throw new RangeError(`The viewport of a query is ${viewport}: pass its length, which is at least 0`);
  oneOf(direction, DIRECTIONS[axis], "The direction of a query");
  oneOf(mode, Object.keys(MODES), "The mode of a query");
  requireFinite(leadingScreens, "leading_screens_for_batching of a query");
  requireBoolean(fetching, "fetching of a query");
  requireBoolean(hidden, "hidden of a query");
  requireFinite(velocity, "the velocity of a query");
  return {
    offset,
    viewport,
    isForward: direction === forward,
    mode,
    display: checkedScreens(query.display ?? MODES[mode].display, "display"),
    preload: checkedScreens(query.preload ?? MODES[mode].preload, "preload"),
    leadingScreens,
    fetching,
    hidden,
    velocity
  };
}
/**
 * @param {number} points
 * @param {string} name
 */
function requirePoints(points, name) {
  requireFinite(points, `the ${name} of a query`);
  if (Math.abs(points) > MAX_POINTS) {
    throw new RangeError(`The ${name} of a query is ${points}, which no list reaches: pass a number of points, such as 844`);
  }
}
/**
 * @param {readonly [number, number]} screens
 * @param {string} name
 */
function checkedScreens(screens, name) {
  if (!Array.isArray(screens) || screens.length !== 2) {
    throw new TypeError(`${name} of a query must be its leading and its trailing number of viewports, such as [1, 0.5]`);
  }
  for (const number of screens) {
    requireFinite(number, `each of the two numbers of viewports in ${name} of a query`);
    if (number < 0 || number > MAX_VIEWPORTS) {
      throw new RangeError(`${name} of a query has ${number}: a number of viewports is from 0 to 1,000,000`);
    }
  }
  return screens;
}

// prefetch.js
// Which rows and resources a list needs.
/**
 * A half-open range of rows, `[first, end]`. An empty one is `[k, k]`, `k` being the row where it would begin.
 *
 * @typedef {[number, number]} RowRange
 */
/**
 * A resource to load, in the first range that needs it.
 *
 * @typedef {object} NeededResource
 * @property {number} row
 * @property {string} node
 * @property {string} url
 * @property {string} type
 * @property {number} pixel_width
 * @property {number} pixel_height
 * @property {'visible' | 'display' | 'preload'} range
 */
/**
 * The reply to a query, as `galley prefetch` prints it.
 *
 * @typedef {object} Prefetch
 * @property {RowRange} visible
 * @property {RowRange} display
 * @property {RowRange} preload
 * @property {NeededResource[]} [resources] The resources in order of need. It is absent if the list has no `Resources`.
 * @property {boolean} fetch_next_batch Whether to fetch the next rows.
 * @property {number} remaining The points between the end of the viewport and the end of the content.
 * @property {number} [remaining_time] The seconds until both are at the same place, if the query has a velocity towards the
 * end and the distance decides whether to fetch.
 */
/**
 * Returns which rows a list needs now and soon.
 *
 * @param {Node} root
 * @param {Resources | null} resources
 * @param {Query} query
 * @param {Axis} axis
 * @returns {Prefetch}
 */
function prefetchOf(root, resources, query, axis) {
  const checked = checkedQuery(query, axis);
  const { viewport, isForward, mode, display, preload } = checked;
  const start = startOfViewport(axis, root.height, checked.offset, viewport);
  const end2 = start + viewport;
  const tolerance = toleranceOf(checked);
  const visible = rangeOf(root, start + tolerance, end2 - tolerance);
  /** @param {readonly [number, number]} screens */
  const extended = ([leading, trailing]) => {
    const before = isForward ? trailing : leading;
    const after = isForward ? leading : trailing;
    return rangeOf(root, start - before * viewport + tolerance, end2 + after * viewport - tolerance);
  };
  const isEmpty = mode === "lowMemory";
  const ranges = {
    visible,
    display: isEmpty ? emptied(visible) : extended(display),
    preload: isEmpty ? emptied(visible) : extended(preload)
  };
  return {
    ...ranges,
    ...resources === null ? {} : { resources: neededResources(root, ranges, isForward, resources) },
    ...batchFetching(root.height, checked, axis)
  };
}
/**
 * Returns the rows of which the frames overlap a part of the list.
 *
 * @param {Node} root
 * @param {number} top
 * @param {number} bottom
 * @returns {RowRange}
 */
function rangeOf(root, top, bottom) {
  const first = Math.max(top, 0) >= root.height ? root.rows : rowAt(root, top);
  // Rows at offsets above the content's end have a height, so that rows of height 0 end no range.
  const end2 = bottom > 0 ? rowAt(root, justBelow(Math.min(bottom, root.height))) + 1 : 0;
  return [first, bottom > top ? Math.max(first, end2) : first];
}
/**
 * @param {RowRange} range
 * @returns {RowRange}
 */
function emptied([first]) {
  return [first, first];
}
/**
 * Returns the resources of the rows of ranges in order of need. A URL comes once, with the size of the largest area.
 *
 * @param {Node} root
 * @param {{ visible: RowRange, display: RowRange, preload: RowRange }} ranges
 * @param {boolean} isForward
 * @param {Resources} resources
 */
function neededResources(root, { visible, display, preload }, isForward, resources) {
  /** @type {Map<string, NeededResource>} */
  const needed = /* @__PURE__ */ new Map();
  for (const [row, range] of rowsByNeed(root, visible, display, preload, isForward)) {
    for (const resource of resources.of(tableRowOf2(root, row))) {
      const earlier = needed.get(resource.url);
      if (earlier === void 0) {
        needed.set(resource.url, { ...resource, row, range });
      } else if (resource.pixel_width * resource.pixel_height > earlier.pixel_width * earlier.pixel_height) {
        earlier.pixel_width = resource.pixel_width;
        earlier.pixel_height = resource.pixel_height;
      }
    }
  }
  return Array.from(needed.values());
}
/**
 * Yields the rows of a range that have a height. Those between them without one take no time.
 *
 * @param {Node} root
 * @param {number} first
 * @param {number} past The row after the last one.
 * @param {boolean} isForward Whether the first row comes first.
 * @returns {IterableIterator<number>}
 */
function* rowsWithHeight(root, first, past, isForward) {
  for (let row = isForward ? first : past - 1; row >= first && row < past; row += isForward ? 1 : -1) {
    row = nearestWithHeight(root, row, isForward);
    if (row < first || row >= past)
      return;
    yield row;
  }
}
/**
 * Yields the rows of the ranges that have a height in order of need: the visible ones in the direction of travel, then the others of each
 * range, those ahead before those behind, the nearest first.
 *
 * @param {Node} root
 * @param {RowRange} visible
 * @param {RowRange} display
 * @param {RowRange} preload
 * @param {boolean} isForward
 * @returns {IterableIterator<[number, 'visible' | 'display' | 'preload']>}
 */
function* rowsByNeed(root, visible, display, preload, isForward) {
  let [first, end2] = visible;
  for (const row of rowsWithHeight(root, first, end2, isForward))
    yield [row, "visible"];
  /** @type {['display' | 'preload', RowRange][]} */
  const others = [["display", display], ["preload", preload]];
  for (const [range, [rangeFirst, rangeEnd]] of others) {
    for (const isAfter of [isForward, !isForward]) {
      const [from, to] = isAfter ? [end2, rangeEnd] : [rangeFirst, first];
      for (const row of rowsWithHeight(root, from, to, isAfter))
        yield [row, range];
      if (isAfter)
        end2 = Math.max(end2, rangeEnd);
      else
        first = Math.min(first, rangeFirst);
    }
  }
}

// resources.js
// The resources of the rows of a list.
/** The resources of the rows of resources.arrow. */
class Resources {
  /** @type {ArrowTable} */
  #table;
  /** @param {ArrowTable} table */
  constructor(table) {
    this.#table = table;
    requireRowOrder(table);
  }
  /**
   * Reads resources.arrow.
   *
   * @template {Buffer | string | URL} Source
   * @param {Source} source The content of the file, which is read at once, or its address, for which a promise is
   * returned.
   * @returns {Source extends string | URL ? Promise<Resources> : Resources}
   */
  static fromArrow(source) {
    return read(source, "resources.arrow", (bytes, name) => new Resources(readArrow(bytes, name, "resources", {
      row: "uint64",
      node: "utf8",
      url: "utf8",
      type: "utf8",
      pixel_width: "uint32",
      pixel_height: "uint32"
    })));
  }
  /** The number of resources. */
  get length() {
    return this.#table.numbers("row").length;
  }
  /**
   * Returns the resources of a row of the tables, in the order of the file.
   *
   * @param {number} row
   */
  of(row) {
    const result = [];
    const { first, end: end2 } = recordsOf(this.#table, row);
    for (let index = first; index < end2; index += 1) {
      result.push({
        row,
        node: this.#table.string("node", index),
        url: this.#table.string("url", index),
        type: this.#table.string("type", index),
        pixel_width: this.#table.number("pixel_width", index),
        pixel_height: this.#table.number("pixel_height", index)
      });
    }
    return result;
  }
}

// tree.js
// Making and changing the tree of a list of heights.
/** The most rows of a leaf and the most children of a branch. */
var NODE_CAPACITY = 64;
/** The size of the nodes that a splice makes, so that the next rows find room in them. */
var NODE_FILL = 48;
/** The size below which a node is joined with its neighbour if both fit into one. */
var SMALL_NODE = 16;
/** The row of the tables that a row has which was inserted later. It is no row of theirs. */
var NO_TABLE_ROW = -1;
/**
 * Calls `body` with the bounds of equal parts of a sequence, each of which fits into a node.
 *
 * @param {number} length
 * @param {number} fill The size of the parts if there is more than one.
 * @param {(start: number, end: number) => void} body
 */
function forEachPart(length, fill, body) {
  if (length === 0)
    return;
  const parts = length <= NODE_CAPACITY ? 1 : Math.ceil(length / fill);
  for (let part = 0; part < parts; part += 1) {
    body(Math.floor(part * length / parts), Math.floor((part + 1) * length / parts));
  }
}
/**
 * @param {Float64Array} heights
 * @param {Int32Array} tableRows
 * @param {number} fill
 */
function leaves(heights, tableRows, fill) {
  /** @type {Leaf[]} */
  const result = [];
  forEachPart(heights.length, fill, (start, end2) => {
    result.push(new Leaf(heights.subarray(start, end2), tableRows.subarray(start, end2)));
  });
  return result;
}
/**
 * @param {Node[]} children
 * @param {number} fill
 */
function branches(children, fill) {
  /** @type {Branch[]} */
  const result = [];
  forEachPart(children.length, fill, (start, end2) => {
    result.push(new Branch(children.slice(start, end2)));
  });
  return result;
}
/**
 * Returns the tree of nodes of one level.
 *
 * @param {Node[]} nodes
 * @param {number} fill
 * @returns {Node}
 */
function tree(nodes, fill) {
  while (nodes.length > 1)
    nodes = branches(nodes, fill);
  let root = nodes[0] ?? new Leaf(new Float64Array(0), new Int32Array(0));
  while (root instanceof Branch && root.size === 1)
    root = root.children[0];
  return root;
}
var noHeights = new Float64Array(0);
/**
 * Returns the nodes that replace a node when some of its rows are replaced. They are of the same level.
 *
 * @param {Node} node
 * @param {number} row
 * @param {number} removed
 * @param {Float64Array} heights
 * @returns {Node[]}
 */
function spliced(node, row, removed, heights) {
  const end2 = row + removed;
  if (node instanceof Leaf) {
    const inserted = new Int32Array(heights.length).fill(NO_TABLE_ROW);
    return leaves(
      concatenated(Float64Array, node.heights.subarray(0, row), heights, node.heights.subarray(end2)),
      concatenated(Int32Array, node.tableRows.subarray(0, row), inserted, node.tableRows.subarray(end2)),
      NODE_FILL
    );
  }
  const { children, firstRows } = node;
  let first = 0;
  while (firstRows[first + 1] < row)
    first += 1;
  let last = first;
  while (firstRows[last + 1] < end2)
    last += 1;
  const rowsOfFirst = Math.min(end2, firstRows[first + 1]) - row;
  let replacement = spliced(children[first], row - firstRows[first], rowsOfFirst, heights);
  if (last > first) {
    replacement = replacement.concat(spliced(children[last], 0, end2 - firstRows[last], noHeights));
  } else if (replacement.length === 1 && replacement[0].size >= SMALL_NODE) {
    children[first] = replacement[0];
    node.addRows(first);
    node.addHeights(first);
    return [node];
  }
  // The neighbours are joined with what is new if both fit into a node, so that removals leave no trail of small nodes.
  const before = Math.max(first - 1, 0);
  const joinedNodes = joinSmall(children.slice(before, first).concat(replacement, children.slice(last + 1, last + 2)));
  return branches(children.slice(0, before).concat(joinedNodes, children.slice(last + 2)), NODE_FILL);
}
/** @param {Node[]} nodes */
function joinSmall(nodes) {
  /** @type {Node[]} */
  const result = [];
  for (const node of nodes) {
    const joint = joined(result[result.length - 1], node);
    if (joint !== null)
      result[result.length - 1] = joint;
    else
      result.push(node);
  }
  return result;
}
/**
 * Returns one node with the content of two of one level, or null if it does not fit into one.
 *
 * @param {Node | undefined} node
 * @param {Node} next
 */
function joined(node, next) {
  if (node === void 0 || node.size + next.size > NODE_CAPACITY)
    return null;
  if (node instanceof Leaf && next instanceof Leaf) {
    return new Leaf(
      concatenated(Float64Array, node.heights, next.heights),
      concatenated(Int32Array, node.tableRows, next.tableRows)
    );
  }
  // All nodes of one level are of one class.
  return node instanceof Branch && next instanceof Branch ? new Branch(node.children.concat(next.children)) : null;
}
/**
 * Changes the height of a row.
 *
 * @param {Node} node
 * @param {number} row
 * @param {number} height
 */
function setHeight(node, row, height) {
  if (node instanceof Branch) {
    const child = lastAtMost(node.firstRows, node.size, row);
    setHeight(node.children[child], row - node.firstRows[child], height);
    node.addHeights(child);
  } else {
    node.heights[row] = height;
    node.height = sum(node.heights);
  }
}

// rowheights.js
// The heights of the rows of a list, their sums and their changes.
/**
 * The heights of the rows of a list, or their widths if it scrolls horizontally.
 *
 * Heights are finite and not negative, and are kept as 32-bit numbers, as tables have them. Sums of them are exact while 53
 * bits hold them, so that `offsetOf` equals the column `y` of heights.arrow, also of heights that JSON states with fewer digits.
 *
 * A row number that is no row of the list is a `RangeError`, and any other value a `TypeError`.
 */
class RowHeights {
  /**
   * The B-tree of the rows.
   *
   * @protected
   * @type {Node}
   */
  tree;
  /** @type {Widths | null} */
  #widths;
  /** @type {Axis} */
  #axis;
  /** @type {number | null} */
  #crossSize;
  /** @type {number | null} */
  #frameSum;
  /** @type {string | null} */
  #framesChecksum;
  /**
   * The rows of the table whose heights were changed. A row that was only hidden since has its height in the table, any other NaN.
   *
   * @type {Map<number, number>}
   */
  #changed = /* @__PURE__ */ new Map();
  /**
   * @param {Float64Array} heights The heights, which are checked and belong to the list from now on.
   * @param {Int32Array} tableRows
   * @param {{ widths?: Widths | null, crossSize?: number | null, frameSum?: number | null, framesChecksum?: string | null, axis: Axis }} options
   * How far the heights hold in other widths, the height of a list that scrolls horizontally, the checksums of its frames, and
   * the axis.
   */
  constructor(heights, tableRows, { widths = null, crossSize = null, frameSum = null, framesChecksum = null, axis }) {
    this.tree = tree(leaves(heights, tableRows, NODE_CAPACITY), NODE_CAPACITY);
    this.#axis = axis;
    this.#crossSize = crossSize;
    this.#frameSum = frameSum;
    this.#framesChecksum = framesChecksum;
    this.#widths = widths;
  }
  /** The width of the list for which the heights were laid out, in points; null if it is not known. */
  get width() {
    return this.#widths?.width ?? null;
  }
  /** How the rows follow each other in the direction in which the list scrolls. */
  get axis() {
    return this.#axis;
  }
  /** The height of a list that scrolls horizontally, which is that of its highest row; null if it is not known. */
  get crossSize() {
    return this.#crossSize;
  }
  /** A checksum of the rows of the frames, which is that of the frames of the same run; null if it is not known. */
  get frameSum() {
    return this.#frameSum;
  }
  /** The checksum of the frames of the run; null if it is not known. */
  get framesChecksum() {
    return this.#framesChecksum;
  }
  /** The number of rows. */
  get length() {
    return this.tree.rows;
  }
  /** The height of the content: the sum of all heights, in points. */
  get size() {
    return this.tree.height;
  }
  /**
   * Returns the height of a row; with the width of a list in points, whether it is certain too: then the row has this height
   * in that width. A height that is not certain is that of `width`.
   *
   * @template {number | undefined} [Width=undefined]
   * @param {number} row
   * @param {Width} [width]
   * @returns {Width extends number ? { height: number, certain: boolean } : number}
   */
  heightOf(row, width) {
    requireRow(row, this.length - 1);
    /** @type {any} */
    const height = heightOf(this.tree, row);
    if (width === void 0)
      return height;
    requireFinite(width, "the width of the list");
    const tableRow = this.tableRowOf(row);
    /** @type {any} */
    const known = { height, certain: tableRow >= 0 && (this.#widths?.holds(tableRow, width) ?? false) };
    return known;
  }
  /**
   * Returns the row of the tables that a row of the list is, which has its frames and lines; -1 if the row was inserted or
   * updated after the tables were read.
   *
   * @param {number} row
   */
  tableRowOf(row) {
    requireRow(row, this.length - 1);
    const tableRow = tableRowOf2(this.tree, row);
    return this.#changed.has(tableRow) ? -1 : tableRow;
  }
  /**
   * Returns the offset of a row's top: the sum of the heights above. That of the row `length` is `size`.
   *
   * @param {number} row
   * @returns {number}
   */
  offsetOf(row) {
    requireRow(row, this.length);
    return offsetOf(this.tree, row);
  }
  /**
   * Returns the row at an offset. The offset is at the top of the row or below it, and above its end. Rows without a height are
   * never returned.
   * An offset above the content gives what offset 0 gives, one at its end or below the last row, and an empty list -1.
   *
   * @param {number} offset
   * @returns {number}
   */
  rowAt(offset) {
    return rowAt(this.tree, offset);
  }
  /**
   * Changes the height of a row. A row that was hidden, and has the height of the tables again, is the row of the tables again.
   *
   * @param {number} row
   * @param {number} height The height. It is rounded to the nearest 32-bit number.
   */
  update(row, height) {
    requireRow(row, this.length - 1);
    requireNumber(height, "the height");
    height = Math.fround(height);
    requireHeight(height, "the height");
    const tableRow = tableRowOf2(this.tree, row);
    const before = heightOf(this.tree, row);
    setHeight(this.tree, row, height);
    if (before === 0 && this.#changed.get(tableRow) === height)
      this.#changed.delete(tableRow);
    else if (height !== 0)
      this.#changed.set(tableRow, NaN);
    else if (!this.#changed.has(tableRow))
      this.#changed.set(tableRow, before);
  }
  /**
   * Removes rows and inserts others at their place.
   *
   * @param {number} row The first row that is removed, and the row that the first inserted one becomes.
   * @param {number} removed The number of rows to remove.
   * @param {Iterable<number> | ArrayLike<number>} [heights] The heights of the rows to insert, which are kept as 32-bit numbers.
   */
  splice(row, removed, heights = []) {
    requireRow(row, this.length);
    requireNumber(removed, "the number of rows to remove");
    if (!Number.isInteger(removed) || removed < 0 || row + removed > this.length) {
      throw new RangeError(
        `${removed} rows cannot be removed at row ${row} of a list of ${this.length}: pass a whole number from 0 to ${this.length - row}`
      );
    }
    const inserted = heightsIn(heights, "the heights to insert");
    requireHeights(inserted, "the heights to insert");
    this.tree = tree(spliced(this.tree, row, removed, inserted), NODE_FILL);
  }
  /** @returns {IterableIterator<number>} */
  *[Symbol.iterator]() {
    for (const leaf of leavesOf(this.tree))
      yield* leaf.heights;
  }
  /**
   * Returns where a row lies on the screen: the points from the viewport's top to that of the row, or from its left edge to
   * that of the row.
   *
   * @param {number} row
   * @param {{ offset: number, viewport: number }} position The offset and the length of the viewport.
   * @returns {number}
   */
  screenPositionOf(row, { offset, viewport }) {
    const start = this.offsetOf(row);
    requireFinite(offset, "the offset of the viewport");
    requireFinite(viewport, "the length of the viewport");
    return screenPosition(
      this.#axis,
      { start, end: start + this.heightOf(row), contentLength: this.size },
      offset,
      viewport
    );
  }
}

// heights.js
// The heights of a list: where they come from, and what uses them.
/**
 * What a list has beside the lengths of its rows.
 *
 * @typedef {object} ListOptions
 * @property {Axis} [axis] How the rows follow each other, which is `vertical` if it is not given.
 */
/** The heights of a list with what reads them, loads ahead by them and passes them to list components. */
class Heights extends RowHeights {
  /** @type {Resources | null} */
  #resources = null;
  /**
   * Reads heights.arrow of the variant whose width is nearest to that of the list.
   *
   * @param {string | URL} run The address of the directory that galley layout has written, with its manifest.json.
   * @param {number} width The width of the list in points.
   * @param {VariantOptions & ListOptions} [options] What the variant has beside its width, and the axis of the list.
   * @returns {Promise<Heights>}
   */
  static async forWidth(run, width, options = {}) {
    requireProperties(options, [...VARIANT_OPTIONS, "axis"], "the options of a variant");
    const { axis, ...variant } = options;
    return Heights.fromArrow(`${await variantFor(run, width, variant)}/heights.arrow`, { axis });
  }
  /**
   * Reads heights.arrow.
   *
   * @template {Buffer | string | URL} Source
   * @param {Source} source The content of the file, which is read at once, or its address, for which a promise is
   * returned.
   * @param {ListOptions} [options] With a horizontal axis, the widths of the rows are read as their lengths.
   * @returns {Source extends string | URL ? Promise<Heights> : Heights}
   */
  static fromArrow(source, options = {}) {
    const axis = axisOf(options);
    return read(source, "heights.arrow", (bytes, name) => {
      const { heights, ...others } = isHorizontal(axis) ? lengthsOfArrow(bytes, name) : heightsOfArrow(bytes, name);
      return heightsOf(heights, name, { ...others, axis });
    });
  }
  /**
   * Reads what `galley export --format f32` writes: the heights as little-endian floats and nothing else.
   *
   * @template {Buffer | string | URL} Source
   * @param {Source} source The content of the file, which is read at once, or its address, for which a promise is
   * returned.
   * @param {ListOptions} [options]
   * @returns {Source extends string | URL ? Promise<Heights> : Heights}
   */
  static fromFloat32(source, options = {}) {
    const axis = axisOf(options);
    return read(source, "the buffer of floats", (bytes, name) => heightsOf(heightsOfFloats(bytes, name), name, { axis }));
  }
  /**
   * Makes a list of heights, which are kept as 32-bit numbers, as tables have them.
   *
   * @param {Iterable<number> | ArrayLike<number>} heights The heights of the rows, or their widths with a horizontal axis.
   * @param {ListOptions} [options]
   */
  static from(heights, options = {}) {
    return heightsOf(heightsIn(heights, "the heights"), "the list", { axis: axisOf(options) });
  }
  /**
   * The resources of the rows, for `prefetch`. They are those of the tables that the heights are from. Rows keep their
   * resources when others are inserted or removed. Rows that were inserted later have none.
   */
  get resources() {
    return this.#resources;
  }
  set resources(resources) {
    if (resources !== null && !(resources instanceof Resources)) {
      throw new TypeError("Set resources to what Resources.fromArrow returned, awaited if it was a promise, or to null");
    }
    this.#resources = resources;
  }
  /**
   * Returns which rows a list needs now and soon, by the rules of `galley prefetch`, which are those of Texture's
   * `ASRangeController`.
   *
   * @param {Query} query
   * @returns {Prefetch}
   */
  prefetch(query) {
    return prefetchOf(this.tree, this.#resources, query, this.axis);
  }
  // What components take. The functions can be passed on without their list.
  /**
   * Returns the height of a row: `estimateSize` of TanStack Virtual 3.
   *
   * @param {number} index
   */
  estimateSize = (index) => this.heightOf(index);
  /**
   * Returns the rows as measured items: `initialMeasurementsCache` of TanStack Virtual 3. The other options are those
   * of the virtualizer, and must be the same.
   *
   * @param {VirtualizerOptions} [options]
   * @returns {VirtualItem[]}
   */
  initialMeasurementsCache(options = {}) {
    return measuredItems(this, options);
  }
  /**
   * Returns all heights as an array: `heightEstimates` of react-virtuoso 4.18.
   *
   * @returns {number[]}
   */
  heightEstimates() {
    return Array.from(this);
  }
  /**
   * Returns the height of an item of react-virtuoso 4 without measuring it: `itemSize`. An item that is no row of the
   * list, and a width, are measured as the component does it.
   *
   * @param {HTMLElement} element
   * @param {'offsetHeight' | 'offsetWidth'} field
   */
  itemSize = (element, field) => {
    const index = Number(element.dataset.index);
    const isRow = field === "offsetHeight" && Number.isInteger(index) && index >= 0 && index < this.length;
    return isRow ? this.heightOf(index) : measuredSize(element, field);
  };
  /**
   * Returns where a row is: `getItemLayout` of React Native's FlatList.
   *
   * @param {unknown} data
   * @param {number} index
   */
  getItemLayout = (data, index) => ({ length: this.heightOf(index), offset: this.offsetOf(index), index });
  /**
   * Sets the size of a row's layout: `overrideItemLayout` of FlashList 1. FlashList 2 takes only `span` from it and
   * measures the sizes of items itself.
   *
   * @param {{ span?: number, size?: number }} layout
   * @param {unknown} item
   * @param {number} index
   */
  overrideItemLayout = (layout, item, index) => {
    layout.size = this.heightOf(index);
  };
}
/**
 * @param {Float64Array} heights
 * @param {string} name
 * @param {{ widths?: Widths | null, crossSize?: number | null, frameSum?: number | null, framesChecksum?: string | null, axis: Axis }} options
 */
function heightsOf(heights, name, options) {
  requireHeights(heights, name);
  const tableRows = new Int32Array(heights.length);
  for (let row = 0; row < tableRows.length; row += 1)
    tableRows[row] = row;
  return new Heights(heights, tableRows, options);
}
/** @param {ListOptions} options */
function axisOf(options) {
  requireProperties(options, ["axis"], "the options of a list");
  const { axis = "vertical" } = options;
  return oneOf(axis, AXES, "The axis of a list");
}

// html.js
// The HTML of cells, as a string that a server sends.
/**
 * The characters of texts and values that are written otherwise, as `innerHTML` of an element writes them. A carriage return would
 * become a line feed when it is parsed. A parser makes U+FFFD of U+0000 in a value, and removes it from a text.
 *
 * @type {Record<string, string>}
 */
var REFERENCES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", " ": "&nbsp;", "\r": "&#13;", "\0": "�" };
/** The elements without an end tag. */
var VOID = ["img"];
/**
 * Returns the HTML of what `draw` makes in the element of a row, without a document. All that is from the row is escaped. It is
 * what `innerHTML` returns of an element that was made of it, so that a page can go on with either.
 *
 * @param {number} row The row of the list.
 * @param {CellData} data
 */
function cellHTML(row, data) {
  return cellMarkup(row, data).map(htmlOf).join("");
}
/**
 * @param {Markup} markup
 * @returns {string}
 */
function htmlOf({ name, attributes, style, children }) {
  const all = Object.entries(style === "" ? attributes : { style, ...attributes });
  const tag = `<${name}${all.map(([attribute, value]) => ` ${attribute}="${escaped(value, /[&<>"\u00A0\r\0]/g)}"`).join("")}>`;
  if (VOID.includes(name))
    return tag;
  const content = children.map((child) => typeof child === "string" ? escaped(child.replaceAll("\0", ""), /[&<>\u00A0\r]/g) : htmlOf(child));
  return `${tag}${content.join("")}</${name}>`;
}
/**
 * @param {string} text
 * @param {RegExp} special The characters that cannot stand for themselves.
 */
function escaped(text, special) {
  return text.replace(special, (character) => REFERENCES[character]);
}

// lines.js
// The lines of the texts of a list.
/**
 * A line of a text as it is drawn. Lengths are in points, in the coordinates of the text's frame.
 *
 * @typedef {object} Line
 * @property {string} characters What is drawn, with the hyphen or the truncation string at its end.
 * @property {number} start The offset in the text of the first unit, in UTF-16.
 * @property {number} end The offset after the last unit that is drawn.
 * @property {number} x
 * @property {number} y
 * @property {number} width
 * @property {number} height
 * @property {number} baseline The distance of the baseline from the top of the text's frame.
 * @property {boolean} ellipsis Whether the text is cut at `end`.
 * @property {boolean} hyphen Whether a hyphen follows.
 * @property {boolean} rightToLeft Whether the paragraph of the line runs from right to left.
 */
/**
 * A part of a text with a font of its own. Offsets are those of lines.
 *
 * @typedef {object} Run
 * @property {number} start
 * @property {number} end
 * @property {string} font The name of the font in the cells file.
 */
/**
 * A part of a run in a line that has an address, a kind or an attachment. Offsets are those of lines, lengths are in points, in
 * the coordinates of the text's frame.
 *
 * @typedef {object} Span
 * @property {number} line The number of the line.
 * @property {number} start
 * @property {number} end
 * @property {number} x
 * @property {number} y
 * @property {number} width
 * @property {number} height That of the line, or that of the attachment.
 * @property {string} url What it leads to, or the address of the attachment; empty if the run has none.
 * @property {string} kind Such as `mention`; empty if the run has none.
 */
/**
 * A text as it is drawn.
 *
 * @typedef {object} Text
 * @property {string} node
 * @property {string} text
 * @property {Run[]} runs
 * @property {Line[]} lines
 * @property {Span[]} spans Its links, mentions and attachments, with a rectangle for each line that they are in. Tables of
 * earlier versions have none.
 * @property {number} pointSizeScaleFactor The factor of the sizes of its fonts, which are then whole points; 1 for most texts, and
 * for tables of earlier versions.
 */
/**
 * The lines of the texts of lines.arrow and texts.arrow, which `galley layout --lines` writes. They are read from the bytes
 * of the files when they are asked for.
 */
class Lines {
  /** @type {ArrowTable} */
  #lines;
  /** @type {ArrowTable} */
  #texts;
  /**
   * @param {ArrowTable} lines
   * @param {ArrowTable} texts
   */
  constructor(lines, texts) {
    this.#lines = lines;
    this.#texts = texts;
    requireRun(lines, texts, "lines", "texts");
    requireRowOrder(lines);
    requireRowOrder(texts);
  }
  /**
   * Reads lines.arrow and texts.arrow.
   *
   * @template {Buffer | string | URL} Source
   * @param {Source} lines The content of lines.arrow, which must not be changed afterwards, or its address, for which a
   * promise is returned.
   * @param {Source} texts The content of texts.arrow, or its address.
   * @returns {Source extends string | URL ? Promise<Lines> : Lines}
   */
  static fromArrow(lines, texts) {
    const read1 = read(lines, "lines.arrow", (bytes, name) => readArrow(bytes, name, "lines", {
      row: "uint64",
      node: "utf8",
      line: "uint16",
      start: "uint32",
      end: "uint32",
      x: "float32",
      y: "float32",
      width: "float32",
      height: "float32",
      baseline: "float32",
      ellipsis: "bool",
      hyphen: "bool",
      rightToLeft: "bool"
    }));
    const read2 = read(texts, "texts.arrow", (bytes, name) => readArrow(bytes, name, "texts", {
      row: "uint64",
      node: "utf8",
      text: "utf8",
      truncation: "utf8",
      runs: { start: "uint32", end: "uint32", font: "utf8" }
    }, {
      spans: {
        line: "uint16",
        start: "uint32",
        end: "uint32",
        x: "float32",
        y: "float32",
        width: "float32",
        height: "float32",
        url: "utf8",
        kind: "utf8"
      },
      pointSizeScaleFactor: "float32"
    }));
    /** @type {any} */
    const result = read1 instanceof Promise || read2 instanceof Promise ? Promise.all([read1, read2]).then(([lines2, texts2]) => new Lines(lines2, texts2)) : new Lines(read1, read2);
    return result;
  }
  /** The checksum of the frames of the run; null for tables of earlier versions. */
  get framesChecksum() {
    return this.#lines.framesChecksum;
  }
  /**
   * Returns the texts of a row of the tables with their lines, in the order of the frames.
   *
   * @param {number} row
   * @returns {Text[]}
   */
  of(row) {
    const texts = [];
    let { first: line, end: end2 } = recordsOf(this.#lines, row);
    for (let { first: index, end: last } = recordsOf(this.#texts, row); index < last; index += 1) {
      const node = this.#texts.string("node", index);
      const text = this.#texts.string("text", index);
      /** @type {Line[]} */
      const lines = [];
      const next = this.#endOfText(line, end2, node);
      // An empty text, which has no lines on most platforms, cannot have those of a longer one with the same name.
      while (line < next && this.#lines.number("end", next - 1) <= text.length) {
        lines.push(this.#line(line, text, index));
        line += 1;
      }
      const spans = this.#texts.has("spans") ? this.#texts.records("spans", index) : [];
      texts.push({ node, text, runs: this.#texts.records("runs", index), lines, spans, pointSizeScaleFactor: this.#factor(index) });
    }
    return texts;
  }
  /**
   * Returns the index behind the lines of a text. Texts of one name may follow each other: the lines of each begin with line 0.
   *
   * @param {number} first The index of its first line.
   * @param {number} rowEnd The index behind the lines of the row.
   * @param {string} node
   */
  #endOfText(first, rowEnd, node) {
    let line = first;
    while (line < rowEnd && this.#lines.number("line", line) === line - first && this.#lines.string("node", line) === node)
      line += 1;
    return line;
  }
  /** @param {number} index */
  #factor(index) {
    const factor = this.#texts.has("pointSizeScaleFactor") ? this.#texts.number("pointSizeScaleFactor", index) : 1;
    // A null is that of a row that an earlier version has laid out. A factor is a multiple of 1/10,000.
    return Number.isNaN(factor) ? 1 : Math.round(factor * 1e4) / 1e4;
  }
  /**
   * Returns the characters of each line of a row's first text with a name.
   *
   * @param {number} row
   * @param {string} node
   */
  lines(row, node) {
    return this.of(row).find((text) => text.node === node)?.lines.map(({ characters }) => characters) ?? [];
  }
  /**
   * @param {number} index
   * @param {string} text
   * @param {number} textIndex
   * @returns {Line}
   */
  #line(index, text, textIndex) {
    /** @param {string} column */
    const value = (column) => this.#lines.number(column, index);
    const [start, end2] = [value("start"), value("end")];
    const [ellipsis, hyphen] = [value("ellipsis") === 1, value("hyphen") === 1];
    const last = hyphen ? "‐" : ellipsis ? this.#texts.string("truncation", textIndex) : "";
    return {
      characters: text.slice(start, end2) + last,
      start,
      end: end2,
      x: value("x"),
      y: value("y"),
      width: value("width"),
      height: value("height"),
      baseline: value("baseline"),
      ellipsis,
      hyphen,
      rightToLeft: value("rightToLeft") === 1
    };
  }
}

// skeleton.js
// Pictures of cells before their contents are there.
/**
 * The tables that a skeleton is made from.
 *
 * @typedef {object} SkeletonData
 * @property {Heights} heights
 * @property {Frames} frames
 * @property {Lines} [lines] The lines of texts. Without them, the lines of a text are as wide as it is, but for the last one.
 */
/**
 * A rectangle in points: left, top, width and height.
 *
 * @typedef {[number, number, number, number]} Rect
 */
/** The height of the bar of a line as a share of the line's, and the width of a last line that is not known. */
var BAR_HEIGHT = 0.6;
var LAST_WIDTH = 0.6;
/** The radius of corners in points. */
var RADIUS = 4;
/**
 * Returns an SVG image of a row's cell in its size, with a bar for each line of its texts and a rectangle for each other frame
 * that has no others inside. It has the colour of the text around it, or black, with an opacity of 12 %.
 *
 * @param {number} row The row of the list.
 * @param {SkeletonData} data
 */
function skeletonSVG(row, { heights, frames, lines }) {
  requireTables({ heights, frames, ...lines !== void 0 && { lines } });
  const tableRow = tableRowOf(row, heights);
  const all = frames.of(tableRow);
  const texts = lines?.of(tableRow) ?? null;
  const parents = new Set(all.map(({ parent }) => parent));
  const rects = all.flatMap((frame, index) => {
    if (frame.type === "text")
      return texts === null ? barsOf(frame) : barsOfLines(frame, texts.shift()?.lines ?? []);
    return parents.has(index) ? [] : [rectOf(frame)];
  });
  const length = heights.heightOf(row);
  const [width, height] = isHorizontal(heights.axis) ? [length, heights.crossSize ?? end(rects, 1)] : [heights.width ?? end(rects, 0), length];
  return htmlOf(markup("svg", {
    xmlns: "http://www.w3.org/2000/svg",
    width: String(width),
    height: String(height),
    fill: "currentColor",
    "fill-opacity": "0.12",
    "aria-hidden": "true"
  }, "display:block", rects.map(rectMarkup)));
}
/**
 * @param {Frame} frame
 * @returns {Rect}
 */
function rectOf({ x, y, width, height }) {
  return [x, y, width, height];
}
/**
 * Returns the bars of the lines of a text whose lines are not known.
 *
 * @param {Frame} frame
 * @returns {Rect[]}
 */
function barsOf({ x, y, width, height, lines }) {
  const lineHeight = height / lines;
  return Array.from({ length: lines }, (_, line) => barOf(x, y + line * lineHeight, line > 0 && line === lines - 1 ? width * LAST_WIDTH : width, lineHeight));
}
/**
 * @param {Frame} frame
 * @param {Line[]} lines
 */
function barsOfLines(frame, lines) {
  return lines.filter(({ width }) => width > 0).map(({ x, y, width, height }) => barOf(frame.x + x, frame.y + y, width, height));
}
/**
 * Returns the bar in the middle of a line.
 *
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @returns {Rect}
 */
function barOf(x, y, width, height) {
  return [x, y + height * (1 - BAR_HEIGHT) / 2, width, height * BAR_HEIGHT];
}
/** @param {Rect} rect */
function rectMarkup([x, y, width, height]) {
  const [left, top, right, bottom] = [x, y, x + width, y + height].map(rounded);
  return markup("rect", {
    x: String(left),
    y: String(top),
    width: String(rounded(right - left)),
    height: String(rounded(bottom - top)),
    rx: String(RADIUS)
  }, "");
}
/**
 * Returns where the last rectangle ends, from the left (0) or from the top (1).
 *
 * @param {Rect[]} rects
 * @param {0 | 1} side
 */
function end(rects, side) {
  return rects.reduce((last, rect) => Math.max(last, rect[side] + rect[side + 2]), 0);
}
/**
 * Returns a number of points with at most one decimal, which is enough for a picture and has fewer bytes.
 *
 * @param {number} points
 */
function rounded(points) {
  return Math.round(points * 10) / 10;
}

// textscale.js
// The size of texts that a reader has chosen.
/** The pixels of the font size `medium` of CSS for a reader who has chosen none. */
var MEDIUM = 16;
/**
 * Returns the factor of font sizes that the reader of a page has chosen in the browser, whatever sizes the page states; with text
 * scales, the one that is nearest to it, and of two that are equally near the smaller one.
 *
 * @param {number[]} [scales] The text scales that were laid out.
 */
function userTextScale(scales = []) {
  for (const scale of scales)
    requireFinite(scale, "a text scale");
  const chosen = mediumSize() / MEDIUM;
  /** @param {number} scale */
  const distance = (scale) => Math.abs(scale - chosen);
  const [nearest = chosen] = [...scales].sort((one, other) => distance(one) - distance(other) || one - other);
  return nearest;
}
/** Returns the pixels of the font size `medium`, which the reader chooses. */
function mediumSize() {
  const probe = document.createElement("span");
  // The size is another one for fonts of one width.
  probe.style.cssText = "font:medium serif;position:absolute";
  document.documentElement.append(probe);
  const { fontSize } = getComputedStyle(probe);
  probe.remove();
  return parseFloat(fontSize);
}

// verifytexts.js
// The lines of texts as a browser has broken and drawn them.
/** Punctuation that a paragraph makes half as wide where it does not fit at the end of a line; a line alone keeps its width. */
var FULL_WIDTH_END = /[\u3000-\u303F\uFF00-\uFFEF]$/;
/**
 * Returns the number of lines in which a browser shows a text.
 *
 * @param {HTMLElement} element
 * @param {boolean} isTruncated Whether the lines below the element's end are cut, which have places nevertheless.
 */
function lineCount(element, isTruncated) {
  const range = document.createRange();
  range.selectNodeContents(element);
  const { bottom: end2 } = element.getBoundingClientRect();
  const rects = Array.from(range.getClientRects()).filter(({ top, bottom: bottom2, height }) => height > 0 && !(isTruncated && (top + bottom2) / 2 > end2)).sort((first, second) => first.top - second.top);
  let count = 0;
  let bottom = -Infinity;
  for (const rect of rects) {
    // Runs of one line have other tops if their fonts differ. A line begins when the middle of a run is below the last line.
    if ((rect.top + rect.bottom) / 2 < bottom)
      continue;
    count += 1;
    bottom = rect.bottom;
  }
  return count;
}
/**
 * Returns the first line of a text that is drawn wider or narrower than in the table, if the page draws each line as an element
 * that does not wrap; null if there is none.
 *
 * @param {HTMLElement} element
 * @param {Text} text
 * @param {Scale} scale
 */
function wrongLine(element, { lines }, scale) {
  if (element.children.length !== lines.length)
    return null;
  for (const [index, { characters, width: expected, height }] of lines.entries()) {
    const line = element.children[index];
    if (getComputedStyle(line).whiteSpace !== "pre")
      return null;
    const width = line.getBoundingClientRect().width / scale.width;
    // A browser kerns the character before a truncation string: Inter by up to a thirteenth of its size.
    const tolerance = Math.max(1, height / 10);
    if (Math.abs(width - expected) <= tolerance || FULL_WIDTH_END.test(characters))
      continue;
    return { number: index + 1, width: rounded2(width), expected: rounded2(expected) };
  }
  return null;
}
/**
 * Returns a note on the first font of a text if the page does not have it.
 *
 * @param {HTMLElement} element
 */
function fontNote(element) {
  const first = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
  const { fontStyle, fontWeight, fontSize, fontFamily } = getComputedStyle(first?.parentElement ?? element);
  const family = fontFamily.split(",")[0].trim();
  const style = `${fontStyle} ${fontWeight} ${fontSize}`;
  const isDeclared = Array.from(document.fonts).some((face) => unquoted(face.family) === unquoted(family));
  const isThere = isDeclared ? document.fonts.check(`${style} ${family}`, first?.textContent ?? "") : isInstalled(style, family);
  return isThere ? "" : ` (font ${unquoted(family)} ${fontWeight} not loaded?)`;
}
/** Returns a note on device pixels that are not those of the page: a browser can give glyphs other widths by them. */
function pixelNote() {
  return devicePixelRatio === 1 ? "" : ` (devicePixelRatio is ${rounded2(devicePixelRatio)}: zoom, or the scale of the screen?)`;
}
/**
 * Returns whether a browser has a font that the page does not declare: without it, texts have the widths of the font that comes
 * next, whichever it is. `document.fonts.check` is true of all such fonts.
 *
 * @param {string} style
 * @param {string} family
 */
function isInstalled(style, family) {
  const context = document.createElement("canvas").getContext("2d");
  if (context === null)
    return true;
  return ["serif", "monospace"].some((next) => {
    const [own, other] = [`${family}, ${next}`, next].map((families) => {
      context.font = `${style} ${families}`;
      return context.measureText("The quick brown fox 0123").width;
    });
    return own !== other;
  });
}
/** @param {string} family */
function unquoted(family) {
  return family.replace(/^(["'])(.*)\1$/, "$2");
}
/**
 * Returns a number of points with at most two decimals.
 *
 * @param {number} points
 */
function rounded2(points) {
  return Math.round(points * 100) / 100;
}

// verifynodes.js
// The elements of a cell's nodes, and how they differ from the frames.
/**
 * A node of a cell and the element that shows it.
 *
 * @typedef {object} VerifiedNode
 * @property {Frame} frame
 * @property {HTMLElement} found
 * @property {Text | undefined} text Its lines, if the frame is that of a text and they are known.
 */
/** The points by which a length may differ: a browser and a layout for another platform round to other pixels. */
var TOLERANCE2 = 1;
/**
 * Returns the nodes whose elements are in the element of a row.
 *
 * @param {HTMLElement} element
 * @param {Frame[]} frames
 * @param {Text[]} texts
 * @returns {VerifiedNode[]}
 */
function nodesOf(element, frames, texts) {
  const isNamed = element.querySelector("[data-node]") !== null;
  // A repeated node has its index at the end of its name, which a class can lack.
  const names = frames.map(({ node }) => isNamed ? node : node.replace(/(\.\d+)+$/, "").replace(/\s/g, "-"));
  const elements = isNamed ? elementsByData(element) : elementsByClass(element, new Set(names));
  /** @type {Map<string, number>} */
  const counts = /* @__PURE__ */ new Map();
  let textCount = 0;
  return frames.flatMap((frame, position) => {
    const text = frame.type === "text" ? texts[textCount] : void 0;
    if (frame.type === "text")
      textCount += 1;
    const name = names[position];
    const index = counts.get(name) ?? 0;
    counts.set(name, index + 1);
    const found = elements.get(name)?.[index];
    return found instanceof HTMLElement ? [{ frame, found, text }] : [];
  });
}
/**
 * Returns the elements of the nodes of a row by the values of `data-node`.
 *
 * @param {HTMLElement} row
 */
function elementsByData(row) {
  /** @type {Map<string, Element[]>} */
  const elements = /* @__PURE__ */ new Map();
  for (const element of row.querySelectorAll("[data-node]"))
    add(elements, element.getAttribute("data-node") ?? "", element);
  return elements;
}
/**
 * Returns the elements of the nodes of a row by name. The class of a node is its name, or its name behind that of the cell, as in
 * the style sheet of `galley css`. The frames do not state the cell, which is what precedes most of the names.
 *
 * @param {HTMLElement} row
 * @param {Set<string>} names
 */
function elementsByClass(row, names) {
  /** @type {Map<string, Map<string, Element[]>>} */
  const cells = /* @__PURE__ */ new Map([["", /* @__PURE__ */ new Map()]]);
  for (const element of row.querySelectorAll("[class]")) {
    for (const className of element.classList) {
      for (const name of names) {
        const cell = className.slice(0, -name.length);
        if (!className.endsWith(name) || cell !== "" && !cell.endsWith("-"))
          continue;
        const elements = cells.get(cell) ?? /* @__PURE__ */ new Map();
        cells.set(cell, elements);
        add(elements, name, element);
      }
    }
  }
  const [own, ...others] = cells.values();
  const [most = /* @__PURE__ */ new Map()] = others.sort((one, other) => other.size - one.size);
  return new Map(most.size > own.size ? [...own, ...most] : [...most, ...own]);
}
/**
 * @param {Map<string, Element[]>} elements
 * @param {string} name
 * @param {Element} element
 */
function add(elements, name, element) {
  const others = elements.get(name);
  if (others === void 0)
    elements.set(name, [element]);
  else
    others.push(element);
}
/**
 * Returns what to say of a node that differs from its frame. Heights only matter in a row that has another one.
 *
 * @param {VerifiedNode} node
 * @param {boolean} isRowRight
 * @param {Scale} scale
 * @returns {string[]}
 */
function differencesOf({ frame, found, text }, isRowRight, scale) {
  const name = `.${frame.node}`;
  if (frame.type === "text") {
    const count = lineCount(found, frame.truncated);
    if (count !== frame.lines) {
      const note = fontNote(found) || (count > frame.lines ? pixelNote() : "");
      return [`${name} is ${counted(count)}, not ${frame.lines}${note}`];
    }
    const line = text === void 0 ? null : wrongLine(found, text, scale);
    if (line !== null)
      return [`line ${line.number} of ${name} is ${line.width} px wide, not ${line.expected}${fontNote(found)}`];
  }
  const height = found.getBoundingClientRect().height / scale.height;
  if (isRowRight || Math.abs(height - frame.height) < TOLERANCE2)
    return [];
  return [`${name} is ${rounded2(height)} px high, not ${rounded2(frame.height)}`];
}
/** @param {number} lines */
function counted(lines) {
  return lines === 1 ? "1 line" : `${lines} lines`;
}

// verifyscale.js
// What transforms do to the lengths of a row on the screen.
/**
 * The factors by which the lengths of a row are multiplied on the screen.
 *
 * @typedef {object} Scale
 * @property {number} width
 * @property {number} height
 * @property {number} rounding How much the lengths of the row itself may be wrong when they are divided by these.
 */
/**
 * The greatest difference between a length and the whole number of pixels that a browser states for it. Both ends of the length
 * may be rounded.
 */
var ROUNDING = 1;
/**
 * Returns the factors of the transforms of a row and of what it is in, such as those of an animation with which it appears.
 *
 * @param {HTMLElement} element
 * @returns {Scale}
 */
function scaleOf(element) {
  const { width, height } = element.getBoundingClientRect();
  // These lengths are those before all transforms, in whole pixels.
  const { offsetWidth, offsetHeight } = element;
  const isScaled = Math.abs(width - offsetWidth) > ROUNDING || Math.abs(height - offsetHeight) > ROUNDING;
  if (!isScaled)
    return { width: 1, height: 1, rounding: 0 };
  return { width: factorOf(width, offsetWidth), height: factorOf(height, offsetHeight), rounding: ROUNDING };
}
/** @param {number} length @param {number} original */
function factorOf(length, original) {
  return original === 0 ? 1 : length / original;
}

// verify.js
// Comparing the cells of a page with the tables, for development.
/**
 * The tables that a cell is compared with.
 *
 * @typedef {object} VerifiedTables
 * @property {Heights} heights
 * @property {Frames} frames
 * @property {Lines} [lines] The lines, whose widths are compared too where a page draws them one by one.
 * @property {string} [id] The name of the row in messages, which is its number if this is left out.
 */
/** The most rows of a list that are reported: one wrong style affects all rows, and the first ones show it. */
var MOST_REPORTS = 20;
/** The most nodes that a message names. */
var MOST_NODES = 3;
/**
 * The names of the rows of a list that were reported.
 *
 * @type {WeakMap<Heights, Set<string>>}
 */
var reported = /* @__PURE__ */ new WeakMap();
/**
 * Compares the element of a row with the tables whenever its size or that of a text changes, and reports in the console what
 * differs: once for a row, and at most 20 rows of a list. The element of a node is the one whose `data-node` is the
 * node's name, or whose class it is, alone or behind that of the cell, if no element has `data-node`.
 *
 * @param {HTMLElement} element
 * @param {number} row The row of the list.
 * @param {VerifiedTables} tables
 * @returns {() => void} Ends the comparison.
 */
function verify(element, row, { heights, frames, lines, id = String(row) }) {
  requireTables({ heights, frames, ...lines !== void 0 && { lines } });
  const tableRow = heights.tableRowOf(row);
  // The tables state nothing about a row that was inserted or updated.
  if (tableRow < 0)
    return () => {
    };
  const length = heights.heightOf(row);
  const side = isHorizontal(heights.axis) ? "width" : "height";
  const cellFrames = frames.of(tableRow);
  const texts = lines?.of(tableRow) ?? [];
  const names = reported.get(heights) ?? /* @__PURE__ */ new Set();
  reported.set(heights, names);
  let isEnded = false;
  const compare = () => {
    // An element without boxes is not shown.
    if (isEnded || names.has(id) || names.size >= MOST_REPORTS || element.getClientRects().length === 0)
      return;
    const scale = scaleOf(element);
    // Nor is one that a transform makes infinitely small.
    if (scale.width === 0 || scale.height === 0)
      return;
    const nodes = nodesOf(element, cellFrames, texts);
    const shown2 = lengthOf(element, nodes, length, side, scale);
    const isRight = Math.abs(shown2 - length) < TOLERANCE2 + scale.rounding;
    const differences = nodes.flatMap((node) => differencesOf(node, isRight, scale));
    // The contents of a row can come later.
    const areTextsMissing = cellFrames.some(({ lines: lines2 }) => lines2 > 0) && element.textContent !== "" && !nodes.some(({ frame }) => frame.type === "text");
    if (isRight && differences.length === 0 && !areTextsMissing)
      return;
    names.add(id);
    const what = side === "width" ? "wide" : "high";
    const summary = isRight ? `is as ${what} as in the table` : `is ${rounded2(shown2)} px ${what}, the table says ${rounded2(length)}`;
    const end2 = names.size === MOST_REPORTS ? ". Further rows are not reported" : "";
    console.warn(`row ${id} ${summary}${detail(isRight, areTextsMissing || nodes.length === 0, differences)}${widthNote(element, heights, scale)}${end2}`);
  };
  const observer = new ResizeObserver(() => {
    // Texts have other lines until their fonts are there.
    if (document.fonts.status === "loading")
      document.fonts.ready.then(compare);
    else
      compare();
  });
  observer.observe(element);
  for (const { found, frame } of nodesOf(element, cellFrames, texts))
    if (frame.type === "text")
      observer.observe(found);
  return () => {
    isEnded = true;
    observer.disconnect();
  };
}
/**
 * Returns the length of an element in the direction of the list, with what is beyond its end if it has the length of its
 * row: its content may need more. Nodes that the layout has beyond the end do not count.
 *
 * @param {HTMLElement} element
 * @param {VerifiedNode[]} nodes
 * @param {number} length The length of the row in the table.
 * @param {'width' | 'height'} side
 * @param {Scale} scale
 */
function lengthOf(element, nodes, length, side, scale) {
  const own = element.getBoundingClientRect();
  const ownLength = own[side] / scale[side];
  if (ownLength < length - TOLERANCE2)
    return ownLength;
  return nodes.reduce((longest, { found, frame }) => {
    const box = found.getBoundingClientRect();
    const [end2, stated] = side === "width" ? [box.right - own.left, frame.x + frame.width] : [box.bottom - own.top, frame.y + frame.height];
    const reach = end2 / scale[side];
    return stated <= length && reach - ownLength > TOLERANCE2 ? Math.max(longest, reach) : longest;
  }, ownLength);
}
/**
 * @param {boolean} isRight
 * @param {boolean} areNamesMissing
 * @param {string[]} differences
 */
function detail(isRight, areNamesMissing, differences) {
  if (differences.length === 0) {
    return areNamesMissing ? ". No element has the name of a text: name them with data-node or the classes of galley css to see which ones differ" : ", though each named node has its size";
  }
  const others = differences.length - MOST_NODES;
  return (isRight ? ", but " : ": ") + differences.slice(0, MOST_NODES).join(", ") + (others > 0 ? ` and ${others} more` : "");
}
/**
 * Returns a note on the width of an element if the table is that of a list of another width.
 *
 * @param {HTMLElement} element
 * @param {Heights} heights
 * @param {Scale} scale
 */
function widthNote(element, heights, scale) {
  const width = element.getBoundingClientRect().width / scale.width;
  if (heights.width === null || isHorizontal(heights.axis) || Math.abs(width - heights.width) < TOLERANCE2)
    return "";
  return `. It is ${rounded2(width)} px wide, the table is for ${rounded2(heights.width)}`;
}

// viewport.js
// What a viewport shows of a list, as strings.
/**
 * A row that a viewport shows. Lengths are in points.
 *
 * @typedef {object} RenderedRow
 * @property {number} row
 * @property {number} offset The offset of its top in the list; with the axis `rightToLeft` its distance from the right side.
 * @property {number} height
 * @property {string} html What is in its element.
 */
/**
 * Returns the rows that a viewport shows with their HTML, and the height of the list. Rows of height 0 are not among them. It is
 * for servers, and for the first rows of a page that a server has begun.
 *
 * @template {{ heights: Heights }} Data
 * @param {{ offset: number, viewport: number }} query The top of the viewport in the list and its height, in points. An offset
 * beyond the last one that a list can be scrolled to is that one.
 * @param {Data} data The tables, and what else `content` uses. The images of the rows load at once.
 * @param {(row: number, data: Data) => string} content Returns what is in the element of a row: `cellHTML` or `skeletonSVG`.
 * @returns {{ offset: number, size: number, rows: RenderedRow[] }} The offset, the height of the list, and the rows.
 */
function renderViewport({ offset, viewport }, data, content) {
  requireFinite(offset, "the offset of the viewport");
  requireHeight(viewport, "the height of the viewport");
  const { heights } = data;
  requireTables({ heights });
  if (typeof content !== "function")
    throw new TypeError(`Pass cellHTML or another function for content, not ${shown(content)}`);
  const shownOffset = Math.max(0, Math.min(offset, heights.size - viewport));
  const [first, end2] = heights.prefetch({ offset: shownOffset, viewport, mode: "visibleOnly" }).visible;
  /** @type {RenderedRow[]} */
  const rows = [];
  for (let row = first; row < end2; row += 1) {
    const offset2 = heights.offsetOf(row);
    const height = heights.heightOf(row);
    // The row at the offset of one without a height is the next with one, or one before it if sums are rounded.
    if (height === 0)
      row = Math.max(row, heights.rowAt(offset2) - 1);
    else
      rows.push({ row, offset: offset2, height, html: content(row, { range: "visible", ...data }) });
  }
  return { offset: shownOffset, size: heights.size, rows };
}
export {
  Frames,
  Heights,
  Lines,
  Resources,
  cellHTML,
  draw,
  renderViewport,
  skeletonSVG,
  spanAt,
  userTextScale,
  variantFor,
  verify
};
