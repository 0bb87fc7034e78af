// One attempt to load a file, and what a name means.
#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "daemon/base/nearest.h"
#include "daemon/registry/load_error.h"
#include "daemon/registry/registry_impl.h"

namespace astrolabe::registry {
namespace {

std::string FileName(const std::string& path) { return std::filesystem::path(path).filename(); }
std::string Stem(const std::string& path) { return std::filesystem::path(path).stem(); }

template <typename Entries>
std::string Ids(const Entries& entries) {
  std::string text;
  for (const auto& entry : entries) text += (text.empty() ? "" : ", ") + entry.id;
  return text.empty() ? "none" : text;
}

template <typename A, typename B>
const std::string* SharedId(const std::vector<A>& a, const std::vector<B>& b) {
  for (const auto& left : a) {
    for (const auto& right : b) {
      if (left.id == right.id) return &left.id;
    }
  }
  return nullptr;
}

// What both provide: "problem 'queens'"; empty when nothing.
std::string Shared(const Manifest& a, const Manifest& b) {
  if (a.id == b.id) return "plugin id '" + a.id + "'";
  if (const std::string* id = SharedId(a.problems, b.problems)) return "problem '" + *id + "'";
  if (const std::string* id = SharedId(a.heuristics, b.heuristics)) return "heuristic '" + *id + "'";
  return {};
}

}  // namespace

PluginRecord RegistryImpl::Attempt(const std::string& path, bool* changed) {
  const FileStamp stamp = StampOf(path).value_or(FileStamp{});
  std::variant<Candidate, ExamineFailure> examined = ExaminePlugin(path);
  if (auto* failure = std::get_if<ExamineFailure>(&examined)) {
    return Fail(path, stamp, failure->id, std::move(failure->error), changed);
  }
  auto& candidate = std::get<Candidate>(examined);
  Entry* entry = Find(path);
  if (entry != nullptr && entry->record.generation != nullptr &&
      entry->record.generation->file().sha256 == candidate.source.sha256) {
    return Keep(entry, candidate, changed);
  }
  const std::string id = candidate.manifest.id;
  const FileStamp read_stamp = candidate.source.stamp;
  if (std::optional<LoadError> error = CheckDuplicates(path, candidate.manifest)) {
    return Fail(path, read_stamp, id, *std::move(error), changed);
  }
  auto activated = ActivatePlugin(std::move(candidate), last_generation_ + 1, store_.get(), pool_);
  if (auto* error = std::get_if<LoadError>(&activated)) return Fail(path, read_stamp, id, std::move(*error), changed);
  *changed = true;
  return Accept(path, read_stamp, std::get<GenerationRef>(std::move(activated)));
}

PluginRecord RegistryImpl::Keep(Entry* entry, const Candidate& candidate, bool* changed) {
  *changed = entry->record.error.has_value();
  {
    MutexLock lock(&mu_);
    entry->stamp = candidate.source.stamp;
    entry->record.error.reset();
  }
  PluginRecord record = LockedSnapshot(*entry);
  record.note =
      "unchanged: the file has the content of generation " + std::to_string(record.generation->file().generation);
  return record;
}

PluginRecord RegistryImpl::Fail(const std::string& path, const FileStamp& stamp, const std::string& id, LoadError error,
                                bool* changed) {
  Entry* entry = Find(path);
  const bool news = entry == nullptr || !entry->record.error || !SameLoadError(*entry->record.error, error);
  *changed = news;
  std::string text = "plugin " + path + ": " + DescribeLoadError(error);
  {
    MutexLock lock(&mu_);
    if (entry == nullptr) {
      entries_.push_back(std::make_unique<Entry>());
      entry = entries_.back().get();
      entry->record.path = path;
    }
    entry->stamp = stamp;
    entry->record.error = std::move(error);
    if (entry->record.generation == nullptr) {
      entry->record.state = PluginState::kFailed;
      entry->record.id = id.empty() ? FileName(path) : id;
    } else {
      text += "; generation " + std::to_string(entry->record.generation->file().generation) + " stays active";
    }
  }
  if (news) Log("error", text);
  return LockedSnapshot(*entry);
}

PluginRecord RegistryImpl::Accept(const std::string& path, const FileStamp& stamp, GenerationRef generation) {
  last_generation_ = generation->file().generation;
  const Manifest& manifest = generation->manifest();
  RemoveReplaced(path, manifest);
  Entry* entry = Find(path);
  GenerationRef old;
  {
    MutexLock lock(&mu_);
    if (entry == nullptr) {
      entries_.push_back(std::make_unique<Entry>());
      entry = entries_.back().get();
      entry->record.path = path;
    }
    entry->stamp = stamp;
    entry->record.id = manifest.id;
    entry->record.state = PluginState::kReady;
    entry->record.error.reset();
    old = std::exchange(entry->record.generation, generation);
  }
  Log("info", "plugin " + manifest.id + " " + manifest.version + " is ready: generation " +
                  std::to_string(last_generation_) + ", problems " + Ids(manifest.problems) + ", heuristics " +
                  Ids(manifest.heuristics) + ", from " + path);
  for (const std::string& warning : generation->warnings()) Log("warning", "plugin " + manifest.id + ": " + warning);
  return LockedSnapshot(*entry);
}

bool RegistryImpl::MakesWay(const Entry& other, const std::string& path) const {
  if (!StampOf(other.record.path)) return true;
  if (FileName(other.record.path) != FileName(path)) return false;
  std::vector<std::string> ignored;
  const std::vector<std::string> found = DiscoverPlugins(options_.plugin_dirs, &ignored);
  return std::find(found.begin(), found.end(), path) != found.end() &&
         std::find(found.begin(), found.end(), other.record.path) == found.end();
}

std::optional<LoadError> RegistryImpl::CheckDuplicates(const std::string& path, const Manifest& manifest) const {
  for (const auto& other : entries_) {
    if (other->record.path == path || other->record.generation == nullptr) continue;
    const std::string shared = Shared(manifest, other->record.generation->manifest());
    if (shared.empty() || MakesWay(*other, path)) continue;
    return MakeLoadError(LoadCode::kDuplicateId, "manifest",
                         shared + " of " + path + " is already provided by " + other->record.path,
                         "an id that no other plugin has", shared + " in both files",
                         "remove one of the files, or unload " + other->record.id + " first");
  }
  return std::nullopt;
}

void RegistryImpl::RemoveReplaced(const std::string& path, const Manifest& manifest) {
  std::vector<std::unique_ptr<Entry>> removed;
  MutexLock lock(&mu_);
  for (auto& entry : entries_) {
    if (entry->record.path == path || entry->record.generation == nullptr) continue;
    if (!Shared(manifest, entry->record.generation->manifest()).empty()) removed.push_back(std::move(entry));
  }
  std::erase(entries_, nullptr);
}

void RegistryImpl::ForgetVanished() {
  std::vector<const Entry*> vanished;
  for (const auto& entry : entries_) {
    if (entry->record.generation == nullptr && !StampOf(entry->record.path)) vanished.push_back(entry.get());
  }
  if (vanished.empty()) return;
  MutexLock lock(&mu_);
  std::erase_if(entries_, [&](const auto& entry) {
    return std::find(vanished.begin(), vanished.end(), entry.get()) != vanished.end();
  });
}

RegistryImpl::Entry* RegistryImpl::Find(const std::string& path) {
  for (const auto& entry : entries_) {
    if (entry->record.path == path) return entry.get();
  }
  return nullptr;
}

const RegistryImpl::Entry* RegistryImpl::FindByName(std::string_view name) const {
  const Entry* best = nullptr;
  for (const auto& entry : entries_) {
    const PluginRecord& record = entry->record;
    if (record.id != name && record.path != name && FileName(record.path) != name && Stem(record.path) != name)
      continue;
    if (best == nullptr || record.state == PluginState::kReady) best = entry.get();
  }
  return best;
}

Result<std::string> RegistryImpl::Resolve(std::string_view name) const {
  if (name.find('\0') != std::string_view::npos || name.empty()) {
    return MakeError(ErrorCode::kInvalidArgument, "BAD_PLUGIN_NAME",
                     "expected a plugin's name, found nothing or a NUL");
  }
  if (name.front() == '/') return std::string(std::filesystem::path(name).lexically_normal());
  if (name.find('/') != std::string_view::npos) {
    return MakeError(
        ErrorCode::kInvalidArgument, "BAD_PLUGIN_NAME",
        "expected a bare name (my_h, my_h.so), a plugin id or an absolute path, found '" + std::string(name) + "'");
  }
  std::vector<std::string> ignored;
  for (const std::string& path : DiscoverPlugins(options_.plugin_dirs, &ignored)) {
    if (FileName(path) == name || Stem(path) == name) return path;
  }
  if (const Entry* entry = FindByName(name)) return entry->record.path;
  return UnknownPlugin(name);
}

Error RegistryImpl::UnknownPlugin(std::string_view name) const {
  std::vector<std::string> known;
  std::vector<std::string> ignored;
  for (const std::string& path : DiscoverPlugins(options_.plugin_dirs, &ignored)) {
    known.push_back(Stem(path));
    known.push_back(FileName(path));
  }
  for (const auto& entry : entries_) known.push_back(entry->record.id);
  const std::string nearest = Nearest(name, known);
  std::string folders;
  for (const std::string& folder : options_.plugin_dirs) folders += (folders.empty() ? "" : ", ") + folder;
  return MakeError(
      ErrorCode::kNotFound, "UNKNOWN_PLUGIN",
      "there is no plugin '" + std::string(name) + "' among those loaded and none of that name in " +
          (folders.empty() ? "any plugin folder" : folders) +
          (nearest.empty() ? "; copy the file there, or give its absolute path" : "; did you mean '" + nearest + "'?"));
}

}  // namespace astrolabe::registry
