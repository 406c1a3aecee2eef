#pragma once
#include "galley_reception.h"
#include <pthread.h>
#include <stdatomic.h>

// What is counted of the connections of a socket.

enum { fault_limit = 64 };

struct galley_reception {
  uint64_t max_bytes;
  uint32_t max_parts;
  /// The sum of what its connections hold, and how often something was received. Written by any thread.
  _Atomic int64_t held;
  _Atomic uint64_t receipts;
  /// The receipts at the last call of `settle` that found the limit reached, or UINT64_MAX.
  uint64_t receipts_at_limit;
  /// When `settle` was called last, in milliseconds.
  uint64_t settled_at;
  /// What follows is guarded by `galley_reception_lock`.
  galley_reception_fault faults[fault_limit];
  uint32_t fault_count;
  /// A descriptor that makes room for a connection that is to be closed; negative if there is none.
  int spare;
};

/// The connection that has a descriptor, or had it last.
typedef struct {
  /// The kernel's number for the socket, by which another one with the same descriptor is recognized.
  _Atomic uint64_t cookie;
  /// NULL for a socket that is not observed.
  _Atomic(galley_reception *) reception;
  _Atomic bool is_at_fault;
  /// Used by the thread that receives, and at the end of the connection.
  galley_frames frames;
  /// The value in `frames`, for the thread of the socket.
  _Atomic bool is_encrypted;
  /// Bytes that came in, and those that were released. The difference is what libzmq holds of messages with this
  /// descriptor, also of messages of earlier connections.
  _Atomic uint64_t received;
  _Atomic uint64_t released;
  /// Both when this connection began.
  uint64_t received_before;
  uint64_t released_before;
  /// Whether an earlier connection may have left bytes that are never released.
  bool has_remains;
} galley_connection;

/// The number of receptions. Without any, nothing is looked up.
extern _Atomic int galley_reception_count;
/// Guards the beginning and the end of connections, and faults. Not taken for each receipt.
extern pthread_mutex_t galley_reception_lock;

/// Notes a fault of a connection. `galley_reception_lock` is held.
void galley_reception_add_fault(galley_reception *reception, int descriptor, galley_fault fault, uint64_t bytes);
/// Returns a descriptor that makes room for a connection that is to be closed, or a negative number.
int galley_reception_spare(void);
/// Waits where the poller of libzmq reports the same sockets again and again.
void galley_reception_pause(void);
