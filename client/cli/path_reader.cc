#include "client/cli/path_reader.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <utility>

namespace astrolabe::cli {
namespace {

constexpr size_t kBlockBytes = size_t{64} << 10;
constexpr size_t kMovesOfPiece = 32'768;
constexpr size_t kMaxWordBytes = 4096;

bool IsSpace(int byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }
bool IsNumber(const std::string& word) {
  return std::ranges::all_of(word, [](unsigned char c) { return std::isdigit(c) != 0; });
}

std::string Hex(int byte) {
  char text[8];
  std::snprintf(text, sizeof text, "0x%02x", static_cast<unsigned>(byte));
  return text;
}

}  // namespace

absl::StatusOr<PathReader> PathReader::Open(const std::string& path) {
  const bool standard = path == "-";
  PathReader reader(standard ? "<stdin>" : path, File(standard ? stdin : fopen(path.c_str(), "re")));
  if (reader.file_ == nullptr) return reader.CannotRead();
  reader.base_ = ftello(reader.file_.get());
  if (reader.base_ < 0) {
    reader.copy_.reset(std::tmpfile());
    if (reader.copy_ == nullptr) {
      return absl::InvalidArgumentError("cannot make a temporary file for " + reader.name_ + ": " +
                                        std::strerror(errno));
    }
  }
  return reader;
}

absl::StatusOr<bool> PathReader::Next(client::PathPiece* piece) {
  std::optional<bool> numbers;
  for (size_t count = 0; count < kMovesOfPiece; ++count) {
    absl::StatusOr<std::optional<Word>> word =
        kept_ ? absl::StatusOr<std::optional<Word>>(std::exchange(kept_, std::nullopt)) : NextWord();
    if (!word.ok()) return word.status();
    if (!*word) break;
    const bool number = IsNumber((*word)->text);
    if (numbers.value_or(number) != number) {
      kept_ = *std::move(word);
      break;
    }
    if (!numbers) marks_.push_back({given_, (*word)->offset, (*word)->place});
    numbers = number;
    if (const absl::Status added = Add(**word, piece); !added.ok()) return added;
    ++given_;
  }
  return numbers.has_value();
}

absl::StatusOr<TextPlace> PathReader::PlaceOf(int64_t index) {
  const auto after = std::ranges::upper_bound(marks_, index, {}, &Mark::index);
  if (after == marks_.begin()) return absl::InvalidArgumentError(name_ + " has no move " + std::to_string(index + 1));
  const Mark mark = *std::prev(after);
  if (copy_ != nullptr) {
    file_ = std::move(copy_);
    base_ = 0;
  }
  if (fseeko(file_.get(), base_ + mark.offset, SEEK_SET) != 0) return CannotRead();
  block_.clear();
  at_ = 0;
  place_ = mark.place;
  for (int64_t at = mark.index;; ++at) {
    const absl::StatusOr<std::optional<Word>> word = NextWord();
    if (!word.ok()) return word.status();
    if (!*word) return absl::InvalidArgumentError(name_ + " has changed while it was read");
    if (at == index) return (*word)->place;
  }
}

absl::StatusOr<int> PathReader::Peek() {
  if (at_ == block_.size()) {
    if (const absl::Status filled = Fill(); !filled.ok()) return filled;
  }
  return at_ == block_.size() ? -1 : static_cast<unsigned char>(block_[at_]);
}

absl::Status PathReader::Fill() {
  block_.resize(kBlockBytes);
  at_ = 0;
  const size_t got = std::fread(block_.data(), 1, block_.size(), file_.get());
  block_.resize(got);
  if (got == 0 && std::ferror(file_.get()) != 0) return CannotRead();
  if (copy_ != nullptr && std::fwrite(block_.data(), 1, got, copy_.get()) != got) {
    return absl::InvalidArgumentError("cannot write the temporary file for " + name_ + ": " + std::strerror(errno));
  }
  return absl::OkStatus();
}

void PathReader::Advance(int byte) {
  ++at_;
  ++offset_;
  ++place_.column;
  if (byte == '\n') place_ = {place_.line + 1, 1};
}

absl::StatusOr<std::optional<PathReader::Word>> PathReader::NextWord() {
  Word word;
  while (true) {
    const absl::StatusOr<int> byte = Peek();
    if (!byte.ok()) return byte.status();
    if (*byte < 0 || IsSpace(*byte)) {
      if (!word.text.empty()) return word;
      if (*byte < 0) return std::nullopt;
      Advance(*byte);
      continue;
    }
    if (*byte < ' ' || *byte == 0x7f) {
      return Fault(place_,
                   "the byte " + Hex(*byte) + " is no text; expected words or numbers with blanks between them");
    }
    if (word.text.empty()) {
      word.place = place_;
      word.offset = offset_;
    }
    word.text += static_cast<char>(*byte);
    if (word.text.size() > kMaxWordBytes) {
      return Fault(word.place, "this word is longer than " + std::to_string(kMaxWordBytes) + " bytes");
    }
    Advance(*byte);
  }
}

absl::Status PathReader::Add(const Word& word, client::PathPiece* piece) const {
  if (!IsNumber(word.text)) {
    piece->op_names.push_back(word.text);
    return absl::OkStatus();
  }
  uint32_t op = 0;
  const char* const end = word.text.data() + word.text.size();
  if (std::from_chars(word.text.data(), end, op).ec != std::errc()) {
    return Fault(word.place, word.text + " is no operator; expected a number up to 4294967295");
  }
  piece->ops.push_back(op);
  return absl::OkStatus();
}

absl::Status PathReader::Fault(const TextPlace& place, const std::string& what) const {
  return absl::InvalidArgumentError(name_ + ":" + std::to_string(place.line) + ":" + std::to_string(place.column) +
                                    ": " + what);
}

absl::Status PathReader::CannotRead() const {
  return absl::InvalidArgumentError("cannot read " + name_ + ": " + std::strerror(errno));
}

}  // namespace astrolabe::cli
