#include "daemon/worker/worker_context.h"

namespace astrolabe::worker {

std::variant<const LoadedPlugin*, LoadFault> LoadAndTell(const WorkerContext& worker,
                                                         const internal::v1::PluginFile& file) {
  const bool known = worker.plugins->Find(file.id()) != nullptr;
  auto loaded = worker.plugins->Load(file);
  if (const auto* plugin = std::get_if<const LoadedPlugin*>(&loaded); plugin != nullptr && !known) {
    internal::v1::ToDaemon message;
    message.mutable_loaded()->set_id(file.id());
    for (const std::string& warning : (*plugin)->warnings) message.mutable_loaded()->add_warnings(warning);
    worker.frames->Send(message);
  }
  return loaded;
}

v1::PluginFailure ToFailure(const LoadFault& fault, const std::string& plugin) {
  v1::PluginFailure failure;
  failure.set_plugin(plugin);
  failure.set_stage(fault.stage);
  failure.set_code(fault.code);
  std::string message = fault.message;
  if (!fault.expected.empty()) message += "; expected " + fault.expected;
  if (!fault.found.empty()) message += "; found " + fault.found;
  if (!fault.hint.empty()) message += " (" + fault.hint + ")";
  failure.set_message(message);
  return failure;
}

}  // namespace astrolabe::worker
