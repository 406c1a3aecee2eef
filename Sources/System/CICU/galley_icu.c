#include "galley_icu.h"

#include <unicode/ubidi.h>
#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>

galley_breaks *galley_breaks_open(galley_breaks_kind kind) {
  UErrorCode status = U_ZERO_ERROR;
  UBreakIterator *breaks = NULL;
  switch (kind) {
    case galley_breaks_lines: breaks = ubrk_open(UBRK_LINE, "en@lb=normal", NULL, 0, &status); break;
    case galley_breaks_loose_lines: breaks = ubrk_open(UBRK_LINE, "en@lb=loose", NULL, 0, &status); break;
    case galley_breaks_cj_lines: breaks = ubrk_open(UBRK_LINE, "ja@lb=normal", NULL, 0, &status); break;
    case galley_breaks_loose_cj_lines: breaks = ubrk_open(UBRK_LINE, "ja@lb=loose", NULL, 0, &status); break;
    case galley_breaks_strict_lines: breaks = ubrk_open(UBRK_LINE, "en@lb=strict", NULL, 0, &status); break;
    case galley_breaks_root_lines: breaks = ubrk_open(UBRK_LINE, "en", NULL, 0, &status); break;
    case galley_breaks_graphemes: breaks = ubrk_open(UBRK_CHARACTER, "en", NULL, 0, &status); break;
  }
  return U_SUCCESS(status) ? (galley_breaks *)breaks : NULL;
}

void galley_breaks_close(galley_breaks *breaks) {
  if (breaks) ubrk_close((UBreakIterator *)breaks);
}

bool galley_breaks_set_text(galley_breaks *breaks, const uint16_t *text, int32_t length) {
  UErrorCode status = U_ZERO_ERROR;
  ubrk_setText((UBreakIterator *)breaks, text, length, &status);
  return U_SUCCESS(status);
}

int32_t galley_breaks_next(galley_breaks *breaks) { return ubrk_next((UBreakIterator *)breaks); }

bool galley_extends_cluster(uint32_t scalar) {
  switch (u_getIntPropertyValue((UChar32)scalar, UCHAR_GRAPHEME_CLUSTER_BREAK)) {
    case U_GCB_EXTEND:
    case U_GCB_SPACING_MARK:
    case U_GCB_ZWJ: return true;
    default: return false;
  }
}

bool galley_is_emoji(uint32_t scalar) { return u_hasBinaryProperty((UChar32)scalar, UCHAR_EMOJI_PRESENTATION); }

bool galley_is_pictograph(uint32_t scalar) {
  return u_hasBinaryProperty((UChar32)scalar, UCHAR_EXTENDED_PICTOGRAPHIC);
}

bool galley_is_wide(uint32_t scalar) {
  int32_t width = u_getIntPropertyValue((UChar32)scalar, UCHAR_EAST_ASIAN_WIDTH);
  return width == U_EA_WIDE || width == U_EA_FULLWIDTH;
}

bool galley_is_control(uint32_t scalar) { return u_iscntrl((UChar32)scalar); }

uint32_t galley_lower_case(uint32_t scalar) { return (uint32_t)u_tolower((UChar32)scalar); }

bool galley_follows_words(uint32_t scalar) {
  return (U_GET_GC_MASK((UChar32)scalar) & (U_GC_ZS_MASK | U_GC_P_MASK | U_GC_CC_MASK)) != 0;
}

galley_line_class galley_line_break(uint32_t scalar) {
  switch (u_getIntPropertyValue((UChar32)scalar, UCHAR_LINE_BREAK)) {
    case U_LB_MANDATORY_BREAK:
    case U_LB_CARRIAGE_RETURN:
    case U_LB_LINE_FEED:
    case U_LB_NEXT_LINE: return galley_line_hard_break;
    case U_LB_SPACE: return galley_line_space;
    case U_LB_ZWSPACE: return galley_line_zero_width_space;
    case U_LB_GLUE: return galley_line_glue;
    case U_LB_OPEN_PUNCTUATION: return galley_line_opening;
    case U_LB_CLOSE_PUNCTUATION:
    case U_LB_CLOSE_PARENTHESIS: return galley_line_closing_bracket;
    case U_LB_PREFIX_NUMERIC:
    case U_LB_POSTFIX_NUMERIC: return galley_line_number_sign;
    case U_LB_EXCLAMATION:
    case U_LB_BREAK_SYMBOLS:
    case U_LB_WORD_JOINER: return galley_line_closing;
    case U_LB_QUOTATION: return galley_line_quotation;
    case U_LB_INFIX_NUMERIC: return galley_line_separator;
    case U_LB_NUMERIC: return galley_line_digit;
    case U_LB_ALPHABETIC:
    case U_LB_AMBIGUOUS: return galley_line_letter;
    case U_LB_HEBREW_LETTER: return galley_line_hebrew;
    case U_LB_COMBINING_MARK:
    case U_LB_ZWJ: return galley_line_mark;
    case U_LB_CONTINGENT_BREAK: return galley_line_object;
    case U_LB_BREAK_AFTER:
    case U_LB_HYPHEN: return galley_line_break_after;
    default: return galley_line_other;
  }
}

