// AbiProblem's facts: astro.problem.facts/1, with bounds on what a plugin may say.
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "astrolabe/abi/facts.h"
#include "daemon/base/utf8.h"
#include "daemon/worker/abi_problem.h"
#include "daemon/worker/abi_text.h"
#include "daemon/worker/plugin_call.h"

namespace astrolabe::worker {
namespace {

constexpr size_t kMaxFacts = 64;
constexpr size_t kMaxNameBytes = 64;

struct FactList {
  size_t room;
  std::vector<v1::Fact> facts = {};
  bool left_out = false;

  // Never lets an exception into the plugin.
  static void Take(void* ctx, astro_text name, astro_text value) noexcept {
    auto& list = *static_cast<FactList*>(ctx);
    const size_t size = name.size + value.size;
    if (list.facts.size() >= kMaxFacts || name.size > kMaxNameBytes || size > list.room) {
      list.left_out = true;
      return;
    }
    try {
      v1::Fact fact;
      fact.set_name(CopyText(name, kMaxNameBytes));
      fact.set_value(CopyText(value, list.room));
      list.facts.push_back(std::move(fact));
      list.room -= size;
    } catch (const std::bad_alloc&) {
      list.left_out = true;
    }
  }
};

}  // namespace

std::vector<v1::Fact> AbiProblem::Facts(const void* state, size_t max_bytes, bool* left_out) const {
  if (facts_ == nullptr) return {};
  FactList list{max_bytes};
  const astro_fact_sink sink = {&list, &FactList::Take};
  CallPlugin("facts", [&] { facts_->facts(object_, state, &sink); });
  *left_out |= list.left_out;
  return std::move(list.facts);
}

}  // namespace astrolabe::worker
