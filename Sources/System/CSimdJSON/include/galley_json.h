#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A DOM parser of simdjson and its last document. The tape and the strings have the format of simdjson (see its
/// doc/tape.md), so that Swift reads them without a call per value.
typedef struct galley_json galley_json;

/// The number of bytes after a document that must be readable.
enum { galley_json_padding = 64 };

/// Creates a parser, or returns NULL if memory is exhausted.
galley_json *_Nullable galley_json_create(size_t max_depth);
void galley_json_destroy(galley_json *_Nullable parser);

/// Parses `length` bytes of JSON, after which `galley_json_padding` more bytes must be readable. Returns 0, or an error
/// code of simdjson. `tape` and `strings` are valid until the next call.
int galley_json_parse(galley_json *_Nonnull parser, const uint8_t *_Nonnull bytes, size_t length,
                      const uint64_t *_Nullable *_Nonnull tape, const uint8_t *_Nullable *_Nonnull strings);

/// Returns the meaning of an error code as a static text.
const char *_Nonnull galley_json_error(int code);

/// Returns whether bytes are UTF-8. The bytes after them need not be readable.
bool galley_is_utf8(const uint8_t *_Nonnull bytes, size_t length);

#ifdef __cplusplus
}
#endif
