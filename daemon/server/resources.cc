#include "daemon/server/resources.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace astrolabe::server {
namespace {

constexpr int64_t kLeastMemory = 64ll << 20;

std::string FirstLine(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

struct CgroupPaths {
  std::string unified;  // v2
  std::string memory;   // v1 controllers
  std::string cpu;
};

CgroupPaths ReadCgroupPaths(const std::string& root) {
  CgroupPaths out;
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {  // "0::/path" or "4:cpu,cpuacct:/path"
    const size_t first = line.find(':');
    const size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = std::string(",").append(line, first + 1, second - first - 1).append(",");
    const std::string path = line.substr(second + 1);
    if (controllers == ",,") out.unified = path;
    if (controllers.find(",memory,") != std::string::npos) out.memory = path;
    if (controllers.find(",cpu,") != std::string::npos) out.cpu = path;
  }
  return out;
}

// `mount` + path and every parent of it: a limit on any of them counts. In a container the path may not be
// visible below the mount; the mount itself then is the container's group.
std::vector<std::string> GroupAndParents(const std::string& mount, std::string path) {
  std::vector<std::string> out;
  while (path.size() > 1) {
    out.push_back(mount + path);
    path.resize(std::max<size_t>(path.rfind('/'), 0));
  }
  out.push_back(mount);
  return out;
}

int64_t ParseOr(const std::string& text, int64_t fallback) {
  std::istringstream in(text);
  int64_t value = 0;
  return in >> value && value > 0 ? value : fallback;
}

}  // namespace

int64_t AvailableMemoryBytes(const std::string& root) {
  int64_t least = static_cast<int64_t>(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGE_SIZE);
  const CgroupPaths groups = ReadCgroupPaths(root);
  for (const std::string& dir : GroupAndParents(root + "/sys/fs/cgroup", groups.unified)) {
    least = std::min(least, ParseOr(FirstLine(dir + "/memory.max"), least));  // "max" is no number
  }
  for (const std::string& dir : GroupAndParents(root + "/sys/fs/cgroup/memory", groups.memory)) {
    least = std::min(least, ParseOr(FirstLine(dir + "/memory.limit_in_bytes"), least));
  }
  return std::max(least, kLeastMemory);
}

int AvailableCpus(const std::string& root) {
  cpu_set_t set;
  CPU_ZERO(&set);
  int cpus = ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set)
                                                           : static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN));
  const auto limit = [&cpus](int64_t quota, int64_t period) {
    if (quota > 0 && period > 0) cpus = std::min<int64_t>(cpus, (quota + period - 1) / period);
  };
  const CgroupPaths groups = ReadCgroupPaths(root);
  for (const std::string& dir : GroupAndParents(root + "/sys/fs/cgroup", groups.unified)) {
    std::istringstream in(FirstLine(dir + "/cpu.max"));  // "200000 100000" or "max 100000"
    int64_t quota = 0;
    int64_t period = 0;
    if (in >> quota >> period) limit(quota, period);
  }
  for (const std::string& dir : GroupAndParents(root + "/sys/fs/cgroup/cpu", groups.cpu)) {
    limit(ParseOr(FirstLine(dir + "/cpu.cfs_quota_us"), 0), ParseOr(FirstLine(dir + "/cpu.cfs_period_us"), 0));
  }
  return std::max(cpus, 1);
}

int64_t DefaultJobMemory(int64_t memory, int slots) { return memory / 10 * 6 / std::max(slots, 1); }

}  // namespace astrolabe::server
