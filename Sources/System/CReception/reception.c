#define _GNU_SOURCE
#include "addresses.h"
#include "connections.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { descriptor_limit = 8192 };
/// Bytes a second that an encrypted connection may hold for heartbeats: a PING and a PONG every five seconds.
static const uint64_t heartbeat_bytes = 100;

static galley_connection connections[descriptor_limit];
/// The highest descriptor of an observed connection.
static int highest;
_Atomic int galley_reception_count;
pthread_mutex_t galley_reception_lock = PTHREAD_MUTEX_INITIALIZER;

/// Returns 0 for what is not a socket.
static uint64_t socket_cookie(int descriptor) {
  const int option = 57;  // SO_COOKIE, which not all versions of the C library have
  uint64_t cookie = 0;
  socklen_t size = sizeof cookie;
  return getsockopt(descriptor, SOL_SOCKET, option, &cookie, &size) == 0 ? cookie : 0;
}

static uint64_t milliseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

galley_reception *galley_reception_create(uint64_t max_bytes, uint32_t max_parts) {
  galley_reception *reception = calloc(1, sizeof *reception);
  if (reception == NULL) return NULL;
  reception->max_bytes = max_bytes;
  reception->max_parts = max_parts;
  reception->receipts_at_limit = UINT64_MAX;
  reception->settled_at = milliseconds_now();
  reception->spare = galley_reception_spare();
  atomic_fetch_add(&galley_reception_count, 1);
  return reception;
}

void galley_reception_end(galley_reception *reception) {
  pthread_mutex_lock(&galley_reception_lock);
  for (int i = 0; i <= highest; i++)
    if (connections[i].reception == reception) connections[i].reception = NULL;
  galley_addresses_remove(reception);
  if (reception->spare >= 0) close(reception->spare);
  reception->spare = -1;
  pthread_mutex_unlock(&galley_reception_lock);
  atomic_fetch_sub(&galley_reception_count, 1);
}

// MARK: Connections

void galley_reception_add_fault(galley_reception *reception, int descriptor, galley_fault fault, uint64_t bytes) {
  if (reception->fault_count == fault_limit) return;
  galley_reception_fault *added = &reception->faults[reception->fault_count++];
  *added = (galley_reception_fault){.fault = fault, .bytes = bytes};
  galley_addresses_write_peer(descriptor, added->peer, sizeof added->peer);
}

static int64_t held_bytes(const galley_connection *connection) {
  return (int64_t)(atomic_load(&connection->received) - atomic_load(&connection->released));
}

/// Forgets bytes that libzmq has freed or will never deliver.
static void forget(galley_connection *connection, galley_reception *reception, int64_t bytes) {
  atomic_fetch_add(&connection->released, (uint64_t)bytes);
  atomic_fetch_sub(&reception->held, bytes);
}

/// libzmq frees the message that has not ended, and keeps those that have. The lock is held.
static void end_connection(galley_connection *connection) {
  galley_reception *reception = connection->reception;
  if (reception == NULL) return;
  // Of an encrypted connection, this is only the frame that has not ended.
  forget(connection, reception, (int64_t)connection->frames.unfinished);
  connection->has_remains = held_bytes(connection) != 0;
  memset(&connection->frames, 0, sizeof connection->frames);
}

static void begin_connection(galley_connection *connection, int descriptor, uint64_t cookie) {
  pthread_mutex_lock(&galley_reception_lock);
  end_connection(connection);
  galley_reception *reception = galley_addresses_find(descriptor), *earlier = connection->reception;
  if (earlier != reception) {
    if (earlier != NULL) atomic_fetch_sub(&earlier->held, held_bytes(connection));
    connection->received = 0;
    connection->released = 0;
    connection->has_remains = false;
  }
  memset(&connection->frames, 0, sizeof connection->frames);
  atomic_store(&connection->is_encrypted, false);
  connection->received_before = connection->received;
  connection->released_before = connection->released;
  connection->is_at_fault = false;
  connection->reception = reception;
  connection->cookie = cookie;
  if (reception != NULL && descriptor > highest) highest = descriptor;
  pthread_mutex_unlock(&galley_reception_lock);
}

