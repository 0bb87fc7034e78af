#include "daemon/registry/registry_impl.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "daemon/base/nearest.h"
#include "daemon/registry/load_error.h"
#include "daemon/workers/printed_lines.h"

namespace astrolabe::registry {
namespace {

int CatalogReferences(const Catalog& catalog, const GenerationRef& generation) {
  int count = 0;
  for (const auto& [id, problem] : catalog.problems) count += problem.generation == generation ? 1 : 0;
  for (const auto& [id, heuristic] : catalog.heuristics) count += heuristic.generation == generation ? 1 : 0;
  return count;
}

}  // namespace

Result<std::unique_ptr<Registry>> Registry::Create(RegistryOptions options, workers::WorkerPool* pool) {
  Result<std::shared_ptr<CopyStore>> store = CopyStore::Open(options.copy_dir);
  if (!store.ok()) return store.error();
  return std::unique_ptr<Registry>(std::make_unique<RegistryImpl>(std::move(options), pool, *std::move(store)));
}

RegistryImpl::RegistryImpl(RegistryOptions options, workers::WorkerPool* pool, std::shared_ptr<CopyStore> store)
    : options_(std::move(options)),
      pool_(pool),
      store_(std::move(store)),
      catalog_(std::make_shared<const Catalog>()) {}

void RegistryImpl::Log(std::string_view level, const std::string& text) const {
  if (options_.log) options_.log(level, workers::CleanText(text));
}

std::vector<PluginRecord> RegistryImpl::Scan() {
  MutexLock op(&op_mu_);
  std::vector<std::string> problems;
  std::vector<std::string> paths = DiscoverPlugins(options_.plugin_dirs, &problems);
  for (const std::string& problem : problems) Log("warning", problem);
  const size_t discovered = paths.size();
  // What was loaded by path from elsewhere is looked at as well.
  for (const auto& entry : entries_) {
    if (std::find(paths.begin(), paths.end(), entry->record.path) == paths.end()) paths.push_back(entry->record.path);
  }
  std::vector<PluginRecord> changes;
  for (size_t i = 0; i < paths.size(); ++i) {
    const std::string& path = paths[i];
    const std::optional<FileStamp> stamp = StampOf(path);
    if (!stamp) continue;
    const Entry* entry = Find(path);
    if (entry == nullptr && i >= discovered) continue;  // it made way for another just now
    if (entry != nullptr) {
      // An unloaded plugin stays so until it is asked for; a failed one is always tried again, because
      // the reason may lie outside the file.
      if (entry->record.state == PluginState::kUnloaded) continue;
      if (entry->record.state == PluginState::kReady && !entry->record.error && entry->stamp == *stamp) continue;
    }
    bool changed = false;
    PluginRecord record = Attempt(path, &changed);
    if (changed) changes.push_back(std::move(record));
  }
  ForgetVanished();
  if (!changes.empty()) Publish();
  return changes;
}

Result<PluginRecord> RegistryImpl::Load(std::string_view name) {
  MutexLock op(&op_mu_);
  Result<std::string> path = Resolve(name);
  if (!path.ok()) return path.error();
  if (!StampOf(*path)) {
    std::string message = "there is no file " + *path;
    if (const Entry* entry = Find(*path); entry != nullptr && entry->record.generation != nullptr) {
      message += "; generation " + std::to_string(entry->record.generation->file().generation) + " of " +
                 entry->record.id + " stays active";
    }
    return MakeError(ErrorCode::kNotFound, "PLUGIN_FILE_NOT_FOUND", message);
  }
  bool changed = false;
  PluginRecord record = Attempt(*path, &changed);
  if (changed) Publish();
  const std::string note = record.note;
  if (const Entry* entry = Find(*path)) record = LockedSnapshot(*entry);
  record.note = note;
  return record;
}

Result<PluginRecord> RegistryImpl::Reload(std::string_view name) { return Load(name); }

Result<PluginRecord> RegistryImpl::Unload(std::string_view name) {
  MutexLock op(&op_mu_);
  const Entry* known = FindByName(name);
  if (known == nullptr) return UnknownPlugin(name);
  Entry* entry = Find(known->record.path);
  GenerationRef old;
  {
    MutexLock lock(&mu_);
    entry->record.state = PluginState::kUnloaded;
    entry->record.error.reset();
    old = std::move(entry->record.generation);
  }
  if (old != nullptr) {
    Log("info",
        "plugin " + entry->record.id + " is unloaded (generation " + std::to_string(old->file().generation) + ")");
    Publish();
  }
  return LockedSnapshot(*entry);
}

std::vector<PluginRecord> RegistryImpl::List() const {
  MutexLock lock(&mu_);
  std::vector<PluginRecord> records;
  for (const auto& entry : entries_) records.push_back(Snapshot(*entry));
  std::sort(records.begin(), records.end(), [](const PluginRecord& a, const PluginRecord& b) {
    return std::tie(a.id, a.path) < std::tie(b.id, b.path);
  });
  return records;
}

Result<PluginRecord> RegistryImpl::Get(std::string_view id) const {
  MutexLock lock(&mu_);
  const Entry* best = nullptr;
  std::vector<std::string> ids;
  for (const auto& entry : entries_) {
    ids.push_back(entry->record.id);
    if (entry->record.id != id) continue;
    // A file that failed as a duplicate has the same id.
    if (best == nullptr || entry->record.state == PluginState::kReady) best = entry.get();
  }
  if (best != nullptr) return Snapshot(*best);
  const std::string nearest = Nearest(id, ids);
  return MakeError(ErrorCode::kNotFound, "UNKNOWN_PLUGIN",
                   "there is no plugin '" + std::string(id) + "'" +
                       (nearest.empty() ? std::string() : "; did you mean '" + nearest + "'?"));
}

std::shared_ptr<const Catalog> RegistryImpl::catalog() const {
  MutexLock lock(&mu_);
  return catalog_;
}

PluginRecord RegistryImpl::Snapshot(const Entry& entry) const {
  PluginRecord record = entry.record;
  if (record.generation == nullptr) return record;
  // The entry's, this copy's, and those of every catalogue that lives.
  long ours = 2 + CatalogReferences(*catalog_, record.generation);
  for (const auto& weak : older_) {
    if (const std::shared_ptr<const Catalog> older = weak.lock()) ours += CatalogReferences(*older, record.generation);
  }
  record.active_jobs = static_cast<int>(std::max<long>(0, record.generation.use_count() - ours));
  return record;
}

PluginRecord RegistryImpl::LockedSnapshot(const Entry& entry) const {
  MutexLock lock(&mu_);
  return Snapshot(entry);
}

void RegistryImpl::Publish() {
  auto next = std::make_shared<Catalog>();
  std::vector<workers::PluginFile> files;
  std::map<std::string, int64_t> active;
  for (const auto& entry : entries_) {
    const GenerationRef& generation = entry->record.generation;
    if (generation == nullptr) continue;
    files.push_back(generation->file());
    active[generation->file().id] = generation->file().generation;
    for (const ProblemEntry& problem : generation->manifest().problems)
      next->problems[problem.id] = {problem, generation};
    for (const HeuristicEntry& heuristic : generation->manifest().heuristics) {
      next->heuristics[heuristic.id] = {heuristic, generation};
    }
  }
  std::shared_ptr<const Catalog> old;
  {
    MutexLock lock(&mu_);
    std::erase_if(older_, [](const auto& weak) { return weak.expired(); });
    older_.push_back(catalog_);
    old = std::exchange(catalog_, std::move(next));
  }
  pool_->DropIdle([&](const std::string& id, int64_t generation) {
    const auto current = active.find(id);
    return current == active.end() || current->second != generation;
  });
  pool_->Warm(std::move(files));
}

}  // namespace astrolabe::registry
