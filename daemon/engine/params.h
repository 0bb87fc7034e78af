// Params: the arguments of an algorithm, checked against its row of the catalogue.
#ifndef ASTROLABE_DAEMON_ENGINE_PARAMS_H_
#define ASTROLABE_DAEMON_ENGINE_PARAMS_H_

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "daemon/engine/search.h"

namespace astrolabe::engine {

// Complete and of the right types: an algorithm reads without checking.
class Params {
 public:
  Params() = default;
  explicit Params(std::map<std::string, ParamValue> values) : values_(std::move(values)) {}

  // Precondition: the row declares `name` with this type.
  template <typename T>
  const T& Get(const std::string& name) const {
    return std::get<T>(values_.at(name));
  }

 private:
  std::map<std::string, ParamValue> values_;
};

// Fills in defaults. Every fault is appended to `violations`; the result is usable when there is none.
Params CheckParams(std::span<const ParamSpec> specs, const std::map<std::string, ParamValue>& given,
                   std::vector<Violation>& violations);

}  // namespace astrolabe::engine

#endif  // ASTROLABE_DAEMON_ENGINE_PARAMS_H_
