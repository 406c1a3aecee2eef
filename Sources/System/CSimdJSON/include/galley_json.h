#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// simdjson's DOM parser and the document it last parsed. The tape and the strings are simdjson's own (its
/// doc/tape.md): Swift walks them without a call per value.
typedef struct galley_json galley_json;

/// Bytes after a document that must be readable.
enum { galley_json_padding = 64 };

/// NULL when memory is short.
galley_json *_Nullable galley_json_create(size_t max_depth);
void galley_json_destroy(galley_json *_Nullable parser);

/// Parses `length` bytes of JSON, of which `galley_json_padding` more are readable. 0, or simdjson's error code.
/// `tape` and `strings` are valid until the next call.
int galley_json_parse(galley_json *_Nonnull parser, const uint8_t *_Nonnull bytes, size_t length,
                      const uint64_t *_Nullable *_Nonnull tape, const uint8_t *_Nullable *_Nonnull strings);

/// What an error code means; static text.
const char *_Nonnull galley_json_error(int code);

/// A string could not be unescaped, for instance because of half a surrogate pair.
int galley_json_is_string_error(int code);

#ifdef __cplusplus
}
#endif
