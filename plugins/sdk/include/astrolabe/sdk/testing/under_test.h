// A problem and a heuristic held through their ABI tables, as the host holds them, with std types around.
#ifndef ASTROLABE_SDK_TESTING_UNDER_TEST_H_
#define ASTROLABE_SDK_TESTING_UNDER_TEST_H_

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "astrolabe/abi/factored.h"
#include "astrolabe/abi/facts.h"
#include "astrolabe/abi/ida.h"
#include "astrolabe/abi/local.h"
#include "astrolabe/abi/random_state.h"
#include "astrolabe/abi/reversed.h"
#include "astrolabe/sdk/memory.h"
#include "astrolabe/sdk/testing/fake_host.h"

namespace astro::testing {

struct Fault {
  uint32_t severity;
  std::string field;
  uint32_t line;
  uint32_t column;
  std::string message;
  std::string expected;
  std::string hint;
};

class Faults {
 public:
  Faults() {
    sink_.ctx = this;
    sink_.report = [](void* ctx, const astro_diagnostic_v1* d) {
      static_cast<Faults*>(ctx)->list.push_back({d->severity, std::string(ToView(d->field)), d->line, d->column,
                                                 std::string(ToView(d->message)), std::string(ToView(d->expected)),
                                                 std::string(ToView(d->hint))});
    };
  }
  Faults(const Faults&) = delete;
  Faults& operator=(const Faults&) = delete;
  const astro_diagnostics* get() const { return &sink_; }

  // All messages, each on a line: "2:5 'three' is not a number".
  std::string Text() const {
    std::string text;
    for (const Fault& fault : list) {
      text += std::to_string(fault.line) + ":" + std::to_string(fault.column) + " " + fault.message + "\n";
    }
    return text;
  }

  std::vector<Fault> list;

 private:
  astro_diagnostics sink_;
};

// Collects what is written to a sink.
template <class Call>
std::string Written(Call&& call) {
  std::string text;
  const astro_sink sink = {
      &text, [](void* ctx, const char* data, uint64_t size) { static_cast<std::string*>(ctx)->append(data, size); }};
  call(&sink);
  return text;
}

// Parameters by name. Values: bool and int as numbers, text as text.
class FakeParams {
 public:
  void SetText(const std::string& name, const std::string& value) {
    texts_.emplace_back(std::make_unique<std::pair<std::string, std::string>>(name, value));
    astro_param_v1& param = Add(texts_.back()->first, ASTRO_PARAM_STRING);
    param.string_value = ToText(texts_.back()->second);
  }
  void SetInt(const std::string& name, int64_t value, uint32_t type = ASTRO_PARAM_INT) {
    texts_.emplace_back(std::make_unique<std::pair<std::string, std::string>>(name, ""));
    Add(texts_.back()->first, type).int_value = value;
  }
  const astro_params* get() {
    params_ = {items_.data(), items_.size(), sizeof(astro_param_v1)};
    return &params_;
  }

 private:
  astro_param_v1& Add(std::string_view name, uint32_t type) {
    astro_param_v1 param = {};
    param.struct_size = sizeof(param);
    param.type = type;
    param.name = ToText(name);
    items_.push_back(param);
    return items_.back();
  }

  std::vector<std::unique_ptr<std::pair<std::string, std::string>>> texts_;
  std::vector<astro_param_v1> items_;
  astro_params params_ = {};
};

// A state in aligned memory of its own.
class StateBytes {
 public:
  explicit StateBytes(size_t size) : size_(size), bytes_(internal::AllocateAligned(size)) {
    std::fill_n(bytes_.get(), size, std::byte{0});
  }
  StateBytes(const StateBytes& other) : StateBytes(other.size_) { std::copy_n(other.get(), size_, bytes_.get()); }
  StateBytes& operator=(const StateBytes& other) {
    if (this != &other) *this = StateBytes(other);
    return *this;
  }
  StateBytes(StateBytes&&) = default;
  StateBytes& operator=(StateBytes&&) = default;
  std::byte* get() { return bytes_.get(); }
  const std::byte* get() const { return bytes_.get(); }
  std::string key() const { return std::string(reinterpret_cast<const char*>(bytes_.get()), size_); }
  bool operator==(const StateBytes& other) const { return key() == other.key(); }

