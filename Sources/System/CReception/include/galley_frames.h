#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The frames of ZMTP 3 (rfc.zeromq.org/spec/23) that one connection sends, and the memory that libzmq takes for them.

/// Bytes that libzmq takes for a part at most, apart from its payload: an entry of 64 bytes in a queue, and, for more
/// than 33 bytes, a header of 40 bytes and what the allocator adds.
#define GALLEY_PART_OVERHEAD 128
/// Bytes that CURVE adds to the payload of each part: a name, a nonce, an authenticator and flags.
#define GALLEY_CURVE_OVERHEAD 33
/// Bytes of a command. Its metadata stay in memory as long as the connection.
#define GALLEY_COMMAND_LIMIT 4096

/// Why a connection is closed.
typedef enum {
  galley_fault_none,
  /// It does not begin with the greeting of ZMTP 3. Older versions have other frames.
  galley_fault_greeting,
  /// A message has too many parts.
  galley_fault_parts,
  /// A command is too long, or libzmq would queue it as a message.
  galley_fault_command,
  /// It has the most undelivered bytes, and all connections together have too many.
  galley_fault_bytes,
  /// Another connection has the routing ID that it chose: libzmq would queue its messages for nobody.
  galley_fault_routing_id,
  /// There is no descriptor for it, or one with a number for which there is no counter.
  galley_fault_descriptor,
} galley_fault;

typedef enum { galley_stage_greeting, galley_stage_flags, galley_stage_length, galley_stage_body } galley_stage;

typedef enum {
  galley_property_prefix,
  galley_property_name_size,
  galley_property_name,
  galley_property_value_size,
  galley_property_value,
} galley_property_stage;

/// The position in the metadata of READY, and the routing ID that they state.
typedef struct {
  galley_property_stage stage;
  /// Bytes that are left of the stage; in the prefix, those that were read.
  uint32_t left;
  uint32_t value_size;
  bool is_identity;
  /// The FNV-1a hash of the routing ID; 0 as long as there is none.
  uint64_t routing_id;
} galley_metadata;

/// The position in the bytes of a connection. It begins with zeros.
typedef struct {
  galley_stage stage;
  /// Bytes that are left of the length or of the body; in the greeting, those that were read.
  uint64_t left;
  uint64_t length;
  uint8_t flags;
  /// Whether the frames are encrypted. Their flags are then unknown: each counts as a message of its own.
  bool is_encrypted;
  /// Frames of the handshake that were read.
  uint8_t handshake;
  galley_metadata metadata;
  /// Parts of the message that has not ended.
  uint32_t parts;
  /// Bytes of memory of the message that has not ended, and of all messages before it.
  uint64_t unfinished;
  uint64_t finished;
} galley_frames;

/// Reads the next bytes of a connection. Returns why it is to be closed, if it is.
galley_fault galley_frames_read(
    galley_frames *_Nonnull frames, const uint8_t *_Nonnull bytes, size_t count, uint32_t max_parts);
