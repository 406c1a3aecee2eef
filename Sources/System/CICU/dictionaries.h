#pragma once
#include <unicode/utypes.h>

/// Sets the dictionaries of Chromium for ICU. This must be called before ICU loads a dictionary.
void galley_use_dictionaries(UErrorCode *status);

/// Returns the words of Khmer, as a trie of ICU (see bytestrie.h of ICU).
const char *galley_khmer_trie(void);
