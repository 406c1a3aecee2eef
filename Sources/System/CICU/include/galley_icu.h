#pragma once
#include <stdbool.h>
#include <stdint.h>

// ICU's functions are macros that carry its version in their names, which Swift cannot import: these few stand for
// them.

/// A break iterator over UTF-16 (UAX #14 lines or UAX #29 grapheme clusters).
typedef struct galley_breaks galley_breaks;

typedef enum { galley_breaks_lines, galley_breaks_graphemes } galley_breaks_kind;

/// NULL when ICU's data are missing.
galley_breaks *_Nullable galley_breaks_open(galley_breaks_kind kind);
void galley_breaks_close(galley_breaks *_Nullable breaks);

/// Starts at the beginning of `text`, which must stay in place. False when ICU refuses.
bool galley_breaks_set_text(galley_breaks *_Nonnull breaks, const uint16_t *_Nonnull text, int32_t length);

/// The next boundary, or -1 after the last.
int32_t galley_breaks_next(galley_breaks *_Nonnull breaks);

/// Whether the character belongs to the cluster of the one before it (Grapheme_Cluster_Break is Extend, SpacingMark
/// or ZWJ).
bool galley_extends_cluster(uint32_t scalar);

/// Whether the character is shown as an emoji unless told otherwise (Emoji_Presentation).
bool galley_is_emoji(uint32_t scalar);

/// Whether the character is wide or fullwidth (East_Asian_Width).
bool galley_is_wide(uint32_t scalar);

/// Whether the character is a letter.
bool galley_is_letter(uint32_t scalar);

/// Whether lines of its script are broken with a dictionary (Line_Break is SA: Thai, Khmer, Lao, Burmese).
bool galley_needs_dictionary(uint32_t scalar);

/// Whether nothing is to be seen of the character: controls, format characters and other ones that are ignored.
bool galley_is_invisible(uint32_t scalar);

/// The name of a character's script, such as `Arabic`; NULL if ICU has none.
const char *_Nullable galley_script_name(uint32_t scalar);

/// The scripts that the character is used with (Script_Extensions), as ISO 15924 tags, at most `capacity`. Returns how
/// many there are.
int32_t galley_script_extensions(uint32_t scalar, uint32_t *_Nonnull tags, int32_t capacity);

/// The other bracket of a pair (Bidi_Paired_Bracket); 0 if the character is no bracket.
uint32_t galley_paired_bracket(uint32_t scalar);

/// Whether a bracket opens a pair.
bool galley_opens_bracket(uint32_t scalar);

/// Resolves embedding levels (UAX #9) in a left-to-right paragraph; odd ones run from right to left.
typedef struct galley_bidi galley_bidi;
galley_bidi *_Nullable galley_bidi_open(void);
void galley_bidi_close(galley_bidi *_Nullable bidi);

/// The levels of `length` units, valid until the next call; NULL when ICU refuses.
const uint8_t *_Nullable galley_bidi_levels(galley_bidi *_Nonnull bidi, const uint16_t *_Nonnull text, int32_t length);

/// The levels of `length` units as they are shown: the first strong character of each paragraph says where it starts
/// (UAX #9, P2 and P3). Valid until the next call; NULL when ICU refuses.
const uint8_t *_Nullable galley_bidi_shown_levels(
    galley_bidi *_Nonnull bidi, const uint16_t *_Nonnull text, int32_t length);

/// The level of the paragraph that holds a unit of the text whose levels were asked for last.
uint8_t galley_bidi_paragraph_level(galley_bidi *_Nonnull bidi, int32_t unit);
