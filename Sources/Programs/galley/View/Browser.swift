import Foundation

/// The browser of the user.
enum Browser {
  /// Opens a page. A machine without a desktop has no browser, which is no error of the run.
  static func open(_ address: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["xdg-open", address]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.terminationHandler = { process in
      if process.terminationStatus != 0 { warn(address) }
    }
    do { try process.run() } catch { warn(address) }
  }

  private static func warn(_ address: String) {
    Messages.warning("no browser could be started with xdg-open; open \(address)")
  }
}
