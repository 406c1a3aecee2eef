import PoolProtocol

/// Creates memory that other processes can map, and maps theirs. The processes of a pool use `SystemMemory`; simulations
/// have memory of their own.
public protocol MemorySystem: Sendable {
  /// The bytes of the memory in which a process leaves bytes for one peer.
  var channelBytes: Int { get }

  /// Creates memory; nil where the system has none to give.
  func create(bytes: Int) -> (any CreatedMemory)?

  /// Maps memory of another process; nil when it is not there: the process runs on another machine, in another container
  /// or as another user, or has ended.
  ///
  /// - Parameter isReadOnly: Whether nothing is ever written there, not even marks.
  func open(_ reference: MemoryReference, isReadOnly: Bool) -> (any OpenedMemory)?

  /// Whether a process has ended.
  func hasEnded(process: Int64) -> Bool
}

/// Memory that this process created. Other processes can open it as long as this object lives.
public protocol CreatedMemory: AnyObject, Sendable {
  var region: MemoryRegion { get }
  var reference: MemoryReference { get }

  /// Has others only read the memory from now on, if the system can enforce it.
  func sealWriting()
}

/// Memory of another process that this one has mapped. Third processes can open it by way of this one as long as this
/// object lives.
public protocol OpenedMemory: AnyObject, Sendable {
  var region: MemoryRegion { get }
  /// The reference by which third processes find the memory.
  var shownReference: MemoryReference { get }
  /// Whether the process that created the memory has ended or has closed it: then it no longer reads.
  var isClosedByOwner: Bool { get }
}
