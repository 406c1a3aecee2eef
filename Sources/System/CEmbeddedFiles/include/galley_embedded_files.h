#pragma once

/// A text file of the sources that is a part of the program.
typedef struct {
  /// The path from Sources.
  const char *_Nonnull path;
  const char *_Nonnull text;
} galley_embedded_file;

/// Returns the file with an index from 0, or NULL if there are no more files.
const galley_embedded_file *_Nullable galley_embedded_file_at(int index);
