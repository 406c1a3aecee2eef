#pragma once
#include <unicode/utypes.h>

/// Has ICU use Chromium's dictionaries; before anything else looks for one.
void galley_use_dictionaries(UErrorCode *status);
