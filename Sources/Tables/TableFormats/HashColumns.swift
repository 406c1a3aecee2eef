/// The columns of hashes.arrow, which has the hash of each row.
package struct HashColumns<Storage> {
  package let low: Column<UInt64, Storage>
  package let high: Column<UInt64, Storage>

  package init(_ storage: (ColumnFormat) -> Storage) {
    let meaning =
      "The XXH3 hash of the row's bytes, of 128 bits, except for the lowest bit of `hash_high`: it is set if the row has "
      + "an `id` of its own. Both are 0 for a row that no worker has laid out."
    low = Column("hash_low", meaning, storage)
    high = Column("hash_high", meaning, storage)
  }
}
