#include "daemon/worker/evaluate.h"

#include <memory>
#include <utility>
#include <vector>

#include "daemon/engine/evaluator_set.h"
#include "daemon/worker/heuristic_loader.h"
#include "daemon/worker/instance_work.h"
#include "daemon/worker/plugin_call.h"
#include "daemon/worker/result_builder.h"
#include "daemon/worker/state_buffer.h"

namespace astrolabe::worker {
namespace {

// Of a response, below the 1 MiB that the API promises; the rest is for notes and the envelope.
constexpr size_t kMaxAnswer = 960 << 10;
// Of a neighbour besides its state, about.
constexpr size_t kNeighbourBytes = 80;

// A heuristic with the weight of its use.
struct Weighted {
  Weighted(MadeHeuristic heuristic, const v1::HeuristicUse& use)
      : made(std::move(heuristic)),
        uses{WeightedUse(use, made.evaluators.front().get())},
        set(uses, engine::Combine::kMax) {}

  MadeHeuristic made;
  std::vector<engine::EvaluatorUse> uses;
  engine::EvaluatorSet set;
};

class Evaluation {
 public:
  Evaluation(const WorkerContext& worker, const v1::EvaluateStatesRequest& request,
             v1::EvaluateStatesResponse& response)
      : request_(request), response_(response), work_(worker) {}

  // Returns why the worker should not be used again; empty: it may be.
  std::string Run(const internal::v1::Evaluate& frame, internal::v1::EvaluateDone& done) {
    if (work_.Load(request_.instance(), frame.plugins()) && MakeHeuristics() && CheckStates()) Evaluate();
    for (const std::string& note : work_.notes()) response_.add_notes(note);
    for (const std::string& note : notes_) response_.add_notes(note);
    if (work_.failed()) {
      done.clear_response();
      PutFault(work_.fault(), done);
    }
    return work_.RecycleReason();
  }

 private:
  const AbiProblem& problem() const { return work_.problem(); }

  StateBuffer NewState() const { return StateBuffer(problem().info().state_size, problem().info().state_align); }

  // A heuristic that refuses does not hide the faults of the others.
  bool MakeHeuristics() {
    for (int i = 0; i < request_.heuristics_size(); ++i) {
      const v1::HeuristicUse& use = request_.heuristics(i);
      HeuristicSource source;
      source.use = &use;
      source.field = "heuristics[" + std::to_string(i) + "]";
      source.plugins = work_.plugins();
      source.problem = &problem();
      source.problem_id = request_.instance().problem();
      source.services = &work_.services();
      source.stage = work_.worker().stage;
      auto made = MakeHeuristic(source, &notes_);
      if (auto* refusal = std::get_if<Refusal>(&made)) {
        // A plugin speaks of its own parameters; which of the heuristics is meant, it does not know.
        for (v1::Violation& violation : refusal->violations) {
          if (!violation.field().starts_with(source.field)) {
            violation.set_field(source.field + "." + violation.field());
          }
        }
        work_.Refuse(*refusal, source.field);
        if (work_.fault().failure) return false;
        continue;
      }
      heuristics_.push_back(std::make_unique<Weighted>(std::get<MadeHeuristic>(std::move(made)), use));
    }
    return !work_.failed();
  }

  // The faults of all states before the first is evaluated.
  bool CheckStates() {
    work_.worker().stage->Enter(problem().plugin(), "parse_state");
    StateBuffer state = NewState();
    for (int i = 0; i < request_.states_size() && !work_.fault().failure; ++i) ParseState(i, state.data(), &notes_);
    return !work_.failed();
  }

  // Only one state is held at a time: they may be large.
  bool ParseState(int index, void* out, std::vector<std::string>* notes) {
    const std::string field = "states[" + std::to_string(index) + "]";
    DiagnosticCollector diagnostics(field);
    const astro_status status = problem().ParseState(request_.states(index), diagnostics, out);
    if (notes != nullptr) notes->insert(notes->end(), diagnostics.notes().begin(), diagnostics.notes().end());
    auto refusal = Judge(status, diagnostics, problem().plugin(), "parse_state", "parse_state", false);
    if (!refusal) return true;
    // Whatever the plugin calls a state, the request has it here.
    for (v1::Violation& violation : refusal->violations) violation.set_field(field);
    work_.Refuse(*refusal);
    return false;
  }

  void Evaluate() {
    // Whose function is in the way is known to the crash handler; a stage a state would only cost.
    work_.worker().stage->Enter(problem().plugin(), "evaluate");
    response_.set_cost_scale(problem().info().cost_scale);
    StateBuffer state = NewState();
    if (request_.states_size() == 0) {
      problem().InitialState(state.data());
      EvaluateState(state.data());
    }
    for (int i = 0; i < request_.states_size(); ++i) {
      if (!ParseState(i, state.data(), nullptr) || !EvaluateState(state.data())) return;
    }
  }

  bool EvaluateState(const void* state) {
    v1::StateEvaluation& evaluation = *response_.add_evaluations();
    evaluation.set_state(Render(state));
    evaluation.set_is_goal(problem().IsGoal(state));
    AddFacts(state, evaluation);
    return Values(state, /*explain=*/true, *evaluation.mutable_values()) && Fits(evaluation.ByteSizeLong()) &&
           (!request_.with_neighbours() || Neighbours(state, evaluation));
  }

  void AddFacts(const void* state, v1::StateEvaluation& evaluation) {
    bool left_out = false;
    for (v1::Fact& fact : problem().Facts(state, kMaxInlineFacts, &left_out)) {
      *evaluation.add_facts() = std::move(fact);
    }
    if (left_out && !std::exchange(facts_left_out_, true)) notes_.push_back(kFactsLeftOut);
  }

