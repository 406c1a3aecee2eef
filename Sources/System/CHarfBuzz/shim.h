#pragma once
#include <harfbuzz/hb.h>
#include <harfbuzz/hb-ot.h>
#include <stddef.h>

/// The shapers of all texts. Chromium, Android and Flutter build HarfBuzz without Graphite, so that only the rules of OpenType hold.
static const char *const galley_shapers[] = {"ot", NULL};

/// Shapes the text of a buffer, as `hb_shape` does without Graphite.
static inline void galley_shape(
    hb_font_t *font, hb_buffer_t *buffer, const hb_feature_t *features, unsigned int count) {
  hb_shape_full(font, buffer, features, count, galley_shapers);
}

/// Returns a plan with which `galley_shape` shapes texts, which the caller destroys.
static inline hb_shape_plan_t *galley_shape_plan(
    hb_face_t *face, const hb_segment_properties_t *properties, const hb_feature_t *features, unsigned int count,
    const int *coordinates, unsigned int coordinate_count) {
  return hb_shape_plan_create2(face, properties, features, count, coordinates, coordinate_count, galley_shapers);
}
