#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Decodes a WOFF2 font into memory that `galley_woff2_free` releases. Returns NULL if the font is damaged, or if the
/// decoded font is larger than `limit` bytes.
uint8_t *_Nullable galley_woff2_decode(const uint8_t *_Nonnull bytes, size_t length, size_t limit,
                                       size_t *_Nonnull decoded_length);

/// Encodes an OpenType font as WOFF2 in memory that `galley_woff2_free` releases. Returns NULL if the font is damaged.
/// No other thread may write to `stderr` meanwhile.
uint8_t *_Nullable galley_woff2_encode(const uint8_t *_Nullable bytes, size_t length, size_t *_Nonnull encoded_length);

void galley_woff2_free(uint8_t *_Nullable bytes);

/// Returns the length of the decoded font that the header states, or 0 if there is no such header.
size_t galley_woff2_length(const uint8_t *_Nonnull bytes, size_t length);

#ifdef __cplusplus
}
#endif
