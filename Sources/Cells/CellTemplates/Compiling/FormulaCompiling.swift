import Buffers

/// A step of the calculation of `{constrainedSize.max.width / 2 - 8}`, in the order of reverse Polish notation.
enum FormulaStep: BitwiseCopyable {
  case number(Double)
  /// The number at a path. Without the field, an optional one makes the value absent.
  case field(Int32, isOptional: Bool)
  case negate
  case apply(FormulaFunction)

  /// The change of the number of values on the stack.
  var growth: Int {
    switch self {
    case .number, .field: 1
    case .negate: 0
    case .apply(let function): function.isBinary ? -1 : 0
    }
  }
}

/// An operator or a function of formulas.
enum FormulaFunction: UInt8, CaseIterable, BitwiseCopyable {
  case add, subtract, multiply, divide
  case min, max, round, floor, ceil

  var isBinary: Bool { rawValue <= FormulaFunction.max.rawValue }

  /// The functions that are written by name.
  static let named = allCases.filter { $0.rawValue >= FormulaFunction.min.rawValue }
}

/// The compilation of formulas: numbers, fields, `+ - * /` with spaces around them, parentheses, `min`, `max`, `round`, `floor`
/// and `ceil`.
extension TemplateCompiler {
  /// The largest number of values that a formula keeps while it is calculated.
  static let maxFormulaDepth = 32

  /// Returns whether the text between two braces is a formula, and not the name of a field, which can contain any sign.
  static func isFormula(_ text: ByteString) -> Bool {
    for index in 0..<text.count {
      switch text[index] {
      case UInt8(ascii: "("): return true
      case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "/"):
        let isApart = index + 1 == text.count || text[index + 1] == UInt8(ascii: " ")
        if index > 0, text[index - 1] == UInt8(ascii: " "), isApart { return true }
      default: continue
      }
    }
    return false
  }

  /// Compiles a formula, and returns its steps.
  mutating func formula(_ written: ByteString) throws(CellError) -> BufferRange {
    var parser = FormulaParser(written)
    let first = templates.steps.count
    try sum(&parser)
    guard parser.isAtEnd() else { throw parser.mistake("has \"\(parser.rest)\" where an operator belongs") }
    var depth = 0
    var deepest = 0
    for index in first..<templates.steps.count {
      depth += templates.steps[index].growth
      deepest = max(deepest, depth)
    }
    guard deepest <= Self.maxFormulaDepth else {
      throw parser.mistake("keeps more than \(Self.maxFormulaDepth) values; divide it into fields")
    }
    return BufferRange(first: Int32(first), count: Int32(templates.steps.count - first))
  }

  private mutating func sum(_ parser: inout FormulaParser) throws(CellError) {
    try product(&parser)
    while let function = parser.take([("+", .add), ("-", .subtract)]) {
      try product(&parser)
      templates.steps.append(.apply(function))
    }
  }

  private mutating func product(_ parser: inout FormulaParser) throws(CellError) {
    try factor(&parser)
    while let function = parser.take([("*", .multiply), ("/", .divide)]) {
      try factor(&parser)
      templates.steps.append(.apply(function))
    }
  }

  private mutating func factor(_ parser: inout FormulaParser) throws(CellError) {
    try parser.descend()
    defer { parser.ascend() }
    if parser.take("(") { return try parenthesized(&parser, nil) }
    if parser.takeSign() {
      try factor(&parser)
      return templates.steps.append(.negate)
    }
    let token = parser.token()
    if token.isEmpty { throw parser.mistake("ends where a number or a field belongs") }
    // Double also accepts names such as inf, which can be those of fields.
    let isNumeric = token.string.first { $0 != "-" && $0 != "+" }.map { $0.isNumber || $0 == "." } ?? false
    if isNumeric, let number = Double(token.string) {
      guard number.isFinite else { throw parser.mistake("has the number \(token.excerpt), which is too large") }
      return templates.steps.append(.number(number))
    }
    if parser.take("(") {
      guard let function = FormulaFunction.named.first(where: { "\($0)" == token.string }) else {
        let names = FormulaFunction.named.map { "\($0)" }
        throw parser.mistake(
          "has \"\(token.excerpt)(\", which is not a function\(didYouMean(token.string, among: names)); there are "
            + names.joined(separator: ", "))
      }
      return try parenthesized(&parser, function)
    }
    let isOptional = token.hasSuffix(UInt8(ascii: "?"))
    let field = isOptional ? token.slice(0, token.count - 1) : token
    guard !isNumeric || Double(field.string) == nil else {
      throw parser.mistake("has a ? after a number; it makes the field before it optional")
    }
    let path = try path(field)
    templates.steps.append(.field(path, isOptional: isOptional))
  }

  /// Compiles what is inside parentheses, and the call of a function with it.
  private mutating func parenthesized(
    _ parser: inout FormulaParser, _ function: FormulaFunction?
  ) throws(CellError) {
    try sum(&parser)
    var count = 1
    while let function, function.isBinary, parser.take(",") {
      try sum(&parser)
      templates.steps.append(.apply(function))
      count += 1
    }
    guard parser.take(")") else { throw parser.mistake("lacks a ) before \"\(parser.rest)\"") }
    guard let function else { return }
    if !function.isBinary { return templates.steps.append(.apply(function)) }
    if count == 1 { throw parser.mistake("has \(function) of one value; write \(function)(a, b)") }
  }
}

/// A reader of the words and signs of a formula.
private struct FormulaParser {
  private let text: ByteString
  private var index = 0
  private var depth = 0

  init(_ text: ByteString) { self.text = text }

  func mistake(_ what: String) -> CellError { CellError("\"{\(text.excerpt)}\" \(what)") }

  /// The text that was not read, as errors quote it.
  var rest: String { text.slice(min(index, text.count), text.count).trimmed.excerpt }

  /// Returns whether only spaces are left.
  mutating func isAtEnd() -> Bool {
    skipSpaces()
    return index == text.count
  }

  mutating func descend() throws(CellError) {
    depth += 1
    if depth > TemplateCompiler.maxFormulaDepth { throw mistake("is nested too deep") }
  }

  mutating func ascend() { depth -= 1 }

  private mutating func skipSpaces() {
    while index < text.count && text[index] == UInt8(ascii: " ") { index += 1 }
  }

  mutating func take(_ sign: Unicode.Scalar) -> Bool {
    skipSpaces()
    guard index < text.count, text[index] == UInt8(ascii: sign) else { return false }
    index += 1
    return true
  }

  /// Takes an operator, which is followed by a space.
  mutating func take(_ operators: [(sign: Unicode.Scalar, function: FormulaFunction)]) -> FormulaFunction? {
    skipSpaces()
    guard index < text.count, index + 1 == text.count || text[index + 1] == UInt8(ascii: " "),
      let found = operators.first(where: { text[index] == UInt8(ascii: $0.sign) })
    else { return nil }
    index += 1
    return found.function
  }

  /// Takes the sign before a value that is not a number, such as `-(a + b)`.
  mutating func takeSign() -> Bool {
    skipSpaces()
    guard index + 1 < text.count, text[index] == UInt8(ascii: "-"), text[index + 1] != UInt8(ascii: " "),
      !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[index + 1])
    else { return false }
    index += 1
    return true
  }

  /// Takes a number or a name, which ends at a space, a parenthesis or a comma.
  mutating func token() -> ByteString {
    skipSpaces()
    let start = index
    while index < text.count, !" (),".utf8.contains(text[index]) { index += 1 }
    return text.slice(start, index)
  }
}