  bool Neighbours(const void* state, v1::StateEvaluation& evaluation) {
    const engine::SpaceInfo& info = problem().info();
    if (const auto factored = problem().Factored(); factored && info.max_ops == 0) {
      return Steps(state, *factored, evaluation);
    }
    const engine::SpaceCalls& calls = problem().calls();
    std::vector<engine::Op> ops(info.max_ops);
    std::vector<engine::Cost> costs(info.max_ops);
    const uint32_t count =
        CallPlugin("ops", [&] { return calls.ops(calls.problem, state, engine::kNoOp, ops.data(), costs.data()); });
    if (count > info.max_ops)
      return Broken(problem().plugin(), "evaluate", "ops", "it gave more than max_ops operators");
    StateBuffer child = NewState();
    for (uint32_t i = 0; i < count; ++i) {
      CallPlugin("apply", [&] { calls.apply(calls.problem, state, ops[i], child.data()); });
      v1::Neighbour& neighbour = *evaluation.add_neighbours();
      neighbour.set_op(ops[i]);
      neighbour.set_op_name(problem().RenderOp(ops[i]));
      neighbour.set_cost(costs[i]);
      if (!DescribeNeighbour(child.data(), neighbour)) return false;
    }
    return true;
  }

  // Of a factored problem that does not list its steps as operators.
  bool Steps(const void* state, const engine::FactoredInfo& factored, v1::StateEvaluation& evaluation) {
    const uint64_t steps = uint64_t{factored.variables} * (factored.values - 1);
    if (steps > kMaxAnswer / (evaluation.state().size() + kNeighbourBytes)) {
      if (!std::exchange(steps_left_out_, true)) {
        notes_.push_back("the neighbours of a state are left out: there are " + std::to_string(steps));
      }
      return true;
    }
    std::vector<uint32_t> values(factored.variables);
    problem().ValuesOf(state, values.data());
    StateBuffer child = NewState();
    for (uint32_t variable = 0; variable < factored.variables; ++variable) {
      const uint32_t before = values[variable];
      for (uint32_t value = 0; value < factored.values; ++value) {
        if (value == before) continue;
        values[variable] = value;
        problem().StateOf(values.data(), child.data());
        v1::Neighbour& neighbour = *evaluation.add_neighbours();
        neighbour.set_op(variable * factored.values + value);
        neighbour.set_op_name(problem().RenderStep(variable, value));
        if (!DescribeNeighbour(child.data(), neighbour)) return false;
      }
      values[variable] = before;
    }
    return true;
  }

  bool DescribeNeighbour(const void* state, v1::Neighbour& neighbour) {
    neighbour.set_state(Render(state));
    neighbour.set_is_goal(problem().IsGoal(state));
    return Values(state, /*explain=*/false, *neighbour.mutable_values()) && Fits(neighbour.ByteSizeLong());
  }

  bool Values(const void* state, bool explain, google::protobuf::RepeatedPtrField<v1::HeuristicValue>& values) {
    for (const auto& heuristic : heuristics_) {
      const AbiHeuristic& object = *heuristic->made.object;
      v1::HeuristicValue& value = *values.Add();
      value.set_heuristic(object.id());
      const engine::EvaluatorCalls& calls = heuristic->set.evaluator().calls();
      const engine::Cost h = CallPlugin("eval", [&] { return calls.eval(calls.context, state); });
      if (h < 0) return Broken(object.plugin(), "evaluate", "eval", "h is " + std::to_string(h) + ", below 0");
      if (h != engine::kInfinity) value.set_h(h);
      if (explain) value.set_explanation(object.Explain(state));
    }
    return true;
  }

  std::string Render(const void* state) {
    auto text = problem().RenderStateBounded(state, kMaxInlineState);
    if (text) return *std::move(text);
    if (!std::exchange(left_out_, true)) notes_.push_back("states whose text is above 64 KiB are left out");
    return "";
  }

  bool Fits(size_t bytes) {
    bytes_ += bytes + 16;  // with its tag and length
    if (bytes_ <= kMaxAnswer) return true;
    Refusal refusal;
    v1::Violation& violation = refusal.violations.emplace_back();
    violation.set_field("states");
    violation.set_message("the answer would be above 1 MiB");
    violation.set_hint(request_.with_neighbours() ? "ask for fewer states at once, or without their neighbours"
                                                  : "ask for fewer states at once");
    work_.Refuse(refusal);
    return false;
  }

  bool Broken(const std::string& plugin, const char* stage, const char* function, const std::string& what) {
    work_.Refuse(PluginFault(plugin, stage, "CONTRACT_VIOLATION", function, what));
    return false;
  }

  const v1::EvaluateStatesRequest& request_;
  v1::EvaluateStatesResponse& response_;
  InstanceWork work_;
  std::vector<std::unique_ptr<Weighted>> heuristics_;
  std::vector<std::string> notes_;
  size_t bytes_ = 0;
  bool left_out_ = false;
  bool facts_left_out_ = false;
  bool steps_left_out_ = false;
};

}  // namespace

void RunEvaluate(const WorkerContext& worker, const internal::v1::Evaluate& request) {
  internal::v1::ToDaemon message;
  internal::v1::EvaluateDone& done = *message.mutable_evaluated();
  done.set_request(request.request());
  RunAndSend(worker, message,
             [&] { return Evaluation(worker, request.evaluate(), *done.mutable_response()).Run(request, done); });
}

}  // namespace astrolabe::worker
