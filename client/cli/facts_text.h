#ifndef ASTROLABE_CLIENT_CLI_FACTS_TEXT_H_
#define ASTROLABE_CLIENT_CLI_FACTS_TEXT_H_

#include <string>
#include <vector>

#include "astrolabe/client/server.h"

namespace astrolabe::cli {

// A line "name: value" each; values of several lines in one, with "/" between them, as boards are typed.
std::string FactsText(const std::vector<client::Fact>& facts);

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_FACTS_TEXT_H_
