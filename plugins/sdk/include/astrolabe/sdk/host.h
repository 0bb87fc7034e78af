// The host's services for plugin code.
#ifndef ASTROLABE_SDK_HOST_H_
#define ASTROLABE_SDK_HOST_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <string_view>

#include "astrolabe/abi/host.h"
#include "astrolabe/sdk/error.h"
#include "astrolabe/sdk/text.h"

namespace astro {

// Of a cache file: make it with Sha256 from all that its contents depend on, the format's version included.
using CacheKey = std::array<uint8_t, 32>;

// Passed to constructors and Build that ask for it. Copyable; lives as long as the object it was
// given to. Thread tags as in astro_host_v1.
class Host {
 public:
  explicit Host(const astro_host_v1* host) : host_(host) {}

  void Log(uint32_t level, std::string_view text) const { host_->log(host_->ctx, level, ToText(text)); }
  void Info(std::string_view text) const { Log(ASTRO_LOG_INFO, text); }
  void Warning(std::string_view text) const { Log(ASTRO_LOG_WARNING, text); }

  bool cancelled() const { return host_->is_cancelled(host_->ctx) != 0; }
  // For long work, every few thousand steps: throws Cancelled when the job should stop.
  void CheckCancelled() const {
    if (cancelled()) throw Cancelled();
  }
  // fraction 0..1; negative: unknown.
  void Progress(std::string_view what, double fraction) const { host_->progress(host_->ctx, ToText(what), fraction); }
  uint64_t seed() const { return host_->seed(host_->ctx); }

  // Runs task(i) for i in [0, count) on the job's threads; only inside Build. Tasks must not throw.
  template <class Task>
  void ParallelFor(uint64_t count, const Task& task) const {
    host_->parallel_for(
        host_->ctx, count, [](void* arg, uint64_t i) noexcept { (*static_cast<const Task*>(arg))(i); },
        const_cast<Task*>(&task));
  }

  // The cache file of `key`, mapped read-only until the worker ends; nullopt: there is none. Only inside Build.
  std::optional<std::span<const std::byte>> CacheOpen(const CacheKey& key) const {
    astro_mapping_v1 mapping = {};
    mapping.struct_size = sizeof(mapping);
    if (host_->cache_open(host_->ctx, key.data(), &mapping) != ASTRO_OK) return std::nullopt;
    return std::span(static_cast<const std::byte*>(mapping.data), mapping.size);
  }

  const astro_host_v1* raw() const { return host_; }

 private:
  const astro_host_v1* host_;
};

// A cache file being written; given up unless it is committed. Only inside Build.
class CacheWriter {
 public:
  // `size` zeroed bytes. `description` says what they are for, to people who look at the cache: one line. Throws
  // std::bad_alloc when there is room neither on disk nor in memory.
  CacheWriter(const Host& host, const CacheKey& key, uint64_t size, std::string_view description = "")
      : host_(host.raw()) {
    writer_.struct_size = sizeof(writer_);
    if (host_->cache_create(host_->ctx, key.data(), size, &writer_) != ASTRO_OK) throw std::bad_alloc();
    constexpr size_t kDescribeEnd = offsetof(astro_host_v1, cache_describe) + sizeof(host_->cache_describe);
    if (host_->struct_size >= kDescribeEnd) host_->cache_describe(host_->ctx, &writer_, ToText(description));
  }
  ~CacheWriter() {
    if (!committed_) host_->cache_abandon(host_->ctx, &writer_);
  }
  CacheWriter(const CacheWriter&) = delete;
  CacheWriter& operator=(const CacheWriter&) = delete;

  std::span<std::byte> data() const { return {static_cast<std::byte*>(writer_.data), writer_.size}; }

  // Once. The bytes, read-only and mapped until the worker ends. Throws Refused when they are not what was written.
  std::span<const std::byte> Commit() {
    committed_ = true;
    astro_mapping_v1 mapping = {};
    mapping.struct_size = sizeof(mapping);
    if (host_->cache_commit(host_->ctx, &writer_, &mapping) != ASTRO_OK) {
      throw Refused("a table was damaged while it was written to the cache",
                    "try again; when it happens again, check the disk and the memory of this machine");
    }
    return {static_cast<const std::byte*>(mapping.data), mapping.size};
  }

 private:
  const astro_host_v1* host_;
  astro_cache_writer_v1 writer_ = {};
  bool committed_ = false;
};

// Memory within the job's budget, for long work. Not zeroed.
class HostMemory {
 public:
  static constexpr uint64_t kAlign = 4096;

  // Throws std::bad_alloc when the budget has no room.
  HostMemory(const Host& host, uint64_t size)
      : host_(host.raw()), memory_(host_->allocate(host_->ctx, size, kAlign)), size_(size) {
    if (memory_ == nullptr) throw std::bad_alloc();
  }
  ~HostMemory() { host_->release(host_->ctx, memory_); }
  HostMemory(const HostMemory&) = delete;
  HostMemory& operator=(const HostMemory&) = delete;

  std::byte* data() const { return static_cast<std::byte*>(memory_); }
  uint64_t size() const { return size_; }

 private:
  const astro_host_v1* host_;
  void* memory_;
  uint64_t size_;
};

}  // namespace astro

#endif  // ASTROLABE_SDK_HOST_H_
