#include "tests/support/plugins_in_process.h"

#include <sys/socket.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>
#include <variant>

#include "daemon/worker/diagnostics.h"

namespace astrolabe::testing {
namespace {

[[noreturn]] void Die(const std::string& message) {
  std::fprintf(stderr, "plugins in process: %s\n", message.c_str());
  std::exit(1);
}

template <class Refs>
const auto& Find(const Refs& refs, const std::string& id, const char* what) {
  for (const auto& ref : refs) {
    if (ref.id == id) return ref;
  }
  Die(std::string("no ") + what + " " + id + " is loaded");
}

}  // namespace

engine::SearchRequest PreparedSearch::Request(const std::string& algorithm) const {
  engine::SearchRequest request;
  request.space = problem_.get();
  request.evaluators.push_back({&evaluator_, 1, 1});
  request.algorithm = algorithm;
  return request;
}

engine::SearchResult PreparedSearch::Run(const std::string& algorithm) const {
  engine::SearchObserver nobody;
  const engine::StopToken never;
  return engine::RunSearch(Request(algorithm), nobody, never);
}

PluginsInProcess::PluginsInProcess(const std::vector<std::string>& files) {
  int fds[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0) Die("no socketpair");
  socket_.Reset(fds[0]);
  peer_.Reset(fds[1]);
  frames_ = std::make_unique<worker::FrameWriter>(socket_.get());
  stage_ = std::make_unique<worker::StageTracker>(frames_.get());
  log_ = std::make_unique<worker::LogStream>(frames_.get());
  worker::JobServices services;
  services.frames = frames_.get();
  services.log = log_.get();
  services.cache = &cache_;
  services.budget = &budget_;
  host_ = std::make_unique<worker::PluginHost>(stage_.get(), &code_, services);
  services_ = std::make_unique<worker::HostServices>(services, "test", "");
  for (const std::string& path : files) {
    internal::v1::PluginFile file;
    file.set_id("org.astrolabe." + std::filesystem::path(path).stem().string());
    file.set_path(path);
    const auto loaded = host_->Load(file);
    if (const auto* fault = std::get_if<worker::LoadFault>(&loaded)) Die(path + ": " + fault->message);
    const auto* plugin = std::get<const worker::LoadedPlugin*>(loaded);
    problems_.insert(problems_.end(), plugin->problems.begin(), plugin->problems.end());
    heuristics_.insert(heuristics_.end(), plugin->heuristics.begin(), plugin->heuristics.end());
  }
}

PreparedSearch PluginsInProcess::Prepare(const std::string& problem_id, const std::string& instance,
                                         const std::string& heuristic_id) {
  const worker::ProblemRef& problem_ref = Find(problems_, problem_id, "problem");
  const worker::HeuristicRef& heuristic_ref = Find(heuristics_, heuristic_id, "heuristic");
  const astro_params no_params{nullptr, 0, sizeof(astro_param_v1)};
  worker::DiagnosticCollector diagnostics("instance");
  void* parsed = nullptr;
  if (problem_ref.vtable->parse(services_->abi(), {instance.data(), instance.size()}, &no_params, diagnostics.abi(),
                                &parsed) != ASTRO_OK)
    Die(problem_id + ": " + diagnostics.Summary());
  auto problem = std::make_unique<worker::AbiProblem>(problem_ref, problem_id, parsed);
  if (!problem->defect().empty()) Die(problem_id + ": " + problem->defect());
  void* created = nullptr;
  if (heuristic_ref.vtable->create(services_->abi(), problem->vtable(), problem->object(), &no_params,
                                   diagnostics.abi(), &created) != ASTRO_OK)
    Die(heuristic_id + ": " + diagnostics.Summary());
  auto heuristic = std::make_unique<worker::AbiHeuristic>(heuristic_ref, heuristic_id, created);
  if (const std::string defect = heuristic->ReadInfo(); !defect.empty()) Die(heuristic_id + ": " + defect);
  return PreparedSearch(std::move(problem), std::move(heuristic));
}

}  // namespace astrolabe::testing
