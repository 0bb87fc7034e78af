#include "client/cli/show_stream.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <utility>

#include "astrolabe/client/errors.h"
#include "astrolabe/client/json.h"
#include "client/cli/board_text.h"
#include "client/cli/exit_code.h"
#include "client/cli/final_state.h"
#include "client/cli/moves.h"
#include "client/cli/progress_line.h"
#include "client/cli/step_log.h"

namespace astrolabe::cli {
namespace {

std::string NodeLine(const client::NodeEvent& node) {
  std::string kind = client::Name(node.kind);
  std::ranges::transform(kind, kind.begin(), [](unsigned char c) { return std::tolower(c); });
  char text[160];
  std::snprintf(text, sizeof text, "%-10s #%016llx  g %lld  h %lld  f %lld  depth %lld", kind.c_str(),
                static_cast<unsigned long long>(node.node), static_cast<long long>(node.g),
                static_cast<long long>(node.h), static_cast<long long>(node.g + node.h),
                static_cast<long long>(node.depth));
  std::string line = text;
  if (!node.text.empty()) line += "  " + OneLine(node.text);
  return line + "\n";
}

// Node events as lines; once the algorithm is known to be a local search, as its steps.
class NodePrinter {
 public:
  void TellSteps(const std::string& objective_name) { steps_.emplace(objective_name); }
  void Print(const client::NodeBatch& batch) {
    if (steps_) return Show(steps_->Take(batch));
    std::string lines;
    for (const client::NodeEvent& node : batch.nodes) lines += NodeLine(node);
    Show(lines);
  }
  void Finish() {
    if (steps_) Show(steps_->Finish());
  }

