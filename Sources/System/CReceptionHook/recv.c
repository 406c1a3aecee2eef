#include "galley_reception.h"
#include "galley_reception_hook.h"

ssize_t recv(int descriptor, void *buffer, size_t size, int flags) {
  return galley_reception_recv(descriptor, buffer, size, flags);
}
