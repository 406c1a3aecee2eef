/**
 * An element.
 */
export type Markup = {
    /**
     * The name of the element, such as `div`.
     */
    name: string;
    /**
     * Its attributes but for `style`.
     */
    attributes: Record<string, string>;
    /**
     * The declarations of its attribute `style`.
     */
    style: string;
    /**
     * Elements and texts.
     */
    children: (Markup | string)[];
};
/**
 * A part of a line.
 */
export type Part = {
    characters: string;
    font: string;
    /**
     * The link, mention or attachment that it is.
     */
    span: Span | null;
};
export type Buffer = ArrayBuffer | SharedArrayBuffer | ArrayBufferView;
/**
 * Strings of one batch.
 */
export type Strings = {
    bytes: Uint8Array;
    offsets: Int32Array;
};
/**
 * A message with its body.
 */
export type Message = {
    header: Table;
    body: Section;
};
/**
 * A column in one batch.
 */
export type ColumnPart = {
    rows: number;
    /**
     * The bits of the values that are not null, if it has nulls.
     */
    validity: Section | null;
    /**
     * Its other buffers.
     */
    buffers: Section[];
    children: ColumnPart[];
};
export type ColumnType = 'uint64' | 'uint32' | 'uint16' | 'int32' | 'float32' | 'float64' | 'utf8' | 'bool';
/**
 * The types that columns must have, by their names. Those of the fields of records are the type of a list of records.
 */
export type ColumnTypes = Record<string, ColumnType | Record<string, ColumnType>>;
/**
 * A column of the schema.
 */
export type Field = {
    name: string;
    /**
     * The type of its values.
     */
    type: string;
    /**
     * The type of what the batches have: the values, or the numbers of strings of a dictionary.
     */
    stored: string;
    /**
     * The number of its dictionary.
     */
    dictionary: number | null;
    /**
     * The records of lists, or the fields of records.
     */
    children: Field[];
};
/**
 * An item of TanStack Virtual.
 */
export type VirtualItem = {
    key: number | string | bigint;
    index: number;
    start: number;
    end: number;
    size: number;
    lane: number;
};
/**
 * The options of TanStack Virtual's virtualizer on which the positions of items depend.
 */
export type VirtualizerOptions = {
    getItemKey?: ((index: number) => number | string | bigint) | undefined;
    paddingStart?: number | undefined;
    scrollMargin?: number | undefined;
    gap?: number | undefined;
};
export type Node = Leaf | Branch;
/**
 * A query whose properties are checked, with the defaults of those that it lacks.
 */
export type CheckedQuery = ReturnType<typeof checkedQuery>;
/**
 * A half-open range of rows, `[first, end]`. An empty one is `[k, k]`, `k` being the row where it would begin.
 */
export type RowRange = [number, number];
/**
 * A resource to load, in the first range that needs it.
 */
export type NeededResource = {
    row: number;
    node: string;
    url: string;
    type: string;
    pixel_width: number;
    pixel_height: number;
    range: 'visible' | 'display' | 'preload';
};
/**
 * The reply to a query, as `galley prefetch` prints it.
 */
export type Prefetch = {
    visible: RowRange;
    display: RowRange;
    preload: RowRange;
    /**
     * The resources in order of need. It is absent if the list has no `Resources`.
     */
    resources?: NeededResource[] | undefined;
    /**
     * Whether to fetch the next rows.
     */
    fetch_next_batch: boolean;
    /**
     * The points between the end of the viewport and the end of the content.
     */
    remaining: number;
    /**
     * The seconds until both are at the same place, if the query has a velocity towards the
     * end and the distance decides whether to fetch.
     */
    remaining_time?: number | undefined;
};
/**
 * A row that a viewport shows. Lengths are in points.
 */
export type RenderedRow = {
    row: number;
    /**
     * The offset of its top in the list; with the axis `rightToLeft` its distance from the right side.
     */
    offset: number;
    height: number;
    /**
     * What is in its element.
     */
    html: string;
};
export type Axis = 'vertical' | 'inverted' | 'horizontal' | 'rightToLeft';
export type Direction = 'down' | 'up' | 'right' | 'left';
/**
 * An image of a cell.
 */
