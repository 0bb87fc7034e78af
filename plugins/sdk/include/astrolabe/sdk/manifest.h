// Writes a plugin's manifest at compile time; schema in the ABI's STYLE.md.
#ifndef ASTROLABE_SDK_MANIFEST_H_
#define ASTROLABE_SDK_MANIFEST_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "astrolabe/abi/plugin.h"
#include "astrolabe/sdk/info.h"

namespace astro::internal {

// The manifest is written twice: to learn its length, then into an array of that length.
class CountingOutput {
 public:
  constexpr void Put(char) { ++size_; }
  constexpr size_t size() const { return size_; }

 private:
  size_t size_ = 0;
};

template <size_t N>
class ArrayOutput {
 public:
  constexpr void Put(char c) { data_[size_++] = c; }
  constexpr const std::array<char, N>& data() const { return data_; }

 private:
  std::array<char, N> data_ = {};
  size_t size_ = 0;
};

template <class Output>
class JsonWriter {
 public:
  constexpr explicit JsonWriter(Output& out) : out_(out) {}

  constexpr void Open(char bracket) {
    Separate();
    out_.Put(bracket);
    first_ = true;
  }
  constexpr void Close(char bracket) {
    out_.Put(bracket);
    first_ = false;
  }
  constexpr void Key(std::string_view key) {
    Separate();
    Quoted(key);
    out_.Put(':');
    first_ = true;
  }
  constexpr void Text(std::string_view text) {
    Separate();
    Quoted(text);
  }
  constexpr void Bool(bool value) {
    Separate();
    Raw(value ? "true" : "false");
  }
  constexpr void Int(int64_t value) {
    Separate();
    char digits[20] = {};
    int n = 0;
    uint64_t rest = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
    do {
      digits[n++] = static_cast<char>('0' + rest % 10);
      rest /= 10;
    } while (rest != 0);
    if (value < 0) out_.Put('-');
    while (n > 0) out_.Put(digits[--n]);
  }
  // A member that is left out when empty.
  constexpr void TextMember(std::string_view key, std::string_view text) {
    if (text.empty()) return;
    Key(key);
    Text(text);
  }

 private:
  constexpr void Separate() {
    if (!first_) out_.Put(',');
    first_ = false;
  }
  constexpr void Raw(std::string_view text) {
    for (char c : text) out_.Put(c);
  }
  constexpr void Quoted(std::string_view text) {
    out_.Put('"');
    for (char c : text) {
      if (c == '"' || c == '\\') {
        out_.Put('\\');
        out_.Put(c);
      } else if (c == '\n') {
        Raw("\\n");
      } else if (c == '\t') {
        Raw("\\t");
      } else if (static_cast<unsigned char>(c) < 0x20) {
        Raw("\\u00");
        out_.Put("0123456789abcdef"[(c >> 4) & 15]);
        out_.Put("0123456789abcdef"[c & 15]);
      } else {
        out_.Put(c);
      }
    }
    out_.Put('"');
  }

