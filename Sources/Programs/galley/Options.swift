import ArgumentParser
import BatchLayout
import Foundation
import GalleyWorker
import PoolClient
import PoolSecurity
import ZeroMQ

/// A list of numbers, as in `320,390,430`.
struct NumberList: ExpressibleByArgument {
  let numbers: [Double]

  init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map {
      Double($0.trimmingCharacters(in: .whitespaces))
    }
    guard !parts.isEmpty, !parts.contains(where: { $0 == nil }) else { return nil }
    numbers = parts.compactMap { $0 }
  }

  init(_ number: Double) { numbers = [number] }

  var defaultValueDescription: String {
    numbers.map { Int(exactly: $0).map(String.init) ?? "\($0)" }.joined(separator: ",")
  }
}

struct VariantOptions: ParsableArguments {
  @Option(
    help: "Widths of the list in points, such as 390 or 320,390 or 320-430 (every point) or 320-430/10.",
    transform: { try WidthList($0) })
  var width: WidthList

  @Option(help: "Factors on font sizes and line heights, such as 1,1.35.")
  var textScale = NumberList(1)

  @Option(help: "Device pixels a point, such as 2 or 2,3.")
  var scale = NumberList(2)

  func variants() throws -> [Variant] {
    var variants: [Variant] = []
    for width in width.numbers {
      for textScale in textScale.numbers {
        for scale in scale.numbers {
          let variant = Variant(width: width, textScale: textScale, scale: scale)
          guard variant.isValid else {
            throw ValidationError(
              "\(variant.name) cannot be laid out: a width is above 0 and below \(Int(Variant.widthLimit)) points, "
                + "a text scale and a scale are above 0 and at most \(Int(Variant.scaleLimit))"
            )
          }
          if !variants.contains(variant) { variants.append(variant) }
        }
      }
    }
    guard variants.count <= Variant.limit else {
      throw ValidationError("these are \(variants.count) variants; a batch has at most \(Variant.limit)")
    }
    return variants
  }
}

/// What is laid out.
struct InputOptions: ParsableArguments {
  @Argument(help: "Rows as JSON Lines, perhaps compressed by gzip or zstd; - for standard input.")
  var rows: [String]

  @Option(help: "The cells file, YAML or JSON.")
  var cells: String

  @OptionGroup var variants: VariantOptions
}

/// Where the tables go.
struct TableOptions: ParsableArguments {
  @Option(help: "Directory for the tables; must not exist.")
  var output: String?

  @Flag(help: "Replace the tables of an earlier run.")
  var force = false

  @Flag(help: "Fail at the first bad row.")
  var strict = false

  @Flag(help: "Print the manifest instead of a summary.")
  var json = false

  @OptionGroup var log: LogOptions

  func directory() throws -> String {
    guard let output, !output.isEmpty else { throw ValidationError("Missing expected argument '--output <output>'") }
    return output
  }
}

struct PriorityOption: ParsableArguments {
  @Option(help: "Batches of a higher priority are served first.")
  var priority: Int32 = 0
}

/// Which coordinator to talk to.
struct CoordinatorOptions: ParsableArguments {
  @Option(help: "The coordinator's endpoint.")
  var connect: String

  @OptionGroup var keys: ClientKeyOptions

  func client() throws -> BatchClient {
    try BatchClient(try Context(), endpoint: connect, keys: try keys.clientKeys())
  }
}
