extern "C" {
#include "galley_icu.h"
#include "dictionaries.h"
}
#include <unicode/bytestrie.h>

int32_t galley_khmer_words(
    const uint16_t *text, int32_t length, int32_t *lengths, int32_t capacity, int32_t *prefix) {
  // The first character is at the offset 0 of the bytes that the trie maps.
  constexpr uint16_t first_character = 0x1780;
  icu::BytesTrie trie(galley_khmer_trie());
  int32_t count = 0;
  *prefix = 0;
  while (*prefix < length) {
    int32_t offset = text[*prefix] - first_character;
    UStringTrieResult result = offset < 0 || offset > 0xfd ? USTRINGTRIE_NO_MATCH : trie.next(offset);
    *prefix += 1;
    if (USTRINGTRIE_HAS_VALUE(result) && count < capacity) lengths[count++] = *prefix;
    if (!USTRINGTRIE_HAS_NEXT(result)) break;
  }
  return count;
}
