#pragma once
#include "galley_reception.h"

// The addresses at which observed sockets listen.

/// Returns the reception of an accepted socket, which has the address at which its listener listens, or NULL. A connecting
/// socket has an address of its own.
galley_reception *galley_addresses_find(int descriptor);
void galley_addresses_remove(const galley_reception *reception);
