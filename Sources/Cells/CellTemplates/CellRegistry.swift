import Buffers
import LayoutEngine

/// A registry of the cell classes that are written in Swift, by the names that rows use for them.
///
///     var cells = CellRegistry()
///     cells.register("PhotoCell") { row in PhotoCell(caption: row["caption"].string ?? "") }
public struct CellRegistry {
  /// A function that makes a row's cell. The error that it throws becomes the row's error.
  public typealias Make = (RowFields) throws -> any CellNode

  private var classes: [String: Make] = [:]

  public init() {}

  /// Registers a class. It replaces a class of the same name in the cells file.
  public mutating func register(_ name: String, _ make: @escaping Make) { classes[name] = make }

  /// Whether no class is registered.
  public var isEmpty: Bool { classes.isEmpty }

  var names: [String] { classes.keys.sorted() }

  func make(named name: ByteString) -> Make? { isEmpty ? nil : classes[name.string] }
}

/// A value in a row, which may be absent: `row["user"]["name"].string`. The fields of an absent value are absent.
///
/// It is valid while its cell is being made.
public struct RowFields {
  private let value: JSONValue?

  init(_ value: JSONValue?) { self.value = value }

  public subscript(key: String) -> RowFields { RowFields(value?.member(named: key)) }

  public subscript(index: Int) -> RowFields { array.indices.contains(index) ? array[index] : RowFields(nil) }

  /// Whether the value is present and not null.
  public var exists: Bool { value.map { !$0.isNull } ?? false }
  public var string: String? { value?.string?.string }
  public var number: Double? { value?.number }
  public var integer: Int? { value?.integer.map { Int($0) } }
  public var boolean: Bool? { value?.boolean }

  /// The items of an array. A value that is not an array has none.
  public var array: [RowFields] {
    var items: [RowFields] = []
    value?.forEachElement { _, item in items.append(RowFields(item)) }
    return items
  }
}
