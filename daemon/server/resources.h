// What the machine, or the container, gives this process.
#ifndef ASTROLABE_DAEMON_SERVER_RESOURCES_H_
#define ASTROLABE_DAEMON_SERVER_RESOURCES_H_

#include <cstdint>
#include <string>

namespace astrolabe::server {

// Physical memory, or the smallest limit of the cgroups (v2 or v1) this process is in, whichever is less.
// `root` replaces "/" in tests. At least 64 MiB, so that a misread file never makes the daemon useless.
int64_t AvailableMemoryBytes(const std::string& root = "");

// CPUs this process may run on, at most its cgroup quota rounded up; at least 1.
int AvailableCpus(const std::string& root = "");

// 60 % of `memory` divided by the slots: what a job may use when nobody says.
int64_t DefaultJobMemory(int64_t memory, int slots);

}  // namespace astrolabe::server

#endif  // ASTROLABE_DAEMON_SERVER_RESOURCES_H_