export type CellImage = {
    /**
     * Its address; that of the node in `heights.resources` if it is left out.
     */
    src?: string | undefined;
    /**
     * What it shows, in words; none if it is left out, for an image that only decorates.
     */
    alt?: string | undefined;
};
/**
 * The tables that a cell is drawn from, and what the tables do not have.
 */
export type CellData = {
    /**
     * The heights of the list. Network images are drawn if it has `resources`.
     */
    heights: Heights;
    frames: Frames;
    lines: Lines;
    /**
     * The images of nodes by name, in any element.
     */
    images?: Record<string, CellImage> | undefined;
    /**
     * The addresses that nodes lead to, by name.
     */
    links?: Record<string, string> | undefined;
    /**
     * The range of `prefetch` in which the row is. Images of visible rows
     * and of the display range load at once, others when the browser finds that they are near.
     */
    range?: "display" | "visible" | "preload" | undefined;
};
/**
 * A column of the records of one batch.
 */
export type Column = {
    at(index: number): string | number;
};
/**
 * The frame of a node. Lengths are in points, in the coordinates of the cell.
 */
export type Frame = {
    /**
     * The name of the node.
     */
    node: string;
    /**
     * The type of its element, such as `text` or `networkImage`.
     */
    type: string;
    /**
     * The index among the row's frames of the node that contains this one; -1 for the cell.
     */
    parent: number;
    x: number;
    y: number;
    width: number;
    height: number;
    /**
     * The number of lines of a text; 0 for other nodes.
     */
    lines: number;
    /**
     * Whether a text is cut.
     */
    truncated: boolean;
};
/**
 * What a variant has beside its width. Those that are left out are those of `galley layout`.
 */
export type VariantOptions = {
    /**
     * `texture` if it is left out.
     */
    platform?: string | undefined;
    /**
     * 1 if it is left out.
     */
    textScale?: number | undefined;
    /**
     * None if it is left out.
     */
    textSize?: string | undefined;
    /**
     * `ltr` if it is left out.
     */
    layoutDirection?: string | undefined;
    /**
     * 2 if it is left out.
     */
    scale?: number | undefined;
};
/**
 * A variant in manifest.json.
 */
export type Variant = {
    name: string;
    width: number;
    textScale: number;
    scale: number;
    textSize?: string | undefined;
    /**
     * None for texture.
     */
    platform?: string | undefined;
    /**
     * None for ltr.
     */
    layoutDirection?: string | undefined;
};
/**
 * A query of a list: where its viewport is, and how it moves.
 */
export type Query = {
    /**
     * The offset of the viewport's top in the list, or of its left edge, in points.
     */
    offset: number;
    /**
     * The height of the viewport, or its width, in points.
     */
    viewport: number;
    /**
     * The direction in which the viewport moves on the screen, which leads to the last row if
     * it is not given.
     */
    direction?: Direction | undefined;
    /**
     * The mode of the ranges, which is `full` if it is
     * not given.
     */
    mode?: "full" | "minimum" | "visibleOnly" | "lowMemory" | undefined;
    /**
     * The leading and the trailing number of viewports of the display
     * range, instead of those of the mode.
     */
    display?: readonly [number, number] | undefined;
    /**
     * The same of the preload range.
     */
    preload?: readonly [number, number] | undefined;
    /**
     * The number of viewports before the end of the content at which the
     * next rows are to be fetched, which is 2 if it is not given.
     */
    leading_screens_for_batching?: number | undefined;
    /**
     * Whether rows that the list has asked for are on their way.
     */
    fetching?: boolean | undefined;
    /**
     * Whether the list is in no window. It then asks for rows only if it has fewer than fill the
     * viewport.
     */
    hidden?: boolean | undefined;
    /**
     * The velocity towards the end of the list, in points per millisecond.
     */
    velocity?: number | undefined;
};
/**
 * What a list has beside the lengths of its rows.
 */
export type ListOptions = {
    /**
     * How the rows follow each other, which is `vertical` if it is not given.
     */
    axis?: Axis | undefined;
};
/**
 * A line of a text as it is drawn. Lengths are in points, in the coordinates of the text's frame.
 */
