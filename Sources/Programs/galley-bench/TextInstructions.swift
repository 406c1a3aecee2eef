import Buffers
import TextMeasuring

/// The instructions of a text of about a hundred characters.
enum TextInstructions {
  /// The number of texts in a pass.
  private static let count = 500
  /// The number of widths in the last pass of a workload.
  private static let widths = 5
  /// The passes of a workload: the first one fills the caches.
  private static let passes = [1, 1, widths]
  /// The number of counted calls of `run`.
  static var calls: Int { workloads.count * passes.count }

  private struct Workload {
    let name: String
    /// The texts of each pass.
    let texts: [ArraySlice<ByteString>]
  }

  /// The instructions of a text for the first width and for a further one.
  struct Costs {
    let name: String
    let first: Double
    let further: Double
  }

  private static var workloads: [Workload] {
    let all: [TextWorkload] = [
      .english(count: count), .european(count: count), .japanese(count: count), .mixed(count: count),
    ]
    let known = all.map { workload in
      Workload(name: workload.name, texts: passes.map { _ in workload.texts[...] })
    }
    let cold = TextWorkload.cold(count: count * passes.count)
    let parts = passes.indices.map { cold.texts[$0 * count..<($0 + 1) * count] }
    return known + [Workload(name: cold.name, texts: parts)]
  }

  /// Measures the texts of each workload. Valgrind runs this.
  static func run() {
    guard let fonts = TextReport.fonts() else { return }
    for workload in workloads {
      var measurer = TextMeasurer(book: fonts)
      for (texts, widths) in zip(workload.texts, passes) {
        InstructionCounter.countedCall {
          for text in texts { measure(text, widths: widths, &measurer) }
        }
      }
    }
  }

  /// Returns the costs of each workload from those of the counted calls.
  static func costs(_ calls: ArraySlice<InstructionCounter.Cost>) -> [Costs] {
    workloads.enumerated().map { index, workload in
      let first = calls[calls.startIndex + passes.count * index + 1].instructions
      let all = calls[calls.startIndex + passes.count * index + 2].instructions
      return Costs(
        name: workload.name, first: Double(first) / Double(count),
        further: Double(all - first) / Double(count * (widths - 1)))
    }
  }

  private static func measure(_ text: ByteString, widths: Int, _ measurer: inout TextMeasurer) {
    measurer.prepareAlone(text, lineHeight: 20)
    for width in 0..<widths {
      _ = measurer.measure(0, textScale: 1, maxWidth: 350 - Double(width) * 40, maxHeight: .infinity)
    }
  }
}
