// Typed, bounded reading of JSON members; faults are collected, values are defaults then.
#ifndef ASTROLABE_DAEMON_REGISTRY_MANIFEST_FIELDS_H_
#define ASTROLABE_DAEMON_REGISTRY_MANIFEST_FIELDS_H_

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/registry/registry.h"

namespace astrolabe::registry {

class Faults {
 public:
  void Add(const std::string& field, const std::string& text) { items_.push_back(field + ": " + text); }
  bool empty() const { return items_.empty(); }
  std::string First() const { return items_.empty() ? std::string() : items_.front(); }
  // The first ten, one after the other.
  std::string Text() const;

 private:
  std::vector<std::string> items_;
};

enum Presence { kOptional, kRequired };
inline constexpr size_t kMaxName = 64;
inline constexpr size_t kMaxLine = 1024;
inline constexpr size_t kMaxDoc = 64 << 10;

// `where` is put before the name of the member in faults: "problems[0].".
std::string TextField(const nlohmann::json& object, const char* name, Presence presence, size_t max_bytes,
                      Faults* faults, const std::string& where);
// [a-z][a-z0-9_]*, at most kMaxName bytes. Required.
std::string IdField(const nlohmann::json& object, const char* name, Faults* faults, const std::string& where);
int64_t IntField(const nlohmann::json& object, const char* name, int64_t min, int64_t max, Faults* faults,
                 const std::string& where);
// An empty object when it is not there.
const nlohmann::json& ObjectField(const nlohmann::json& object, const char* name, Faults* faults,
                                  const std::string& where);
// Optional; an empty array when it is not there. Its items are objects or texts, as the caller checks.
const nlohmann::json& ArrayField(const nlohmann::json& object, const char* name, size_t max_items, Faults* faults,
                                 const std::string& where);
ParamSpec ReadParam(const nlohmann::json& item, const std::string& where, Faults* faults);

bool IsId(std::string_view text);
bool IsPluginId(std::string_view text);

}  // namespace astrolabe::registry

#endif  // ASTROLABE_DAEMON_REGISTRY_MANIFEST_FIELDS_H_
