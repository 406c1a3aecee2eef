#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Memory that is zero until it is written. The system provides a page of it when that is first written.
public enum ZeroedMemory {
  /// Allocates memory for a number of values.
  public static func allocate<Value: BitwiseCopyable>(_: Value.Type, count: Int) -> UnsafeMutablePointer<Value> {
    guard let memory = calloc(count, MemoryLayout<Value>.stride) else {
      fatalError("no memory for \(count * MemoryLayout<Value>.stride) bytes")
    }
    return memory.bindMemory(to: Value.self, capacity: count)
  }

  /// Frees memory that `allocate` returned.
  public static func deallocate<Value>(_ memory: UnsafeMutablePointer<Value>) { free(memory) }
}