export type Line = {
    /**
     * What is drawn, with the hyphen or the truncation string at its end.
     */
    characters: string;
    /**
     * The offset in the text of the first unit, in UTF-16.
     */
    start: number;
    /**
     * The offset after the last unit that is drawn.
     */
    end: number;
    x: number;
    y: number;
    width: number;
    height: number;
    /**
     * The distance of the baseline from the top of the text's frame.
     */
    baseline: number;
    /**
     * Whether the text is cut at `end`.
     */
    ellipsis: boolean;
    /**
     * Whether a hyphen follows.
     */
    hyphen: boolean;
    /**
     * Whether the paragraph of the line runs from right to left.
     */
    rightToLeft: boolean;
};
/**
 * A part of a text with a font of its own. Offsets are those of lines.
 */
export type Run = {
    start: number;
    end: number;
    /**
     * The name of the font in the cells file.
     */
    font: string;
};
/**
 * A part of a run in a line that has an address, a kind or an attachment. Offsets are those of lines, lengths are in points, in
 * the coordinates of the text's frame.
 */
export type Span = {
    /**
     * The number of the line.
     */
    line: number;
    start: number;
    end: number;
    x: number;
    y: number;
    width: number;
    /**
     * That of the line, or that of the attachment.
     */
    height: number;
    /**
     * What it leads to, or the address of the attachment; empty if the run has none.
     */
    url: string;
    /**
     * Such as `mention`; empty if the run has none.
     */
    kind: string;
};
/**
 * A text as it is drawn.
 */
export type Text = {
    node: string;
    text: string;
    runs: Run[];
    lines: Line[];
    /**
     * Its links, mentions and attachments, with a rectangle for each line that they are in. Tables of
     * earlier versions have none.
     */
    spans: Span[];
    /**
     * The factor of the sizes of its fonts, which are then whole points; 1 for most texts, and
     * for tables of earlier versions.
     */
    pointSizeScaleFactor: number;
};
/**
 * The tables that a skeleton is made from.
 */
export type SkeletonData = {
    heights: Heights;
    frames: Frames;
    /**
     * The lines of texts. Without them, the lines of a text are as wide as it is, but for the last one.
     */
    lines?: Lines | undefined;
};
/**
 * A rectangle in points: left, top, width and height.
 */
export type Rect = [number, number, number, number];
/**
 * A node of a cell and the element that shows it.
 */
export type VerifiedNode = {
    frame: Frame;
    found: HTMLElement;
    /**
     * Its lines, if the frame is that of a text and they are known.
     */
    text: Text | undefined;
};
/**
 * The factors by which the lengths of a row are multiplied on the screen.
 */
export type Scale = {
    width: number;
    height: number;
    /**
     * How much the lengths of the row itself may be wrong when they are divided by these.
     */
    rounding: number;
};
/**
 * The tables that a cell is compared with.
 */
export type VerifiedTables = {
    heights: Heights;
    frames: Frames;
    /**
     * The lines, whose widths are compared too where a page draws them one by one.
     */
    lines?: Lines | undefined;
    /**
     * The name of the row in messages, which is its number if this is left out.
     */
    id?: string | undefined;
};
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
export class Frames {
    /**
     * Reads frames.arrow.
     *
     * @template {Buffer | string | URL} Source
     * @param {Source} source The content of the file, which must not be changed afterwards, or its address, for which a
     * promise is returned.
     * @returns {Source extends string | URL ? Promise<Frames> : Frames}
     */
    static fromArrow<Source extends string | URL | Buffer>(source: Source): Source extends string | URL ? Promise<Frames> : Frames;
    /** @param {ArrowTable} table */
    constructor(table: ArrowTable);
    /** The checksum of the frames of the run; null for tables of earlier versions. */
    get framesChecksum(): string | null;
    /** The number of frames. */
    get length(): number;
    /** A checksum of the rows of the frames, which is that of the heights of the same run. */
    get frameSum(): number;
    /**
     * Returns the frames of a row of the tables, in the order of the layout. A node comes after the one that contains it.
     *
     * @param {number} row
     * @returns {Frame[]}
     */
    of(row: number): Frame[];
    #private;
}
/**
 * What a list has beside the lengths of its rows.
 *
 * @typedef {object} ListOptions
 * @property {Axis} [axis] How the rows follow each other, which is `vertical` if it is not given.
 */
