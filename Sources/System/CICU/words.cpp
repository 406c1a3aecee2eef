extern "C" {
#include "galley_icu.h"
#include "dictionaries.h"
}
#include <unicode/bytestrie.h>

int32_t galley_words(
    galley_dictionary dictionary, const uint16_t *text, int32_t length, int32_t *lengths, int32_t capacity,
    int32_t *prefix) {
  // The first character of the script is at the offset 0 of the bytes that the trie maps.
  const uint16_t first_character = dictionary == galley_khmer ? 0x1780 : 0x0e80;
  icu::BytesTrie trie(galley_trie(dictionary));
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
