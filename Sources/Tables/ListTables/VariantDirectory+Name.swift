import Buffers

/// The name of a variant's directory in its parts: `android-w390-t1.35@3x` is the platform `android`, the width 390 and
/// the rest `-t1.35@3x`.
struct VariantName: Equatable {
  /// The platform with the hyphen after it; empty for texture.
  let platform: Substring
  let width: Double
  /// The text scale, the text size and the scale, as far as the name states them.
  let scales: Substring

  /// Returns nil for a name that is not one of a variant.
  init?(_ name: String) {
    let letters = name.prefix { $0.isASCII && $0.isLetter }
    let hasPlatform = name.dropFirst(letters.count).hasPrefix("-")
    platform = hasPlatform ? name.prefix(letters.count + 1) : ""
    let rest = name.dropFirst(platform.count)
    let number = rest.dropFirst().prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let scales = rest.dropFirst(1 + number.count)
    guard rest.first == "w", let width = Double(number), scales.isEmpty || scales.first == "-" || scales.first == "@"
    else { return nil }
    self.width = width
    self.scales = scales
  }

  /// The number of device pixels in a point. A name without it has the default of `--scale`.
  var scale: Double { scales.split(separator: "@").last.flatMap { Double($0.dropLast()) } ?? 2 }

  /// Returns whether another variant has the same platform and scales.
  func differsOnlyInWidth(from other: VariantName) -> Bool { platform == other.platform && scales == other.scales }

  /// Returns the name of the variant with another width and the same platform and scales.
  func with(width: Double) -> String { "\(platform)w\(shortText(width))\(scales)" }
}

extension VariantDirectory {
  /// Finds the variant of a run whose width is nearest to that of a list; of two that are equally near the narrower one.
  ///
  /// - Parameters:
  ///   - width: The width of the list in points.
  ///   - run: The directory of the run.
  ///   - platform: The platform of the variant.
  ///   - scales: What the names of the run's variants state after the width, such as `-t1.35@3x`.
  /// - Throws: `TableError` if the run has no variant of this platform and these scales.
  public init(forWidth width: Double, in run: String, platform: String = "texture", scales: String = "")
    throws(TableError)
  {
    let prefix = platform == "texture" ? "" : platform + "-"
    let names = Self.variants(in: run)
    let candidates = names.compactMap { name in
      VariantName(name).flatMap { $0.platform == prefix && $0.scales == scales ? (name: name, width: $0.width) : nil }
    }
    let nearest = candidates.min {
      (abs($0.width - width), $0.width) < (abs($1.width - width), $1.width)
    }
    guard let nearest else {
      throw TableError(
        run,
        "has no variant \(prefix)w…\(scales)"
          + (names.isEmpty ? "; give the directory that galley layout has written" : ", only \(Self.list(names))"))
    }
    self.init(run + "/" + nearest.name)
  }

  /// Returns the parts of the variant's name. Tables of earlier versions state no name; it is that of the directory then.
  func variantName(_ heights: Heights) -> VariantName? { heights.name ?? VariantName(name) }

  /// Returns the width of the variant, which its name states. Without such a name, the width is that of the widest row.
  public func width(_ heights: Heights) -> Double {
    if let width = variantName(heights)?.width { return width }
    return Double((0..<heights.rowCount).reduce(0) { max($0, heights.width(of: $1)) })
  }
}