/** The heights of a list with what reads them, loads ahead by them and passes them to list components. */
export class Heights extends RowHeights {
    /**
     * Reads heights.arrow of the variant whose width is nearest to that of the list.
     *
     * @param {string | URL} run The address of the directory that galley layout has written, with its manifest.json.
     * @param {number} width The width of the list in points.
     * @param {VariantOptions & ListOptions} [options] What the variant has beside its width, and the axis of the list.
     * @returns {Promise<Heights>}
     */
    static forWidth(run: string | URL, width: number, options?: (VariantOptions & ListOptions) | undefined): Promise<Heights>;
    /**
     * Reads heights.arrow.
     *
     * @template {Buffer | string | URL} Source
     * @param {Source} source The content of the file, which is read at once, or its address, for which a promise is
     * returned.
     * @param {ListOptions} [options] With a horizontal axis, the widths of the rows are read as their lengths.
     * @returns {Source extends string | URL ? Promise<Heights> : Heights}
     */
    static fromArrow<Source extends string | URL | Buffer>(source: Source, options?: ListOptions | undefined): Source extends string | URL ? Promise<Heights> : Heights;
    /**
     * Reads what `galley export --format f32` writes: the heights as little-endian floats and nothing else.
     *
     * @template {Buffer | string | URL} Source
     * @param {Source} source The content of the file, which is read at once, or its address, for which a promise is
     * returned.
     * @param {ListOptions} [options]
     * @returns {Source extends string | URL ? Promise<Heights> : Heights}
     */
    static fromFloat32<Source_1 extends string | URL | Buffer>(source: Source_1, options?: ListOptions | undefined): Source_1 extends string | URL ? Promise<Heights> : Heights;
    /**
     * Makes a list of heights, which are kept as 32-bit numbers, as tables have them.
     *
     * @param {Iterable<number> | ArrayLike<number>} heights The heights of the rows, or their widths with a horizontal axis.
     * @param {ListOptions} [options]
     */
    static from(heights: Iterable<number> | ArrayLike<number>, options?: ListOptions | undefined): Heights;
    set resources(arg: Resources | null);
    /**
     * The resources of the rows, for `prefetch`. They are those of the tables that the heights are from. Rows keep their
     * resources when others are inserted or removed. Rows that were inserted later have none.
     */
    get resources(): Resources | null;
    /**
     * Returns which rows a list needs now and soon, by the rules of `galley prefetch`, which are those of Texture's
     * `ASRangeController`.
     *
     * @param {Query} query
     * @returns {Prefetch}
     */
    prefetch(query: Query): Prefetch;
    /**
     * Returns the height of a row: `estimateSize` of TanStack Virtual 3.
     *
     * @param {number} index
     */
    estimateSize: (index: number) => number;
    /**
     * Returns the rows as measured items: `initialMeasurementsCache` of TanStack Virtual 3. The other options are those
     * of the virtualizer, and must be the same.
     *
     * @param {VirtualizerOptions} [options]
     * @returns {VirtualItem[]}
     */
    initialMeasurementsCache(options?: VirtualizerOptions | undefined): VirtualItem[];
    /**
     * Returns all heights as an array: `heightEstimates` of react-virtuoso 4.18.
     *
     * @returns {number[]}
     */
    heightEstimates(): number[];
    /**
     * Returns the height of an item of react-virtuoso 4 without measuring it: `itemSize`. An item that is no row of the
     * list, and a width, are measured as the component does it.
     *
     * @param {HTMLElement} element
     * @param {'offsetHeight' | 'offsetWidth'} field
     */
    itemSize: (element: HTMLElement, field: 'offsetHeight' | 'offsetWidth') => number;
    /**
     * Returns where a row is: `getItemLayout` of React Native's FlatList.
     *
     * @param {unknown} data
     * @param {number} index
     */
    getItemLayout: (data: unknown, index: number) => {
        length: number;
        offset: number;
        index: number;
    };
    /**
     * Sets the size of a row's layout: `overrideItemLayout` of FlashList 1. FlashList 2 takes only `span` from it and
     * measures the sizes of items itself.
     *
     * @param {{ span?: number, size?: number }} layout
     * @param {unknown} item
     * @param {number} index
     */
    overrideItemLayout: (layout: {
        span?: number;
        size?: number;
    }, item: unknown, index: number) => void;
    #private;
}
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
export class Lines {
    /**
     * Reads lines.arrow and texts.arrow.
     *
     * @template {Buffer | string | URL} Source
     * @param {Source} lines The content of lines.arrow, which must not be changed afterwards, or its address, for which a
     * promise is returned.
     * @param {Source} texts The content of texts.arrow, or its address.
     * @returns {Source extends string | URL ? Promise<Lines> : Lines}
     */
    static fromArrow<Source extends string | URL | Buffer>(lines: Source, texts: Source): Source extends string | URL ? Promise<Lines> : Lines;
    /**
     * @param {ArrowTable} lines
     * @param {ArrowTable} texts
     */
    constructor(lines: ArrowTable, texts: ArrowTable);
    /** The checksum of the frames of the run; null for tables of earlier versions. */
    get framesChecksum(): string | null;
    /**
     * Returns the texts of a row of the tables with their lines, in the order of the frames.
     *
     * @param {number} row
     * @returns {Text[]}
     */
    of(row: number): Text[];
    /**
     * Returns the characters of each line of a row's first text with a name.
     *
     * @param {number} row
     * @param {string} node
     */
    lines(row: number, node: string): string[];
    #private;
}
/** The resources of the rows of resources.arrow. */
export class Resources {
    /**
     * Reads resources.arrow.
     *
     * @template {Buffer | string | URL} Source
     * @param {Source} source The content of the file, which is read at once, or its address, for which a promise is
     * returned.
     * @returns {Source extends string | URL ? Promise<Resources> : Resources}
     */
    static fromArrow<Source extends string | URL | Buffer>(source: Source): Source extends string | URL ? Promise<Resources> : Resources;
    /** @param {ArrowTable} table */
    constructor(table: ArrowTable);
    /** The number of resources. */
    get length(): number;
    /**
     * Returns the resources of a row of the tables, in the order of the file.
     *
     * @param {number} row
     */
    of(row: number): {
        row: number;
        node: string;
        url: string;
        type: string;
        pixel_width: number;
        pixel_height: number;
    }[];
    #private;
}
/**
 * Returns the HTML of what `draw` makes in the element of a row, without a document. All that is from the row is escaped. It is
 * what `innerHTML` returns of an element that was made of it, so that a page can go on with either.
 *
 * @param {number} row The row of the list.
 * @param {CellData} data
 */
