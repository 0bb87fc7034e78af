// The instances that `bench` is given: files, folders, standard input, one or many in each.
#ifndef ASTROLABE_CLIENT_CLI_BENCH_INSTANCES_H_
#define ASTROLABE_CLIENT_CLI_BENCH_INSTANCES_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/cli/solve_options.h"

namespace astrolabe::cli {

struct BenchInstance {
  std::string name;                 // the path, "<stdin>", or with one instance a line "PATH:LINE"
  std::string file;                 // to be read when its turn comes; "-" is standard input
  std::string problem;              // with one instance a line: of the file's first line "#problem: ID"; else empty
  std::optional<std::string> text;  // with one instance a line: that line
};

// A folder stands for the regular files in it, by name, without hidden ones and without those of its folders. With
// `lines` each line of a file is an instance, except empty ones and those that begin with #; such files are read here.
// INVALID_ARGUMENT: all paths that do not exist or cannot be read, a folder or file without an instance, "-" twice.
absl::StatusOr<std::vector<BenchInstance>> FindBenchInstances(const std::vector<std::string>& paths, bool lines);

// Reads it if need be. `options` as for one instance; its file is not looked at.
absl::StatusOr<LoadedInstance> LoadBenchInstance(const BenchInstance& instance, InstanceOptions options);

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_BENCH_INSTANCES_H_
