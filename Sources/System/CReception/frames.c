#include "galley_frames.h"

enum { greeting_size = 64, signature_end = 9, version = 10, mechanism = 12 };
enum { flag_more = 1, flag_long = 2, flag_command = 4 };

static galley_fault read_greeting(galley_frames *frames, uint8_t byte) {
  uint64_t index = frames->left++;
  if (index == 0 && byte != 0xff) return galley_fault_greeting;
  if (index == signature_end && (byte & 1) == 0) return galley_fault_greeting;
  if (index == version && byte < 3) return galley_fault_greeting;
  // NULL or CURVE: libzmq closes a connection with another mechanism than that of its own socket.
  if (index == mechanism) frames->is_encrypted = byte == 'C';
  if (frames->left == greeting_size) frames->stage = galley_stage_flags;
  return galley_fault_none;
}

/// READY, or HELLO and INITIATE of CURVE, whether or not they are marked as commands.
static bool is_handshake(const galley_frames *frames) { return frames->handshake < (frames->is_encrypted ? 2 : 1); }

/// Commands are never queued, so that they do not count. Those of encrypted connections look like parts.
static bool is_command(const galley_frames *frames) {
  return is_handshake(frames) || (!frames->is_encrypted && (frames->flags & flag_command) != 0);
}

static void end_frame(galley_frames *frames) {
  frames->stage = galley_stage_flags;
  if (is_handshake(frames)) {
    frames->handshake++;
  } else if (frames->is_encrypted || (!is_command(frames) && (frames->flags & flag_more) == 0)) {
    frames->finished += frames->unfinished;
    frames->unfinished = 0;
    frames->parts = 0;
  }
}

static galley_fault begin_frame(galley_frames *frames, uint32_t max_parts) {
  frames->stage = galley_stage_body;
  frames->left = frames->length;
  if (is_command(frames)) {
    if (frames->length > GALLEY_COMMAND_LIMIT) return galley_fault_command;
  } else {
    frames->unfinished += GALLEY_PART_OVERHEAD;
    if (++frames->parts > max_parts) return galley_fault_parts;
  }
  if (frames->length == 0) end_frame(frames);
  return galley_fault_none;
}

/// Reads a byte of the metadata of READY, behind the name of the command.
static void read_metadata(galley_metadata *metadata, uint8_t byte) {
  static const char identity[8] = "identity";
  const uint64_t basis = 14695981039346656037u, prime = 1099511628211u;
  switch (metadata->stage) {
  case galley_property_prefix:
    if (++metadata->left == 6) metadata->stage = galley_property_name_size;
    break;
  case galley_property_name_size:
    metadata->left = byte;
    metadata->is_identity = byte == sizeof identity;
    if (byte > 0) metadata->stage = galley_property_name;
    break;
  case galley_property_name:
    // Names are compared without regard to case.
    if (metadata->is_identity && (byte | 0x20) != identity[sizeof identity - metadata->left])
      metadata->is_identity = false;
    if (--metadata->left > 0) break;
    metadata->left = 4;
    metadata->value_size = 0;
    metadata->stage = galley_property_value_size;
    break;
  case galley_property_value_size:
    metadata->value_size = metadata->value_size << 8 | byte;
    if (--metadata->left > 0) break;
    metadata->left = metadata->value_size;
    metadata->stage = metadata->left > 0 ? galley_property_value : galley_property_name_size;
    if (metadata->is_identity && metadata->left > 0) metadata->routing_id = basis;
    break;
  case galley_property_value:
    if (metadata->is_identity) metadata->routing_id = (metadata->routing_id ^ byte) * prime;
    if (--metadata->left == 0) metadata->stage = galley_property_name_size;
    break;
  }
}

static galley_fault read_body(galley_frames *frames, const uint8_t *bytes, size_t count) {
  const uint8_t subscribe = 9, cancel = 6;
  if (is_command(frames)) {
    // The length of its name identifies these two. libzmq queues them also where nothing can be subscribed.
    bool is_first = frames->left == frames->length;
    if (is_first && (*bytes == subscribe || *bytes == cancel)) return galley_fault_command;
    if (is_handshake(frames) && !frames->is_encrypted)
      for (size_t i = 0; i < count; i++) read_metadata(&frames->metadata, bytes[i]);
  } else {
    frames->unfinished += count;
  }
  frames->left -= count;
  if (frames->left == 0) end_frame(frames);
  return galley_fault_none;
}

galley_fault galley_frames_read(galley_frames *frames, const uint8_t *bytes, size_t count, uint32_t max_parts) {
  galley_fault fault = galley_fault_none;
  const uint8_t *end = bytes + count;
  while (bytes < end && fault == galley_fault_none) {
    switch (frames->stage) {
    case galley_stage_greeting: fault = read_greeting(frames, *bytes++); break;
    case galley_stage_flags:
      frames->flags = *bytes++;
      frames->length = 0;
      frames->left = frames->flags & flag_long ? 8 : 1;
      frames->stage = galley_stage_length;
      break;
    case galley_stage_length:
      frames->length = frames->length << 8 | *bytes++;
      if (--frames->left == 0) fault = begin_frame(frames, max_parts);
      break;
    case galley_stage_body: {
      size_t available = (size_t)(end - bytes);
      size_t step = frames->left < available ? (size_t)frames->left : available;
      fault = read_body(frames, bytes, step);
      bytes += step;
      break;
    }
    }
  }
  return fault;
}