export function cellHTML(row: number, data: CellData): string;
/**
 * Draws a row's cell into an element, in place of what is in it: an element at the place of each frame, texts line by line,
 * images and links. The element must be positioned, and gets the height of the row. Fonts are classes.
 *
 * @param {number} row The row of the list.
 * @param {HTMLElement} element
 * @param {CellData} data
 */
export function draw(row: number, element: HTMLElement, data: CellData): void;
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
export function renderViewport<Data extends {
    heights: Heights;
}>({ offset, viewport }: {
    offset: number;
    viewport: number;
}, data: Data, content: (row: number, data: Data) => string): {
    offset: number;
    size: number;
    rows: RenderedRow[];
};
/**
 * Returns an SVG image of a row's cell in its size, with a bar for each line of its texts and a rectangle for each other frame
 * that has no others inside. It has the colour of the text around it, or black, with an opacity of 12 %.
 *
 * @param {number} row The row of the list.
 * @param {SkeletonData} data
 */
export function skeletonSVG(row: number, { heights, frames, lines }: SkeletonData): string;
/**
 * Returns the link, mention or attachment at a point of a text, such as the one that was tapped; null if there is none.
 *
 * @param {Text} text
 * @param {number} x The distance from the left side of the text's frame, in points.
 * @param {number} y The distance from its top.
 * @returns {Span | null}
 */
