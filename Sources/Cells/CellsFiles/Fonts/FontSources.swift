import CFontFiles
import Glibc

/// What a search for fonts depends on besides the names in a cells file: if none of it changes, the search finds the same
/// files.
enum FontSources {
  /// The variables that fontconfig reads.
  private static let variables = [
    "HOME", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_DATA_HOME", "XDG_DATA_DIRS", "XDG_CACHE_HOME",
    "FONTCONFIG_FILE", "FONTCONFIG_PATH", "FONTCONFIG_SYSROOT", "FC_LANG", "LC_ALL", "LC_CTYPE", "LANG",
  ]

  /// The variables with their values.
  static var environment: [String] { variables.map { name in "\(name)=\(variable(name) ?? "")" } }

  /// The paths of this program and of fontconfig's configuration, directories of fonts and caches. A path without a file
  /// is one of them too, because a file there would change the search.
  ///
  /// A font that is added to a directory or replaced there changes the directory. One that is written in place is found
  /// anew only after fontconfig has written its cache, whose directory changes.
  static var paths: [String] {
    var paths = ["/proc/self/exe", FontBundle.directoryOfProgram]
    let files = strings(FcConfigGetConfigFiles(nil))
    // A file beside one of them may become a part of the configuration.
    paths += files + files.map { String($0.prefix(upTo: $0.lastIndex(of: "/") ?? $0.startIndex)) }
    for list in [FcConfigGetConfigDirs(nil), FcConfigGetFontDirs(nil), FcConfigGetCacheDirs(nil)] {
      paths += strings(list)
    }
    let home = variable("HOME") ?? ""
    let user = (variable("XDG_CONFIG_HOME") ?? home + "/.config") + "/fontconfig"
    paths += [user, user + "/fonts.conf", user + "/conf.d", home + "/.fonts.conf", home + "/.fonts.conf.d"]
    return Set(paths).sorted()
  }

  private static func strings(_ list: OpaquePointer?) -> [String] {
    guard let list else { return [] }
    defer { FcStrListDone(list) }
    var strings: [String] = []
    while let string = FcStrListNext(list) { strings.append(String(cString: string)) }
    return strings
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { (value: String) -> String? in value.isEmpty ? nil : value }
  }
}