/// Makes libzmq close the connection.
static ssize_t reset(galley_connection *connection) {
  pthread_mutex_lock(&galley_reception_lock);
  connection->is_at_fault = true;
  end_connection(connection);
  pthread_mutex_unlock(&galley_reception_lock);
  errno = ECONNRESET;
  return -1;
}

/// Returns whether another connection has the same routing ID. The lock is held.
static bool has_routing_id_of_another(const galley_connection *connection, const galley_reception *reception) {
  for (int i = 0; i <= highest; i++) {
    const galley_connection *other = &connections[i];
    if (other != connection && other->reception == reception && !other->is_at_fault
        && other->frames.metadata.routing_id == connection->frames.metadata.routing_id
        && socket_cookie(i) == other->cookie)
      return true;
  }
  return false;
}

static ssize_t count_receipt(
    galley_connection *connection, galley_reception *reception, int descriptor, const uint8_t *bytes, size_t count) {
  galley_frames *frames = &connection->frames;
  uint64_t before = frames->unfinished + frames->finished;
  bool is_handshake = frames->handshake == 0;
  galley_fault fault = galley_frames_read(frames, bytes, count, reception->max_parts);
  if (is_handshake) atomic_store(&connection->is_encrypted, frames->is_encrypted);
  uint64_t added = frames->unfinished + frames->finished - before;
  atomic_fetch_add(&connection->received, added);
  atomic_fetch_add(&reception->held, (int64_t)added);
  atomic_fetch_add(&reception->receipts, 1);
  // Encrypted connections that choose a routing ID are closed by the authenticator.
  if (is_handshake && frames->handshake > 0 && frames->metadata.routing_id != 0) {
    pthread_mutex_lock(&galley_reception_lock);
    if (has_routing_id_of_another(connection, reception)) fault = galley_fault_routing_id;
    pthread_mutex_unlock(&galley_reception_lock);
  }
  if (fault == galley_fault_none) return (ssize_t)count;
  pthread_mutex_lock(&galley_reception_lock);
  // libzmq, too, closes connections with other protocols silently.
  if (fault != galley_fault_greeting) galley_reception_add_fault(reception, descriptor, fault, frames->unfinished);
  pthread_mutex_unlock(&galley_reception_lock);
  return reset(connection);
}

/// Refuses an observed connection whose descriptor has no counters.
static ssize_t receive_uncounted(int descriptor, void *buffer, size_t size, int flags) {
  pthread_mutex_lock(&galley_reception_lock);
  galley_reception *reception = galley_addresses_find(descriptor);
  if (reception != NULL) galley_reception_add_fault(reception, descriptor, galley_fault_descriptor, 0);
  pthread_mutex_unlock(&galley_reception_lock);
  if (reception == NULL) return recvfrom(descriptor, buffer, size, flags, NULL, NULL);
  errno = ECONNRESET;
  return -1;
}

ssize_t galley_reception_recv(int descriptor, void *buffer, size_t size, int flags) {
  uint64_t cookie = atomic_load(&galley_reception_count) > 0 && flags == 0 ? socket_cookie(descriptor) : 0;
  if (cookie == 0) return recvfrom(descriptor, buffer, size, flags, NULL, NULL);
  if (descriptor >= descriptor_limit) return receive_uncounted(descriptor, buffer, size, flags);
  galley_connection *connection = &connections[descriptor];
  if (connection->cookie != cookie) begin_connection(connection, descriptor, cookie);
  galley_reception *reception = connection->reception;
  if (reception == NULL) return recvfrom(descriptor, buffer, size, flags, NULL, NULL);
  if (connection->is_at_fault) return reset(connection);
  if (atomic_load(&reception->held) >= (int64_t)reception->max_bytes) {
    galley_reception_pause();
    errno = EAGAIN;
    return -1;
  }
  ssize_t count = recvfrom(descriptor, buffer, size, flags, NULL, NULL);
  return count <= 0 ? count : count_receipt(connection, reception, descriptor, buffer, (size_t)count);
}

// MARK: The thread of the socket

