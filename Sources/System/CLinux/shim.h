#pragma once
// Functions of Linux and of C compilers that Swift cannot import.
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Requests that the kernel kills this process when the thread that started it ends. Returns 0, or -1 and sets errno.
static inline int galley_die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL); }

int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);

/// Makes a process that is started close all descriptors from `first` on. Returns 0 or an error number.
static inline int galley_close_from(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

/// Creates a file in memory that is deleted when its descriptor is closed. Returns the descriptor, or -1 and sets
/// errno.
static inline int galley_memory_file(const char *name) {
  const unsigned int closeOnExec = 1;
  return (int)syscall(SYS_memfd_create, name, closeOnExec);
}

/// Creates memory of `size` bytes that other processes can map and none can resize. Returns a file descriptor, or -1
/// and sets errno.
static inline int galley_shared_memory(const char *name, long size) {
  const unsigned int closeOnExec = 1, allowSealing = 2;
  const int addSeals = 1033, shrink = 2, grow = 4;
  int descriptor = (int)syscall(SYS_memfd_create, name, closeOnExec | allowSealing);
  if (descriptor < 0) return -1;
  if (ftruncate(descriptor, size) == 0 && fcntl(descriptor, addSeals, shrink | grow) == 0) return descriptor;
  close(descriptor);
  return -1;
}

/// Forbids new writable mappings of shared memory; existing ones stay writable. Returns 0, or -1 if the kernel is too
/// old.
static inline int galley_seal_writing(int descriptor) {
  const int addSeals = 1033, futureWrite = 16;
  return fcntl(descriptor, addSeals, futureWrite);
}

/// Returns whether a file is memory that cannot shrink, so that its mappings stay valid.
static inline int galley_cannot_shrink(int descriptor) {
  const int getSeals = 1034, shrink = 2;
  int seals = fcntl(descriptor, getSeals);
  return seals >= 0 && (seals & shrink) != 0;
}

/// Exchanges what is at two paths of a file system at one moment. Returns 0, or -1 and sets errno, such as where the file system
/// cannot do that.
static inline int galley_exchange(const char *path, const char *other) {
  const unsigned int exchange = 2;
  return (int)syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, other, exchange);
}

/// Returns a descriptor with which the attributes of a file can be read without opening it, or -1 and sets errno.
static inline int galley_look_at(const char *path) {
  const int pathOnly = 010000000;
  return open(path, pathOnly | O_CLOEXEC);
}

/// Reserves disk space for a range of a file without changing the size of the file. Returns 0, or -1 and sets errno.
static inline int galley_reserve(int descriptor, long long start, long long count) {
  const int keepSize = 1;
  return (int)syscall(SYS_fallocate, descriptor, keepSize, start, count);
}

/// Starts to write a range of a file to the disk without waiting for it. Returns 0, or -1 and sets errno.
static inline int galley_begin_writing(int descriptor, long long start, long long count) {
  const unsigned int write = 2;
  return (int)syscall(SYS_sync_file_range, descriptor, start, count, write);
}

/// Creates a pipe whose ends are closed in other programs, with room for about `bytes` if the system permits it. Returns 0,
/// or -1 and sets errno.
static inline int galley_pipe(int *ends, int bytes) {
  const int setSize = 1031;
  if (syscall(SYS_pipe2, ends, O_CLOEXEC) != 0) return -1;
  fcntl(ends[0], setSize, bytes);
  return 0;
}
