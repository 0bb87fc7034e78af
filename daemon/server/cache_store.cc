#include "daemon/server/cache_store.h"

#include <algorithm>
#include <utility>

namespace astrolabe::server {

CacheStore::CacheStore(std::string folder, std::function<CacheTime()> now)
    : folder_(std::move(folder)), now_(std::move(now)), start_(now_()) {}

CacheEntry CacheStore::EntryOf(CacheFileInfo file) const {
  CacheEntry entry;
  entry.file = std::move(file);
  const auto seen = seen_.find(entry.file.key);
  if (seen != seen_.end() && seen->second.version == entry.file.version) {
    entry.checked = seen->second.when;
    if (entry.file.damage.empty()) entry.file.damage = seen->second.damage;
  } else if (entry.file.damage.empty() && entry.file.label.made >= start_ &&
             entry.file.label.made == entry.file.version.changed) {
    entry.checked = entry.file.label.made;
  }
  entry.state = !entry.file.damage.empty() ? CacheState::kDamaged
                : entry.checked            ? CacheState::kOk
                                           : CacheState::kUnchecked;
  return entry;
}

Result<std::vector<CacheEntry>> CacheStore::List() const {
  SweepCacheFolder(folder_);
  Result<std::vector<CacheFileInfo>> files = ListCacheFolder(folder_);
  if (!files.ok()) return std::move(files).error();
  std::vector<CacheEntry> entries;
  const std::lock_guard lock(mutex_);
  for (CacheFileInfo& file : *files) entries.push_back(EntryOf(std::move(file)));
  const auto present = static_cast<std::ptrdiff_t>(entries.size());
  for (const auto& removed : removed_) {
    const auto same = [&removed](const CacheEntry& other) { return other.file.key == removed.first; };
    if (std::none_of(entries.begin(), entries.begin() + present, same)) entries.push_back(removed.second);
  }
  std::ranges::sort(entries, {}, [](const CacheEntry& entry) { return entry.file.key; });
  return entries;
}

Result<CacheEntry> CacheStore::Check(const CacheKey& key, const Stop& stop) {
  for (;;) {
    Result<CacheFileInfo> file = CheckCacheFile(folder_, key, stop);
    if (!file.ok()) {
      const std::lock_guard lock(mutex_);
      const auto removed = removed_.find(key);
      if (file.error().code == ErrorCode::kNotFound && removed != removed_.end()) return removed->second;
      return std::move(file).error();
    }
    if (!file->damage.empty()) {
      const Result<bool> removed = RemoveCacheFileVersion(folder_, key, file->version);
      if (removed.ok() && !*removed) continue;  // another one has replaced it: that one is asked for
      if (removed.ok()) return NoteRemoved(std::move(*file));
      file->damage += " (" + removed.error().message + ")";
      if (const auto distrusted = DistrustCacheFile(folder_, key, file->version); distrusted.ok()) {
        file->version = *distrusted;
      }
    }
    const std::lock_guard lock(mutex_);
    seen_[key] = {file->version, file->damage, now_()};
    return EntryOf(std::move(*file));
  }
}

CacheEntry CacheStore::NoteRemoved(CacheFileInfo file) {
  const std::lock_guard lock(mutex_);
  seen_.erase(file.key);
  CacheEntry& entry = removed_[file.key];
  entry = {std::move(file), CacheState::kRemoved, now_()};
  return entry;
}

Result<CacheEntry> CacheStore::Remove(const CacheKey& key) {
  // Only for what the answer tells: a file that nobody can read is removed all the same.
  Result<std::vector<CacheEntry>> known = List();
  const Status removed = RemoveCacheFile(folder_, key);
  const std::lock_guard lock(mutex_);
  const bool forgotten = removed_.erase(key) > 0;
  if (!removed.ok() && !(forgotten && removed.error().code == ErrorCode::kNotFound)) return removed.error();
  seen_.erase(key);
  CacheEntry entry;
  entry.file.key = key;
  if (!known.ok()) return entry;
  const auto found = std::ranges::find(*known, key, [](const CacheEntry& other) { return other.file.key; });
  return found != known->end() ? *found : entry;
}

CacheStore::Sum CacheStore::CheckAll(const Stop& stop, const std::function<void(const std::string& text)>& report) {
  Sum sum;
  SweepCacheFolder(folder_);
  const Result<std::vector<CacheFileInfo>> files = ListCacheFolder(folder_);
  if (!files.ok()) {
    report(files.error().message);
    return sum;
  }
  for (const CacheFileInfo& file : *files) {
    if (stop()) break;
    Result<CacheEntry> entry = Check(file.key, stop);
    if (!entry.ok()) continue;  // removed meanwhile, or stopped
    ++sum.files;
    sum.bytes += entry->file.file_size;
    const bool removed = entry->state == CacheState::kRemoved;
    if (!removed && entry->state != CacheState::kDamaged) continue;
    ++sum.damaged;
    report("the cache file " + folder_ + "/" + CacheFileName(file.key) + " is damaged (" + entry->file.damage +
           ") and " + (removed ? "has been removed" : "no search will use it"));
  }
  return sum;
}

}  // namespace astrolabe::server