void galley_reception_release(galley_reception *reception, int descriptor, uint64_t bytes, uint32_t parts) {
  if (descriptor < 0 || descriptor >= descriptor_limit) return;
  galley_connection *connection = &connections[descriptor];
  if (connection->reception != reception) return;
  uint64_t overhead = GALLEY_PART_OVERHEAD + (atomic_load(&connection->is_encrypted) ? GALLEY_CURVE_OVERHEAD : 0);
  forget(connection, reception, (int64_t)(bytes + parts * overhead));
}

/// Removes what can never be released. All messages were received. The lock is held.
static void settle_connection(
    galley_connection *connection, galley_reception *reception, int descriptor, uint64_t elapsed) {
  int64_t held = held_bytes(connection), kept = held;
  if (held == 0) return;
  if (held < 0 || socket_cookie(descriptor) != connection->cookie) {
    kept = 0;
    if (held > 0) memset(&connection->frames, 0, sizeof connection->frames);
  } else if (connection->has_remains) {
    // Messages of the earlier connection that were released since then are not told from those of this one.
    int64_t unfinished = (int64_t)connection->frames.unfinished;
    kept = (int64_t)(connection->received - connection->received_before)
      - (int64_t)(connection->released - connection->released_before);
    if (kept < unfinished) kept = unfinished;
    if (kept > held) kept = held;
  }
  if (connection->frames.is_encrypted) {
    int64_t heartbeats = (int64_t)(elapsed * heartbeat_bytes / 1000);
    kept = kept < heartbeats ? 0 : kept - heartbeats;
  }
  connection->has_remains = false;
  forget(connection, reception, held - kept);
}

/// Closes the connections with the most bytes until the others are below the limit. The lock is held.
static void close_largest(galley_reception *reception) {
  int64_t held = atomic_load(&reception->held);
  while (held >= (int64_t)reception->max_bytes) {
    int largest = -1;
    int64_t most = 0;
    for (int i = 0; i <= highest; i++) {
      galley_connection *connection = &connections[i];
      if (connection->reception != reception || connection->is_at_fault) continue;
      if (held_bytes(connection) > most) {
        most = held_bytes(connection);
        largest = i;
      }
    }
    if (largest < 0) return;
    connections[largest].is_at_fault = true;
    bool is_open = socket_cookie(largest) == connections[largest].cookie;
    galley_reception_add_fault(reception, is_open ? largest : -1, galley_fault_bytes, (uint64_t)most);
    // The descriptor stays libzmq's, which closes it when it receives the next time.
    if (is_open) shutdown(largest, SHUT_RDWR);
    held -= most;
  }
}

void galley_reception_settle(galley_reception *reception) {
  pthread_mutex_lock(&galley_reception_lock);
  uint64_t now = milliseconds_now(), elapsed = now - reception->settled_at;
  reception->settled_at = now;
  for (int i = 0; i <= highest; i++)
    if (connections[i].reception == reception) settle_connection(&connections[i], reception, i, elapsed);
  uint64_t receipts = atomic_load(&reception->receipts);
  if (atomic_load(&reception->held) < (int64_t)reception->max_bytes) {
    reception->receipts_at_limit = UINT64_MAX;
  } else if (reception->receipts_at_limit != receipts) {
    // What libzmq received last may just be on its way to the application.
    reception->receipts_at_limit = receipts;
  } else {
    close_largest(reception);
    reception->receipts_at_limit = UINT64_MAX;
  }
  pthread_mutex_unlock(&galley_reception_lock);
}

bool galley_reception_take_fault(galley_reception *reception, galley_reception_fault *fault) {
  pthread_mutex_lock(&galley_reception_lock);
  bool has_fault = reception->fault_count > 0;
  if (has_fault) {
    *fault = reception->faults[0];
    reception->fault_count--;
    memmove(reception->faults, reception->faults + 1, reception->fault_count * sizeof *fault);
  }
  pthread_mutex_unlock(&galley_reception_lock);
  return has_fault;
}

uint64_t galley_reception_bytes(const galley_reception *reception) {
  int64_t held = atomic_load(&reception->held);
  return held < 0 ? 0 : (uint64_t)held;
}
