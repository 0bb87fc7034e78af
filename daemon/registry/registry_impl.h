// The registry: which file provides what, and what is active.
//
// Locks: op_mu_ serialises Scan, Load, Reload and Unload, which block for probes; mu_ guards what readers
// see and is never held while anything blocks. Entries change only with both held.
#ifndef ASTROLABE_DAEMON_REGISTRY_REGISTRY_IMPL_H_
#define ASTROLABE_DAEMON_REGISTRY_REGISTRY_IMPL_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "daemon/registry/copy_store.h"
#include "daemon/registry/loader.h"
#include "daemon/registry/registry.h"
#include "daemon/workers/mutex.h"

namespace astrolabe::registry {

class RegistryImpl : public Registry {
 public:
  RegistryImpl(RegistryOptions options, workers::WorkerPool* pool, std::shared_ptr<CopyStore> store);

  std::vector<PluginRecord> Scan() override;
  Result<PluginRecord> Load(std::string_view name) override;
  Result<PluginRecord> Reload(std::string_view name) override;
  Result<PluginRecord> Unload(std::string_view name) override;
  std::vector<PluginRecord> List() const override;
  Result<PluginRecord> Get(std::string_view id) const override;
  std::shared_ptr<const Catalog> catalog() const override;

 private:
  struct Entry {
    PluginRecord record;
    FileStamp stamp;  // of the newest attempt
  };

  // The record of `path` after an attempt to load what is there now. *changed: whether it differs.
  PluginRecord Attempt(const std::string& path, bool* changed) ASTROLABE_REQUIRES(op_mu_);
  PluginRecord Keep(Entry* entry, const Candidate& candidate, bool* changed) ASTROLABE_REQUIRES(op_mu_);
  PluginRecord Fail(const std::string& path, const FileStamp& stamp, const std::string& id, LoadError error,
                    bool* changed) ASTROLABE_REQUIRES(op_mu_);
  PluginRecord Accept(const std::string& path, const FileStamp& stamp, GenerationRef generation)
      ASTROLABE_REQUIRES(op_mu_);
  std::optional<LoadError> CheckDuplicates(const std::string& path, const Manifest& manifest) const
      ASTROLABE_REQUIRES(op_mu_);
  // `other` makes way for the file at `path`: it is gone, or `path` is the first of its name now.
  bool MakesWay(const Entry& other, const std::string& path) const;
  void RemoveReplaced(const std::string& path, const Manifest& manifest) ASTROLABE_REQUIRES(op_mu_);
  void ForgetVanished() ASTROLABE_REQUIRES(op_mu_);
  // Swaps in a catalogue of the active generations and tells the pool.
  void Publish() ASTROLABE_REQUIRES(op_mu_);

  // The path that `name` means; the plugin need not be known yet.
  Result<std::string> Resolve(std::string_view name) const ASTROLABE_REQUIRES(op_mu_);
  Entry* Find(const std::string& path) ASTROLABE_REQUIRES(op_mu_);
  const Entry* FindByName(std::string_view name) const ASTROLABE_REQUIRES(op_mu_);
  Error UnknownPlugin(std::string_view name) const ASTROLABE_REQUIRES(op_mu_);
  PluginRecord Snapshot(const Entry& entry) const ASTROLABE_REQUIRES(mu_);
  PluginRecord LockedSnapshot(const Entry& entry) const;
  void Log(std::string_view level, const std::string& text) const;

  const RegistryOptions options_;
  workers::WorkerPool* const pool_;
  const std::shared_ptr<CopyStore> store_;

  mutable Mutex op_mu_;
  int64_t last_generation_ ASTROLABE_GUARDED_BY(op_mu_) = 0;

  mutable Mutex mu_;
  // Written with op_mu_ and mu_ held, read with either.
  std::vector<std::unique_ptr<Entry>> entries_;
  std::shared_ptr<const Catalog> catalog_ ASTROLABE_GUARDED_BY(mu_);
  // Catalogues that requests may still hold: their references are not jobs.
  std::vector<std::weak_ptr<const Catalog>> older_ ASTROLABE_GUARDED_BY(mu_);
};

}  // namespace astrolabe::registry

#endif  // ASTROLABE_DAEMON_REGISTRY_REGISTRY_IMPL_H_
