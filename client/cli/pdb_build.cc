#include "client/cli/pdb_build.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "astrolabe/client/json.h"
#include "client/cli/cache_ids.h"
#include "client/cli/exit_code.h"
#include "client/cli/interrupts.h"
#include "client/cli/show_stream.h"
#include "client/cli/table.h"
#include "client/cli/units.h"

namespace astrolabe::cli {
namespace {

constexpr int kMinSide = 2;
constexpr int kMaxSide = 127;
constexpr int kDefaultSide = 4;
constexpr char kDefaultGoal[] = "blank-last";

struct BoardSize {
  int rows = kDefaultSide;
  int cols = kDefaultSide;
};

// All whole numbers in a text, whatever stands between them; those that are too large are the largest.
std::vector<uint32_t> NumbersIn(std::string_view text) {
  std::vector<uint32_t> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    uint32_t number = 0;  // unsigned: the - of 7-8 is no sign
    const auto [rest, error] = std::from_chars(at, end, number);
    if (rest != at) numbers.push_back(error == std::errc() ? number : std::numeric_limits<uint32_t>::max());
    at = rest == at ? at + 1 : rest;
  }
  return numbers;
}

// "4x4", "3 x 5"; a number alone is a square.
absl::StatusOr<BoardSize> ParseBoardSize(const std::string& text) {
  const bool clean = text.find_first_not_of("0123456789xX ") == std::string::npos;
  const std::vector<uint32_t> sides = clean ? NumbersIn(text) : std::vector<uint32_t>();
  const bool in_range = std::ranges::all_of(sides, [](uint32_t side) { return side >= kMinSide && side <= kMaxSide; });
  if (sides.empty() || sides.size() > 2 || !in_range) {
    return absl::InvalidArgumentError("\"" + text +
                                      "\" is not a value for --size; expected ROWSxCOLUMNS such as 4x4, each " +
                                      std::to_string(kMinSide) + " to " + std::to_string(kMaxSide));
  }
  return BoardSize{static_cast<int>(sides.front()), static_cast<int>(sides.back())};
}

// The square board of that many tiles.
std::optional<BoardSize> SquareOf(int64_t tiles) {
  for (int side = kMinSide; side <= kMaxSide; ++side) {
    if (int64_t{side} * side == tiles + 1) return BoardSize{side, side};
  }
  return std::nullopt;
}

// What is wrong with the tiles of a partition whatever the board; empty: nothing.
std::string FaultOfTiles(std::vector<uint32_t> numbers) {
  constexpr uint32_t kMostTiles = kMaxSide * kMaxSide - 1;
  if (numbers.empty()) return "names no tile";
  std::ranges::sort(numbers);
  if (numbers.front() == 0) return "names 0, which is the blank and in no pattern";
  if (numbers.back() > kMostTiles) return "names a tile above " + std::to_string(kMostTiles);
  const auto twice = std::ranges::adjacent_find(numbers);
  return twice == numbers.end() ? "" : "names tile " + std::to_string(*twice) + " twice";
}

// The square board that the patterns are of, if they say: a preset names the tiles of each pattern, a partition that
// leaves out no tile names them all.
absl::StatusOr<BoardSize> SizeOfPatterns(const PdbBuildOptions& options) {
  const bool partition = !options.partition.empty();
  const std::vector<uint32_t> numbers = NumbersIn(partition ? options.partition : options.preset);
  if (partition) {
    if (const std::string fault = FaultOfTiles(numbers); !fault.empty()) {
      return absl::InvalidArgumentError("--partition \"" + options.partition + "\" " + fault +
                                        "; expected tiles with blanks between them and / between patterns");
    }
  }
  if (numbers.empty()) return BoardSize();
  int64_t tiles = 0;
  for (const uint32_t number : numbers) tiles = partition ? std::max<int64_t>(tiles, number) : tiles + number;
  const std::optional<BoardSize> size = SquareOf(tiles);
  if (size && (!partition || tiles == static_cast<int64_t>(numbers.size()))) return *size;
  // The server knows the presets, and says so.
  if (!partition) return BoardSize();
  return absl::InvalidArgumentError(
      "--partition \"" + options.partition +
      "\" does not name every tile of a square board; say with --size what board it is for, such as --size 3x4");
}

std::string GoalText(const BoardSize& size, bool blank_first) {
  std::string text = std::to_string(size.rows) + " " + std::to_string(size.cols);
  const int cells = size.rows * size.cols;
  for (int square = 0; square < cells; ++square) {
    const int tile = blank_first ? square : (square + 1) % cells;
    text += (square % size.cols == 0 ? "\n" : " ") + std::to_string(tile);
  }
  return text + "\n";
}

absl::StatusOr<client::SolveRequest> BuildJob(const PdbBuildOptions& options, const LoadedInstance& instance,
                                              client::Client* client) {
  SolveOptions search;
  search.algorithm = "astar";
  search.threads = options.threads > 0 ? options.threads : std::max(client->server_info().load.slots, 1);
  search.limits.memory = options.memory_limit;
  search.limits.time = options.time_limit;
  auto request = BuildRequest(search, instance, client);
  if (!request.ok()) return request.status();
  client::HeuristicUse use{"pattern_database", {}, {}};
  const std::string& patterns = options.partition.empty() ? options.preset : options.partition;
  if (!patterns.empty()) use.params["patterns"] = patterns;
  if (!options.mirror.empty()) use.params["mirror"] = options.mirror;
  request->spec.heuristics = {std::move(use)};
  if (isatty(STDERR_FILENO) == 1) request->watch.progress_interval = std::chrono::milliseconds(250);
  return request;
}

struct BuildSum {
  size_t tables = 0;
  size_t made = 0;
  size_t in_memory = 0;  // made now or by an earlier job of the same worker
  int64_t bytes = 0;
  client::Duration time{0};
};

std::string CancelledText(const BuildSum& sum) {
  if (sum.tables == 0) return "Cancelled; no table was ready.\n";
  if (sum.in_memory == 0) return "Cancelled; what is listed is kept.\n";
  return sum.in_memory == sum.tables ? "Cancelled; nothing is kept.\n"
                                     : "Cancelled; what is listed is kept, but for what is in memory.\n";
}

std::string DoneText(const BuildSum& sum) {
  const std::string count = Counted(static_cast<int64_t>(sum.tables), "table");
  const char* const were = sum.tables == 1 ? ", was" : ", were";
  std::string text;
  if (sum.made > 0) {
    text = "Built " + std::to_string(sum.made) + " of " + count + ", " + FormatSize(sum.bytes) + " in all, in " +
           FormatDuration(sum.time);
  } else if (sum.in_memory == 0) {
    text = "Nothing to build: " + count + ", " + FormatSize(sum.bytes) + were + " there";
  } else {
    text = "Nothing was built now: " + count + ", " + FormatSize(sum.bytes) + were + " built before";
  }
  if (sum.in_memory == 0) return text + ".\n";
  const char* const is = sum.in_memory == 1 ? " is" : " are";
  return text + "; " + std::to_string(sum.in_memory) + is + " in the memory of a worker alone and" + is +
         " not kept.\n";
}

int FinishBuild(const Session& session, const client::Result& result, const SourceNames& names) {
  const std::vector<client::CacheFileUsed>& files = result.provenance.cache_files;
  const bool in_memory = std::ranges::any_of(files, &client::CacheFileUsed::in_memory);
  const bool solved = result.outcome == client::Outcome::kSolved;
  if (session.form == OutputForm::kJson) {
    PrintLine(client::ToJson(result));
  } else if (session.form != OutputForm::kNdjson) {  // there the Result was the last event
    Print(BuildText(result));
    FlushOutput();
    if (!solved) std::fputs(ResultWarnings(result, names).c_str(), stderr);
    if (result.outcome == client::Outcome::kLimitReached) {
      std::fprintf(stderr, "%s\nGive more with --memory-limit or --time-limit.\n", result.explanation.c_str());
    }
    if (in_memory) std::fputs("a table could not be written to the server's cache: it is not kept\n", stderr);
  }
  return solved && in_memory ? kExitUnavailable : ExitCodeOf(result);
}

}  // namespace