 private:
  size_t size_;
  internal::AlignedBytes bytes_;
};

// Check ok() before anything else.
class ProblemUnderTest {
 public:
  ProblemUnderTest(const astro_problem_v1* functions, FakeHost& host, std::string_view text,
                   FakeParams* params = nullptr)
      : f_(functions) {
    FakeParams none;
    status_ = f_->parse(host.get(), ToText(text), (params == nullptr ? none : *params).get(), faults.get(), &problem_);
    ReadInfo();
  }
  // The reversed problem of `forward`, which must have that extension.
  ProblemUnderTest(const ProblemUnderTest& forward, FakeHost& host) : f_(forward.f_) {
    status_ = forward.ReversedCalls()->reverse(forward.problem_, host.get(), faults.get(), &problem_);
    ReadInfo();
  }
  ProblemUnderTest(const ProblemUnderTest&) = delete;
  ProblemUnderTest& operator=(const ProblemUnderTest&) = delete;
  ~ProblemUnderTest() {
    if (problem_ != nullptr) f_->destroy(problem_);
  }

  bool ok() const { return status_ == ASTRO_OK; }
  astro_status status() const { return status_; }
  const astro_problem_v1& functions() const { return *f_; }
  const void* get() const { return problem_; }
  const astro_problem_info_v1& info() const { return info_; }

  StateBytes NewState() const { return StateBytes(info_.state_size); }
  StateBytes Initial() const {
    StateBytes state = NewState();
    f_->initial_state(problem_, state.get());
    return state;
  }
  StateBytes Goal() const {
    StateBytes state = NewState();
    f_->goal_state(problem_, state.get());
    return state;
  }
  // Null: reported in `faults`.
  std::optional<StateBytes> ParseState(std::string_view text) {
    StateBytes state = NewState();
    if (f_->parse_state(problem_, ToText(text), faults.get(), state.get()) != ASTRO_OK) return std::nullopt;
    return state;
  }
  bool IsGoal(const StateBytes& state) const { return f_->is_goal(problem_, state.get()) != 0; }
  std::vector<Op> Ops(const StateBytes& state, Op last_op = kNoOp) const {
    std::vector<Op> ops(info_.max_ops);
    ops.resize(f_->ops(problem_, state.get(), last_op, ops.data(), nullptr));
    return ops;
  }
  StateBytes Apply(const StateBytes& state, Op op) const {
    StateBytes child = NewState();
    f_->apply(problem_, state.get(), op, child.get());
    return child;
  }
  std::string Render(const StateBytes& state) const {
    return Written([&](const astro_sink* sink) { f_->render_state(problem_, state.get(), sink); });
  }
  std::string RenderOp(Op op) const {
    return Written([&](const astro_sink* sink) { f_->render_op(problem_, op, sink); });
  }
  // Names and values; none where the problem tells none.
  std::vector<std::pair<std::string, std::string>> Facts(const StateBytes& state) const {
    std::vector<std::pair<std::string, std::string>> facts;
    const auto* calls = static_cast<const astro_problem_facts_v1*>(f_->get_extension(ToText(ASTRO_PROBLEM_FACTS_V1)));
    if (calls == nullptr) return facts;
    const astro_fact_sink sink = {&facts, [](void* ctx, astro_text name, astro_text value) {
                                    static_cast<decltype(facts)*>(ctx)->emplace_back(ToView(name), ToView(value));
                                  }};
    calls->facts(problem_, state.get(), &sink);
    return facts;
  }
  std::string CanonicalText() const {
    return Written([&](const astro_sink* sink) { f_->canonical_text(problem_, sink); });
  }
  std::string Describe() const {
    return Written([&](const astro_sink* sink) { f_->describe(problem_, sink); });
  }
  std::string Fingerprint() const {
    uint8_t out[32];
    f_->fingerprint(problem_, out);
    return std::string(reinterpret_cast<const char*>(out), sizeof(out));
  }
  std::pair<uint32_t, std::string> Solvable() const {
    uint32_t answer = 0;
    std::string reason = Written([&](const astro_sink* sink) { answer = f_->solvable(problem_, sink); });
    return {answer, std::move(reason)};
  }
  const astro_problem_ida_v1* Kernel() const {
    return static_cast<const astro_problem_ida_v1*>(f_->get_extension(ToText(ASTRO_PROBLEM_IDA_V1)));
  }
  // Null: the problem has no such extension.
  const astro_problem_reversed_v1* ReversedCalls() const {
    return static_cast<const astro_problem_reversed_v1*>(f_->get_extension(ToText(ASTRO_PROBLEM_REVERSED_V1)));
  }
  const astro_problem_factored_v1* FactoredCalls() const {
    return static_cast<const astro_problem_factored_v1*>(f_->get_extension(ToText(ASTRO_PROBLEM_FACTORED_V1)));
  }
  const astro_problem_random_state_v1* RandomStateCalls() const {
    return static_cast<const astro_problem_random_state_v1*>(f_->get_extension(ToText(ASTRO_PROBLEM_RANDOM_STATE_V1)));
  }
  // False: it is not factored, and *out untouched.
  bool Factored(astro_factored_info_v1* out) const {
    astro_factored_info_v1 info = {};
    info.struct_size = sizeof(info);
    if (FactoredCalls() == nullptr || FactoredCalls()->info(problem_, &info) == 0) return false;
    *out = info;
    return true;
  }
  // The calls below need the extension.
  std::vector<uint32_t> Values(const StateBytes& state) const {
    astro_factored_info_v1 info = {};
    if (!Factored(&info)) return {};
    std::vector<uint32_t> values(info.variables);
    FactoredCalls()->values(problem_, state.get(), values.data());
    return values;
  }
  StateBytes State(const std::vector<uint32_t>& values) const {
    StateBytes state = NewState();
    FactoredCalls()->state(problem_, values.data(), state.get());
    return state;
  }
  StateBytes Random(uint64_t seed) const {
    StateBytes state = NewState();
    RandomStateCalls()->random_state(problem_, seed, state.get());
    return state;
  }

