#include "daemon/worker/host_services.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "daemon/worker/abi_text.h"
#include "daemon/worker/crash_reporter.h"
#include "daemon/worker/parallel.h"

namespace astrolabe::worker {
namespace {

constexpr std::chrono::milliseconds kPhaseInterval{20};

// A description is one line.
std::string OneLine(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  return text;
}

CacheKey KeyOf(const uint8_t* key) {
  CacheKey out;
  std::memcpy(out.data(), key, out.size());
  return out;
}

void FillMapping(astro_mapping_v1* out, std::span<const uint8_t> data) {
  out->struct_size = sizeof *out;
  out->reserved = 0;
  out->data = data.data();
  out->size = data.size();
}

}  // namespace

HostServices::HostServices(const JobServices& shared, std::string plugin, std::string subject)
    : shared_(shared), plugin_(std::move(plugin)), subject_(std::move(subject)) {
  abi_.struct_size = sizeof abi_;
  abi_.abi_minor = ASTRO_ABI_MINOR;
  abi_.ctx = this;
  // Each entry is noexcept: no exception of ours may enter a plugin.
  abi_.log = [](void* ctx, uint32_t level, astro_text text) noexcept { Of(ctx).Log(level, text); };
  abi_.fail = [](void* ctx, astro_text function, astro_text what) noexcept {
    FailProcess("THREW", Of(ctx).plugin_, ViewOf(function), ViewOf(what));
  };
  abi_.is_cancelled = [](void* ctx) noexcept -> int32_t { return Of(ctx).Stopping() ? 1 : 0; };
  abi_.progress = [](void* ctx, astro_text what, double fraction) noexcept { Of(ctx).Progress(what, fraction); };
  abi_.allocate = [](void* ctx, uint64_t size, uint64_t align) noexcept {
    return Of(ctx).shared_.budget->Allocate(size, align);
  };
  abi_.release = [](void* ctx, void* memory) noexcept {
    if (!Of(ctx).shared_.budget->Detach(memory)) {
      FailProcess("CONTRACT_VIOLATION", Of(ctx).plugin_, "release", "memory released that allocate did not give");
    }
    Of(ctx).GiveBack(std::unique_ptr<void, decltype(&std::free)>(memory, &std::free));
  };
  abi_.cache_open = [](void* ctx, const uint8_t key[32], astro_mapping_v1* out) noexcept {
    return Of(ctx).CacheOpen(key, out);
  };
  abi_.cache_create = [](void* ctx, const uint8_t key[32], uint64_t size, astro_cache_writer_v1* out) noexcept {
    return Of(ctx).CacheCreate(key, size, out);
  };
  abi_.cache_commit = [](void* ctx, astro_cache_writer_v1* writer, astro_mapping_v1* out) noexcept {
    return Of(ctx).CacheCommit(writer, out);
  };
  abi_.cache_abandon = [](void* ctx, astro_cache_writer_v1* writer) noexcept {
    auto taken = Of(ctx).TakeWriter(writer);
    if (taken == nullptr) return;
    if (taken->in_memory()) Of(ctx).shared_.budget->Refund(taken->data().size());
    taken->Abandon();
    Of(ctx).GiveBack(std::move(taken));
  };
  abi_.cache_describe = [](void* ctx, astro_cache_writer_v1* writer, astro_text text) noexcept {
    return Of(ctx).CacheDescribe(writer, text);
  };
  abi_.parallel_for = [](void* ctx, uint64_t count, void (*task)(void*, uint64_t), void* arg) noexcept {
    ParallelFor(Of(ctx).shared_.threads, count, task, arg);
  };
  abi_.seed = [](void* ctx) noexcept { return Of(ctx).shared_.seed; };
}

bool HostServices::Stopping() const { return shared_.control != nullptr && shared_.control->ShouldStop(); }

void HostServices::Log(uint32_t level, astro_text text) {
  const auto known = std::clamp<uint32_t>(level, ASTRO_LOG_DEBUG, ASTRO_LOG_ERROR);
  shared_.log->Write(static_cast<v1::LogLevel>(known), plugin_, CopyText(text, LogStream::kMaxLine));
}

void HostServices::Warn(const std::string& text) { shared_.log->Write(v1::LOG_LEVEL_WARNING, plugin_, text); }

void HostServices::Progress(astro_text what, double fraction) {
  internal::v1::ToDaemon message;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    std::string text = CopyText(what, 256);
    const auto now = std::chrono::steady_clock::now();
    // A new phase is told sooner than more of the same, but a plugin must not flood the daemon either.
    const auto wait = text == last_what_
                          ? shared_.progress_interval
                          : std::min<std::chrono::milliseconds>(shared_.progress_interval, kPhaseInterval);
    if (now - last_progress_ < wait) return;
    last_what_ = text;
    last_progress_ = now;
    v1::Preparing& preparing = *message.mutable_preparing();
    preparing.set_heuristic(subject_);
    preparing.set_what(std::move(text));
    preparing.set_fraction(std::isfinite(fraction) ? std::min(fraction, 1.0) : -1);
  }
  if (shared_.control != nullptr) shared_.frames->Send(message);
}

