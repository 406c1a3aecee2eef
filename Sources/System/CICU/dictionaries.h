#pragma once
#include "galley_icu.h"

/// Returns the words of a dictionary, as a trie of ICU (see bytestrie.h of ICU).
const char *galley_trie(galley_dictionary dictionary);
