// The board of a local search on queens.
#ifndef ASTROLABE_TESTS_DAEMON_ENGINE_LOCAL_ROWS_OF_H_
#define ASTROLABE_TESTS_DAEMON_ENGINE_LOCAL_ROWS_OF_H_

#include <cstdint>
#include <cstring>
#include <vector>

#include "daemon/engine/search.h"

namespace astrolabe::engine::testing {

inline std::vector<uint32_t> RowsOf(const SearchResult& result) {
  std::vector<uint32_t> rows(result.final_state.size() / 4);
  std::memcpy(rows.data(), result.final_state.data(), result.final_state.size());
  return rows;
}

}  // namespace astrolabe::engine::testing

#endif  // ASTROLABE_TESTS_DAEMON_ENGINE_LOCAL_ROWS_OF_H_
