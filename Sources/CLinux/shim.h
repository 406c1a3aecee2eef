#pragma once
// Of Linux and its C compilers, what Swift lacks.
#include <signal.h>
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

/// Has the kernel begin to write a part of a file to disk, without waiting for it; -1 and errno where it does not.
static inline int galley_begin_writing(int descriptor, long long start, long long count) {
  const unsigned int write = 2;
  return (int)syscall(SYS_sync_file_range, descriptor, start, count, write);
}

/// Has the processor fetch a line of memory that is needed soon.
static inline void galley_prefetch(const void *line) { __builtin_prefetch(line); }
