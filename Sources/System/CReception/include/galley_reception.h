#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>
#include "galley_frames.h"

// What the connections of a listening socket of libzmq hold in memory.
//
// libzmq bounds the size of a part only. It queues the parts of a message until the last one has come, and messages until
// the application receives them, and neither its options, its monitor nor the kernel show how much that is: a part of two
// bytes takes 64 bytes. So this counts where the bytes come in. In a program with the target CReceptionHook, libzmq calls
// its `recv`, which passes the bytes of observed connections to `galley_reception_recv`. Nothing is observed, and
// nothing bounded, in other programs.
//
// The threads of libzmq receive; one other thread, the one of the socket, calls everything else.

/// The counters of one socket. They are never freed, because threads of libzmq use them until its context ends.
typedef struct galley_reception galley_reception;

/// Creates counters for a socket, or returns NULL without memory.
///
/// - max_bytes: The bytes that all connections may hold together. At this limit none of them is read.
/// - max_parts: The parts of a message. A connection that sends more is closed.
galley_reception *_Nullable galley_reception_create(uint64_t max_bytes, uint32_t max_parts);
/// Ends the observation.
void galley_reception_end(galley_reception *_Nonnull reception);

/// Observes connections to a tcp port, or to the path of a socket; an abstract one begins with a zero byte. Call it before
/// the socket listens there. Returns false if there are too many of them, or the path is too long.
bool galley_reception_observe_port(galley_reception *_Nonnull reception, uint16_t port);
bool galley_reception_observe_path(
    galley_reception *_Nonnull reception, const void *_Nonnull path, size_t length);

/// Subtracts the parts of a message that was received by a descriptor and released.
void galley_reception_release(
    galley_reception *_Nonnull reception, int descriptor, uint64_t bytes, uint32_t parts);

/// Removes what closed connections have left behind, and closes the connections with the most bytes if all together stay
/// at the limit. Call it when the application has received all messages, so that what remains cannot be received, some
/// ten times a second.
void galley_reception_settle(galley_reception *_Nonnull reception);

/// The end of a connection.
typedef struct {
  galley_fault fault;
  /// Bytes that it held.
  uint64_t bytes;
  /// The other end, as `192.0.2.7:41822`, `[2001:db8::7]:41822` or `process 4711`; empty if it has gone.
  char peer[64];
} galley_reception_fault;

/// Takes the oldest of the last connections that were closed. Returns false if there is none.
bool galley_reception_take_fault(galley_reception *_Nonnull reception, galley_reception_fault *_Nonnull fault);

/// The bytes that all connections hold.
uint64_t galley_reception_bytes(const galley_reception *_Nonnull reception);

/// Receives as recv(2) does, and counts. A connection at fault gets ECONNRESET, upon which libzmq closes it; while the
/// limit is reached, each gets EAGAIN.
ssize_t galley_reception_recv(int descriptor, void *_Nonnull buffer, size_t size, int flags);

/// Accepts as accept4(2) does. If the process can have no further descriptor, a connection to an observed address is closed, and
/// the error is ECONNABORTED: libzmq aborts the process for EMFILE of an ipc socket, and tries again without end for a tcp socket.
int galley_reception_accept(
    int listener, struct sockaddr *_Nullable address, socklen_t *_Nullable size, int flags);
