import Glibc

/// What this process has in memory, as the kernel counts it.
public enum ResidentMemory {
  /// 0 where the kernel does not say.
  public static var bytes: Int {
    let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 128) { text in
      let count = read(descriptor, text.baseAddress, text.count)
      // Its second number counts resident pages.
      let fields = text.prefix(max(count, 0)).split(separator: UInt8(ascii: " "))
      guard fields.count > 1 else { return 0 }
      return (Int(String(decoding: fields[1], as: UTF8.self)) ?? 0) * Int(getpagesize())
    }
  }
}
