#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <memory>
#include <string>

#include "client/cli/cache_ids.h"
#include "client/cli/commands.h"
#include "client/cli/exit_code.h"
#include "client/cli/json_list.h"
#include "client/cli/pdb_build.h"
#include "client/cli/table.h"
#include "client/cli/units.h"

namespace astrolabe::cli {
namespace {

using client::CacheFile;
using client::CacheFileState;

std::string StateText(const CacheFile& file) {
  switch (file.state) {
    case CacheFileState::kOk:
      return "ok";
    case CacheFileState::kUnchecked:
      return "unchecked";
    case CacheFileState::kDamaged:
      return "DAMAGED: " + file.damage;
    case CacheFileState::kRemoved:
      return "removed, was damaged: " + file.damage;
    case CacheFileState::kUnspecified:
      break;
  }
  return client::Name(file.state);
}

bool WasDamaged(const CacheFile& file) {
  return file.state == CacheFileState::kDamaged || file.state == CacheFileState::kRemoved;
}

// Of a file that was just read.
std::string CheckedText(const CacheFile& file) {
  return file.state == CacheFileState::kRemoved ? "DAMAGED: " + file.damage + "; removed" : StateText(file);
}

std::string Age(const CacheFile& file) {
  return file.make_time ? FormatDuration(std::chrono::system_clock::now() - *file.make_time) : "";
}

std::string CountText(size_t count) { return Counted(static_cast<int64_t>(count), "table"); }

int Ls(const Session& session) {
  auto client = session.Connect();
  if (!client.ok()) return session.Fail(client.status());
  const auto files = client->ListCacheFiles();
  if (!files.ok()) return session.Fail(files.status());
  if (session.json()) {
    PrintJsonList(session, *files);
    return kExitSolved;
  }
  std::vector<std::vector<std::string>> rows = {{"ID", "HEURISTIC", "FOR", "SIZE", "AGE", "STATE"}};
  int64_t bytes = 0;
  size_t present = 0;
  for (const CacheFile& file : *files) {
    rows.push_back(
        {ShortId(file.id), file.heuristic, file.description, FormatSize(file.size_bytes), Age(file), StateText(file)});
    if (file.state == CacheFileState::kRemoved) continue;
    bytes += file.size_bytes;
    ++present;
  }
  Print(Table(rows, {Align::kLeft, Align::kLeft, Align::kLeft, Align::kRight, Align::kRight}));
  Print(CountText(present) + ", " + FormatSize(bytes) + "\n");
  return kExitSolved;
}

// The files that are meant: those of `ids`, or all that are there.
absl::StatusOr<std::vector<CacheFile>> Choose(client::Client* client, const std::vector<std::string>& ids) {
  auto files = client->ListCacheFiles();
  if (!files.ok()) return files.status();
  if (ids.empty()) {
    std::erase_if(*files, [](const CacheFile& file) { return file.state == CacheFileState::kRemoved; });
    return files;
  }
  std::vector<CacheFile> chosen;
  for (const std::string& id : ids) {
    const auto file = FindCacheFile(*files, id);
    if (!file.ok()) return file.status();
    const auto same = [&file](const CacheFile& other) { return other.id == file->id; };
    if (std::ranges::none_of(chosen, same)) chosen.push_back(*file);
  }
  return chosen;
}

// ids empty: --all was given.
int Rm(const Session& session, const std::vector<std::string>& ids) {
  auto client = session.Connect();
  if (!client.ok()) return session.Fail(client.status());
  const auto files = Choose(&*client, ids);
  if (!files.ok()) return session.Fail(files.status());
  std::vector<CacheFile> removed;
  absl::Status failed;
  for (const CacheFile& file : *files) {
    auto answer = client->DeleteCacheFile(file.id);
    // With --all, one that somebody else removed meanwhile is no fault.
    if (ids.empty() && answer.status().code() == absl::StatusCode::kNotFound) continue;
    failed = answer.status();
    if (!failed.ok()) break;
    removed.push_back(*std::move(answer));
    if (session.json()) continue;
    Print("removed  " + ShortId(file.id) + "  " + FormatSize(file.size_bytes) + "  " + file.description + "\n");
  }
  if (!failed.ok()) return session.Fail(failed);
  if (session.json()) {
    PrintJsonList(session, removed);
    return kExitSolved;
  }
  if (removed.empty()) Print("Nothing to remove.\n");
  if (!removed.empty() && !session.quiet) {
    FlushOutput();
    std::fputs("Whoever has a table open keeps it; its space is free when the last of them ends.\n", stderr);
  }
  return kExitSolved;
}

void TellDamage(const std::vector<CacheFile>& files) {
  const auto in_state = [&files](CacheFileState state) {
    return static_cast<size_t>(std::ranges::count(files, state, &CacheFile::state));
  };
  const size_t removed = in_state(CacheFileState::kRemoved);
  const size_t left = in_state(CacheFileState::kDamaged);
  std::fprintf(stderr, "%zu of %s damaged.\n", removed + left, CountText(files.size()).c_str());
  if (removed > 0) std::fputs("What is removed is built again at its next use.\n", stderr);
  if (left > 0) std::fputs("What the server could not remove is not used; it has to be removed by hand.\n", stderr);
}

int Verify(const Session& session, const std::vector<std::string>& names) {
  auto client = session.Connect();
  if (!client.ok()) return session.Fail(client.status());
  std::vector<std::string> ids;
  if (!names.empty()) {
    const auto chosen = Choose(&*client, names);
    if (!chosen.ok()) return session.Fail(chosen.status());
    for (const CacheFile& file : *chosen) ids.push_back(file.id);
  }
  std::vector<CacheFile> files;
  const absl::Status status = client->VerifyCacheFiles(ids, [&](const CacheFile& file) {
    files.push_back(file);
    if (session.form == OutputForm::kNdjson) {
      PrintLine(client::ToJson(file));
    } else if (!session.json()) {
      PrintLine(ShortId(file.id) + "  " + CheckedText(file) + "  " + FormatSize(file.size_bytes) + "  " +
                file.description);
    }
  });
  if (!status.ok()) return session.Fail(status);
  if (session.form == OutputForm::kJson) PrintJsonList(session, files);
  if (!session.json() && files.empty()) Print("Nothing to verify.\n");
  if (std::ranges::none_of(files, WasDamaged)) return kExitSolved;
  FlushOutput();
  if (!session.json()) TellDamage(files);
  return kExitDamaged;
}

void AddBuild(CLI::App* command, Session* session) {
  auto options = std::make_shared<PdbBuildOptions>();
  CLI::App* build =
      command->add_subcommand("build", "Build the tables of a partition beforehand, if they are not there");
  build->fallthrough();
  CLI::Option* preset =
      build
          ->add_option("--preset", options->preset,
                       "5-5-5, 6-6-3 or 7-8 of 4x4, 6-6-6-6 of 5x5, or auto, which is for any board (the default)")
          ->type_name("NAME");
  build->add_option("--partition", options->partition, "The tiles of each pattern instead, such as \"1 2 3/4 5 6/7 8\"")
      ->type_name("TILES")
      ->check([](const std::string& text) {
        return text.empty() ? std::string("expected tiles, such as \"1 2 3/4 5 6/7 8\"") : std::string();
      })
      ->excludes(preset);
  build
      ->add_option("--goal", options->goal,
                   "blank-last (the default), blank-first, an existing file, or text with / or ; between rows")
      ->type_name("GOAL");
  build
      ->add_option("--size", options->size,
                   "Board, for a goal given by name; default: that of the preset or partition, else 4x4")
      ->type_name("ROWSxCOLUMNS");
  build
      ->add_option("--mirror", options->mirror,
                   "on: refuse a partition that cannot be looked up mirrored; the tables are the same")
      ->transform(CLI::Transformer(std::map<std::string, std::string>{{"true", "on"}, {"false", "off"}}))
      ->check(CLI::IsMember({"auto", "on", "off"}))
      ->type_name("HOW");
  build->add_option("--threads", options->threads, "Threads; default: all that the server has")
      ->check(CLI::Range(1, 4096))
      ->type_name("N");
  build->add_option("--time-limit", options->time_limit, "Wall-clock time, such as 2m; default: the server's")
      ->type_name("TIME");
  build->add_option("--memory-limit", options->memory_limit, "Memory, such as 2GiB; default: the server's")
      ->type_name("SIZE");
  build->callback([=] { session->command = [=] { return PdbBuild(*session, *options); }; });
}

}  // namespace

void AddPdb(CLI::App* app, Session* session) {
  CLI::App* command =
      app->add_subcommand("pdb", "Build, list, remove and verify the tables that heuristics keep on disk");
  command->fallthrough();
  command->require_subcommand(1);
  AddBuild(command, session);
  CLI::App* ls = command->add_subcommand("ls", "List the tables of the server's cache, for whatever heuristic");
  ls->alias("list")->fallthrough();
  ls->callback([=] { session->command = [=] { return Ls(*session); }; });

  struct Chosen {
    std::vector<std::string> ids;
    bool all = false;
  };
  auto removed = std::make_shared<Chosen>();
  CLI::App* rm = command->add_subcommand("rm", "Remove tables; they are computed again when they are needed");
  rm->fallthrough();
  CLI::Option* all = rm->add_flag("--all", removed->all, "Every table");
  rm->add_option("ID", removed->ids, "The first digits of its id, as ls shows it")->type_name("")->excludes(all);
  rm->callback([=] {
    if (removed->ids.empty() && !removed->all) throw CLI::RequiredError("ID or --all");
    session->command = [=] { return Rm(*session, removed->ids); };
  });

  auto verified = std::make_shared<Chosen>();
  CLI::App* verify =
      command->add_subcommand("verify",
                              "Read tables in full and compare their checksums; a damaged one is removed, and built "
                              "again at its next use (exit code 18)");
  verify->fallthrough();
  verify->add_option("ID", verified->ids, "The first digits of its id; default: all tables")->type_name("");
  verify->callback([=] { session->command = [=] { return Verify(*session, verified->ids); }; });
}

}  // namespace astrolabe::cli
