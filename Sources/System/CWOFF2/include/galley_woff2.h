#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Decodes a WOFF2 font into memory that `galley_woff2_free` gives back. NULL when it is damaged, or larger than `limit`
/// bytes when it is decoded.
uint8_t *_Nullable galley_woff2_decode(const uint8_t *_Nonnull bytes, size_t length, size_t limit,
                                       size_t *_Nonnull decoded_length);

void galley_woff2_free(uint8_t *_Nullable decoded);

/// The length that the font's header gives for the decoded font; 0 when there is no such header.
size_t galley_woff2_length(const uint8_t *_Nonnull bytes, size_t length);

#ifdef __cplusplus
}
#endif
