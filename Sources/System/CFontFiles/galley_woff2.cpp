#include "galley_woff2.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <string>
#include <woff2/decode.h>
#include <woff2/encode.h>

uint8_t *galley_woff2_decode(const uint8_t *bytes, size_t length, size_t limit, size_t *decoded_length) {
  // A hostile file can make the decoder allocate too much memory. Exceptions must not reach Swift.
  try {
    std::string decoded;
    woff2::WOFF2StringOut out(&decoded);
    out.SetMaxSize(limit);
    if (!woff2::ConvertWOFF2ToTTF(bytes, length, &out) || out.Size() == 0) return nullptr;
    auto *copy = static_cast<uint8_t *>(malloc(out.Size()));
    if (!copy) return nullptr;
    memcpy(copy, decoded.data(), out.Size());
    *decoded_length = out.Size();
    return copy;
  } catch (...) {
    return nullptr;
  }
}

// Debian's library prints the number of bytes to standard error, which the program needs for messages. One thread at a time can replace
// it, and others may write to it meanwhile, so that the file in its place stays open.
class Silence {
public:
  Silence() : alone(mutex()), errors(stderr) {
    static FILE *const nowhere = fopen("/dev/null", "we");
    if (nowhere) stderr = nowhere;
  }
  ~Silence() { stderr = errors; }

private:
  static std::mutex &mutex() {
    static std::mutex shared;
    return shared;
  }

  std::lock_guard<std::mutex> alone;
  FILE *errors;
};

uint8_t *galley_woff2_encode(const uint8_t *bytes, size_t length, size_t *encoded_length) {
  try {
    Silence silence;
    size_t count = woff2::MaxWOFF2CompressedSize(bytes, length);
    // The library does not write the padding at the end of the file.
    auto *encoded = static_cast<uint8_t *>(calloc(count, 1));
    if (!encoded) return nullptr;
    if (!woff2::ConvertTTFToWOFF2(bytes, length, encoded, &count)) {
      free(encoded);
      return nullptr;
    }
    *encoded_length = count;
    return encoded;
  } catch (...) {
    return nullptr;
  }
}

void galley_woff2_free(uint8_t *bytes) { free(bytes); }

size_t galley_woff2_length(const uint8_t *bytes, size_t length) { return woff2::ComputeWOFF2FinalSize(bytes, length); }
