#include "galley_subset.h"

#include <cstdlib>
#include <cstring>
#include <harfbuzz/hb-subset.h>

/// Returns the font with the glyphs of the characters and of their substitutes by any feature.
static hb_face_t *subset_of(hb_face_t *face, const uint32_t *characters, size_t count) {
  hb_subset_input_t *input = hb_subset_input_create_or_fail();
  if (!input) return nullptr;
  hb_set_t *kept = hb_subset_input_unicode_set(input);
  for (size_t index = 0; index < count; index++) hb_set_add(kept, characters[index]);
  hb_set_t *features = hb_subset_input_set(input, HB_SUBSET_SETS_LAYOUT_FEATURE_TAG);
  hb_set_clear(features);
  hb_set_invert(features);
  hb_subset_input_set_flags(input, HB_SUBSET_FLAGS_NOTDEF_OUTLINE);
  hb_face_t *subset = hb_subset_or_fail(face, input);
  hb_subset_input_destroy(input);
  return subset;
}

uint8_t *galley_font_subset(const uint8_t *bytes, size_t length, uint32_t index, const uint32_t *characters, size_t count,
                            size_t *subset_length) {
  hb_blob_t *blob = hb_blob_create(reinterpret_cast<const char *>(bytes), static_cast<unsigned>(length),
                                   HB_MEMORY_MODE_READONLY, nullptr, nullptr);
  hb_face_t *face = hb_face_create(blob, index);
  hb_blob_destroy(blob);
  hb_face_t *subset = subset_of(face, characters, count);
  hb_face_destroy(face);
  if (!subset) return nullptr;
  hb_blob_t *file = hb_face_reference_blob(subset);
  hb_face_destroy(subset);
  unsigned size = 0;
  const char *data = hb_blob_get_data(file, &size);
  auto *copy = static_cast<uint8_t *>(malloc(size ? size : 1));
  if (copy) memcpy(copy, data, size);
  hb_blob_destroy(file);
  if (size == 0) {
    free(copy);
    return nullptr;
  }
  *subset_length = size;
  return copy;
}
