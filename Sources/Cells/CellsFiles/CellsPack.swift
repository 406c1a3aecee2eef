import Buffers
import Hashing
import Synchronization

/// A cells file with its fonts in one file, which `galley pack` writes. Its format is:
///
///     89 "GLY" 0d 0a 1a 0a  u32 version  u32 length of the contents  u64 length of the program
///     SHA-256 of the program
///     contents: u32 number of warnings
///               per warning: u32 line  u32 column  path  message  cell class whose constrainedSize voids it
///               the text of the cells file
///     XXH3 of everything so far
///     program
///
/// All numbers are little endian. A line, a column and a cell class that are not known are 0 and empty. Each string of a
/// warning follows its u32 length. The program is a `ProgramArchive`. The first bytes are those of a PNG file with another
/// name: they are not text, and a transfer that converts the ends of lines changes them.
///
/// The program is read when it is needed. A coordinator that has it needs only its hash.
final class CellsPack: Sendable {
  static let version: UInt32 = 1
  /// The first bytes, by which a pack is recognized.
  static let mark: [UInt8] = [0x89, 0x47, 0x4c, 0x59]
  private static let lineEnds: [UInt8] = [0x0d, 0x0a, 0x1a, 0x0a]
  private static let hashBytes = 32
  /// The number of bytes before the contents.
  private static let fixedBytes = 56
  private static let checksumBytes = 8

  /// The text of the cells file.
  let text: String
  let warnings: [CellWarning]
  let programHash: [UInt8]
  private let program: Mutex<Program>
  private let parsed = Mutex<SourceNode?>(nil)

  private enum Program {
    case stored(CellsInput, count: Int)
    case read(OwnedBytes)
  }

  /// Reads everything but the program.
  ///
  /// - Parameters:
  ///   - input: A file of which only `mark` was read.
  init(_ input: CellsInput) throws(CellsFileError) {
    let fixed = try Self.mark + input.read(upTo: Self.fixedBytes - Self.mark.count)
    let (contents, programCount, hash) = try Self.header(fixed, input)
    let rest = try input.read(upTo: contents + Self.checksumBytes)
    guard rest.count == contents + Self.checksumBytes else { throw Self.cutOff(input.path) }
    let stated = rest.suffix(Self.checksumBytes).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard Self.checksum(fixed + rest.dropLast(Self.checksumBytes)) == stated else {
      throw Self.damaged(input.path, "a checksum is wrong")
    }
    guard let decoded = Self.contents(rest.dropLast(Self.checksumBytes)) else {
      throw Self.damaged(input.path, "its warnings end too early")
    }
    (warnings, text) = decoded
    programHash = hash
    program = Mutex(.stored(input, count: programCount))
  }

  /// Returns the program.
  ///
  /// - Throws: `CellsFileError` for a program that is damaged.
  func archive() throws(CellsFileError) -> OwnedBytes {
    try program.withLock { (program) throws(CellsFileError) in
      switch program {
      case .read(let block): return block
      case .stored(let input, let count):
        let block = try Self.readProgram(input, count)
        guard block.withBytes({ SHA256.hash($0) }) == programHash else {
          throw Self.damaged(input.path, "the hash of its fonts and cells is wrong")
        }
        program = .read(block)
        return block
      }
    }
  }

  /// The cells file as it was parsed, or nil if this version of Galley cannot parse it.
  var source: SourceNode? {
    parsed.withLock { parsed in
      if parsed == nil {
        var expansion = TemplateExpansion()
        parsed = (try? SourceNode(yaml: text)).map { expansion.expanded($0) }
      }
      return parsed
    }
  }

  // MARK: Reading

