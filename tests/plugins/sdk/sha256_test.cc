#include "astrolabe/sdk/sha256.h"

#include <gtest/gtest.h>

#include <string>

namespace {

std::string Hex(const astro::Sha256::Digest& digest) {
  std::string text;
  for (const uint8_t byte : digest) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

// Examples of FIPS 180-4.
TEST(Sha256, OfKnownTexts) {
  EXPECT_EQ(Hex(astro::Sha256().Finish()), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Hex(astro::Sha256().Update("abc").Finish()),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Hex(astro::Sha256().Update("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq").Finish()),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(Sha256, OfAMillionLettersInPieces) {
  astro::Sha256 hash;
  const std::string piece(1000, 'a');
  for (int i = 0; i < 1000; ++i) hash.Update(piece);
  EXPECT_EQ(Hex(hash.Finish()), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

}  // namespace
