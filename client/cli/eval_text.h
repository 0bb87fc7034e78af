#ifndef ASTROLABE_CLIENT_CLI_EVAL_TEXT_H_
#define ASTROLABE_CLIENT_CLI_EVAL_TEXT_H_

#include <string>

#include "astrolabe/client/evaluate.h"

namespace astrolabe::cli {

// Evaluated states for people: each as a board, h by heuristic with its components, then its neighbours.
std::string EvaluationsText(const client::Evaluations& evaluations);

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_EVAL_TEXT_H_
