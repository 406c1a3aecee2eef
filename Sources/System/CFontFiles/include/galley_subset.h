#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Returns a font file that has the characters of one face of a font file or collection, with all features of their layout, in
/// memory that `galley_woff2_free` releases. Returns NULL if the font cannot be read.
uint8_t *_Nullable galley_font_subset(const uint8_t *_Nullable bytes, size_t length, uint32_t index,
                                      const uint32_t *_Nonnull characters, size_t count, size_t *_Nonnull subset_length);

#ifdef __cplusplus
}
#endif
