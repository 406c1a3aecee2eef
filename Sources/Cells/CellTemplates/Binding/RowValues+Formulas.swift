import Buffers

/// The calculation of formulas with the numbers of a row.
extension RowValues {
  /// Returns the number that a formula gives, or nil if an optional field is absent. It is valid until the next formula is
  /// calculated.
  @inline(never)
  func calculated(_ formula: BufferRange) throws(CellError) -> JSONValue? {
    var stack = Stack()
    for index in formula.range {
      switch templates.pointee.steps[index] {
      case .number(let number): stack.push(number)
      case .negate: stack.push(-stack.pop())
      case .field(let path, let isOptional):
        guard let value = value(at: path), !(isOptional && value.isNull) else {
          if isOptional { return nil }
          throw missingField(path)
        }
        guard let number = value.number else {
          let name = templates.pointee.paths[Int(path)].written.excerpt
          throw CellError("field \"\(name)\" is \(value.kindName), but a formula needs a number")
        }
        stack.push(number)
      case .apply(let function):
        let last = stack.pop()
        let result = function.isBinary ? function.apply(stack.pop(), last) : function.apply(last, 0)
        if function == .divide && last == 0 { throw CellError("is a formula that divides by 0") }
        if result.isNaN { throw CellError("is a formula of infinite numbers without a value") }
        stack.push(result)
      }
    }
    return layout.pointee.number(stack.pop(), row.strings)
  }

  /// The values that a formula keeps: at most `TemplateCompiler.maxFormulaDepth`, as the compiler has checked.
  private struct Stack {
    private var values = InlineArray<32, Double>(repeating: 0)
    private var count = 0

    mutating func push(_ value: Double) {
      values[count] = value
      count += 1
    }

    mutating func pop() -> Double {
      count -= 1
      return values[count]
    }
  }
}

extension FormulaFunction {
  fileprivate func apply(_ a: Double, _ b: Double) -> Double {
    switch self {
    case .add: a + b
    case .subtract: a - b
    case .multiply: a * b
    case .divide: a / b
    case .min: Swift.min(a, b)
    case .max: Swift.max(a, b)
    case .round: a.rounded()
    case .floor: a.rounded(.down)
    case .ceil: a.rounded(.up)
    }
  }
}
