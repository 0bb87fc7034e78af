#include "daemon/base/cache_file.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace astrolabe {
namespace {

constexpr size_t kBlock = 1 << 20;
constexpr size_t kCheckAllBelow = 4 << 20;
constexpr size_t kSampledBlocks = 4;
constexpr char kMagic[8] = {'A', 'S', 'T', 'R', 'C', 'A', 'C', '1'};
constexpr std::string_view kSuffix = ".cache";
constexpr std::string_view kHex = "0123456789abcdef";

struct Header {
  char magic[8];
  uint64_t size;
  uint8_t key[32];
  uint64_t trailer_checksum;
  uint64_t header_checksum;  // of the fields above
};

uint64_t HeaderChecksum(const Header& header) {
  return CacheChecksum({reinterpret_cast<const uint8_t*>(&header), offsetof(Header, header_checksum)});
}

size_t BlockCount(size_t size) { return (size + kBlock - 1) / kBlock; }

std::span<const uint8_t> BlockOf(const uint8_t* data, size_t size, size_t index) {
  return {data + index * kBlock, std::min(kBlock, size - index * kBlock)};
}

Header HeaderOf(std::span<const uint8_t> file) {
  Header header;
  std::memcpy(&header, file.data(), sizeof header);
  return header;
}

}  // namespace

uint64_t CacheChecksum(std::span<const uint8_t> bytes) {
  constexpr uint64_t kPrime = 0x9E3779B185EBCA87;
  uint64_t lanes[4] = {kPrime, kPrime << 1 | 1, ~kPrime, kPrime >> 3};
  const uint8_t* at = bytes.data();
  size_t left = bytes.size();
  for (; left >= 32; left -= 32, at += 32) {
    uint64_t words[4];
    std::memcpy(words, at, 32);
    for (int i = 0; i < 4; ++i) lanes[i] = std::rotl(lanes[i] ^ words[i], 29) * kPrime;
  }
  uint64_t sum = bytes.size();
  for (uint64_t lane : lanes) sum = std::rotl(sum ^ lane, 27) * kPrime;
  for (; left > 0; --left, ++at) sum = std::rotl(sum ^ *at, 11) * kPrime;
  sum ^= sum >> 32;
  return sum * kPrime;
}

size_t CacheFileSize(size_t data_size) {
  return kCacheHeaderSize + data_size + BlockCount(data_size) * sizeof(uint64_t);
}

std::string CacheFileName(const CacheKey& key) {
  std::string name;
  for (const uint8_t byte : key) {
    name += kHex[byte >> 4];
    name += kHex[byte & 15];
  }
  return name.append(kSuffix);
}

std::optional<CacheKey> KeyOfCacheFile(std::string_view name) {
  CacheKey key;
  if (name.size() != 2 * key.size() + kSuffix.size() || !name.ends_with(kSuffix)) return std::nullopt;
  for (size_t i = 0; i < 2 * key.size(); ++i) {
    const size_t digit = kHex.find(name[i]);
    if (digit == std::string_view::npos) return std::nullopt;
    key[i / 2] = static_cast<uint8_t>(i % 2 == 0 ? digit << 4 : key[i / 2] | digit);
  }
  return key;
}

void SealCacheFile(std::span<uint8_t> file, size_t data_size, const CacheKey& key) {
  const size_t blocks = BlockCount(data_size);
  const uint8_t* data = file.data() + kCacheHeaderSize;
  uint8_t* trailer = file.data() + kCacheHeaderSize + data_size;
  for (size_t i = 0; i < blocks; ++i) {
    const uint64_t sum = CacheChecksum(BlockOf(data, data_size, i));
    std::memcpy(trailer + i * sizeof sum, &sum, sizeof sum);
  }
  Header header{};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.size = data_size;
  std::memcpy(header.key, key.data(), key.size());
  header.trailer_checksum = CacheChecksum({trailer, blocks * sizeof(uint64_t)});
  header.header_checksum = HeaderChecksum(header);
  std::memcpy(file.data(), &header, sizeof header);
}

std::string CacheDamage(std::span<const uint8_t> file, const CacheKey& key, CacheCheck check,
                        const std::function<bool()>& stop) {
  if (file.size() < kCacheHeaderSize) return "too short";
  const Header header = HeaderOf(file);
  if (std::memcmp(header.magic, kMagic, sizeof kMagic) != 0 || header.header_checksum != HeaderChecksum(header)) {
    return "the header is damaged";
  }
  if (std::memcmp(header.key, key.data(), key.size()) != 0) return "it belongs to another key";
  if (header.size == 0 || header.size > kMaxCacheData || CacheFileSize(header.size) != file.size()) {
    return "its size is wrong";
  }
  const uint8_t* data = file.data() + kCacheHeaderSize;
  const size_t blocks = BlockCount(header.size);
  const std::span<const uint8_t> trailer{data + header.size, blocks * sizeof(uint64_t)};
  if (CacheChecksum(trailer) != header.trailer_checksum) return "the checksums are damaged";
  const bool all = check == CacheCheck::kFull || header.size <= kCheckAllBelow;
  const size_t checked = all ? blocks : std::min(blocks, kSampledBlocks);
  for (size_t i = 0; i < checked; ++i) {
    if (stop && stop()) return "";
    const size_t index = checked == blocks ? i : i * (blocks - 1) / (checked - 1);
    uint64_t expected;
    std::memcpy(&expected, trailer.data() + index * sizeof expected, sizeof expected);
    if (CacheChecksum(BlockOf(data, header.size, index)) != expected) return "the data is damaged";
  }
  return "";
}

std::span<const uint8_t> CacheData(std::span<const uint8_t> file) {
  return file.subspan(kCacheHeaderSize, HeaderOf(file).size);
}

}  // namespace astrolabe
