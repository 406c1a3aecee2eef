#include "galley_json.h"

#include <new>
#include <simdjson.h>

static_assert(galley_json_padding >= simdjson::SIMDJSON_PADDING, "simdjson reads further than promised");

struct galley_json {
  simdjson::dom::parser parser;
  size_t max_depth;
};

galley_json *galley_json_create(size_t max_depth) {
  auto *parser = new (std::nothrow) galley_json();
  if (parser) parser->max_depth = max_depth;
  return parser;
}

void galley_json_destroy(galley_json *parser) { delete parser; }

int galley_json_parse(galley_json *self, const uint8_t *bytes, size_t length, const uint64_t **tape,
                      const uint8_t **strings) {
  auto &parser = self->parser;
  if (parser.capacity() < length || parser.max_depth() != self->max_depth) {
    auto error = parser.allocate(length < 4096 ? 4096 : length + length / 2, self->max_depth);
    if (error) return error;
  }
  auto result = parser.parse(bytes, length, false);
  if (result.error()) return result.error();
  *tape = parser.doc.tape.get();
  *strings = parser.doc.string_buf.get();
  return 0;
}

const char *galley_json_error(int code) { return simdjson::error_message(simdjson::error_code(code)); }

bool galley_is_utf8(const uint8_t *bytes, size_t length) {
  return simdjson::validate_utf8(reinterpret_cast<const char *>(bytes), length);
}
