// The format of a file in the plugin cache, and its checks.
//
// A file is: a 4096-byte header (magic, size of the data, key, checksum of the trailer, checksum of the header), the
// data, a trailer with one checksum for each MiB of data.
#ifndef ASTROLABE_DAEMON_BASE_CACHE_FILE_H_
#define ASTROLABE_DAEMON_BASE_CACHE_FILE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace astrolabe {

using CacheKey = std::array<uint8_t, 32>;

inline constexpr size_t kCacheHeaderSize = 4096;
inline constexpr uint64_t kMaxCacheData = uint64_t{1} << 40;

// 64-bit checksum against accidental damage; not cryptographic.
uint64_t CacheChecksum(std::span<const uint8_t> bytes);

// Of the whole file. data_size is 1 to kMaxCacheData.
size_t CacheFileSize(size_t data_size);

// "0123...ef.cache", and back.
std::string CacheFileName(const CacheKey& key);
std::optional<CacheKey> KeyOfCacheFile(std::string_view name);

// Writes header and trailer around the data of a whole file, CacheFileSize(data_size) bytes.
void SealCacheFile(std::span<uint8_t> file, size_t data_size, const CacheKey& key);

enum class CacheCheck {
  kOpening,  // header and trailer; of the data all up to 4 MiB, above 4 blocks spread evenly: what opening can afford
  kFull
};
// What is wrong with a whole file; empty when all is well. `stop`, if there is one, is asked before each block; once it
// says true the check ends as if all was well.
std::string CacheDamage(std::span<const uint8_t> file, const CacheKey& key, CacheCheck check,
                        const std::function<bool()>& stop = {});

// The data of a file that has no damage.
std::span<const uint8_t> CacheData(std::span<const uint8_t> file);

}  // namespace astrolabe

#endif  // ASTROLABE_DAEMON_BASE_CACHE_FILE_H_