export function spanAt({ spans }: Text, x: number, y: number): Span | null;
/**
 * Returns the factor of font sizes that the reader of a page has chosen in the browser, whatever sizes the page states; with text
 * scales, the one that is nearest to it, and of two that are equally near the smaller one.
 *
 * @param {number[]} [scales] The text scales that were laid out.
 */
export function userTextScale(scales?: number[] | undefined): number;
/**
 * Returns the address of the directory of the variant whose width is nearest to a list's; of two that are equally near the
 * narrower one.
 *
 * @param {string | URL} run The address of the directory that galley layout has written.
 * @param {number} width
 * @param {VariantOptions} [options]
 */
export function variantFor(run: string | URL, width: number, options?: VariantOptions | undefined): Promise<string>;
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
export function verify(element: HTMLElement, row: number, { heights, frames, lines, id }: VerifiedTables): () => void;
/** A table of a FlatBuffer. The fields that it lacks have their default. */
declare class Table {
    /**
     * @param {Section} section
     * @param {number} position
     */
    constructor(section: Section, position: number);
    section: Section;
    position: number;
    vtable: number;
    vtableSize: number;
    /**
     * Returns the position of a field, or null if the table lacks it.
     *
     * @param {number} field
     */
    find(field: number): number | null;
    /**
     * @param {string} type
     * @param {number} field
     */
    number(type: string, field: number): number;
    /** @param {number} field */
    table(field: number): Table | null;
    /**
     * @param {number} field
     * @param {string} what
     */
    requiredTable(field: number, what: string): Table;
    /**
     * Returns the positions of the elements of a vector.
     *
     * @param {number} field
     * @param {number} elementSize
     */
    vector(field: number, elementSize: number): number[];
    /** @param {number} field */
    tables(field: number): Table[];
    /** @param {number} field */
    string(field: number): string;
}
/** A part of a file that must not be read beyond its bounds. */
declare class Section {
    /**
     * @param {Uint8Array} bytes
     * @param {string} name The name of the file.
     * @param {string} what
     */
    constructor(bytes: Uint8Array, name: string, what: string);
    bytes: Uint8Array;
    view: DataView;
    name: string;
    what: string;
    /**
     * Returns the bytes of a part.
     *
     * @param {number} start
     * @param {number} length
     * @param {string} what
     */
    section(start: number, length: number, what: string): Section;
    /**
     * @param {number} position
     * @param {number} length
     */
    require(position: number, length: number): void;
    /**
     * @param {string} type One of those of `NUMBERS`.
     * @param {number} position
     */
    number(type: string, position: number): number;
    /** The table that a FlatBuffer begins with. */
    root(): Table;
}
declare class Leaf {
    /**
     * @param {Float64Array} heights
     * @param {Int32Array} tableRows The rows of the tables that these rows were at first.
     */
    constructor(heights: Float64Array, tableRows: Int32Array);
    heights: Float64Array;
    tableRows: Int32Array;
    rows: number;
    height: number;
    get size(): number;
}
declare class Branch {
    /** @param {Node[]} children */
    constructor(children: Node[]);
    children: Node[];
    /** The number of rows before each child, and after the last. */
    firstRows: Float64Array;
    /** The height before each child, and after the last. */
    tops: Float64Array;
    rows: number;
    height: number;
    get size(): number;
    /**
     * Adds up the rows of the children from one on.
     *
     * @param {number} first
     */
    addRows(first: number): void;
    /**
     * Adds up the heights of the children from one on. Sums are made anew instead of being corrected by differences, so
     * that rounding errors of heights that are no multiples of a power of two do not accumulate.
     *
     * @param {number} first
     */
    addHeights(first: number): void;
}
/**
 * A query whose properties are checked, with the defaults of those that it lacks.
 *
 * @typedef {ReturnType<typeof checkedQuery>} CheckedQuery
 */
/**
 * @param {Query} query
 * @param {Axis} axis
 */
