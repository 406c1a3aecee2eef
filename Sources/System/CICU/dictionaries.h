#pragma once
#include <unicode/utypes.h>

/// Sets the dictionaries of Chromium for ICU. This must be called before ICU loads a dictionary.
void galley_use_dictionaries(UErrorCode *status);