  Faults faults;

 private:
  void ReadInfo() {
    if (status_ != ASTRO_OK) return;
    info_.struct_size = sizeof(info_);
    f_->info(problem_, &info_);
  }

  const astro_problem_v1* f_;
  void* problem_ = nullptr;
  astro_status status_ = ASTRO_INTERNAL;
  astro_problem_info_v1 info_ = {};
};

// Created, built and with one context open. Check ok() before anything else.
class HeuristicUnderTest {
 public:
  HeuristicUnderTest(const astro_heuristic_v1* functions, FakeHost& host, const ProblemUnderTest& problem,
                     FakeParams* params = nullptr)
      : f_(functions) {
    FakeParams none;
    status_ = f_->create(host.get(), &problem.functions(), problem.get(), (params == nullptr ? none : *params).get(),
                         faults.get(), &heuristic_);
    if (status_ == ASTRO_OK && f_->build != nullptr) status_ = f_->build(heuristic_, faults.get());
    if (status_ != ASTRO_OK) return;
    info_.struct_size = sizeof(info_);
    f_->info(heuristic_, &info_);
    context_ = f_->open_context == nullptr ? heuristic_ : f_->open_context(heuristic_, 1);
  }
  HeuristicUnderTest(const HeuristicUnderTest&) = delete;
  HeuristicUnderTest& operator=(const HeuristicUnderTest&) = delete;
  ~HeuristicUnderTest() {
    if (context_ != nullptr && context_ != heuristic_) f_->close_context(heuristic_, context_);
    if (heuristic_ != nullptr) f_->destroy(heuristic_);
  }

  bool ok() const { return status_ == ASTRO_OK; }
  astro_status status() const { return status_; }
  const astro_heuristic_v1& functions() const { return *f_; }
  const void* get() const { return heuristic_; }
  const void* context() const { return context_; }
  const astro_heuristic_info_v1& info() const { return info_; }

  int64_t Eval(const StateBytes& state) const { return f_->eval(context_, state.get()); }
  std::vector<std::byte> RootAux(const StateBytes& state) const {
    std::vector<std::byte> aux(info_.aux_size);
    if (!aux.empty()) f_->root_aux(context_, state.get(), aux.data());
    return aux;
  }
  std::string Explain(const StateBytes& state) const {
    return Written([&](const astro_sink* sink) { f_->explain(heuristic_, state.get(), sink); });
  }
  // Null: the heuristic has no such extension.
  const astro_heuristic_local_v1* LocalCalls() const {
    return static_cast<const astro_heuristic_local_v1*>(
        f_->get_extension == nullptr ? nullptr : f_->get_extension(ToText(ASTRO_HEURISTIC_LOCAL_V1)));
  }
  // False: it has no table for this instance.
  bool Table(astro_additive_table_v1& out) const {
    const auto* additive = static_cast<const astro_heuristic_additive_v1*>(
        f_->get_extension == nullptr ? nullptr : f_->get_extension(ToText(ASTRO_HEURISTIC_ADDITIVE_V1)));
    out = {};
    out.struct_size = sizeof(out);
    return additive != nullptr && additive->table(heuristic_, &out) != 0;
  }

  Faults faults;

 private:
  const astro_heuristic_v1* f_;
  void* heuristic_ = nullptr;
  void* context_ = nullptr;
  astro_status status_ = ASTRO_INTERNAL;
  astro_heuristic_info_v1 info_ = {};
};

}  // namespace astro::testing

#endif  // ASTROLABE_SDK_TESTING_UNDER_TEST_H_