declare function checkedQuery(query: Query, axis: Axis): {
    offset: number;
    viewport: number;
    isForward: boolean;
    mode: "full" | "minimum" | "visibleOnly" | "lowMemory";
    display: readonly [number, number] & any[];
    preload: readonly [number, number] & any[];
    leadingScreens: number;
    fetching: boolean;
    hidden: boolean;
    velocity: number;
};
/** Columns of all batches of an Arrow file. Those that are asked for must be among those that it was read with. */
declare class ArrowTable {
    /**
     * @param {string} name
     * @param {Map<string, string>} metadata Those of the schema.
     * @param {Map<string, NumberColumn | StringColumn | ListColumn>} columns
     */
    constructor(name: string, metadata: Map<string, string>, columns: Map<string, NumberColumn | StringColumn | ListColumn>);
    name: string;
    metadata: Map<string, string>;
    /** The checksum of the frames to which it belongs; null if there are none, and for tables of earlier versions. */
    get framesChecksum(): string | null;
    /** @param {string} column */
    has(column: string): boolean;
    /**
     * @param {string} column
     * @returns {NumberColumn}
     */
    numbers(column: string): NumberColumn;
    /**
     * @param {string} column
     * @param {number} record
     * @returns {number}
     */
    number(column: string, record: number): number;
    /**
     * @param {string} column
     * @param {number} record
     * @returns {string}
     */
    string(column: string, record: number): string;
    /**
     * Returns the records of a list.
     *
     * @param {string} column
     * @param {number} record
     * @returns {any[]}
     */
    records(column: string, record: number): any[];
    #private;
}
/**
 * The heights of the rows of a list, or their widths if it scrolls horizontally.
 *
 * Heights are finite and not negative, and are kept as 32-bit numbers, as tables have them. Sums of them are exact while 53
 * bits hold them, so that `offsetOf` equals the column `y` of heights.arrow, also of heights that JSON states with fewer digits.
 *
 * A row number that is no row of the list is a `RangeError`, and any other value a `TypeError`.
 */