absl::StatusOr<LoadedInstance> GoalInstance(const PdbBuildOptions& options) {
  InstanceOptions given;
  given.problem = "sliding_tile";
  given.goal = options.goal.empty() ? kDefaultGoal : options.goal;
  // Only to have the goal's text, which is the board too.
  absl::StatusOr<LoadedInstance> loaded = LoadInstance(given, {"the goal", ""});
  if (!loaded.ok()) return loaded.status();
  const std::string& goal = loaded->params.back().second;
  if (goal != kDefaultGoal && goal != "blank-first") {
    if (!options.size.empty()) {
      return absl::InvalidArgumentError("--size is for goals given by name; the board of --goal has a size of its own");
    }
    loaded->names.instance = loaded->names.goal;
    loaded->ref.instance = goal;
    return loaded;
  }
  const auto size = options.size.empty() ? SizeOfPatterns(options) : ParseBoardSize(options.size);
  if (!size.ok()) return size.status();
  loaded->ref.instance = GoalText(*size, goal == "blank-first");
  return loaded;
}

std::string BuildText(const client::Result& result) {
  const std::vector<client::CacheFileUsed>& files = result.provenance.cache_files;
  std::vector<std::vector<std::string>> rows;
  BuildSum sum{.tables = files.size()};
  for (const client::CacheFileUsed& file : files) {
    rows.push_back({file.in_memory ? "in memory"
                    : file.made    ? "built"
                                   : "was there",
                    ShortId(file.id), FormatSize(file.size_bytes), file.made ? FormatDuration(file.make_time) : "",
                    file.description});
    sum.made += file.made ? 1 : 0;
    sum.in_memory += file.in_memory ? 1 : 0;
    sum.bytes += file.size_bytes;
    sum.time += file.make_time;
  }
  const std::string text = Table(rows, {Align::kLeft, Align::kLeft, Align::kRight, Align::kRight});
  if (result.outcome == client::Outcome::kCancelled) return text + CancelledText(sum);
  return result.outcome == client::Outcome::kSolved ? text + DoneText(sum) : text;
}

int PdbBuild(const Session& session, const PdbBuildOptions& options) {
  const auto instance = GoalInstance(options);
  if (!instance.ok()) return session.Fail(instance.status());
  // Before gRPC makes its threads, so that they leave the signals alone.
  Interrupts interrupts;
  auto client = session.Connect();
  if (!client.ok()) return session.Fail(client.status());
  const auto request = BuildJob(options, *instance, &*client);
  if (!request.ok()) return session.Fail(request.status());
  auto stream = StartSolve(session, &*client, *request);
  if (!stream.ok()) return session.Fail(stream.status());
  interrupts.OnFirst([&stream] { stream->Cancel().IgnoreError(); });
  Trace no_trace;
  const auto result = ReadStream(session, {.names = instance->names}, &*stream, &no_trace);
  interrupts.Reset();
  return result.ok() ? FinishBuild(session, *result, instance->names) : session.Fail(result.status());
}

}  // namespace astrolabe::cli
