#include "client/src/check_request.h"

#include <cstdio>
#include <string>

#include "astrolabe/client/errors.h"
#include "client/src/status.h"
#include "client/src/utf8.h"

namespace astrolabe::client {
namespace {

std::string Size(int64_t bytes) {
  char text[64];
  std::snprintf(text, sizeof text, "%.1f MiB (%lld bytes)", static_cast<double>(bytes) / (1 << 20),
                static_cast<long long>(bytes));
  return text;
}

class TextChecker {
 public:
  void Check(const std::string& field, const std::string& text) {
    if (!IsUtf8(text)) fields_ += (fields_.empty() ? "" : ", ") + field;
  }

  void Check(const std::string& field, const Params& params) {
    for (const auto& [name, value] : params) {
      Check(field, name);
      if (const auto* text = std::get_if<std::string>(&value)) Check(field + "." + (IsUtf8(name) ? name : "?"), *text);
    }
  }

  absl::Status Done() const {
    if (fields_.empty()) return absl::OkStatus();
    return MakeStatus(absl::StatusCode::kInvalidArgument, "NOT_UTF8", "not UTF-8: " + fields_);
  }

 private:
  std::string fields_;
};

void CheckHeuristics(const std::vector<HeuristicUse>& heuristics, TextChecker* checker) {
  for (size_t i = 0; i < heuristics.size(); ++i) {
    const std::string field = "heuristics[" + std::to_string(i) + "]";
    checker->Check(field + ".id", heuristics[i].id);
    checker->Check(field + ".params", heuristics[i].params);
  }
}

}  // namespace

absl::Status CheckSize(size_t request_bytes, int64_t limit_bytes) {
  const auto bytes = static_cast<int64_t>(request_bytes);
  if (limit_bytes <= 0 || bytes <= limit_bytes) return absl::OkStatus();
  return MakeStatus(absl::StatusCode::kResourceExhausted, kReasonRequestTooLarge,
                    "the request has " + Size(bytes) + ", the server takes at most " + Size(limit_bytes) +
                        " (its max_request_bytes)");
}

absl::Status CheckText(const JobSpec& spec) {
  TextChecker checker;
  checker.Check("problem", spec.problem);
  checker.Check("params", spec.params);
  CheckHeuristics(spec.heuristics, &checker);
  checker.Check("algorithm.id", spec.algorithm.id);
  checker.Check("algorithm.params", spec.algorithm.params);
  for (const auto& [name, value] : spec.labels) {
    checker.Check("labels", name);
    checker.Check("labels", value);
  }
  return checker.Done();
}

absl::Status CheckText(const InstanceRef& instance) {
  TextChecker checker;
  checker.Check("problem", instance.problem);
  checker.Check("params", instance.params);
  return checker.Done();
}

absl::Status CheckText(const EvaluateRequest& request) {
  TextChecker checker;
  checker.Check("problem", request.instance.problem);
  checker.Check("params", request.instance.params);
  CheckHeuristics(request.heuristics, &checker);
  for (size_t i = 0; i < request.states.size(); ++i) {
    checker.Check("states[" + std::to_string(i) + "]", request.states[i]);
  }
  return checker.Done();
}

absl::Status CheckText(const PathPiece& piece, int64_t before) {
  for (size_t i = 0; i < piece.op_names.size(); ++i) {
    if (IsUtf8(piece.op_names[i])) continue;
    return MakeStatus(absl::StatusCode::kInvalidArgument, "NOT_UTF8",
                      "not UTF-8: op_names[" + std::to_string(before + static_cast<int64_t>(i)) + "]");
  }
  return absl::OkStatus();
}

}  // namespace astrolabe::client
