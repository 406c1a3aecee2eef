import BatchLayout
import PoolProtocol

extension Variant {
  public init(_ variant: BatchVariant) {
    self.init(width: variant.width, textScale: variant.textScale, scale: variant.scale)
  }
}

extension BatchVariant {
  public init(_ variant: Variant) {
    self.init(width: variant.width, textScale: variant.textScale, scale: variant.scale)
  }
}
