#include "daemon/server/plugin_convert.h"

#include <cassert>
#include <string>

#include "daemon/server/safe_text.h"

namespace astrolabe::server {
namespace {

constexpr size_t kMaxTextBytes = 4096;

// "NOT_ELF". The registry's codes have the numbers of the proto's.
std::string CodeName(registry::LoadCode code) {
  static constexpr std::string_view kPrefix = "LOAD_CODE_";
  const std::string& name = v1::LoadCode_Name(static_cast<v1::LoadCode>(code));
  return name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : "UNKNOWN";
}

void FillError(const registry::LoadError& error, const std::function<std::string(std::string_view)>& text,
               v1::LoadError* out) {
  out->set_code(static_cast<v1::LoadCode>(error.code));
  out->set_stage(error.stage);
  out->set_message(text(error.message));
  out->set_expected(text(error.expected));
  out->set_found(text(error.found));
  out->set_hint(text(error.hint));
}

}  // namespace

v1::Plugin ToProto(const registry::PluginRecord& record, Audience audience) {
  const auto text = [&](std::string_view raw) {
    return SafeText(audience == Audience::kAdmin ? std::string(raw) : WithoutPaths(raw, record.path), kMaxTextBytes);
  };
  v1::Plugin out;
  out.set_id(text(record.id));
  out.set_state(static_cast<v1::PluginState>(record.state));
  out.set_active_jobs(record.active_jobs);
  out.set_file(SafeText(audience == Audience::kAdmin ? record.path : BaseName(record.path), kMaxTextBytes));
  if (record.error) FillError(*record.error, text, out.mutable_error());
  if (!record.generation) return out;
  const registry::Manifest& manifest = record.generation->manifest();
  out.set_version(manifest.version);
  out.set_abi_major(manifest.abi_major);
  out.set_abi_minor(manifest.abi_minor);
  out.set_licence(manifest.licence);
  out.set_sha256(record.generation->file().sha256);
  out.set_generation(record.generation->file().generation);
  for (const registry::ProblemEntry& problem : manifest.problems) out.add_problems(problem.id);
  for (const registry::HeuristicEntry& heuristic : manifest.heuristics) out.add_heuristics(heuristic.id);
  for (const std::string& warning : record.generation->warnings()) out.add_warnings(text(warning));
  return out;
}

Error LoadFailure(const registry::PluginRecord& record) {
  assert(record.error.has_value());
  const registry::LoadError& failure = *record.error;
  const std::string code = CodeName(failure.code);
  std::string message = record.path.empty() ? record.id : record.path;
  message += ": " + code + " (stage " + failure.stage + "): " + failure.message;
  if (!failure.expected.empty()) message += "; expected " + failure.expected;
  if (!failure.found.empty()) message += "; found " + failure.found;
  if (!failure.hint.empty()) message += ". " + failure.hint;
  if (record.state == registry::PluginState::kReady && record.generation) {
    message +=
        " Generation " + std::to_string(record.generation->file().generation) + " of " + record.id + " stays active.";
  }
  Error error = MakeError(ErrorCode::kFailedPrecondition, "PLUGIN_LOAD_FAILED", std::move(message));
  error.metadata = {{"code", code},           {"stage", failure.stage}, {"expected", failure.expected},
                    {"found", failure.found}, {"hint", failure.hint},   {"plugin", record.id},
                    {"file", record.path}};
  return error;
}

}  // namespace astrolabe::server