astro_status HostServices::CacheOpen(const uint8_t* key, astro_mapping_v1* out) {
  std::string why;
  const auto table = shared_.cache->Open(KeyOf(key), &why);
  if (!why.empty()) Warn(why);
  if (!table) {
    const std::lock_guard<std::mutex> lock(mutex_);
    missed_[KeyOf(key)] = std::chrono::steady_clock::now();
    return ASTRO_INVALID;
  }
  NoteUse(KeyOf(key), *table, false, {});
  FillMapping(out, table->data);
  return ASTRO_OK;
}

void HostServices::NoteUse(const CacheKey& key, const PluginCache::Table& table, bool made,
                           std::chrono::nanoseconds make_time) {
  if (shared_.cache_uses == nullptr) return;
  shared_.cache_uses->Add(
      {CacheKeyText(key), table.label.description, table.data.size(), table.file_size, made, make_time});
}

astro_status HostServices::CacheCreate(const uint8_t* key, uint64_t size, astro_cache_writer_v1* out) {
  std::string why;
  std::unique_ptr<PluginCache::Writer> writer = shared_.cache->Create(KeyOf(key), size, false, &why);
  if (writer == nullptr) {
    if (!shared_.budget->Charge(size)) return ASTRO_NO_MEMORY;
    writer = shared_.cache->Create(KeyOf(key), size, true, &why);
    if (writer != nullptr && writer->in_memory()) {
      Warn("a table is kept in memory and will be computed again next time: " + why);
    } else {
      shared_.budget->Refund(size);
    }
    if (writer == nullptr) return ASTRO_NO_MEMORY;
  }
  out->struct_size = sizeof *out;
  out->reserved = 0;
  out->handle = writer.get();
  out->data = writer->data().data();
  out->size = size;
  writer->label().heuristic = subject_;
  std::lock_guard<std::mutex> lock(mutex_);
  missed_.try_emplace(KeyOf(key), std::chrono::steady_clock::now());
  writers_.emplace(out->handle, std::move(writer));
  return ASTRO_OK;
}

std::unique_ptr<PluginCache::Writer> HostServices::TakeWriter(const astro_cache_writer_v1* writer) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = writer == nullptr ? writers_.end() : writers_.find(writer->handle);
  if (found == writers_.end()) return nullptr;
  std::unique_ptr<PluginCache::Writer> taken = std::move(found->second);
  writers_.erase(found);
  return taken;
}

astro_status HostServices::CacheCommit(astro_cache_writer_v1* writer, astro_mapping_v1* out) {
  std::unique_ptr<PluginCache::Writer> taken = TakeWriter(writer);
  if (taken == nullptr) return ASTRO_INVALID;
  const CacheKey key = taken->key();
  std::string why;
  const auto table = shared_.cache->Commit(std::move(taken), &why);
  if (!why.empty()) Warn(why);
  if (!table) return ASTRO_INVALID;
  std::chrono::steady_clock::time_point begin;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    begin = missed_[key];
  }
  NoteUse(key, *table, true, std::chrono::steady_clock::now() - begin);
  FillMapping(out, table->data);
  return ASTRO_OK;
}

astro_status HostServices::CacheDescribe(const astro_cache_writer_v1* writer, astro_text text) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = writer == nullptr ? writers_.end() : writers_.find(writer->handle);
  if (found == writers_.end()) return ASTRO_INVALID;
  found->second->label().description = OneLine(CopyText(text, kMaxCacheDescription));
  return ASTRO_OK;
}

}  // namespace astrolabe::worker
