#pragma once
#include <stdbool.h>
#include <stdint.h>

// Wrappers for functions of ICU. Its own functions are macros that append a version to their names, which Swift cannot
// import.

/// A break iterator over UTF-16 (UAX #14 lines or UAX #29 grapheme clusters).
typedef struct galley_breaks galley_breaks;

/// Lines of `line-break: normal` (CSS), `strict` and `loose`, lines of `normal` and `loose` in Chinese, Japanese and Korean, lines
/// of no stated strictness, which is ICU's default, or grapheme clusters.
typedef enum {
  galley_breaks_lines,
  galley_breaks_strict_lines,
  galley_breaks_loose_lines,
  galley_breaks_cj_lines,
  galley_breaks_loose_cj_lines,
  galley_breaks_root_lines,
  galley_breaks_graphemes
} galley_breaks_kind;

/// Creates a break iterator, or returns NULL if the data of ICU are missing.
galley_breaks *_Nullable galley_breaks_open(galley_breaks_kind kind);
void galley_breaks_close(galley_breaks *_Nullable breaks);

/// Sets the text and starts at its beginning. The text must stay at its address. Returns false if ICU fails.
bool galley_breaks_set_text(galley_breaks *_Nonnull breaks, const uint16_t *_Nonnull text, int32_t length);

/// Returns the offset of the next boundary, or -1 after the last.
int32_t galley_breaks_next(galley_breaks *_Nonnull breaks);

/// A dictionary of Chromium.
typedef enum { galley_khmer, galley_lao } galley_dictionary;

/// Finds the words of a dictionary with which a text begins, and writes their lengths in ascending order, at most `capacity`.
///
/// \param prefix receives the number of units up to the first one that continues no word, including that.
/// \returns the number of words.
int32_t galley_words(
    galley_dictionary dictionary, const uint16_t *_Nonnull text, int32_t length, int32_t *_Nonnull lengths, int32_t capacity, int32_t *_Nonnull prefix);

/// Returns whether the character belongs to the cluster of the previous one (Grapheme_Cluster_Break is Extend,
/// SpacingMark or ZWJ).
bool galley_extends_cluster(uint32_t scalar);

/// Returns whether the character is displayed as an emoji by default (Emoji_Presentation).
bool galley_is_emoji(uint32_t scalar);

/// Returns whether the character can be a part of an emoji that a joiner makes of several (Extended_Pictographic).
bool galley_is_pictograph(uint32_t scalar);

/// Returns whether the character is wide or fullwidth (East_Asian_Width).
bool galley_is_wide(uint32_t scalar);

/// Returns whether a scalar value is a control or format character, or separates lines or paragraphs.
bool galley_is_control(uint32_t scalar);

/// Returns the character in lower case, if that is a single character, or else the character.
uint32_t galley_lower_case(uint32_t scalar);

/// Returns whether a character after a word is not hyphenated with it: a space, a mark of punctuation or a control character.
bool galley_follows_words(uint32_t scalar);

/// The classes of characters by their behaviour at the ends of lines (Line_Break) that browsers and later versions of Unicode
/// treat in another way than ICU.
typedef enum {
  galley_line_other,
  galley_line_hard_break,
  galley_line_space,
  galley_line_zero_width_space,
  galley_line_glue,
  galley_line_opening,
  galley_line_closing_bracket,
  galley_line_closing,
  galley_line_number_sign,
  galley_line_quotation,
  galley_line_separator,
  galley_line_digit,
  galley_line_letter,
  galley_line_hebrew,
  galley_line_mark,
  galley_line_object,
  galley_line_break_after,
} galley_line_class;

/// Returns the class of a character. A separator is a numeric infix separator (IS), a closing bracket is CL or CP, a closing
/// character another mark that no line begins with (EX, SY, WJ), a sign of numbers PR or PO, a mark CM or ZWJ, an object CB, and a
/// break after BA or HY.
galley_line_class galley_line_break(uint32_t scalar);

/// Returns whether no line breaks between a hyphen that begins a word and the character: its class is AL or HL, or one that
/// LB1 of UAX #14 resolves to AL.
bool galley_joins_hyphen(uint32_t scalar);

/// Returns whether CSS `word-break: break-all` lets a line end between two characters between which no line ends otherwise
/// (text-rules 52).
bool galley_breaks_words(uint32_t before, uint32_t after);

/// The three kinds of characters for CSS `word-break: keep-all`. Letters include numbers, but not the scripts that are broken with
/// a dictionary (Line_Break is SA: Thai, Khmer, Lao, Burmese).
typedef enum { galley_kept_other, galley_kept_letter, galley_kept_mark } galley_kept_kind;
galley_kept_kind galley_kept(uint32_t scalar);

/// Returns whether the character is invisible: a control, a format character or another ignorable one.
bool galley_is_invisible(uint32_t scalar);

/// Returns the name of a character's script, such as `Arabic`, or NULL if ICU has none.
const char *_Nullable galley_script_name(uint32_t scalar);

/// Writes the scripts that use the character (Script_Extensions) as ISO 15924 tags, at most `capacity`. Returns the
/// number of scripts.
int32_t galley_script_extensions(uint32_t scalar, uint32_t *_Nonnull tags, int32_t capacity);

/// Returns the other bracket of a pair (Bidi_Paired_Bracket), or 0 if the character is not a bracket.
uint32_t galley_paired_bracket(uint32_t scalar);

/// Returns whether a bracket opens a pair.
bool galley_opens_bracket(uint32_t scalar);

/// The side of punctuation that has a counterpart, by the character's General_Category: Ps, Pe, or any other.
typedef enum { galley_other_punctuation, galley_opening_punctuation, galley_closing_punctuation } galley_punctuation_side;
galley_punctuation_side galley_punctuation(uint32_t scalar);

/// A resolver of embedding levels (UAX #9). Text at odd levels runs from right to left.
typedef struct galley_bidi galley_bidi;
galley_bidi *_Nullable galley_bidi_open(void);
void galley_bidi_close(galley_bidi *_Nullable bidi);

/// The direction of paragraphs: from left to right, from right to left, or that of the first strong character of each paragraph
/// (UAX #9, P2 and P3).
typedef enum galley_bidi_base { galley_bidi_ltr, galley_bidi_rtl, galley_bidi_first_strong } galley_bidi_base;

/// Returns the levels of `length` UTF-16 units, or NULL if ICU fails. They are valid until the next call.
const uint8_t *_Nullable galley_bidi_levels(
    galley_bidi *_Nonnull bidi, const uint16_t *_Nonnull text, int32_t length, galley_bidi_base base);

/// Returns the level of the paragraph that contains a unit of the text of the last call.
uint8_t galley_bidi_paragraph_level(galley_bidi *_Nonnull bidi, int32_t unit);
