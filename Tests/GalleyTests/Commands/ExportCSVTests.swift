import Buffers
import Testing

@testable import galley

/// Tests of the fields of CSV in exports.
@Suite struct ExportCSVTests {
  @Test(arguments: [
    ("plain; text", "plain; text"), ("", ""), ("a,b", "\"a,b\""), ("\"", "\"\"\"\""),
    ("\"a\"\"b", "\"\"\"a\"\"\"\"b\""), ("a\nb", "\"a\nb\""), ("a\r", "\"a\r\""),
  ])
  func fieldsHaveQuotesWhereTheyNeedThem(field: String, quoted: String) {
    var text = JSONText()
    text.append("", csv: field)
    #expect(text.text == quoted)
  }
}
