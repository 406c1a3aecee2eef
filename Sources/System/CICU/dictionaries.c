#include "dictionaries.h"

// The ICU of Chromium has shorter word lists of Khmer and Lao than ICU itself (19,625 and 11,206 instead of 81,028 and
// 30,550 words), so that lines break at different positions. The two files are from icudtl.dat of Debian's chromium 156. Their
// license is in the same directory. A process has one dictionary of a language for all iterators of ICU, and that is the system's.

#pragma clang diagnostic ignored "-Wc23-extensions"  // #embed

static const _Alignas(16) uint8_t khmer[] = {
#embed "dictionaries/khmerdict.dict"
};

static const _Alignas(16) uint8_t lao[] = {
#embed "dictionaries/laodict.dict"
};

const char *galley_trie(galley_dictionary dictionary) {
  // The size of the header of the file is its first number, and the offset of the trie behind the header is the next one there.
  const uint8_t *file = dictionary == galley_khmer ? khmer : lao;
  const uint8_t *content = file + *(const uint16_t *)file;
  return (const char *)content + *(const int32_t *)content;
}
