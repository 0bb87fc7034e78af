// StateFile: results that outlive a killed program. A text file that only grows: a first line that says what was run,
// then a line for each solved instance, on disk before Append returns. A last line that was torn is cut off when the
// file is opened again.
#ifndef ASTROLABE_TESTS_BENCH_KORF100_STATE_FILE_H_
#define ASTROLABE_TESTS_BENCH_KORF100_STATE_FILE_H_

#include <cstdint>
#include <map>
#include <string>

#include "daemon/base/fd.h"

namespace astrolabe::bench {

struct Solved {
  int number = 0;
  int length = 0;
  int64_t generated = 0;
  double seconds = 0;
};

class StateFile {
 public:
  // Opens or creates it. `run` is one line; a file of another run is refused. False: `error` says why.
  bool Open(const std::string& path, const std::string& run, std::string& error);

  const std::map<int, Solved>& solved() const { return solved_; }
  bool Append(const Solved& solved, std::string& error);

 private:
  std::string path_;
  Fd fd_;
  std::map<int, Solved> solved_;
};

}  // namespace astrolabe::bench

#endif  // ASTROLABE_TESTS_BENCH_KORF100_STATE_FILE_H_
