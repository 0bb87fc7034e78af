#include "daemon/base/cache_file.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "daemon/base/utf8.h"

namespace astrolabe {
namespace {

constexpr size_t kBlock = 1 << 20;
constexpr size_t kCheckAllBelow = 4 << 20;
constexpr size_t kSampledBlocks = 4;
constexpr std::string_view kMagic = "ASTRCAC";
constexpr char kFormat = '2';
constexpr std::string_view kSuffix = ".cache";
constexpr std::string_view kHex = "0123456789abcdef";

struct Header {
  char magic[7];
  char format;
  uint64_t size;
  uint8_t key[32];
  int64_t made_ns;  // since 1970
  char heuristic[kMaxCacheHeuristic];
  char description[kMaxCacheDescription];
  uint64_t trailer_checksum;
  uint64_t header_checksum;  // of the fields above
};
static_assert(sizeof(Header) == 8 + 8 + 32 + 8 + kMaxCacheHeuristic + kMaxCacheDescription + 16, "no padding");
static_assert(sizeof(Header) <= kCacheHeaderSize);

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

// A field of text ends with its first NUL, or with the field.
template <size_t kSize>
void SetText(std::string_view text, char (&field)[kSize]) {
  const std::string_view kept = Utf8Prefix(text, kSize);
  std::memcpy(field, kept.data(), kept.size());
}
template <size_t kSize>
std::string TextOf(const char (&field)[kSize]) {
  return std::string(field, ::strnlen(field, kSize));
}

CacheLabel LabelOf(const Header& header) {
  return {TextOf(header.heuristic), TextOf(header.description), CacheTime(std::chrono::nanoseconds(header.made_ns))};
}

CacheBytes InMemory(std::span<const uint8_t> file) {
  return [file](uint64_t offset, size_t size) {
    return offset <= file.size() && size <= file.size() - offset ? file.subspan(offset, size)
                                                                 : std::span<const uint8_t>();
  };
}

// Why a header does not fit the file, or empty.
std::string HeaderDamage(const Header& header, uint64_t file_size, const CacheKey& key) {
  if (std::string_view(header.magic, sizeof header.magic) != kMagic) return "the header is damaged";
  if (header.format != kFormat) {
    return std::string("it has format ") + (header.format >= '0' && header.format <= '9' ? header.format : '?') +
           ", this version reads format " + kFormat;
  }
  if (header.header_checksum != HeaderChecksum(header)) return "the header is damaged";
  if (std::memcmp(header.key, key.data(), key.size()) != 0) return "it belongs to another key";
  if (header.size == 0 || header.size > kMaxCacheData || CacheFileSize(header.size) != file_size) {
    return "its size is wrong";
  }
  return "";
}

// *header is set when nothing is wrong.
std::string ReadHeader(const CacheBytes& bytes, uint64_t file_size, const CacheKey& key, Header* header) {
  if (file_size < kCacheHeaderSize) return "it is too short";
  const std::span<const uint8_t> read = bytes(0, sizeof(Header));
  if (read.size() != sizeof(Header)) return "it cannot be read";
  *header = HeaderOf(read);
  return HeaderDamage(*header, file_size, key);
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

std::string CacheKeyText(const CacheKey& key) {
  std::string text;
  for (const uint8_t byte : key) {
    text += kHex[byte >> 4];
    text += kHex[byte & 15];
  }
  return text;
}

std::optional<CacheKey> ParseCacheKey(std::string_view text) {
  CacheKey key;
  if (text.size() != 2 * key.size()) return std::nullopt;
  for (size_t i = 0; i < 2 * key.size(); ++i) {
    const size_t digit = kHex.find(text[i]);
    if (digit == std::string_view::npos) return std::nullopt;
    key[i / 2] = static_cast<uint8_t>(i % 2 == 0 ? digit << 4 : key[i / 2] | digit);
  }
  return key;
}

std::string CacheFileName(const CacheKey& key) { return CacheKeyText(key).append(kSuffix); }

std::optional<CacheKey> KeyOfCacheFile(std::string_view name) {
  if (!name.ends_with(kSuffix)) return std::nullopt;
  return ParseCacheKey(name.substr(0, name.size() - kSuffix.size()));
}

void SealCacheFile(std::span<uint8_t> file, size_t data_size, const CacheKey& key, const CacheLabel& label) {
  const size_t blocks = BlockCount(data_size);
  const uint8_t* data = file.data() + kCacheHeaderSize;
  uint8_t* trailer = file.data() + kCacheHeaderSize + data_size;
  for (size_t i = 0; i < blocks; ++i) {
    const uint64_t sum = CacheChecksum(BlockOf(data, data_size, i));
    std::memcpy(trailer + i * sizeof sum, &sum, sizeof sum);
  }
  Header header{};
  std::memcpy(header.magic, kMagic.data(), sizeof header.magic);
  header.format = kFormat;
  header.size = data_size;
  std::memcpy(header.key, key.data(), key.size());
  header.made_ns = label.made.time_since_epoch().count();
  SetText(label.heuristic, header.heuristic);
  SetText(label.description, header.description);
  header.trailer_checksum = CacheChecksum({trailer, blocks * sizeof(uint64_t)});
  header.header_checksum = HeaderChecksum(header);
  std::memcpy(file.data(), &header, sizeof header);
}

CacheHeader ReadCacheHeader(const CacheBytes& bytes, uint64_t file_size, const CacheKey& key) {
  Header header;
  CacheHeader out;
  out.damage = ReadHeader(bytes, file_size, key, &header);
  if (!out.damage.empty()) return out;
  out.data_size = header.size;
  out.label = LabelOf(header);
  return out;
}

std::string CacheDamage(const CacheBytes& bytes, uint64_t file_size, const CacheKey& key, CacheCheck check,
                        const std::function<bool()>& stop) {
  Header header;
  if (std::string damage = ReadHeader(bytes, file_size, key, &header); !damage.empty()) return damage;
  const size_t blocks = BlockCount(header.size);
  std::vector<uint64_t> sums(blocks);
  const size_t trailer_size = blocks * sizeof(uint64_t);
  const std::span<const uint8_t> trailer = bytes(kCacheHeaderSize + header.size, trailer_size);
  if (trailer.size() != trailer_size) return "it cannot be read";
  if (CacheChecksum(trailer) != header.trailer_checksum) return "the checksums are damaged";
  std::memcpy(sums.data(), trailer.data(), trailer_size);
  const bool all = check == CacheCheck::kFull || header.size <= kCheckAllBelow;
  const size_t checked = all ? blocks : std::min(blocks, kSampledBlocks);
  for (size_t i = 0; i < checked; ++i) {
    if (stop && stop()) return "";
    const size_t index = checked == blocks ? i : i * (blocks - 1) / (checked - 1);
    const size_t size = std::min(kBlock, header.size - index * kBlock);
    const std::span<const uint8_t> block = bytes(kCacheHeaderSize + index * kBlock, size);
    if (block.size() != size) return "it cannot be read";
    if (CacheChecksum(block) != sums[index]) return "the data is damaged";
  }
  return "";
}

std::string CacheDamage(std::span<const uint8_t> file, const CacheKey& key, CacheCheck check,
                        const std::function<bool()>& stop) {
  return CacheDamage(InMemory(file), file.size(), key, check, stop);
}

std::span<const uint8_t> CacheData(std::span<const uint8_t> file) {
  return file.subspan(kCacheHeaderSize, HeaderOf(file).size);
}

CacheLabel CacheLabelOf(std::span<const uint8_t> file) { return LabelOf(HeaderOf(file)); }

}  // namespace astrolabe