declare class RowHeights {
    /**
     * @param {Float64Array} heights The heights, which are checked and belong to the list from now on.
     * @param {Int32Array} tableRows
     * @param {{ widths?: Widths | null, crossSize?: number | null, frameSum?: number | null, framesChecksum?: string | null, axis: Axis }} options
     * How far the heights hold in other widths, the height of a list that scrolls horizontally, the checksums of its frames, and
     * the axis.
     */
    constructor(heights: Float64Array, tableRows: Int32Array, { widths, crossSize, frameSum, framesChecksum, axis }: {
        widths?: Widths | null;
        crossSize?: number | null;
        frameSum?: number | null;
        framesChecksum?: string | null;
        axis: Axis;
    });
    /**
     * The B-tree of the rows.
     *
     * @protected
     * @type {Node}
     */
    protected tree: Node;
    /** The width of the list for which the heights were laid out, in points; null if it is not known. */
    get width(): number | null;
    /** How the rows follow each other in the direction in which the list scrolls. */
    get axis(): Axis;
    /** The height of a list that scrolls horizontally, which is that of its highest row; null if it is not known. */
    get crossSize(): number | null;
    /** A checksum of the rows of the frames, which is that of the frames of the same run; null if it is not known. */
    get frameSum(): number | null;
    /** The checksum of the frames of the run; null if it is not known. */
    get framesChecksum(): string | null;
    /** The number of rows. */
    get length(): number;
    /** The height of the content: the sum of all heights, in points. */
    get size(): number;
    /**
     * Returns the height of a row; with the width of a list in points, whether it is certain too: then the row has this height
     * in that width. A height that is not certain is that of `width`.
     *
     * @template {number | undefined} [Width=undefined]
     * @param {number} row
     * @param {Width} [width]
     * @returns {Width extends number ? { height: number, certain: boolean } : number}
     */
    heightOf<Width extends number | undefined = undefined>(row: number, width?: Width | undefined): Width extends number ? {
        height: number;
        certain: boolean;
    } : number;
    /**
     * Returns the row of the tables that a row of the list is, which has its frames and lines; -1 if the row was inserted or
     * updated after the tables were read.
     *
     * @param {number} row
     */
    tableRowOf(row: number): number;
    /**
     * Returns the offset of a row's top: the sum of the heights above. That of the row `length` is `size`.
     *
     * @param {number} row
     * @returns {number}
     */
    offsetOf(row: number): number;
    /**
     * Returns the row at an offset. The offset is at the top of the row or below it, and above its end. Rows without a height are
     * never returned.
     * An offset above the content gives what offset 0 gives, one at its end or below the last row, and an empty list -1.
     *
     * @param {number} offset
     * @returns {number}
     */
    rowAt(offset: number): number;
    /**
     * Changes the height of a row. A row that was hidden, and has the height of the tables again, is the row of the tables again.
     *
     * @param {number} row
     * @param {number} height The height. It is rounded to the nearest 32-bit number.
     */
    update(row: number, height: number): void;
    /**
     * Removes rows and inserts others at their place.
     *
     * @param {number} row The first row that is removed, and the row that the first inserted one becomes.
     * @param {number} removed The number of rows to remove.
     * @param {Iterable<number> | ArrayLike<number>} [heights] The heights of the rows to insert, which are kept as 32-bit numbers.
     */
    splice(row: number, removed: number, heights?: ArrayLike<number> | Iterable<number> | undefined): void;
    /**
     * Returns where a row lies on the screen: the points from the viewport's top to that of the row, or from its left edge to
     * that of the row.
     *
     * @param {number} row
     * @param {{ offset: number, viewport: number }} position The offset and the length of the viewport.
     * @returns {number}
     */
    screenPositionOf(row: number, { offset, viewport }: {
        offset: number;
        viewport: number;
    }): number;
    /** @returns {IterableIterator<number>} */
    [Symbol.iterator](): IterableIterator<number>;
    #private;
}
/** The numbers of a column in all batches. A null is NaN, a bit 0 or 1. */
declare class NumberColumn {
    /**
     * @param {ColumnPart[]} parts
     * @param {string} type
     */
    constructor(parts: ColumnPart[], type: string);
    get length(): number;
    /** @param {number} index */
    at(index: number): number;
    /** @param {(value: number, index: number) => void} callback */
    forEach(callback: (value: number, index: number) => void): void;
    /** Returns the numbers as an array of their own. */
    toArray(): Float64Array;
    #private;
}
/** The strings of a column in all batches, or of a dictionary to which the records refer by number. */
declare class StringColumn {
    /**
     * @param {string} file The name of the file, for errors.
     * @param {string} name The name of the column.
     * @param {Strings[]} strings
     * @param {NumberColumn | null} numbers The numbers of the strings of the records, if they are in a dictionary.
     */
    constructor(file: string, name: string, strings: Strings[], numbers: NumberColumn | null);
    /** @param {number} record */
    at(record: number): string;
    #private;
}
/**
 * A column of the records of one batch.
 *
 * @typedef {{ at(index: number): string | number }} Column
 */
/** A column whose values are lists of records. */
declare class ListColumn {
    /**
     * @param {ColumnPart[]} parts
     * @param {Record<string, Column>[]} columns
     */
    constructor(parts: ColumnPart[], columns: Record<string, Column>[]);
    /**
     * Returns the records of a value.
     *
     * @param {number} index
     * @returns {Record<string, string | number>[]}
     */
    at(index: number): Record<string, string | number>[];
    #private;
}
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
declare class Widths {
    /**
     * Returns what a table states; null if an earlier version wrote it.
     *
     * @param {ArrowTable} table
     */
    static of(table: ArrowTable): Widths | null;
    /**
     * @param {number} width The width of the variant.
     * @param {Float32Array} narrower The length for each row by less than which the list can be narrower.
     * @param {Float32Array} wider The length for each row by less than which the list can be wider.
     */
    constructor(width: number, narrower: Float32Array, wider: Float32Array);
    width: number;
    /**
     * Returns whether a row of the table has the same height in a list of another width.
     *
     * @param {number} row
     * @param {number} width
     */
    holds(row: number, width: number): boolean;
    #private;
}
export {};
type HTMLElement = typeof globalThis extends { HTMLElement: { prototype: infer Type } } ? Type : never;
type URL = typeof globalThis extends { URL: { prototype: infer Type } } ? Type : never;
