import Buffers
import PoolProtocol

/// Creates memory that other processes can map, and maps theirs. The processes of a pool use `SystemMemory`; simulations
/// have memory of their own.
public protocol MemorySystem: Sendable {
  /// The size in bytes of the memory in which a process writes ranges for one peer.
  var channelBytes: Int { get }

  /// Creates memory; returns nil if the system provides none.
  func create(bytes: Int) -> (any CreatedMemory)?

  /// Maps memory of another process. Returns nil if the process runs on another machine, in another container or as another
  /// user, or has ended.
  ///
  /// - Parameter isReadOnly: Whether this process never writes there, not even marks.
  func open(_ reference: MemoryReference, isReadOnly: Bool) -> (any OpenedMemory)?

  /// Returns the reference with which other processes map a file; nil if the system cannot share files.
  func share(_ file: MappedFile) -> SharedFile?

  /// Maps a file that another process shares. Returns nil if this process cannot open it, or if it is another file.
  func open(_ file: SharedFile) -> OwnedBytes?

  /// Whether a process has ended.
  func hasEnded(process: Int64) -> Bool
}

/// Memory that this process created. Other processes can map it while this object exists.
public protocol CreatedMemory: AnyObject, Sendable {
  var region: MemoryRegion { get }
  var reference: MemoryReference { get }

  /// Writes bytes through the system. Returns false if it does not accept them.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool

  /// Makes the memory read-only for other processes from now on, if the system can enforce this.
  func sealWriting()
}

extension CreatedMemory {
  public func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
    region.bytes(offset..<offset + bytes.count).copyMemory(from: bytes)
    return true
  }
}

/// Memory of another process that this process has mapped. Third processes can map it through this process while this object
/// exists.
public protocol OpenedMemory: AnyObject, Sendable {
  var region: MemoryRegion { get }
  /// The reference with which third processes map the memory.
  var shownReference: MemoryReference { get }
  /// Whether the process that created the memory has ended or has closed it, so that it no longer reads ranges.
  var isClosedByOwner: Bool { get }
}
