// A Result in words, for people.
#ifndef ASTROLABE_CLIENT_CLI_RESULT_TEXT_H_
#define ASTROLABE_CLIENT_CLI_RESULT_TEXT_H_

#include <string>
#include <vector>

#include "astrolabe/client/result.h"

namespace astrolabe::cli {

// What messages call the texts that violations point into.
struct SourceNames {
  std::string instance = "instance";
  std::string goal = "--goal";
  std::vector<std::string> states;  // of eval: --state, in order
};

// The solution (boards up to 200 steps, else the moves), what was proven, statistics. `moves` are the words of all
// moves when they are not inside the result itself.
std::string ResultText(const client::Result& result, const std::vector<std::string>& moves);

// What belongs on stderr: rejections as FILE:LINE:COLUMN, refuted claims, a plugin's failure, notes. Each line ends
// with a newline; empty: nothing to say.
std::string ResultWarnings(const client::Result& result, const SourceNames& names);

// "FILE:LINE:COLUMN: message; expected ...; hint".
std::string ViolationText(const client::Violation& violation, const SourceNames& names);

// A cost in the problem's own unit.
std::string CostText(int64_t cost, int64_t scale);

// "time limit", "limit on expansions".
std::string LimitWords(client::LimitKind limit);

// Words in lines of at most `width` columns.
std::string WrapWords(const std::vector<std::string>& words, size_t width);

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_RESULT_TEXT_H_
