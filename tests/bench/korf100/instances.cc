#include "tests/bench/korf100/instances.h"

#include <fstream>
#include <sstream>

namespace astrolabe::bench {

std::vector<KorfInstance> ReadInstances(const std::string& path, std::string& error) {
  std::ifstream in(path);
  if (!in) {
    error = path + " cannot be read";
    return {};
  }
  std::vector<KorfInstance> instances;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    KorfInstance instance;
    int h;
    words >> instance.number >> instance.length >> instance.generated >> h;
    unsigned tiles = 0;
    for (uint8_t& tile : instance.board) {
      unsigned value = 16;
      words >> value;
      tile = static_cast<uint8_t>(value);
      if (value < 16) tiles |= 1u << value;
    }
    if (!words || tiles != 0xffff) {
      error = path + ", line " + std::to_string(number) + ": not number, length, generated, h and the 16 tiles";
      return {};
    }
    instances.push_back(instance);
  }
  return instances;
}

}  // namespace astrolabe::bench
