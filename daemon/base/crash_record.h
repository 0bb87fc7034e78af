// What a dying worker writes from its signal handler: fixed size, no allocation, no protobuf.
#ifndef ASTROLABE_DAEMON_BASE_CRASH_RECORD_H_
#define ASTROLABE_DAEMON_BASE_CRASH_RECORD_H_

#include <cstdint>
#include <type_traits>

namespace astrolabe {

// The exit code of a worker whose socket to the daemon was closed by a plugin: it can tell nothing any more.
inline constexpr int kLostSocketExit = 71;  // EX_OSERR

// Payload of a FrameType::kCrash frame. Texts are NUL-padded and may be cut; a reader must not trust
// them to be terminated or UTF-8.
struct CrashRecord {
  static constexpr uint32_t kMagic = 0x41435248;  // "HRCA"
  uint32_t magic = kMagic;
  int32_t signal = 0;  // 0: not a signal (an exception or a broken contract, see code)
  uint64_t fault_address = 0;
  char code[24] = {};  // "CRASHED", "THREW", "CONTRACT_VIOLATION", ...
  char plugin[96] = {};
  char stage[24] = {};
  char function[64] = {};
  char message[256] = {};
};
static_assert(std::is_trivially_copyable_v<CrashRecord>);

}  // namespace astrolabe

#endif  // ASTROLABE_DAEMON_BASE_CRASH_RECORD_H_
