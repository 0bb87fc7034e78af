#include "client/cli/bench_instances.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include "client/cli/input.h"

namespace astrolabe::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBom = "\xEF\xBB\xBF";

std::vector<std::string> FilesOf(const std::string& folder, std::error_code* error) {
  std::vector<std::string> files;
  for (fs::directory_iterator entry(folder, *error), end; !*error && entry != end; entry.increment(*error)) {
    std::error_code unreadable;
    if (entry->path().filename().native().starts_with('.') || !entry->is_regular_file(unreadable)) continue;
    files.push_back(entry->path().string());
  }
  std::ranges::sort(files);
  return files;
}

// Collects files and what is wrong with paths.
class Finder {
 public:
  void Add(const std::string& path) {
    std::error_code error;
    if (path == "-") {
      if (std::exchange(stdin_taken_, true)) Fault("- (standard input) is given twice");
      files.push_back(path);
    } else if (fs::is_directory(path, error)) {
      const std::vector<std::string> found = FilesOf(path, &error);
      if (error) {
        Fault("cannot read folder " + path + ": " + error.message());
      } else if (found.empty()) {
        Fault("folder " + path + " has no files; expected instances");
      }
      files.insert(files.end(), found.begin(), found.end());
    } else if (!fs::exists(path, error)) {
      Fault("cannot read " + path + ": " + (error ? error.message() : "No such file or directory"));
    } else {
      files.push_back(path);
    }
  }
  void Fault(const std::string& text) { faults += (faults.empty() ? "" : "\n") + text; }

  std::vector<std::string> files;
  std::string faults;

 private:
  bool stdin_taken_ = false;
};

std::string_view Trimmed(std::string_view line) {
  const size_t first = line.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

absl::Status AddLines(const std::string& file, std::vector<BenchInstance>* instances) {
  absl::StatusOr<Input> input = ReadInput(file);
  if (!input.ok()) return input.status();
  const std::string problem = TakeProblemLine(&input->text);
  std::string_view rest = input->text;
  if (rest.starts_with(kBom)) rest.remove_prefix(kBom.size());
  const size_t before = instances->size();
  for (int number = 1; !rest.empty(); ++number) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = Trimmed(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.empty() || line.starts_with('#')) continue;
    instances->push_back({input->name + ":" + std::to_string(number), file, problem, std::string(line)});
  }
  if (instances->size() > before) return absl::OkStatus();
  return absl::InvalidArgumentError(input->name + " has no instance; expected one a line");
}

}  // namespace

absl::StatusOr<std::vector<BenchInstance>> FindBenchInstances(const std::vector<std::string>& paths, bool lines) {
  Finder finder;
  for (const std::string& path : paths) finder.Add(path);
  std::vector<BenchInstance> instances;
  // Standard input is waited for only when everything else is right.
  for (const std::string& file : finder.faults.empty() ? finder.files : std::vector<std::string>()) {
    if (!lines) {
      instances.push_back({file == "-" ? "<stdin>" : file, file, "", std::nullopt});
    } else if (const absl::Status added = AddLines(file, &instances); !added.ok()) {
      finder.Fault(std::string(added.message()));
    }
  }
  if (!finder.faults.empty()) return absl::InvalidArgumentError(finder.faults);
  return instances;
}

absl::StatusOr<LoadedInstance> LoadBenchInstance(const BenchInstance& instance, InstanceOptions options) {
  options.file = instance.file;
  if (!instance.text) return LoadInstance(options);
  if (options.problem.empty()) options.problem = instance.problem;
  return LoadInstance(options, Input{instance.name, *instance.text});
}

}  // namespace astrolabe::cli
