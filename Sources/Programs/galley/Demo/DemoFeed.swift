import Foundation
import Glibc
import LayoutTables
import Processes
import RowsFiles
import SeededRandom

/// A synthetic feed of photo posts. Words are distributed by Zipf's law, and texts have various lengths and scripts.
/// Row n is the same in every run.
enum DemoFeed {
  private static let vocabularySize = 20_000
  private static let words: [String] = {
    var random = SplitMix(seed: 7)
    return (0..<vocabularySize).map { _ in word(&random) }
  }()
  private static let names = [
    "ada", "bo", "marta.k", "tomasz_w", "ines", "yuki", "lars", "amal", "chen wei", "oluwaseun", "Zoë", "Søren", "José",
  ]
  private static let locations = [
    "Lyon", "Pécs", "São Paulo", "Reykjavík", "New Orleans, Louisiana", "Kyōto", "Cape Town",
  ]
  private static let others = [
    "今日は朝から雨。駅前の喫茶店で本を読みながら、雨が止むのを待っています。", "コーヒーがおいしい☕ また来ます！",
    "早上好！今天的天气真不错，适合出去走走。", "Доброе утро! Сегодня солнечно и тепло.",
    "صباح الخير من الرباط! الشمس تشرق على البحر", "वाह, क्या नज़ारा है! अगली बार मुझे भी ले चलना।",
    "오늘도 좋은 하루 보내세요 😊", "สวัสดีตอนเช้า วันนี้อากาศดีมาก", "¡Qué bonito! ¿Dónde es? 😍🔥", "👏👏👏",
  ]
  private static let sizes = ["[1080,1350]", "[1080,1080]", "[1080,566]", "[1440,1080]"]

  /// Returns the JSON of a row, with a line feed at the end.
  static func row(_ number: Int) -> [UInt8] {
    var random = SplitMix(seed: UInt64(number) &* 0x9e37_79b9)
    let user = names[random.below(names.count)]
    var json = #"{"id":"post-\#(number)","cell":"PhotoCell","userName":"\#(user)","time":"\#(random.below(23) + 1)h""#
    json += #","avatar":"https://img.example/a/\#(random.below(5000)).jpg""#
    if random.below(10) < 4 { json += #","location":"\#(locations[random.below(locations.count)])""# }
    json +=
      #","photo":{"url":"https://img.example/p/\#(number).jpg","size":\#(sizes[random.below(sizes.count)])}"#
    json += #","caption":"\#(text(&random, words: 2 + random.below(8) * random.below(7)))","comments":["#
    for comment in 0..<random.below(4) {
      let user = names[random.below(names.count)]
      json +=
        #"\#(comment > 0 ? "," : ""){"user":"\#(user)","text":"\#(text(&random, words: 1 + random.below(14)))"}"#
    }
    return Array((json + "]}\n").utf8)
  }

  /// The name of the feed in messages and in the manifest.
  static let name = "demo rows"

  /// Returns a reader that reads the feed while another thread generates it.
  static func reader(rows: Int) throws -> RowsReader {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else {
      throw RunFailure(message: "a pipe cannot be created: \(String(cString: strerror(errno)))")
    }
    let (reading, writing) = (ends[0], ends[1])
    // The reading end only sees the end of the feed when no process has the writing end open, so workers must not
    // inherit it.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    Thread.detachNewThread {
      defer { close(writing) }
      // A reader that ends early closes the pipe, which ends this thread.
      try? write(rows: rows) { bytes in
        guard bytes.withUnsafeBytes({ writeAll($0, to: writing) }) == 0 else { throw CancellationError() }
      }
    }
    return try RowsReader(descriptor: reading, name: name)
  }

  /// Writes the feed to a new file.
  static func write(rows: Int, to path: String) throws {
    let file = try ResultFile(path)
    try write(rows: rows) { try file.write($0) }
    try file.complete()
  }

  /// Writes the feed in parts.
  private static func write(rows: Int, _ writePart: ([UInt8]) throws -> Void) rethrows {
    var buffer: [UInt8] = []
    for number in 0..<rows {
      buffer += row(number)
      guard buffer.count >= 64 << 10 || number == rows - 1 else { continue }
      try writePart(buffer)
      buffer.removeAll(keepingCapacity: true)
    }
  }

  private static func text(_ random: inout SplitMix, words count: Int) -> String {
    if random.below(10) < 3 { return others[random.below(others.count)] }
    var text = ""
    for index in 0..<count {
      if index > 0 { text += " " }
      // By Zipf's law, the logarithm of a word's rank has a uniform distribution.
      let rank = Int(pow(Double(vocabularySize), random.unit())) - 1
      text += words[min(rank, vocabularySize - 1)]
    }
    return text + [".", "!", "", " 😍", "…"][random.below(5)]
  }

  private static func word(_ random: inout SplitMix) -> String {
    let syllables = [
      "ka", "lo", "mi", "ter", "an", "sho", "re", "ving", "ou", "st", "el", "pra", "dun", "ly", "fe", "ro",
    ]
    return (0...random.below(4)).map { _ in syllables[random.below(syllables.count)] }.joined()
  }
}
