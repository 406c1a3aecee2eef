import Glibc

/// The resident memory of this process, as the kernel counts it.
public enum ResidentMemory {
  /// The number of resident bytes; 0 where the kernel does not report it.
  public static var bytes: Int {
    let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 128) { text in
      let count = read(descriptor, text.baseAddress, text.count)
      // The second number is the number of resident pages (proc(5)).
      let fields = text.prefix(max(count, 0)).split(separator: UInt8(ascii: " "))
      guard fields.count > 1 else { return 0 }
      return (Int(String(decoding: fields[1], as: UTF8.self)) ?? 0) * Int(getpagesize())
    }
  }
}
