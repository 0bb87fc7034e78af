#include "tests/bench/soak/process_figures.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "tests/support/process.h"

namespace astrolabe::bench {
namespace {

namespace fs = std::filesystem;

double MedianOf(const std::vector<ProcessFigures>& samples, size_t from, size_t to,
                double (*figure)(const ProcessFigures&)) {
  std::vector<double> values;
  for (size_t i = from; i < to; ++i) values.push_back(figure(samples[i]));
  if (values.empty()) return 0;
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

}  // namespace

ProcessFigures FiguresOf(pid_t pid) {
  ProcessFigures figures;
  const std::string folder = "/proc/" + std::to_string(pid);
  std::istringstream status(testing::ReadFile(folder + "/status"));
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmRSS:", 0) == 0) figures.megabytes = std::atof(line.c_str() + 6) / 1024;
    if (line.rfind("Threads:", 0) == 0) figures.threads = std::atoi(line.c_str() + 8);
  }
  std::error_code error;
  for (auto it = fs::directory_iterator(folder + "/fd", error); !error && it != fs::directory_iterator();
       it.increment(error)) {
    ++figures.descriptors;
  }
  figures.children = static_cast<int>(testing::ChildrenOf(pid).size());
  return figures;
}

std::vector<Growth> GrowthOf(const std::vector<ProcessFigures>& samples) {
  const size_t quarter = samples.size() / 4;
  const auto row = [&](const char* name, double part, double least, double (*figure)(const ProcessFigures&)) {
    Growth growth{name, MedianOf(samples, quarter, 2 * quarter, figure),
                  MedianOf(samples, samples.size() - quarter, samples.size(), figure), 0};
    growth.allowed = std::max(least, part * growth.early);
    return growth;
  };
  return {row("resident memory, MB", 0.05, 4, [](const ProcessFigures& f) { return f.megabytes; }),
          row("descriptors", 0.1, 5, [](const ProcessFigures& f) { return static_cast<double>(f.descriptors); }),
          row("threads", 0.1, 3, [](const ProcessFigures& f) { return static_cast<double>(f.threads); }),
          row("processes", 0, 2, [](const ProcessFigures& f) { return static_cast<double>(f.children); })};
}

}  // namespace astrolabe::bench
