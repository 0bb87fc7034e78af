// A cursor over protobuf wire bytes. Bounds are checked; after the first fault ok() is false and every read gives 0.
#ifndef ASTROLABE_CLIENT_SRC_WIRE_READER_H_
#define ASTROLABE_CLIENT_SRC_WIRE_READER_H_

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace astrolabe::client {

enum WireType : uint32_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : at_(bytes.data()), end_(at_ + bytes.size()) {}

  bool ok() const { return ok_; }
  // More fields to read.
  bool more() const { return ok_ && at_ != end_; }

  // The next tag: field number << 3 | wire type.
  uint32_t Tag() {
    const uint64_t tag = Varint();
    if (tag > UINT32_MAX || tag >> 3 == 0) return Fail(), 0;
    return static_cast<uint32_t>(tag);
  }

  uint64_t Varint() {
    if (at_ != end_ && static_cast<unsigned char>(*at_) < 0x80) return static_cast<unsigned char>(*at_++);
    uint64_t value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      if (at_ == end_) return Fail(), 0;
      const auto byte = static_cast<unsigned char>(*at_++);
      value |= static_cast<uint64_t>(byte & 0x7F) << (shift < 64 ? shift : 63);
      if (byte < 0x80) return value;
    }
    return Fail(), 0;
  }

  uint64_t Fixed64() {
    static_assert(std::endian::native == std::endian::little);
    if (end_ - at_ < 8) return Fail(), 0;
    uint64_t value;
    std::memcpy(&value, at_, 8);
    at_ += 8;
    return value;
  }

  std::string_view Bytes() {
    const uint64_t size = Varint();
    if (!ok_ || size > static_cast<uint64_t>(end_ - at_)) return Fail(), std::string_view();
    std::string_view bytes(at_, size);
    at_ += size;
    return bytes;
  }

  // Passes over the value of a field that is not known here. Groups do not occur in proto3.
  void Skip(uint32_t tag) {
    switch (tag & 7) {
      case kVarint:
        Varint();
        break;
      case kFixed64:
        Advance(8);
        break;
      case kBytes:
        Bytes();
        break;
      case kFixed32:
        Advance(4);
        break;
      default:
        Fail();
    }
  }

 private:
  void Fail() {
    ok_ = false;
    at_ = end_;
  }
  void Advance(int count) {
    if (end_ - at_ < count) return Fail();
    at_ += count;
  }

  const char* at_;
  const char* end_;
  bool ok_ = true;
};

}  // namespace astrolabe::client

#endif  // ASTROLABE_CLIENT_SRC_WIRE_READER_H_
