import SeededRandom
import Testing

@testable import ListTables

/// Tests of the rules by which cells and headers are placed, against a model that places section by section.
@Suite struct ArrangementPlacementTests {
  private struct Row {
    var height: Float
    var isHeader = false
  }

  private struct Case {
    let rules: ArrangementRules
    let columnWidth: Double
    let rows: [Row]

    init(_ random: inout SplitMix) {
      var rules = ArrangementRules(columns: 1 + random.below(5), flow: random.below(2) == 0 ? .grid : .waterfall)
      if random.below(4) > 0 {
        rules.spacing = Double(random.below(40)) / 2
        rules.lineSpacing = Double(random.below(40)) / 2
        rules.insets = .init(
          top: Double(random.below(30)), left: Double(random.below(30)), bottom: Double(random.below(30)),
          right: Double(random.below(30)))
      }
      self.rules = rules
      columnWidth = Double(1 + random.below(900)) / 3
      let hasHeaders = random.below(3) > 0
      rows = (0..<random.below(50)).map { _ in
        // Few heights, so that columns are often equally long.
        let height = random.below(6) == 0 ? 0 : Float(1 + random.below(random.below(2) == 0 ? 4 : 900)) / 3
        return Row(height: height, isHeader: hasHeaders && random.below(8) == 0)
      }
    }

    /// Returns the frames of the rows and the height of the content.
    func placed() -> (frames: [ArrangedFrame], contentHeight: Double) {
      var placement = ArrangementPlacement(rules, columnWidth: columnWidth)
      let frames = rows.map { row in
        row.isHeader
          ? placement.placeHeader(width: 500, height: row.height)
          : placement.placeCell(width: Float(columnWidth), height: row.height)
      }
      return (frames, placement.contentHeight)
    }

    /// Returns the rows with a height in sections: at most one header, then cells.
    var sections: [(header: Int?, cells: [Int])] {
      var sections: [(header: Int?, cells: [Int])] = [(nil, [])]
      for (index, row) in rows.enumerated() where row.height > 0 {
        if row.isHeader { sections.append((index, [])) } else { sections[sections.count - 1].cells.append(index) }
      }
      return sections
    }
  }

  private static func cases(_ count: Int, seed: UInt64) -> [Case] {
    var random = SplitMix(seed: seed)
    return (0..<count).map { _ in Case(&random) }
  }

  // MARK: The model

  /// Returns the top and the column of each cell of a section.
  private func tops(_ heights: [Float], _ rules: ArrangementRules, from top: Double) -> [(y: Double, column: Int)] {
    var tops: [(y: Double, column: Int)] = []
    switch rules.flow {
    case .grid:
      var y = top
      for line in stride(from: 0, to: heights.count, by: rules.columns) {
        let cells = heights[line..<min(line + rules.columns, heights.count)]
        for column in cells.indices { tops.append((y, column - line)) }
        y += Double(cells.max() ?? 0) + rules.lineSpacing
      }
    case .waterfall:
      var columns = [[(y: Double, height: Double)]](repeating: [], count: rules.columns)
      for height in heights {
        let bottoms = columns.map { column in column.last.map { $0.y + $0.height } ?? top }
        let column = bottoms.firstIndex(of: bottoms.min() ?? 0) ?? 0
        let y = columns[column].isEmpty ? top : bottoms[column] + rules.lineSpacing
        columns[column].append((y, Double(height)))
        tops.append((y, column))
      }
    case .wrap, .justifiedWrap: Issue.record("ArrangementLineTests has the model of lines")
    }
    return tops
  }

