import Buffers
import LayoutEngine
import TextMeasuring

/// A type whose cases templates choose by name. The raw values count the cases from 0.
protocol NamedChoice: RawRepresentable, CaseIterable, SendableMetatype where RawValue == UInt8 {
  static var numbers: NameIndex { get }
}

extension NamedChoice {
  static var names: [String] { allCases.map { "\($0)" } }

  static func named(_ name: ByteString) -> Self? {
    UInt8(exactly: numbers.number(of: name)).flatMap { Self(rawValue: $0) }
  }
}

extension StackLayoutDirection: NamedChoice { static let numbers = NameIndex(keeping: names) }
extension StackLayoutJustifyContent: NamedChoice { static let numbers = NameIndex(keeping: names) }
extension StackLayoutAlignItems: NamedChoice { static let numbers = NameIndex(keeping: names) }
extension StackLayoutAlignSelf: NamedChoice { static let numbers = NameIndex(keeping: names) }
extension StackLayoutFlexWrap: NamedChoice { static let numbers = NameIndex(keeping: names) }
extension StackLayoutAlignContent: NamedChoice { static let numbers = NameIndex(keeping: names) }
extension HorizontalAlignment: NamedChoice { static let numbers = NameIndex(keeping: names) }
extension VerticalAlignment: NamedChoice { static let numbers = NameIndex(keeping: names) }
extension RelativeLayoutPosition: NamedChoice { static let numbers = NameIndex(keeping: names) }
extension RelativeLayoutSizing: NamedChoice { static let numbers = NameIndex(keeping: names) }
extension AbsoluteLayoutSizing: NamedChoice { static let numbers = NameIndex(keeping: names) }
extension CornerLayoutLocation: NamedChoice { static let numbers = NameIndex(keeping: names) }
extension BaseDirection: NamedChoice { static let numbers = NameIndex(keeping: names) }
extension WhiteSpace: NamedChoice { static let numbers = NameIndex(keeping: names) }
extension OverflowWrap: NamedChoice { static let numbers = NameIndex(keeping: names) }
extension WordBreak: NamedChoice { static let numbers = NameIndex(keeping: names) }
extension LineBreak: NamedChoice { static let numbers = NameIndex(keeping: names) }
extension Hyphens: NamedChoice { static let numbers = NameIndex(keeping: names) }
extension TextWrap: NamedChoice { static let numbers = NameIndex(keeping: names) }
extension BreakStrategy: NamedChoice { static let numbers = NameIndex(keeping: names) }
extension LineHeightAlignment: NamedChoice { static let numbers = NameIndex(keeping: names) }
extension LineHeightTrim: NamedChoice { static let numbers = NameIndex(keeping: names) }
extension LeadingDistribution: NamedChoice { static let numbers = NameIndex(keeping: names) }
extension ScrollableDirections: NamedChoice { static let numbers = NameIndex(keeping: names) }
extension ExclusionPath.Side: NamedChoice { static let numbers = NameIndex(keeping: names) }
extension TextAlignment: NamedChoice { static let numbers = NameIndex(keeping: names) }
extension LayoutDirection: NamedChoice { static let numbers = NameIndex(keeping: names) }
extension FontScaling: NamedChoice { static let numbers = NameIndex(keeping: names) }
