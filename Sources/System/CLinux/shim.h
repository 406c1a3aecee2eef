#pragma once
// Of Linux and its C compilers, what Swift lacks.
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Has the kernel kill this process when the thread that started it ends.
static inline int galley_die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL); }

/// A file that is nowhere but in memory, gone when its descriptor is closed; -1 and errno if there is none to be had.
static inline int galley_memory_file(const char *name) {
  const unsigned int closeOnExec = 1;
  return (int)syscall(SYS_memfd_create, name, closeOnExec);
}

/// Memory of so many bytes that other processes can map and none can make smaller: a file descriptor, or -1 and errno.
static inline int galley_shared_memory(const char *name, long size) {
  const unsigned int closeOnExec = 1, allowSealing = 2;
  const int addSeals = 1033, shrink = 2, grow = 4;
  int descriptor = (int)syscall(SYS_memfd_create, name, closeOnExec | allowSealing);
  if (descriptor < 0) return -1;
  if (ftruncate(descriptor, size) == 0 && fcntl(descriptor, addSeals, shrink | grow) == 0) return descriptor;
  close(descriptor);
  return -1;
}

/// From now on nobody but who has mapped such memory already can write to it; fails where the kernel is too old for that.
static inline int galley_seal_writing(int descriptor) {
  const int addSeals = 1033, futureWrite = 16;
  return fcntl(descriptor, addSeals, futureWrite);
}

/// Whether a file is memory that cannot be made smaller, so that what is mapped of it stays there.
static inline int galley_cannot_shrink(int descriptor) {
  const int getSeals = 1034, shrink = 2;
  int seals = fcntl(descriptor, getSeals);
  return seals >= 0 && (seals & shrink) != 0;
}

/// A descriptor by which a file can be looked at but is not opened; -1 and errno where there is none.
static inline int galley_look_at(const char *path) {
  const int pathOnly = 010000000;
  return open(path, pathOnly | O_CLOEXEC);
}

/// A word that another process may write at the same time.
static inline uint32_t galley_load(const uint32_t *word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }
static inline void galley_store(uint32_t *word, uint32_t value) { __atomic_store_n(word, value, __ATOMIC_RELEASE); }
/// Sets it to 0 if it has this value.
static inline void galley_clear(uint32_t *word, uint32_t value) {
  __atomic_compare_exchange_n(word, &value, 0, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

/// Has the file system set space aside behind the end of a file, whose size stays; -1 and errno where it does not.
static inline int galley_reserve(int descriptor, long long start, long long count) {
  const int keepSize = 1;
  return (int)syscall(SYS_fallocate, descriptor, keepSize, start, count);
}

/// Has the kernel begin to write a part of a file to disk, without waiting for it; -1 and errno where it does not.
static inline int galley_begin_writing(int descriptor, long long start, long long count) {
  const unsigned int write = 2;
  return (int)syscall(SYS_sync_file_range, descriptor, start, count, write);
}

/// Has the processor fetch a line of memory that is needed soon.
static inline void galley_prefetch(const void *line) { __builtin_prefetch(line); }
