#pragma once
// Of Linux, what Swift's Glibc module lacks.
#include <signal.h>
#include <sys/prctl.h>

/// Has the kernel kill this process when the thread that started it ends.
static inline int galley_die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL); }