bool galley_joins_hyphen(uint32_t scalar) {
  switch (u_getIntPropertyValue((UChar32)scalar, UCHAR_LINE_BREAK)) {
    case U_LB_ALPHABETIC:
    case U_LB_AMBIGUOUS:
    case U_LB_HEBREW_LETTER:
    case U_LB_SURROGATE:
    case U_LB_UNKNOWN: return true;
    case U_LB_COMPLEX_CONTEXT: return (U_GET_GC_MASK((UChar32)scalar) & (U_GC_MN_MASK | U_GC_MC_MASK)) == 0;
    default: return false;
  }
}

bool galley_breaks_words(uint32_t before, uint32_t after) {
  // A plus sign is a letter, and of the marks after which a line can end only this one begins a line.
  ULineBreak ending = before == '+' ? U_LB_ALPHABETIC : u_getIntPropertyValue((UChar32)before, UCHAR_LINE_BREAK);
  ULineBreak beginning = after == '+' ? U_LB_ALPHABETIC : u_getIntPropertyValue((UChar32)after, UCHAR_LINE_BREAK);
  if (beginning == U_LB_BREAK_AFTER && after != '|') return false;
  bool is_letter = false;
  switch (ending) {
    case U_LB_AMBIGUOUS:
    case U_LB_ALPHABETIC:
    case U_LB_NUMERIC:
    case U_LB_COMPLEX_CONTEXT:
    case U_LB_BREAK_SYMBOLS:
    case U_LB_HEBREW_LETTER: is_letter = true; break;
    case U_LB_BREAK_AFTER:
      // Hyphens, which are a class of their own since Unicode 17.
      if (u_charType((UChar32)before) == U_DASH_PUNCTUATION) return false;
      is_letter = true;
      break;
    case U_LB_CLOSE_PUNCTUATION:
    case U_LB_CLOSE_PARENTHESIS:
    case U_LB_EXCLAMATION:
    case U_LB_INFIX_NUMERIC:
    case U_LB_POSTFIX_NUMERIC: break;
    case U_LB_HYPHEN: return beginning == U_LB_NUMERIC;
    case U_LB_PREFIX_NUMERIC: return beginning == U_LB_POSTFIX_NUMERIC;
    default: return false;
  }
  switch (beginning) {
    case U_LB_AMBIGUOUS:
    case U_LB_ALPHABETIC:
    case U_LB_BREAK_AFTER:
    case U_LB_HYPHEN:
    case U_LB_NUMERIC:
    case U_LB_HEBREW_LETTER: return true;
    case U_LB_PREFIX_NUMERIC: return ending != U_LB_INFIX_NUMERIC;
    case U_LB_OPEN_PUNCTUATION: return is_letter;
    case U_LB_COMPLEX_CONTEXT: return is_letter || ending == U_LB_CLOSE_PARENTHESIS;
    case U_LB_POSTFIX_NUMERIC: return ending == U_LB_EXCLAMATION || ending == U_LB_POSTFIX_NUMERIC;
    default: return false;
  }
}

galley_kept_kind galley_kept(uint32_t scalar) {
  uint32_t category = U_MASK(u_charType((UChar32)scalar));
  if (category & U_GC_M_MASK) return galley_kept_mark;
  bool is_word = category & (U_GC_L_MASK | U_GC_N_MASK) &&
                 u_getIntPropertyValue((UChar32)scalar, UCHAR_LINE_BREAK) != U_LB_COMPLEX_CONTEXT;
  return is_word ? galley_kept_letter : galley_kept_other;
}