  @Test func framesEqualThoseOfAModelThatPlacesSectionBySection() {
    for test in Self.cases(3000, seed: 1) {
      let (frames, contentHeight) = test.placed()
      var y = 0.0
      for section in test.sections {
        if let header = section.header {
          let height = test.rows[header].height
          #expect(frames[header] == ArrangedFrame(x: 0, y: y, width: 500, height: height, column: 0))
          y += Double(height)
        }
        let cells = section.cells
        guard !cells.isEmpty else { continue }
        let tops = tops(cells.map { test.rows[$0].height }, test.rules, from: y + test.rules.insets.top)
        for (cell, top) in zip(cells, tops) {
          let x = test.rules.insets.left + Double(top.column) * (test.columnWidth + test.rules.spacing)
          #expect(
            frames[cell]
              == ArrangedFrame(
                x: x, y: top.y, width: Float(test.columnWidth), height: test.rows[cell].height, column: top.column))
        }
        y = zip(cells, tops).map { $1.y + Double(test.rows[$0].height) }.max() ?? y
        y += test.rules.insets.bottom
      }
      #expect(contentHeight == y)
    }
  }

  // MARK: Properties

  @Test func noTwoCellsOverlapAndEachIsInItsColumn() {
    for test in Self.cases(500, seed: 2) {
      let frames = test.placed().frames
      for (row, frame) in frames.enumerated() where frame.height > 0 && !test.rows[row].isHeader {
        let left = test.rules.insets.left + Double(frame.column) * (test.columnWidth + test.rules.spacing)
        #expect(frame.column < test.rules.columns && frame.x == left)
      }
      for (row, frame) in frames.enumerated() where frame.height > 0 {
        for other in frames[..<row] where other.height > 0 {
          let isBeside = other.column != frame.column && other.width < 500 && frame.width < 500
          #expect(isBeside || other.y + Double(other.height) <= frame.y)
        }
      }
    }
  }

  @Test func topsNeverDecreaseAndNothingIsBelowTheContent() {
    for test in Self.cases(3000, seed: 3) {
      let (frames, contentHeight) = test.placed()
      for (frame, next) in zip(frames, frames.dropFirst()) { #expect(frame.y <= next.y) }
      for frame in frames { #expect(frame.y + Double(frame.height) <= contentHeight) }
    }
  }

  @Test func rowsWithoutHeightDoNotMoveOthers() {
    for test in Self.cases(3000, seed: 4) {
      let (frames, contentHeight) = test.placed()
      var placement = ArrangementPlacement(test.rules, columnWidth: test.columnWidth)
      for (row, frame) in zip(test.rows, frames) where row.height > 0 {
        let alone =
          row.isHeader
          ? placement.placeHeader(width: 500, height: row.height)
          : placement.placeCell(width: Float(test.columnWidth), height: row.height)
        #expect(alone == frame)
      }
      #expect(placement.contentHeight == contentHeight)
    }
  }

  @Test func oneColumnWithoutGapsIsTheTableItself() {
    var placement = ArrangementPlacement(ArrangementRules(columns: 1), columnWidth: 390)
    #expect(placement.contentHeight == 0)
    #expect(placement.placeCell(width: 390, height: 10).y == 0)
    #expect(placement.placeCell(width: 390, height: 0).y == 10)
    #expect(placement.placeHeader(width: 390, height: 5).y == 10)
    #expect(placement.placeCell(width: 390, height: 7).y == 15)
    #expect(placement.contentHeight == 22)
  }

  /// The example of the article Arranging.
  @Test func headersAreOutsideOfTheInsetsAndColumnsBeginAgainBelowThem() {
    let rules = ArrangementRules(
      columns: 2, flow: .waterfall, spacing: 16, lineSpacing: 12,
      insets: .init(top: 16, left: 16, bottom: 16, right: 16))
    var placement = ArrangementPlacement(rules, columnWidth: 171)
    let header = placement.placeHeader(width: 390, height: 40)
    let cells = [100, 50, 60, 80, 40].map { placement.placeCell(width: 171, height: $0) }
    let second = placement.placeHeader(width: 390, height: 40)
    let third = placement.placeHeader(width: 390, height: 30)
    let last = placement.placeCell(width: 171, height: 70)
    #expect([header, second, third].map { [$0.x, $0.y] } == [[0, 0], [0, 264], [0, 304]])
    #expect(cells.map { [$0.x, $0.y] } == [[16, 56], [203, 56], [203, 118], [16, 168], [203, 190]])
    #expect([last.x, last.y] == [16, 350])
    #expect(placement.contentHeight == 436)
  }
}
