#include "client/cli/path_reader.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "tests/support/process.h"

namespace astrolabe::cli {
namespace {

class PathReaderTest : public ::testing::Test {
 protected:
  PathReader Open(const std::string& text) {
    file_ = folder_.Write("moves", text);
    auto reader = PathReader::Open(file_);
    EXPECT_TRUE(reader.ok()) << reader.status();
    return *std::move(reader);
  }
  // All pieces; the error ends the list.
  static std::vector<client::PathPiece> All(PathReader& reader, absl::Status* end = nullptr) {
    std::vector<client::PathPiece> pieces;
    for (;;) {
      client::PathPiece piece;
      const absl::StatusOr<bool> more = reader.Next(&piece);
      if (end != nullptr) *end = more.status();
      if (!more.ok() || !*more) return pieces;
      pieces.push_back(std::move(piece));
    }
  }
  std::string FaultOf(const std::string& text) {
    PathReader reader = Open(text);
    absl::Status end;
    All(reader, &end);
    EXPECT_EQ(end.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(end.message().substr(0, file_.size()), file_);
    return std::string(end.message().substr(std::min(file_.size(), end.message().size())));
  }
  static std::string PlaceOf(PathReader& reader, int64_t index) {
    const auto place = reader.PlaceOf(index);
    if (!place.ok()) return std::string(place.status().message());
    return std::to_string(place->line) + ":" + std::to_string(place->column);
  }

  testing::TempFolder folder_;
  std::string file_;
};

TEST_F(PathReaderTest, BlanksAndLineEndsSeparateWords) {
  PathReader reader = Open("\n UP\tLEFT  DOWN\r\nRIGHT");
  const auto pieces = All(reader);
  ASSERT_EQ(pieces.size(), 1u);
  EXPECT_EQ(pieces[0].op_names, (std::vector<std::string>{"UP", "LEFT", "DOWN", "RIGHT"}));
  EXPECT_TRUE(pieces[0].ops.empty());
  EXPECT_EQ(PlaceOf(reader, 0), "2:2");
  EXPECT_EQ(PlaceOf(reader, 2), "2:11");
  EXPECT_EQ(PlaceOf(reader, 3), "3:1");
  EXPECT_EQ(PlaceOf(reader, 1), "2:5") << "in any order";
}

TEST_F(PathReaderTest, NumbersAndWordsComeInPiecesOfTheirOwn) {
  PathReader reader = Open("1 4294967295 UP 0 a1 1a");
  const auto pieces = All(reader);
  ASSERT_EQ(pieces.size(), 4u);
  EXPECT_EQ(pieces[0].ops, (std::vector<uint32_t>{1, 4294967295u}));
  EXPECT_EQ(pieces[1].op_names, (std::vector<std::string>{"UP"}));
  EXPECT_EQ(pieces[2].ops, (std::vector<uint32_t>{0}));
  EXPECT_EQ(pieces[3].op_names, (std::vector<std::string>{"a1", "1a"}));
  EXPECT_EQ(PlaceOf(reader, 3), "1:17");
  EXPECT_EQ(PlaceOf(reader, 5), "1:22");
}

TEST_F(PathReaderTest, NothingIsAPathToo) {
  for (const char* text : {"", " \n\t\n"}) {
    PathReader reader = Open(text);
    EXPECT_TRUE(All(reader).empty());
    EXPECT_NE(PlaceOf(reader, 0).find("has no move 1"), std::string::npos);
  }
}

TEST_F(PathReaderTest, FaultsNameTheirPlace) {
  EXPECT_EQ(FaultOf("1 2\n 4294967296"), ":2:2: 4294967296 is no operator; expected a number up to 4294967295");
  EXPECT_EQ(FaultOf("UP\nDO\x01WN").substr(0, 29), ":2:3: the byte 0x01 is no tex");
  EXPECT_EQ(FaultOf("UP " + std::string(5000, 'x')), ":1:4: this word is longer than 4096 bytes");
}

TEST_F(PathReaderTest, AFileThatIsNotThereIsToldInWords) {
  const auto reader = PathReader::Open(folder_ / "none");
  EXPECT_EQ(reader.status().message(), "cannot read " + folder_ / "none" + ": No such file or directory");
  const auto folder = PathReader::Open(folder_.path());
  ASSERT_TRUE(folder.ok());
  client::PathPiece piece;
  PathReader opened = *PathReader::Open(folder_.path());
  EXPECT_NE(opened.Next(&piece).status().message().find("Is a directory"), absl::string_view::npos);
}

// Many blocks and pieces, lines of several words.
std::string LongPath(int moves) {
  std::string text;
  for (int i = 0; i < moves; ++i) text += std::to_string(i) + (i % 7 == 6 ? "\n" : " ");
  return text;
}
std::string LongPlace(int index) {
  int column = 1;
  for (int i = index - index % 7; i < index; ++i) column += static_cast<int>(std::to_string(i).size()) + 1;
  return std::to_string(index / 7 + 1) + ":" + std::to_string(column);
}

TEST_F(PathReaderTest, ALongPathKeepsItsPlaces) {
  constexpr int kMoves = 200'000;
  PathReader reader = Open(LongPath(kMoves));
  int next = 0;
  for (const client::PathPiece& piece : All(reader)) {
    EXPECT_LE(piece.ops.size(), 32'768u);
    for (const uint32_t op : piece.ops) ASSERT_EQ(op, static_cast<uint32_t>(next++));
  }
  EXPECT_EQ(next, kMoves);
  for (const int index : {0, 32'767, 32'768, 123'456, kMoves - 1}) EXPECT_EQ(PlaceOf(reader, index), LongPlace(index));
}

TEST_F(PathReaderTest, APipeKeepsItsPlacesToo) {
  constexpr int kMoves = 100'000;
  const std::string pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe) << LongPath(kMoves); });
  auto reader = PathReader::Open(pipe);
  ASSERT_TRUE(reader.ok()) << reader.status();
  const auto pieces = All(*reader);
  writer.join();
  EXPECT_EQ(pieces.size(), 4u);
  for (const int index : {5, 70'000, kMoves - 1}) EXPECT_EQ(PlaceOf(*reader, index), LongPlace(index));
}

}  // namespace
}  // namespace astrolabe::cli
