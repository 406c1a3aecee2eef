import GalleyTestSupport
import Testing

@testable import RowsFiles

/// Tests of the recognition of files that are not JSON Lines.
@Suite struct RowsFormatTests {
  private func refusal(_ text: String, name: String = "rows") -> String? {
    RowsFormat.refusal(of: Array(text.utf8), name: name)
  }

  @Test(arguments: [
    ("PAR1\u{15}\u{4}", "Parquet", "read_parquet('rows')"), ("ARROW1\0\0", "an Arrow file", "read_ipc('rows')"),
    ("PK\u{3}\u{4}", "an Excel workbook or another zip archive", "unzip -p rows"),
    ("BZh91AY", "compressed by bzip2", "bzcat rows"),
    ("{\0\"\0", "UTF-16", "iconv -f UTF-16LE -t UTF-8 rows"), ("{\0\0\0", "UTF-32", "iconv -f UTF-32LE -t UTF-8 rows"),
    ("[{\"a\": 1},\n{\"a\": 2}]\n", "a JSON array", "jq -c '.[]' rows > rows.jsonl"),
    (" \n [\n]", "a JSON array", "jq"), ("[{},{}]", "a JSON array", "jq"),
    ("id,text\n1,a\n2,b\n", "CSV", "read_csv('rows')"), ("id;text\n1;a", "CSV", "read_csv('rows', separator=';')"),
    ("id\ttext\n1\ta", "CSV", #"read_csv('rows', separator='\t')"#),
    ("---\na: 1", "YAML", "yaml.safe_load(open('rows'))"),
    ("- a: 1\n  b: 2\n", "YAML", "yaml.safe_load(open('rows'))"),
    ("cell: A\nphoto:\n  url: x\n", "YAML", "yaml.safe_load(open('rows'))"),
  ])
  func theRefusalNamesTheFormatAndAConversion(head: String, format: String, hint: String) {
    let reason = refusal(head)
    #expect(reason?.hasPrefix("is \(format), not JSON Lines; ") == true, "\(reason ?? "")")
    #expect(reason?.contains(hint) == true, "\(reason ?? "")")
  }

  @Test(
    arguments: [
      [0xff, 0xfe, 0x7b, 0x00], [0xfe, 0xff, 0x00, 0x7b], [0x00, 0x7b, 0x00, 0x7d],
    ] as [[UInt8]])
  func utf16IsRecognizedInBothByteOrders(head: [UInt8]) {
    #expect(RowsFormat.refusal(of: head, name: "-")?.hasPrefix("is UTF-16") == true)
  }

  /// A malformed row is only one bad row, even if it is the first row.
  @Test(arguments: [
    "", "\n \n", "{}", "\u{feff}\n{}", "nonsense", "not, json\n{\"a\":1}\n", "[1, 2]\n{}\n", "[[1]\n{}\n",
    "[\"a]\n{}\n", "1\n2\n3\n", "a, b", "\"a\"\n\"b\"\n", "a {b}, c\nd, e\n", "key: value",
  ])
  func textThatMayBeRowsIsNotRefused(head: String) {
    #expect(refusal(head) == nil)
  }

  @Test func theHintOmitsAFileNameThatAShellWouldSplit() {
    #expect(refusal("PAR1", name: "my rows.parquet")?.contains("read_parquet('FILE')") == true)
  }

  @Test func theFormatIsDecidedByARowOrSeveralLines() {
    #expect(RowsFormat.isDecided(by: Array("\n{".utf8)))
    #expect(!RowsFormat.isDecided(by: Array("\n\nnonsense\n".utf8)))
    #expect(RowsFormat.isDecided(by: Array("a\nb\nc\nd\ne\nf".utf8)))
  }

  @Test func compressedDataIsRecognizedByItsFirstBytes() {
    for compression in Compression.allCases {
      #expect(RowsFormat.decompressor(for: compression([1, 2, 3]))?.format == compression.rawValue)
    }
    #expect(RowsFormat.decompressor(for: [0x50, 0x2a, 0x4d, 0x18])?.format == "zstd")
    #expect(RowsFormat.decompressor(for: Array("{}".utf8)) == nil)
  }
}
