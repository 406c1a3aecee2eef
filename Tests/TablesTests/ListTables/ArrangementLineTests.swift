import SeededRandom
import Testing

@testable import ListTables

/// Tests of lines of cells of unequal widths.
@Suite struct ArrangementLineTests {
  private struct Case {
    var rules: ArrangementRules
    let lineWidth: Double
    var rows: [ArrangementElement]

    init(_ random: inout SplitMix, _ flow: ArrangementRules.Flow) {
      rules = ArrangementRules(
        columns: 1, flow: flow, spacing: Double(random.below(20)) / 2, lineSpacing: Double(random.below(20)),
        insets: ListInsets(
          top: Double(random.below(20)), left: Double(random.below(20)), bottom: Double(random.below(20)), right: 5))
      lineWidth = Double(200 + random.below(400))
      let limit = Int(lineWidth)
      rows = (0..<random.below(60)).map { _ in
        let isHeader = random.below(12) == 0
        return ArrangementElement(
          width: Float(isHeader ? limit : 1 + random.below(random.below(4) == 0 ? limit : limit / 4)),
          height: random.below(7) == 0 ? 0 : Float(1 + random.below(90)) / 2, isHeader: isHeader)
      }
    }

    /// Returns the frames of the rows and the height of the content, as `ArrangementRows` computes them.
    func placed() throws -> (frames: [ArrangedFrame], contentHeight: Double) {
      var placement = ArrangementPlacement(rules, columnWidth: lineWidth)
      var frames: [ArrangedFrame] = []
      var lineEnd = 0
      for row in rows.indices {
        if row >= lineEnd {
          let line = try ArrangementLine(from: row, rules, lineWidth: lineWidth) { $0 < rows.count ? rows[$0] : nil }
          placement.beginLine(spacing: line.spacing)
          lineEnd = line.end
        }
        frames.append(placement.place(rows[row]))
      }
      return (frames, placement.contentHeight)
    }

    /// Returns the lines of cells with a height, section by section, filled one cell after the other.
    var naiveSections: [(header: Int?, lines: [[Int]])] {
      var sections: [(header: Int?, lines: [[Int]])] = [(nil, [])]
      for (row, element) in rows.enumerated() where element.height > 0 {
        if element.isHeader {
          sections.append((row, []))
          continue
        }
        var lines = sections[sections.count - 1].lines
        let length = lines.last.map { line in
          line.reduce(0) { $0 + Double(rows[$1].width) } + rules.spacing * Double(line.count) + Double(element.width)
        }
        if let length, length <= lineWidth { lines[lines.count - 1].append(row) } else { lines.append([row]) }
        sections[sections.count - 1].lines = lines
      }
      return sections
    }
  }

  @Test(arguments: [ArrangementRules.Flow.wrap, .justifiedWrap])
  func linesAreThoseOfANaiveFilling(flow: ArrangementRules.Flow) throws {
    var random = SplitMix(seed: 1)
    for _ in 0..<400 {
      let wrapped = Case(&random, flow)
      let (frames, contentHeight) = try wrapped.placed()
      let rules = wrapped.rules
      var top = 0.0
      for section in wrapped.naiveSections {
        if let header = section.header {
          #expect(frames[header].y == top && frames[header].x == 0)
          top += Double(frames[header].height)
        }
        if section.lines.isEmpty { continue }
        top += rules.insets.top
        for (index, line) in section.lines.enumerated() {
          if index > 0 { top += rules.lineSpacing }
          #expect(line.allSatisfy { frames[$0].y == top } && line.map { frames[$0].column } == Array(line.indices))
          #expect(frames[line[0]].x == rules.insets.left)
          let gaps = zip(line, line.dropFirst()).map { frames[$1].x - frames[$0].x - Double(frames[$0].width) }
          #expect(gaps.allSatisfy { $0 > rules.spacing - 1e-9 && abs($0 - gaps[0]) < 1e-9 })
          let right = line.last.map { frames[$0].x + Double(frames[$0].width) - rules.insets.left } ?? 0
          #expect(right <= wrapped.lineWidth + 1e-9)
          let isFilled = flow == .justifiedWrap && line.count > 1 && index + 1 < section.lines.count
          if isFilled { #expect(abs(right - wrapped.lineWidth) < 1e-9) }
          if flow == .wrap { #expect(gaps.allSatisfy { abs($0 - rules.spacing) < 1e-9 }) }
          top += line.map { Double(frames[$0].height) }.max() ?? 0
        }
        top += rules.insets.bottom
      }
      #expect(contentHeight == top)
      // Rows are found by a binary search.
      #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.y <= $1.y }, "\(wrapped)")
    }
  }

  /// A justified line of equal cells is a line of a grid, also if it is the last one and has fewer cells.
  @Test func equalCellsFormAGrid() throws {
    var random = SplitMix(seed: 2)
    for _ in 0..<200 {
      let columns = 2 + random.below(5)
      let cellWidth = Float(20 + random.below(50))
      let spacing = Double(random.below(10))
      // Less room than another cell needs is left over.
      let left = Double(random.below(Int(cellWidth) + Int(spacing)))
      let lineWidth = Double(columns) * Double(cellWidth) + Double(columns - 1) * spacing + left
      var wrapped = Case(&random, .justifiedWrap)
      wrapped.rules.spacing = spacing
      wrapped.rows = (0..<1 + random.below(30)).map { _ in
        ArrangementElement(width: cellWidth, height: 10, isHeader: false)
      }
      var line = ArrangementPlacement(wrapped.rules, columnWidth: lineWidth)
      var end = 0
      for row in wrapped.rows.indices {
        if row >= end {
          let next = try ArrangementLine(from: row, wrapped.rules, lineWidth: lineWidth) {
            $0 < wrapped.rows.count ? wrapped.rows[$0] : nil
          }
          line.beginLine(spacing: next.spacing)
          end = next.end
        }
        let frame = line.placeCell(width: cellWidth, height: 10)
        let step = (lineWidth - Double(cellWidth)) / Double(columns - 1)
        let expected = wrapped.rules.insets.left + step * Double(row % columns)
        #expect(abs(frame.x - expected) < 1e-9 && frame.column == row % columns)
      }
    }
  }

  @Test func aLineHasAtMostAsManyCellsAsThereCanBeColumns() throws {
    let rules = ArrangementRules(columns: 1, flow: .justifiedWrap)
    let line = try ArrangementLine(from: 0, rules, lineWidth: 100) { _ in
      ArrangementElement(width: 0, height: 1, isHeader: false)
    }
    #expect(line.end == ArrangementRules.maxColumns)
  }
}
