import CFontFiles
import Glibc

/// fontconfig's configuration of this machine.
enum MachineFonts {
  /// The folders that fontconfig searches on a machine without a configuration, and that of its cache.
  private static let defaults = """
    <fontconfig>
      <dir>/usr/share/fonts</dir>
      <dir>/usr/local/share/fonts</dir>
      <dir prefix="xdg">fonts</dir>
      <cachedir prefix="xdg">fontconfig</cachedir>
    </fontconfig>
    """

  /// Configures fontconfig if this machine has no configuration, once. fontconfig uses such folders by itself, but it
  /// prints an error first. A file that the user names and that is missing remains an error.
  static let configure: Void = {
    guard getenv("FONTCONFIG_FILE") == nil, let configuration = FcConfigCreate() else { return }
    defer { FcConfigDestroy(configuration) }
    if let file = FcConfigGetFilename(configuration, nil) {
      FcStrFree(file)
    } else if FcConfigParseAndLoadFromMemory(configuration, defaults, 1) != 0 {
      FcConfigSetCurrent(configuration)
    }
  }()
}
