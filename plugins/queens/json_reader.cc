// The JSON spelling. A syntax error ends the reading, as nothing behind it can be trusted.
#include "astrolabe/sdk/json_reader.h"

#include <utility>

#include "plugins/queens/raw_board.h"

namespace queens {
namespace {

constexpr std::string_view kMembers = "n, rows, formulation";

class BoardReader {
 public:
  BoardReader(std::string_view text, std::string_view field, astro::Diagnostics& diagnostics)
      : json_(text, field, diagnostics) {}

  std::optional<RawBoard> Read() {
    const bool read = (json_.Peek() == '[' ? Rows()
                                           : json_.Object("an object, {\"n\": 8, \"rows\": [..]}", kMembers,
                                                          [&](auto& key) { return Member(key); })) &&
                      json_.End();
    if (!read || !json_.ok()) return std::nullopt;
    if (!board_.rows) board_.end = json_.Here();
    return std::move(board_);
  }

 private:
  bool Member(const Word& key) {
    if (key.text == "n") return Once(key, board_.queens) && json_.Scalar(*board_.queens, "a number of queens");
    if (key.text == "rows") {
      if (!board_.rows) return Rows();
      return Twice(key);
    }
    if (key.text == "formulation") {
      return Once(key, board_.formulation) && json_.Scalar(*board_.formulation, "complete or incremental");
    }
    json_.Fault(key, "unknown member " + astro::Quoted(key.text), kMembers);
    return false;
  }
  bool Once(const Word& key, std::optional<Word>& member) {
    if (member) return Twice(key);
    member.emplace();
    return true;
  }
  bool Twice(const Word& key) {
    json_.Fault(key, astro::Quoted(key.text) + " twice", "each member once");
    return false;
  }
  bool Rows() {
    std::vector<Word>& rows = board_.rows.emplace();
    const bool read = json_.List("a list of rows, [..]", [&] { return json_.Scalar(rows.emplace_back(), "a row"); });
    board_.end = json_.Here();
    return read;
  }

  astro::JsonReader json_;
  RawBoard board_;
};

}  // namespace

std::optional<RawBoard> ReadJson(std::string_view text, std::string_view field, astro::Diagnostics& diagnostics) {
  return BoardReader(text, field, diagnostics).Read();
}

}  // namespace queens
