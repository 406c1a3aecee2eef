/// Returns the number of the first indices below `count` for which a condition holds that holds for no index behind one
/// for which it does not. The cost is the logarithm of `count`.
@inlinable @inline(__always)
public func partitionPoint(_ count: Int, _ isBefore: (Int) -> Bool) -> Int {
  var low = 0
  var high = count
  while low < high {
    let middle = low + (high - low) / 2
    if isBefore(middle) { low = middle + 1 } else { high = middle }
  }
  return low
}
