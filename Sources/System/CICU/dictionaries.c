#include "dictionaries.h"

#include <pthread.h>
#include <stddef.h>
#include <unicode/udata.h>

// The ICU of Chromium has shorter word lists of Khmer and Lao than ICU itself (19,625 and 11,206 instead of 81,028 and
// 30,550 words), so that lines break at different positions. The rules and the other dictionaries are those of the system.
// The two files are from icudtl.dat of Debian's chromium 156. Their license is in the same directory.

typedef struct {
  uint32_t count;
  // Offsets from the beginning of the table in bytes.
  struct {
    uint32_t name, file;
  } entries[2];
  char khmer_name[40], lao_name[40];
  // The alignment that ICU's tries need.
  _Alignas(16) uint8_t khmer[94240];
  _Alignas(16) uint8_t lao[52112];
} table;

#pragma clang diagnostic ignored "-Wc23-extensions"  // #embed

/// A package of ICU's common data (see ucmndata.h of ICU): a header, a sorted table of names, and the files.
static const struct {
  uint16_t header_size;
  uint8_t magic[2];
  UDataInfo info;
  _Alignas(16) table table;
} package = {
    .header_size = 32,
    .magic = {0xda, 0x27},
    .info = {.size = sizeof(UDataInfo),
             .isBigEndian = U_IS_BIG_ENDIAN,
             .charsetFamily = U_CHARSET_FAMILY,
             .sizeofUChar = U_SIZEOF_UCHAR,
             .dataFormat = {'C', 'm', 'n', 'D'},
             .formatVersion = {1}},
    .table = {.count = 2,
              .entries = {{offsetof(table, khmer_name), offsetof(table, khmer)},
                          {offsetof(table, lao_name), offsetof(table, lao)}},
              .khmer_name = U_ICUDATA_NAME "/brkitr/khmerdict.dict",
              .lao_name = U_ICUDATA_NAME "/brkitr/laodict.dict",
              .khmer = {
#embed "dictionaries/khmerdict.dict"
              },
              .lao = {
#embed "dictionaries/laodict.dict"
              }},
};
_Static_assert(offsetof(typeof(package), table) == 32, "header_size");

static UErrorCode outcome = U_ZERO_ERROR;

static void set_package(void) { udata_setCommonData(&package, &outcome); }

void galley_use_dictionaries(UErrorCode *status) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, set_package);
  *status = outcome;
}

const char *galley_khmer_trie(void) {
  // The size of the header of the file is its first number, and the offset of the trie behind the header is the next one there.
  const uint8_t *file = package.table.khmer;
  const uint8_t *content = file + *(const uint16_t *)file;
  return (const char *)content + *(const int32_t *)content;
}