  private static func header(
    _ fixed: [UInt8], _ input: CellsInput
  ) throws(CellsFileError) -> (contents: Int, program: Int, hash: [UInt8]) {
    let ends = fixed.dropFirst(mark.count).prefix(lineEnds.count)
    guard ends.elementsEqual(lineEnds.prefix(ends.count)) else {
      throw damaged(input.path, "a transfer as text has changed its bytes")
    }
    guard fixed.count == fixedBytes else { throw cutOff(input.path) }
    typealias Decoded = (version: UInt32, contents: Int, program: UInt64, hash: [UInt8])
    let decoded = fixed.withUnsafeBytes { bytes -> Decoded? in
      var reader = LittleEndianReader(ByteString(bytes))
      guard reader.take(mark.count + lineEnds.count) != nil, let version = reader.uint32(),
        let contents = reader.uint32(), let program = reader.uint64(), let hash = reader.take(hashBytes)
      else { return nil }
      return (version, Int(contents), program, Array(hash.bytes))
    }
    guard let decoded else { throw cutOff(input.path) }
    guard decoded.version <= version else {
      throw CellsFileError(
        path: input.path,
        message: "is a pack of version \(decoded.version), and this Galley reads version \(version); use a newer "
          + "Galley, or pack the cells file again")
    }
    let head = fixedBytes + decoded.contents + checksumBytes
    guard let program = Int(exactly: decoded.program), program <= Int.max - head else {
      throw damaged(input.path, "the length of its program is \(decoded.program) bytes")
    }
    if let size = input.size {
      if size < head + program { throw cutOff(input.path, "; it has \(size) of \(head + program) bytes") }
      if size > head + program { throw damaged(input.path, "\(size - head - program) bytes follow its end") }
    }
    return (decoded.contents, program, decoded.hash)
  }

  private static func readProgram(_ input: CellsInput, _ count: Int) throws(CellsFileError) -> OwnedBytes {
    // The end of a pipe is not known. A length that is wrong must not reserve memory.
    let piped = try input.size == nil ? input.read(upTo: count) : nil
    if let piped, piped.count < count { throw cutOff(input.path) }
    let block = try OwnedBytes(filling: count) { (bytes) throws(CellsFileError) in
      if let piped { return bytes.copyBytes(from: piped) }
      guard try input.read(into: bytes) == count else { throw cutOff(input.path) }
    }
    guard try input.read(upTo: 1).isEmpty else { throw damaged(input.path, "bytes follow its end") }
    return block
  }

  private static func contents(_ bytes: ArraySlice<UInt8>) -> (warnings: [CellWarning], text: String)? {
    bytes.withUnsafeBytes { bytes in
      var reader = LittleEndianReader(ByteString(bytes))
      guard let count = reader.uint32() else { return nil }
      var warnings: [CellWarning] = []
      for _ in 0..<count {
        guard let warning = reader.warning() else { return nil }
        warnings.append(warning)
      }
      return (warnings, reader.rest.string)
    }
  }

  private static func cutOff(_ path: String, _ details: String = "") -> CellsFileError {
    CellsFileError(path: path, message: "is a pack that is cut off\(details); \(remedy)")
  }

  private static func damaged(_ path: String, _ reason: String) -> CellsFileError {
    CellsFileError(path: path, message: "is a damaged pack: \(reason); \(remedy)")
  }

  private static let remedy = "copy it again, or pack the cells file again"

  // MARK: Writing

  /// Returns the bytes of a pack before its program.
  static func head(text: String, warnings: [CellWarning], programHash: [UInt8], programCount: Int) -> [UInt8] {
    var contents: [UInt8] = []
    contents.append(littleEndian: UInt32(warnings.count))
    for warning in warnings {
      contents.append(littleEndian: UInt32(clamping: warning.line ?? 0))
      contents.append(littleEndian: UInt32(clamping: warning.column ?? 0))
      for string in [warning.path, warning.message, warning.voidedByConstrainedSize ?? ""] {
        contents.append(littleEndian: UInt32(string.utf8.count))
        contents += string.utf8
      }
    }
    contents += text.utf8
    var head = mark + lineEnds
    head.append(littleEndian: version)
    head.append(littleEndian: UInt32(contents.count))
    head.append(littleEndian: UInt64(programCount))
    head += programHash
    head += contents
    head.append(littleEndian: checksum(head))
    return head
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt64 { bytes.withUnsafeBytes { Checksum.of($0) } }
}

extension LittleEndianReader {
  fileprivate mutating func warning() -> CellWarning? {
    guard let line = uint32(), let column = uint32(), let path = string(), let message = string(),
      let voided = string()
    else { return nil }
    return CellWarning(
      line: line == 0 ? nil : Int(line), column: column == 0 ? nil : Int(column), path: path, message: message,
      voidedByConstrainedSize: voided.isEmpty ? nil : voided)
  }

  private mutating func string() -> String? { uint32().flatMap { take(Int($0)) }?.string }
}
