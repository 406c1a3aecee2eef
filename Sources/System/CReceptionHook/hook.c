#include "galley_reception.h"
#include "galley_reception_hook.h"

ssize_t recv(int descriptor, void *buffer, size_t size, int flags) {
  return galley_reception_recv(descriptor, buffer, size, flags);
}

int accept4(int listener, struct sockaddr *address, socklen_t *size, int flags) {
  return galley_reception_accept(listener, address, size, flags);
}

int accept(int listener, struct sockaddr *address, socklen_t *size) {
  return galley_reception_accept(listener, address, size, 0);
}