  Output& out_;
  bool first_ = true;
};

template <class Writer>
constexpr void WriteValue(Writer& json, std::string_view key, const ParamValue& value, uint32_t type) {
  switch (value.kind) {
    case ParamValue::Kind::kNone:
      return;
    case ParamValue::Kind::kBool:
      json.Key(key);
      json.Bool(value.number != 0);
      return;
    case ParamValue::Kind::kInt:
      json.Key(key);
      json.Int(value.number);
      return;
    case ParamValue::Kind::kText:
      if (type == ASTRO_PARAM_DOUBLE && value.text.empty()) return;
      json.Key(key);
      json.Text(value.text);
      return;
  }
}

constexpr std::string_view TypeName(uint32_t type) {
  switch (type) {
    case ASTRO_PARAM_BOOL:
      return "bool";
    case ASTRO_PARAM_INT:
      return "int";
    case ASTRO_PARAM_DOUBLE:
      return "double";
    default:
      return "string";
  }
}

template <class Writer>
constexpr void WriteParams(Writer& json, std::span<const ParamSpec> params) {
  json.Key("params");
  json.Open('[');
  for (const ParamSpec& param : params) {
    json.Open('{');
    json.Key("name");
    json.Text(param.name);
    json.Key("type");
    json.Text(TypeName(param.type));
    WriteValue(json, "default", param.default_value, param.type);
    WriteValue(json, "min", param.min, param.type);
    WriteValue(json, "max", param.max, param.type);
    WriteValue(json, "counting_default", param.counting_default, param.type);
    if (!param.choices.empty()) {
      json.Key("choices");
      json.Open('[');
      for (std::string_view choice : param.choices) json.Text(choice);
      json.Close(']');
    }
    json.TextMember("doc", param.doc);
    json.Close('}');
  }
  json.Close(']');
}

template <class Writer>
constexpr void WriteProblem(Writer& json, const ProblemInfo& info, std::string_view state_layout) {
  json.Open('{');
  json.Key("id");
  json.Text(info.id);
  json.TextMember("summary", info.summary);
  json.TextMember("doc", info.doc);
  json.TextMember("instance_syntax", info.instance_syntax);
  json.Key("examples");
  json.Open('[');
  for (const Example& example : info.examples) {
    json.Open('{');
    json.Key("title");
    json.Text(example.title);
    json.Key("text");
    json.Text(example.text);
    json.Close('}');
  }
  json.Close(']');
  json.TextMember("default_algorithm", info.default_algorithm);
  json.TextMember("default_heuristic", info.default_heuristic);
  json.Key("state_layout");
  json.Text(state_layout);
  WriteParams(json, info.params);
  json.Close('}');
}

template <class Writer>
constexpr void WriteHeuristic(Writer& json, const HeuristicInfo& info, std::string_view problem,
                              std::string_view state_layout) {
  json.Open('{');
  json.Key("id");
  json.Text(info.id);
  json.TextMember("summary", info.summary);
  json.TextMember("doc", info.doc);
  json.Key("problem");
  json.Text(problem);
  json.Key("state_layout");
  json.Text(state_layout);
  json.Key("claims");
  json.Open('[');
  if (info.admissible) json.Text("admissible");
  if (info.consistent) json.Text("consistent");
  if (info.parity) json.Text("parity");
  if (info.perfect) json.Text("perfect");
  json.Close(']');
  json.TextMember("objective_name", info.objective_name);
  WriteParams(json, info.params);
  json.Close('}');
}

// The instruction set this translation unit was compiled for.
constexpr std::string_view Isa() {
#if defined(__aarch64__)
  return "aarch64";
#elif defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__) && defined(__AVX512DQ__)
  return "x86-64-v4";
#elif defined(__AVX512F__)
  return "x86-64-v4";
#elif defined(__AVX2__) || defined(__AVX__) || defined(__FMA__) || defined(__BMI__) || defined(__BMI2__)
  return "x86-64-v3";
#elif defined(__SSE3__) || defined(__SSSE3__) || defined(__SSE4_1__) || defined(__SSE4_2__) || defined(__POPCNT__)
  return "x86-64-v2";
#else
  return "x86-64";
#endif
}

constexpr uint32_t BuildFlags() {
  uint32_t flags = 0;
#if defined(__FAST_MATH__)
  flags |= ASTRO_BUILD_FAST_MATH;
#endif
#if defined(__SANITIZE_ADDRESS__)
  flags |= ASTRO_BUILD_ASAN;
#endif
#if defined(__SANITIZE_THREAD__)
  flags |= ASTRO_BUILD_TSAN;
#endif
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
  flags |= ASTRO_BUILD_ASAN;
#endif
#if __has_feature(thread_sanitizer)
  flags |= ASTRO_BUILD_TSAN;
#endif
#endif
#if !defined(NDEBUG)
  flags |= ASTRO_BUILD_DEBUG;
#endif
  return flags;
}

constexpr bool IsId(std::string_view id) {
  if (id.empty() || id[0] < 'a' || id[0] > 'z') return false;
  for (char c : id) {
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_')) return false;
  }
  return true;
}

// Reverse-domain: at least two parts.
constexpr bool IsPluginId(std::string_view id) {
  size_t dots = 0;
  char before = '.';
  for (char c : id) {
    if (c == '.') {
      if (before == '.') return false;
      ++dots;
    } else if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-')) {
      return false;
    }
    before = c;
  }
  return dots >= 1 && before != '.';
}

}  // namespace astro::internal

#endif  // ASTROLABE_SDK_MANIFEST_H_