bool galley_is_invisible(uint32_t scalar) {
  return u_charType((UChar32)scalar) == U_CONTROL_CHAR || u_charType((UChar32)scalar) == U_FORMAT_CHAR ||
         u_hasBinaryProperty((UChar32)scalar, UCHAR_DEFAULT_IGNORABLE_CODE_POINT);
}

const char *galley_script_name(uint32_t scalar) {
  UErrorCode status = U_ZERO_ERROR;
  UScriptCode script = uscript_getScript((UChar32)scalar, &status);
  return U_SUCCESS(status) ? uscript_getName(script) : NULL;
}

int32_t galley_script_extensions(uint32_t scalar, uint32_t *tags, int32_t capacity) {
  enum { max_scripts = 64 };
  UScriptCode scripts[max_scripts];
  UErrorCode status = U_ZERO_ERROR;
  int32_t count = uscript_getScriptExtensions((UChar32)scalar, scripts, max_scripts, &status);
  if (U_FAILURE(status)) return 0;
  // The scripts of the middle dot in versions of Unicode that ICU 72 does not have. Cyrillic is none of them.
  static const UScriptCode middle_dot[] = {
      USCRIPT_COPTIC,  USCRIPT_GEORGIAN,   USCRIPT_GOTHIC,     USCRIPT_GREEK,   USCRIPT_HAN,      USCRIPT_LATIN,
      USCRIPT_SHAVIAN, USCRIPT_GLAGOLITIC, USCRIPT_OLD_PERMIC, USCRIPT_CARIAN,  USCRIPT_LYDIAN,   USCRIPT_AVESTAN,
      USCRIPT_DUPLOYAN, USCRIPT_ELBASAN,   USCRIPT_MAHAJANI,   USCRIPT_GUNJALA_GONDI,
  };
  const UScriptCode *found = scripts;
  if (scalar == 0xb7 && count == 1) {
    found = middle_dot;
    count = sizeof middle_dot / sizeof middle_dot[0];
  }
  if (count > capacity) count = capacity;
  for (int32_t index = 0; index < count; index++) {
    const char *name = uscript_getShortName(found[index]);
    tags[index] = (uint32_t)name[0] << 24 | (uint32_t)name[1] << 16 | (uint32_t)name[2] << 8 | (uint32_t)name[3];
  }
  return count;
}

uint32_t galley_paired_bracket(uint32_t scalar) {
  if (u_getIntPropertyValue((UChar32)scalar, UCHAR_BIDI_PAIRED_BRACKET_TYPE) == U_BPT_NONE) return 0;
  return (uint32_t)u_getBidiPairedBracket((UChar32)scalar);
}

bool galley_opens_bracket(uint32_t scalar) {
  return u_getIntPropertyValue((UChar32)scalar, UCHAR_BIDI_PAIRED_BRACKET_TYPE) == U_BPT_OPEN;
}

galley_punctuation_side galley_punctuation(uint32_t scalar) {
  switch (u_charType((UChar32)scalar)) {
    case U_START_PUNCTUATION: return galley_opening_punctuation;
    case U_END_PUNCTUATION: return galley_closing_punctuation;
    default: return galley_other_punctuation;
  }
}

galley_bidi *galley_bidi_open(void) { return (galley_bidi *)ubidi_open(); }

void galley_bidi_close(galley_bidi *bidi) {
  if (bidi) ubidi_close((UBiDi *)bidi);
}

const uint8_t *galley_bidi_levels(
    galley_bidi *bidi, const uint16_t *text, int32_t length, galley_bidi_base base) {
  UErrorCode status = U_ZERO_ERROR;
  UBiDiLevel paragraph = base == galley_bidi_first_strong ? UBIDI_DEFAULT_LTR : base == galley_bidi_rtl ? 1 : 0;
  ubidi_setPara((UBiDi *)bidi, text, length, paragraph, NULL, &status);
  if (U_FAILURE(status)) return NULL;
  const UBiDiLevel *levels = ubidi_getLevels((UBiDi *)bidi, &status);
  return U_SUCCESS(status) ? levels : NULL;
}

uint8_t galley_bidi_paragraph_level(galley_bidi *bidi, int32_t unit) {
  UErrorCode status = U_ZERO_ERROR;
  UBiDiLevel level = 0;
  ubidi_getParagraph((UBiDi *)bidi, unit, NULL, NULL, &level, &status);
  return U_SUCCESS(status) ? level : 0;
}
