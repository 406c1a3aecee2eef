import LayoutEngine

/// An error in a cells file or in a row, with its path: `cells`, `PhotoCell`, `layout`, `children`, `0`.
public typealias CellError = SpecError
