// A path as text: words or numbers of operators, separated by blanks and line ends, as `solve -o moves` writes them.
#ifndef ASTROLABE_CLIENT_CLI_PATH_READER_H_
#define ASTROLABE_CLIENT_CLI_PATH_READER_H_

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "astrolabe/client/path.h"

namespace astrolabe::cli {

// 1-based; columns count bytes.
struct TextPlace {
  int64_t line = 1;
  int64_t column = 1;
};

// Reads piece by piece, and can tell later where a move stood. Memory: a block of the text and some bytes for each
// piece. What cannot be read twice, a pipe, goes into a temporary file meanwhile.
class PathReader {
 public:
  // "-": standard input. INVALID_ARGUMENT, in words, when it cannot be read; so are all errors below.
  static absl::StatusOr<PathReader> Open(const std::string& path);

  // As messages call it: the path, or "<stdin>".
  const std::string& name() const { return name_; }

  // The next moves, all numbers or all words. A word that has only digits is a number. False: there are no more. Faults
  // name their place.
  absl::StatusOr<bool> Next(client::PathPiece* piece);

  // Where the move stands that was given out as number `index`, from 0. Next may not be called after it.
  absl::StatusOr<TextPlace> PlaceOf(int64_t index);

 private:
  struct Closer {
    void operator()(FILE* file) const {
      if (file != stdin) fclose(file);
    }
  };
  using File = std::unique_ptr<FILE, Closer>;
  struct Word {
    std::string text;
    TextPlace place;
    int64_t offset = 0;  // of its first byte
  };
  struct Mark {
    int64_t index = 0;
    int64_t offset = 0;
    TextPlace place;
  };

  PathReader(std::string name, File file) : name_(std::move(name)), file_(std::move(file)) {}

  // The next byte; -1 at the end.
  absl::StatusOr<int> Peek();
  absl::Status Fill();
  void Advance(int byte);
  // Nullopt at the end.
  absl::StatusOr<std::optional<Word>> NextWord();
  absl::Status Add(const Word& word, client::PathPiece* piece) const;
  absl::Status Fault(const TextPlace& place, const std::string& what) const;
  absl::Status CannotRead() const;

  std::string name_;
  File file_;
  File copy_;         // of what was read, when file_ cannot be read again
  int64_t base_ = 0;  // where file_ stood at first
  std::vector<char> block_;
  size_t at_ = 0;             // in block_
  int64_t offset_ = 0;        // of at_, from base_
  TextPlace place_;           // of at_
  std::optional<Word> kept_;  // read, but of another kind than the piece before
  int64_t given_ = 0;
  std::vector<Mark> marks_;  // the first move of each piece
};

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_PATH_READER_H_
