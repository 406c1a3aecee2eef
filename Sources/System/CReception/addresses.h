#pragma once
#include "galley_reception.h"

// The addresses at which observed sockets listen.

/// Returns the reception of an accepted socket, which has the address at which its listener listens, or NULL. A connecting
/// socket has an address of its own.
galley_reception *galley_addresses_find(int descriptor);
void galley_addresses_remove(const galley_reception *reception);
/// Writes the other end of a connection for people, or an empty text if it has gone.
void galley_addresses_write_peer(int descriptor, char *text, size_t size);
