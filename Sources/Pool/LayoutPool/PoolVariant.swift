import BatchLayout
import PoolMessages

extension PoolVariant {
  var variant: Variant { Variant(width: width, textScale: textScale, scale: scale) }

  init(_ variant: Variant) {
    self.init()
    width = variant.width
    textScale = variant.textScale
    scale = variant.scale
  }
}