 private:
  static void Show(const std::string& lines) {
    cli::Print(lines);
    FlushOutput();
  }
  std::optional<StepLog> steps_;
};

// Several values, or one with a weight, are no longer what one of them is called.
std::string ObjectiveName(const client::JobAccepted& accepted, const std::map<std::string, std::string>& names) {
  constexpr char kUnnamed[] = "objective";
  if (accepted.heuristics.size() != 1) return kUnnamed;
  const client::HeuristicUse& use = accepted.heuristics.front();
  if (use.weight && use.weight->numerator != use.weight->denominator) return kUnnamed;
  const auto found = names.find(use.id);
  return found == names.end() || found->second.empty() ? kUnnamed : found->second;
}

// Warnings of plugins and the engine; what plugins print belongs to the log of the job, not to the user's terminal.
void PrintLog(const client::LogLine& line) {
  if (line.level != client::LogLevel::kWarning && line.level != client::LogLevel::kError) return;
  std::fprintf(stderr, "%s: %s: %s\n", line.level == client::LogLevel::kError ? "error" : "warning",
               line.source.c_str(), line.text.c_str());
}

void PrintGap(const client::Gap& gap) {
  std::fprintf(stderr, "note: events %lld to %lld were not delivered (%s)\n",
               static_cast<long long>(gap.first_sequence), static_cast<long long>(gap.last_sequence),
               client::Name(gap.reason).c_str());
}

// One a line. There may be millions.
absl::Status PrintMoves(client::Client* client, const std::string& job, const client::Path& path) {
  constexpr size_t kFull = size_t{64} << 10;
  std::string lines;
  const absl::Status shown = ForEachMove(client, job, path, [&](std::string_view move) {
    lines.append(move) += '\n';
    if (lines.size() < kFull) return;
    Print(lines);
    lines.clear();
  });
  Print(lines);
  return shown;
}

// As it comes: a board of a million columns has some megabytes.
absl::Status PrintFinalState(client::Client* client, const std::string& job, const client::Result& result) {
  char last = '\n';
  const absl::Status shown = ReadFinalState(client, job, result, [&](std::string_view piece) {
    Print(piece);
    if (!piece.empty()) last = piece.back();
  });
  if (last != '\n') Print("\n");
  return shown;
}

// The server went away, or is about to: a new one may take the job.
bool Leaving(const absl::Status& status) {
  return status.code() == absl::StatusCode::kUnavailable &&
         (client::Reason(status) == client::kReasonConnectionLost || client::Reason(status) == "DRAINING");
}

}  // namespace

absl::StatusOr<Trace> Trace::Open(const std::string& path) {
  Trace trace;
  if (path.empty()) return trace;
  trace.path_ = path;
  trace.file_.reset(fopen(path.c_str(), "we"));
  if (!trace.file_) return absl::InvalidArgumentError("cannot write " + path + ": " + std::strerror(errno));
  return trace;
}

void Trace::Write(const std::string& line) {
  const bool written =
      std::fwrite(line.data(), 1, line.size(), file_.get()) == line.size() && std::fputc('\n', file_.get()) != EOF;
  if (!written && error_ == 0) error_ = errno;
}

absl::Status Trace::Close() {
  if (!file_) return absl::OkStatus();
  if (fclose(file_.release()) != 0 && error_ == 0) error_ = errno;
  if (error_ == 0) return absl::OkStatus();
  return absl::InternalError("cannot write the whole of " + path_ + ": " + std::strerror(error_));
}

int ShowResult(const Session& session, const SourceNames& names, client::Client* client, const std::string& job,
               const client::Result& result) {
  const bool has_path = result.cost.has_value() && result.path.length > 0;
  switch (session.form) {
    case OutputForm::kJson:
    case OutputForm::kNdjson:
      PrintLine(client::ToJson(result));
      break;
    case OutputForm::kMoves:
      if (has_path) {
        const absl::Status shown = PrintMoves(client, job, result.path);
        if (!shown.ok()) return session.Fail(shown);
      }
      break;
    case OutputForm::kState:
      if (HasFinalState(result)) {
        const absl::Status shown = PrintFinalState(client, job, result);
        if (!shown.ok()) return session.Fail(shown);
      }
      break;
    case OutputForm::kCsv:  // of bench alone
    case OutputForm::kText:
      Print(ResultText(result, has_path ? ShownMoves(client, job, result.path) : std::vector<std::string>()));
      break;
  }
  FlushOutput();
  if (!session.json()) {
    std::string warnings = ResultWarnings(result, names);
    if ((session.form == OutputForm::kMoves || session.form == OutputForm::kState) &&
        result.outcome != client::Outcome::kSolved) {
      warnings += client::Name(result.outcome) + ": " + result.explanation + "\n";
    }
    if (!session.quiet || result.outcome != client::Outcome::kSolved) std::fputs(warnings.c_str(), stderr);
  }
  return ExitCodeOf(result);
}

absl::StatusOr<client::EventStream> StartSolve(const Session& session, client::Client* client,
                                               const client::SolveRequest& request) {
  absl::StatusOr<client::EventStream> stream = client->Solve(request);
  if (stream.ok() || !Leaving(stream.status()) || !session.own_daemon() || session.no_autostart) return stream;
  absl::StatusOr<client::Client> again = session.Connect();
  if (!again.ok()) return again.status();
  *client = *std::move(again);
  return client->Solve(request);
}

absl::StatusOr<client::Result> ReadStream(const Session& session, const ShowOptions& options,
                                          client::EventStream* stream, Trace* trace) {
  ProgressLine progress(options.progress && !session.quiet);
  const bool ndjson = session.form == OutputForm::kNdjson;
  std::optional<client::Result> result;
  client::Event event;
  NodePrinter printer;
  while (stream->Next(&event)) {
    if (ndjson || trace->wanted()) {
      const std::string line = client::ToJson(event);
      if (trace->wanted()) trace->Write(line);
      if (ndjson && (options.progress || event.As<client::Progress>() == nullptr)) {
        progress.Clear();
        PrintLine(line);
      }
    }
    if (const auto* nodes = event.As<client::NodeBatch>(); nodes != nullptr) {
      if (session.form == OutputForm::kText && options.print_nodes) {
        progress.Clear();
        printer.Print(*nodes);
      }
    } else if (const auto* accepted = event.As<client::JobAccepted>(); accepted != nullptr) {
      if (std::ranges::count(options.local_algorithms, accepted->algorithm.id) > 0) {
        printer.TellSteps(ObjectiveName(*accepted, options.objective_names));
      }
    } else if (const auto* line = event.As<client::LogLine>(); line != nullptr && !session.json() && !session.quiet) {
      progress.Clear();
      PrintLog(*line);
    } else if (const auto* gap = event.As<client::Gap>(); gap != nullptr && !session.json()) {
      progress.Clear();
      PrintGap(*gap);
    } else if (const auto* last = event.As<client::Result>()) {
      result = *last;
    }
    progress.Update(event);
  }
  progress.Clear();
  printer.Finish();
  if (!result) return stream->status();
  return *result;
}

int ShowStream(const Session& session, const ShowOptions& given, client::Client* client, client::EventStream* stream,
               Trace* trace) {
  ShowOptions options = given;
  if (options.print_nodes && session.form == OutputForm::kText) {
    const auto algorithms = client->ListAlgorithms();
    if (!algorithms.ok()) return session.Fail(algorithms.status());
    for (const client::AlgorithmInfo& info : *algorithms) {
      if (info.local_search) options.local_algorithms.push_back(info.id);
    }
    const auto heuristics = client->ListHeuristics();
    if (!heuristics.ok()) return session.Fail(heuristics.status());
    for (const client::HeuristicInfo& info : *heuristics) options.objective_names[info.id] = info.objective_name;
  }
  const absl::StatusOr<client::Result> result = ReadStream(session, options, stream, trace);
  const absl::Status traced = trace->Close();
  // On stderr in every form: standard output is the Result's, which is there whatever became of the trace.
  if (!traced.ok()) std::fprintf(stderr, "astrolabe: %s\n", std::string(traced.message()).c_str());
  if (!result.ok()) return session.Fail(result.status());
  // In ndjson the Result was the last event.
  const int exit_code = session.form == OutputForm::kNdjson
                            ? ExitCodeOf(*result)
                            : ShowResult(session, options.names, client, stream->job(), *result);
  return traced.ok() ? exit_code : kExitInternal;
}

}  // namespace astrolabe::cli
