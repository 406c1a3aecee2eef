#define _GNU_SOURCE
#include "addresses.h"
#include "connections.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// The acceptance of connections. libzmq ends the process where it has no descriptor for a connection.

int galley_reception_spare(void) { return open("/dev/null", O_RDONLY | O_CLOEXEC); }

void galley_reception_pause(void) {
  const struct timespec pause = {.tv_nsec = 100000};
  nanosleep(&pause, NULL);
}

static int accept_connection(int listener, struct sockaddr *address, socklen_t *size, int flags) {
  return (int)syscall(SYS_accept4, listener, address, size, flags);
}

/// Accepts a connection with the spare descriptor, and closes it. Returns whether the listener is observed.
static bool refuse_connection(int listener) {
  pthread_mutex_lock(&galley_reception_lock);
  galley_reception *reception = galley_addresses_find(listener);
  if (reception != NULL) {
    if (reception->spare >= 0) close(reception->spare);
    int refused = accept_connection(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (refused >= 0) {
      galley_reception_add_fault(reception, refused, galley_fault_descriptor, 0);
      close(refused);
    } else {
      // Another thread was faster.
      galley_reception_pause();
    }
    reception->spare = galley_reception_spare();
  }
  pthread_mutex_unlock(&galley_reception_lock);
  return reception != NULL;
}

int galley_reception_accept(int listener, struct sockaddr *address, socklen_t *size, int flags) {
  int accepted = accept_connection(listener, address, size, flags);
  if (accepted >= 0 || (errno != EMFILE && errno != ENFILE) || atomic_load(&galley_reception_count) == 0) return accepted;
  int code = errno;
  errno = refuse_connection(listener) ? ECONNABORTED : code;
  return -1;
}
