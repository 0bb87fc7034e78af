// The format of a file in the plugin cache, and its checks.
//
// A file is: a 4096-byte header (magic with the format's version, size of the data, key, label, checksum of the
// trailer, checksum of the header), the data, a trailer with one checksum for each MiB of data.
#ifndef ASTROLABE_DAEMON_BASE_CACHE_FILE_H_
#define ASTROLABE_DAEMON_BASE_CACHE_FILE_H_

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace astrolabe {

using CacheKey = std::array<uint8_t, 32>;
using CacheTime = std::chrono::sys_time<std::chrono::nanoseconds>;

inline constexpr size_t kCacheHeaderSize = 4096;
inline constexpr uint64_t kMaxCacheData = uint64_t{1} << 40;
// Longer texts of a label are cut.
inline constexpr size_t kMaxCacheHeuristic = 128;
inline constexpr size_t kMaxCacheDescription = 1024;

// What a file says of itself, for people. Nothing depends on the texts.
struct CacheLabel {
  std::string heuristic;    // id of the one that made it; empty: a problem did
  std::string description;  // what it is for
  CacheTime made{};         // the stamp: the file's own time is the same as long as nobody has written to it
};

// 64-bit checksum against accidental damage; not cryptographic.
uint64_t CacheChecksum(std::span<const uint8_t> bytes);

// Of the whole file. data_size is 1 to kMaxCacheData.
size_t CacheFileSize(size_t data_size);

// "0123...ef", and back. Lower case alone.
std::string CacheKeyText(const CacheKey& key);
std::optional<CacheKey> ParseCacheKey(std::string_view text);

// The same with ".cache" behind it.
std::string CacheFileName(const CacheKey& key);
std::optional<CacheKey> KeyOfCacheFile(std::string_view name);

// Writes header and trailer around the data of a whole file, CacheFileSize(data_size) bytes.
void SealCacheFile(std::span<uint8_t> file, size_t data_size, const CacheKey& key, const CacheLabel& label);

// `size` bytes of a file from `offset` on, valid until the next call; fewer: they cannot be read.
using CacheBytes = std::function<std::span<const uint8_t>(uint64_t offset, size_t size)>;

struct CacheHeader {
  std::string damage;  // what is wrong with it, or with the size of the file; empty: nothing
  uint64_t data_size = 0;
  CacheLabel label;
};
// Reads the header of a file of `file_size` bytes, and nothing else. With damage the rest is empty.
CacheHeader ReadCacheHeader(const CacheBytes& bytes, uint64_t file_size, const CacheKey& key);

enum class CacheCheck {
  kOpening,  // header and trailer; of the data all up to 4 MiB, above 4 blocks spread evenly: what opening can afford
  kFull
};
// What is wrong with a file; empty when all is well. `stop`, if there is one, is asked before each block; once it says
// true the check ends as if all was well.
std::string CacheDamage(const CacheBytes& bytes, uint64_t file_size, const CacheKey& key, CacheCheck check,
                        const std::function<bool()>& stop = {});
// The same of a file in memory.
std::string CacheDamage(std::span<const uint8_t> file, const CacheKey& key, CacheCheck check,
                        const std::function<bool()>& stop = {});

// Data and label of a file in memory that has no damage.
std::span<const uint8_t> CacheData(std::span<const uint8_t> file);
CacheLabel CacheLabelOf(std::span<const uint8_t> file);

}  // namespace astrolabe

#endif  // ASTROLABE_DAEMON_BASE_CACHE_FILE_H_
