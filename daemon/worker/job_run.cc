#include "daemon/worker/job_run.h"

#include <unistd.h>

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

#include "daemon/base/counted.h"
#include "daemon/worker/algorithm_catalog.h"
#include "daemon/worker/crash_reporter.h"
#include "daemon/worker/job_observer.h"
#include "daemon/worker/plugin_call.h"
#include "daemon/worker/result_builder.h"

namespace astrolabe::worker {
namespace {

constexpr int kMaxThreads = 256;
constexpr std::chrono::milliseconds kDefaultProgress{1000};

const ManifestProblem* FindManifest(const Manifest& manifest, std::string_view id) {
  for (const ManifestProblem& problem : manifest.problems) {
    if (problem.id == id) return &problem;
  }
  return nullptr;
}

}  // namespace

JobRun::JobRun(const WorkerContext& worker, const internal::v1::RunJob& request, JobControl* control)
    : worker_(worker),
      request_(request),
      spec_(request.spec()),
      control_(control),
      threads_(std::clamp(spec_.threads(), 1, kMaxThreads)),
      before_(ProcessSnapshot::Take()),
      budget_(static_cast<uint64_t>(std::max<int64_t>(request.spec().limits().max_memory_bytes(), 0))),
      algorithm_(FindAlgorithm(request.spec().algorithm().id())) {
  SetOutOfMemoryHook(&JobRun::OnPluginOutOfMemory, this);
}

JobRun::~JobRun() { SetOutOfMemoryHook(nullptr, nullptr); }

void JobRun::Run() {
  result_.set_cost_scale(1);
  result_.set_proof(v1::PROOF_NONE);
  try {
    Steps();
  } catch (const std::bad_alloc&) {
    EndOutOfMemory("the job");
  } catch (const std::exception& error) {
    FailProcess("THREW", "", "", error.what());
  } catch (...) {
    FailProcess("THREW", "", "", "an exception of an unknown type");
  }
  if (data_limit_) data_limit_->Lift();
  Finish();
}

bool JobRun::Steps() {
  HoldJobState(*worker_.frames, v1::JOB_STATE_PREPARING);
  if (!LoadPlugins()) return false;
  data_limit_.emplace(spec_.limits().max_memory_bytes(), threads_);
  return Parse() && CheckSolvable() && Reverse() && MakeHeuristics() && Search();
}

JobServices JobRun::Services() {
  JobServices services;
  services.frames = worker_.frames;
  services.log = worker_.log;
  services.cache = worker_.cache;
  services.cache_uses = &cache_uses_;
  services.budget = &budget_;
  services.control = control_;
  services.seed = spec_.seed();
  services.threads = threads_;
  services.progress_interval = request_.progress_interval_ms() > 0
                                   ? std::chrono::milliseconds(request_.progress_interval_ms())
                                   : kDefaultProgress;
  services.leftovers = &leftovers_;
  return services;
}

bool JobRun::LoadPlugins() {
  for (const internal::v1::PluginFile& file : request_.plugins()) {
    auto loaded = LoadAndTell(worker_, file);
    if (const auto* fault = std::get_if<LoadFault>(&loaded)) {
      recycle_ = "the plugin " + file.id() + " could not be loaded";
      Refusal refusal;
      refusal.kind = Refusal::Kind::kPluginFailed;
      refusal.failure = ToFailure(*fault, file.id());
      return End(refusal);
    }
    plugins_.push_back(std::get<const LoadedPlugin*>(loaded));
    if (StoppedBetweenSteps()) return false;
  }
  return true;
}

bool JobRun::Parse() {
  for (const LoadedPlugin* plugin : plugins_) {
    for (const ProblemRef& problem : plugin->problems) {
      if (problem_ref_ == nullptr && problem.id == spec_.problem()) {
        problem_ref_ = &problem;
        problem_plugin_ = plugin;
      }
    }
  }
  if (problem_ref_ == nullptr) {
    return Reject("problem", "no plugin of this job has the problem \"" + spec_.problem() + "\"", "list the problems");
  }
  const std::string& plugin = problem_plugin_->manifest.id;
  worker_.stage->Enter(plugin, "parse");
  const ManifestProblem* manifest = FindManifest(problem_plugin_->manifest, problem_ref_->id);
  const ParamList params(spec_.params(), manifest != nullptr ? manifest->defaults : ParamMap());
  problem_host_ = std::make_unique<HostServices>(Services(), plugin, "");
  const std::string_view text = spec_.instance_case() == v1::JobSpec::kData ? spec_.data() : spec_.text();
  DiagnosticCollector diagnostics("instance");
  auto parsed = ParseInstance({problem_ref_, plugin, text, &params, problem_host_.get()}, diagnostics, control_);
  for (const std::string& note : diagnostics.notes()) result_.add_notes(note);
  if (const auto* refusal = std::get_if<Refusal>(&parsed)) return End(*refusal);
  problem_ = std::get<std::unique_ptr<AbiProblem>>(std::move(parsed));
  result_.set_cost_scale(problem_->info().cost_scale);
  return !StoppedBetweenSteps();
}

bool JobRun::CheckSolvable() {
  worker_.stage->Enter(problem_->plugin(), "solvable");
  const engine::SolvableAnswer answer = problem_->IsSolvable();
  if (answer.solvable != engine::Solvable::kNo) return !StoppedBetweenSteps();
  // Known before any table is built.
  result_.set_outcome(v1::OUTCOME_UNSOLVABLE);
  result_.set_proof(v1::PROOF_UNSOLVABLE_THEORY);
  result_.set_explanation(answer.reason.empty() ? "the problem says that no goal can be reached" : answer.reason);
  return false;
}

bool JobRun::Search() {
  const uint64_t plugin_memory = PluginMemory();
  const int64_t limit = spec_.limits().max_memory_bytes();
  // Then the engine finds no memory at all, and tells h of the initial state.
  const bool used_up = limit > 0 && plugin_memory >= static_cast<uint64_t>(limit);
  engine::SearchRequest request = MakeRequest(used_up ? static_cast<uint64_t>(limit) - 1 : plugin_memory);

  std::optional<NodeStream> nodes;
  if (spec_.events().kinds_size() > 0) {
    const AbiProblem* problem = problem_.get();
    NodeWords words;
    words.state = [problem](const void* state) { return problem->RenderState(state); };
    words.op = [problem](engine::Op op) { return problem->OpWords(op); };
    words.step = [problem](const engine::FactoredStep& step) { return problem->RenderStep(step.variable, step.value); };
    nodes.emplace(spec_.events(), problem->info().state_size, std::move(words), worker_.frames, control_);
    request.sink = &*nodes;
    if (nodes->leaves_out_states()) result_.add_notes("states above 16384 bytes are left out of node events");
  }
  if (threads_ > 1 && SearchThreads() == 1) {
    result_.add_notes(spec_.algorithm().id() + " searches on one thread; the " + std::to_string(threads_) +
                      " threads of the job were for building heuristics alone");
  }
  if (spec_.heuristics_size() > 0 && !SearchesByHeuristics()) {
    result_.add_notes(spec_.algorithm().id() + " searches without a heuristic; those given do not guide it");
  }
  JobObserver observer(worker_.frames, worker_.stage, nodes ? &*nodes : nullptr, problem_->plugin(),
                       static_cast<int64_t>(plugin_memory));
  broken_ = before_.Restore();  // whatever parse or build did to floating-point mode and signals
  const auto searching = std::chrono::steady_clock::now();
  SetDuration(searching - start_, result_.mutable_statistics()->mutable_prepare_time());
  worker_.stage->EnterWithNextFrame(problem_->plugin(), "search");
  SendJobState(*worker_.frames, v1::JOB_STATE_SEARCHING);

  const engine::SearchResult found = engine::RunSearch(request, observer, control_->token());
  remains_ = found.remains;
  data_limit_->Lift();
  if (nodes) {
    nodes->Close();
    result_.mutable_events()->set_recorded(nodes->recorded());
    result_.mutable_events()->set_sampled_out(nodes->sampled_out());
  }
  engine_peak_ = found.statistics.peak_memory_bytes;
  NoteTier(found);
  if (found.outcome == engine::Outcome::kPluginFailed) {
    *result_.mutable_plugin_failure() = FailureOf(found, PluginToBlame(found), worker_.stage->current()->stage);
  }
  worker_.stage->Enter(problem_->plugin(), "extract");
  Extract(found);
  if (used_up && result_.limit() == v1::LIMIT_KIND_MEMORY) {
    result_.set_explanation("the heuristics used up the memory of the job");
  }
  return true;
}

void JobRun::NoteTier(const engine::SearchResult& found) {
  const auto name = [](engine::Tier tier) {
    return tier == engine::Tier::kAdditive ? "additive" : tier == engine::Tier::kKernel ? "kernel" : "generic";
  };
  const auto asked = static_cast<engine::Tier>(spec_.tier());
  if (asked == engine::Tier::kAuto || found.tier == engine::Tier::kAuto || found.tier == asked) return;
  result_.add_notes("tier " + std::string(name(asked)) + " was asked for, but this search can only run in tier " +
                    name(found.tier));
}

const std::string& JobRun::PluginToBlame(const engine::SearchResult& found) const {
  for (int i = 0; i < spec_.heuristics_size() && static_cast<size_t>(i) < heuristics_.size(); ++i) {
    if (spec_.heuristics(i).id() == found.broken_heuristic) return heuristics_[static_cast<size_t>(i)].object->plugin();
  }
  const bool by_heuristic = found.contract_violation.find("the heuristic") != std::string::npos;
  return by_heuristic && heuristics_.size() == 1 ? heuristics_[0].object->plugin() : problem_->plugin();
}

void JobRun::Extract(const engine::SearchResult& found) {
  const auto start = std::chrono::steady_clock::now();
  FillOutcome(found, result_);
  // The accounts of the whole job, where the engine knows its own stores alone.
  v1::Statistics& statistics = *result_.mutable_statistics();
  statistics.set_peak_memory_bytes(found.statistics.peak_memory_bytes + static_cast<int64_t>(PluginMemory()));
  // A path that the engine could not replay must not be rendered either.
  const engine::SearchResult* solution = found.outcome != engine::Outcome::kPluginFailed ? &found : nullptr;
  if (solution != nullptr && solution->has_path) FillPath(*problem_, *solution, result_);
  if (solution != nullptr) FillFinalState(*problem_, *solution, result_);
  FillContent(*problem_, solution, content_, result_);
  if (solution != nullptr && solution->has_path) KeepPath(solution->path);
  has_content_ = true;
  SetDuration(found.statistics.extract_time + (std::chrono::steady_clock::now() - start),
              statistics.mutable_extract_time());
}

void JobRun::KeepPath(std::span<const engine::Op> path) {
  const auto send = [this](internal::v1::JobContent piece) {
    internal::v1::ToDaemon message;
    *message.mutable_content() = std::move(piece);
    worker_.frames->Send(message);
  };
  if (!FillPathPieces(path, send, content_)) {
    result_.add_notes("the path is too long to be kept: " + Counted(path.size(), "move") + ", at most " +
                      std::to_string(kMaxContentOps));
  }
}

void JobRun::OnPluginOutOfMemory(void* arg) {
  auto& self = *static_cast<JobRun*>(arg);
  if (self.data_limit_) self.data_limit_->Lift();
  internal::v1::ToDaemon message;
  v1::Result& result = *message.mutable_result();
  result.set_outcome(v1::OUTCOME_LIMIT_REACHED);
  result.set_limit(v1::LIMIT_KIND_MEMORY);
  result.set_proof(v1::PROOF_NONE);
  result.set_cost_scale(std::max<int64_t>(self.result_.cost_scale(), 1));
  result.set_explanation("a plugin ran out of memory");
  result.mutable_statistics()->set_peak_memory_bytes(static_cast<int64_t>(self.budget_.peak()));
  message.set_recycle("a plugin ran out of memory");
  self.worker_.frames->Send(message);
  // The plugin's stack cannot be left in order. The daemon ends us, or hangs up and the control thread does.
  for (int i = 0; i < 50; ++i) ::usleep(100'000);
  ::_exit(0);
}

}  // namespace astrolabe::worker
