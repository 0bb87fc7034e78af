#include "client/cli/facts_text.h"

#include "client/cli/board_text.h"

namespace astrolabe::cli {

std::string FactsText(const std::vector<client::Fact>& facts) {
  std::string text;
  for (const client::Fact& fact : facts) text += fact.name + ": " + OneLine(fact.value) + "\n";
  return text;
}

}  // namespace astrolabe::cli
