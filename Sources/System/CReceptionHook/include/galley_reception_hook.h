#pragma once

// This target replaces `recv` and `accept` of the C library for the libraries of a program: a definition in the program comes
// first when they are linked. It has nothing to call. Only programs with a coordinator have it, because it affects the whole process.
