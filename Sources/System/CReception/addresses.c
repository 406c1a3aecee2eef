#define _GNU_SOURCE
#include "addresses.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

enum { address_limit = 512 };

typedef struct {
  galley_reception *reception;
  uint16_t port;
  size_t length;
  char path[sizeof((struct sockaddr_un *)0)->sun_path];
} galley_address;

static galley_address addresses[address_limit];
static size_t address_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool observe(const galley_address *address) {
  pthread_mutex_lock(&lock);
  bool has_room = address_count < address_limit;
  if (has_room) addresses[address_count++] = *address;
  pthread_mutex_unlock(&lock);
  return has_room;
}

bool galley_reception_observe_port(galley_reception *reception, uint16_t port) {
  galley_address address = {.reception = reception, .port = port};
  return observe(&address);
}

bool galley_reception_observe_path(galley_reception *reception, const void *path, size_t length) {
  galley_address address = {.reception = reception, .length = length};
  if (length == 0 || length > sizeof address.path) return false;
  memcpy(address.path, path, length);
  return observe(&address);
}

void galley_addresses_remove(const galley_reception *reception) {
  pthread_mutex_lock(&lock);
  size_t kept = 0;
  for (size_t i = 0; i < address_count; i++)
    if (addresses[i].reception != reception) addresses[kept++] = addresses[i];
  address_count = kept;
  pthread_mutex_unlock(&lock);
}

/// Returns the port of an address, or 0.
static uint16_t port_of(const struct sockaddr_storage *storage) {
  if (storage->ss_family == AF_INET) return ntohs(((const struct sockaddr_in *)storage)->sin_port);
  if (storage->ss_family == AF_INET6) return ntohs(((const struct sockaddr_in6 *)storage)->sin6_port);
  return 0;
}

/// Returns the length of the path of an address, or 0.
static size_t path_length(const struct sockaddr_storage *storage, socklen_t size) {
  size_t start = offsetof(struct sockaddr_un, sun_path);
  if (storage->ss_family != AF_UNIX || size <= start) return 0;
  const char *path = ((const struct sockaddr_un *)storage)->sun_path;
  // The kernel's size of a path includes its end. An abstract name has none.
  return path[0] == 0 ? size - start : strnlen(path, size - start);
}

void galley_addresses_write_peer(int descriptor, char *text, size_t size) {
  struct sockaddr_storage storage;
  socklen_t length = sizeof storage;
  text[0] = 0;
  if (getpeername(descriptor, (struct sockaddr *)&storage, &length) != 0) return;
  const struct in6_addr *ipv6 = &((const struct sockaddr_in6 *)&storage)->sin6_addr;
  // A socket for both protocols has IPv4 addresses in this form.
  bool is_mapped = storage.ss_family == AF_INET6 && IN6_IS_ADDR_V4MAPPED(ipv6);
  char host[INET6_ADDRSTRLEN];
  if (storage.ss_family == AF_INET || is_mapped) {
    const void *ipv4 = &((const struct sockaddr_in *)&storage)->sin_addr;
    inet_ntop(AF_INET, is_mapped ? &ipv6->s6_addr[12] : ipv4, host, sizeof host);
    snprintf(text, size, "%s:%d", host, port_of(&storage));
  } else if (storage.ss_family == AF_INET6) {
    inet_ntop(AF_INET6, ipv6, host, sizeof host);
    snprintf(text, size, "[%s]:%d", host, port_of(&storage));
  } else {
    struct ucred process;
    length = sizeof process;
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &process, &length) != 0) return;
    snprintf(text, size, "process %d", (int)process.pid);
  }
}

galley_reception *galley_addresses_find(int descriptor) {
  struct sockaddr_storage storage;
  socklen_t size = sizeof storage;
  memset(&storage, 0, sizeof storage);
  if (getsockname(descriptor, (struct sockaddr *)&storage, &size) != 0) return NULL;
  galley_address local = {.port = port_of(&storage), .length = path_length(&storage, size)};
  if (local.port == 0 && local.length == 0) return NULL;
  memcpy(local.path, ((const struct sockaddr_un *)&storage)->sun_path, local.length);
  galley_reception *found = NULL;
  pthread_mutex_lock(&lock);
  // The latest first: a path can be used again.
  for (size_t i = address_count; i-- > 0 && found == NULL;) {
    const galley_address *address = &addresses[i];
    if (address->port == local.port && address->length == local.length
        && memcmp(address->path, local.path, local.length) == 0)
      found = address->reception;
  }
  pthread_mutex_unlock(&lock);
  return found;
}
