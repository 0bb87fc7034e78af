// The steps of a local search as they are made, for people: `step 3: conflicts 4 -> 2, moved column 5 to row 1`. With
// generated neighbours among the events, what each would make of the objective: on a square board as the table that
// textbooks show, the queen of each column where it stands and in the other squares the objective if it stood there.
#ifndef ASTROLABE_CLIENT_CLI_STEP_LOG_H_
#define ASTROLABE_CLIENT_CLI_STEP_LOG_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "astrolabe/client/event.h"

namespace astrolabe::cli {

class StepLog {
 public:
  // objective_name: what is made smaller, "conflicts".
  explicit StepLog(std::string objective_name) : objective_name_(std::move(objective_name)) {}

  // The text of the events since the last call, each line with its newline. Events come in order.
  std::string Take(const client::NodeBatch& batch);
  // Of what is still held back: the neighbours of the last state.
  std::string Finish() { return Neighbours(); }

 private:
  struct Neighbour {
    uint32_t op;
    int64_t h;
    std::string words;
  };

  std::string Line(const client::NodeEvent& node);
  std::string Begin(const client::NodeEvent& node, const std::string& what);
  std::string Step(const client::NodeEvent& node);
  std::string End(const client::NodeEvent& node, const std::string& how);
  std::string Neighbours();

  const std::string objective_name_;
  int64_t climb_ = 0;  // restarts so far
  int64_t step_ = 0;   // the last one told, of this climb
  int64_t objective_ = 0;
  std::string board_;  // the state, rendered
  std::vector<Neighbour> neighbours_;
};

}  // namespace astrolabe::cli

#endif  // ASTROLABE_CLIENT_CLI_STEP_LOG_H_
