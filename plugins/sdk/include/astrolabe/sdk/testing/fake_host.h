// A host for the unit tests of plugins: keeps what it is told, runs tasks one after the other (or on `threads`), caches
// in memory.
//
//   astro::testing::FakeHost host;
//   auto problem = astro::testing::ProblemUnderTest(astro::Problem<P>::Functions(), host, "3\n1 2 3 ...");
#ifndef ASTROLABE_SDK_TESTING_FAKE_HOST_H_
#define ASTROLABE_SDK_TESTING_FAKE_HOST_H_

#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "astrolabe/abi/host.h"
#include "astrolabe/sdk/text.h"

namespace astro::testing {

struct Failure {
  std::string function;
  std::string what;
};

// Unlike a real host's, its `fail` returns, so that a test can look at `failures`. Not thread-safe but for
// `cancelled`.
class FakeHost {
 public:
  FakeHost() {
    host_.struct_size = sizeof(host_);
    host_.abi_minor = ASTRO_ABI_MINOR;
    host_.ctx = this;
    host_.log = [](void* ctx, uint32_t, astro_text text) { Self(ctx).log.emplace_back(ToView(text)); };
    host_.fail = [](void* ctx, astro_text function, astro_text what) {
      Self(ctx).failures.push_back({std::string(ToView(function)), std::string(ToView(what))});
    };
    host_.is_cancelled = [](void* ctx) -> int32_t {
      if (Self(ctx).at_poll) Self(ctx).at_poll();
      return Self(ctx).cancelled ? 1 : 0;
    };
    host_.progress = [](void* ctx, astro_text, double fraction) { Self(ctx).Progress(fraction); };
    host_.allocate = [](void* ctx, uint64_t size, uint64_t align) { return Self(ctx).Allocate(size, align); };
    host_.release = [](void*, void* memory) { std::free(memory); };
    host_.cache_open = [](void* ctx, const uint8_t* key, astro_mapping_v1* out) { return Self(ctx).Open(key, out); };
    host_.cache_create = [](void* ctx, const uint8_t* key, uint64_t size, astro_cache_writer_v1* out) {
      return Self(ctx).Create(key, size, out);
    };
    host_.cache_commit = [](void* ctx, astro_cache_writer_v1* writer, astro_mapping_v1* out) {
      return Self(ctx).Commit(writer, out);
    };
    host_.cache_abandon = [](void*, astro_cache_writer_v1* writer) { delete static_cast<Entry*>(writer->handle); };
    host_.parallel_for = [](void* ctx, uint64_t count, void (*task)(void*, uint64_t), void* arg) {
      Self(ctx).ParallelFor(count, task, arg);
    };
    host_.seed = [](void* ctx) { return Self(ctx).seed; };
  }
  FakeHost(const FakeHost&) = delete;
  FakeHost& operator=(const FakeHost&) = delete;

  const astro_host_v1* get() const { return &host_; }

  std::vector<std::string> log;
  std::vector<Failure> failures;
  std::vector<double> progress;
  std::atomic<bool> cancelled{false};
  size_t cancel_at_progress = SIZE_MAX;  // sets `cancelled` once `progress` has so many
  std::function<void()> at_poll;         // called when a plugin asks whether it is cancelled, on its thread
  uint64_t seed = 0;
  uint64_t budget_bytes = UINT64_MAX;  // what allocate may still give
  int threads = 1;                     // of parallel_for

 private:
  using Key = std::array<uint8_t, 32>;
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  struct Entry {
    Key key;
    uint64_t size;
    std::unique_ptr<void, Free> data;
  };

  static FakeHost& Self(void* ctx) { return *static_cast<FakeHost*>(ctx); }

  void Progress(double fraction) {
    progress.push_back(fraction);
    if (progress.size() >= cancel_at_progress) cancelled = true;
  }
  void ParallelFor(uint64_t count, void (*task)(void*, uint64_t), void* arg) const {
    std::atomic<uint64_t> next{0};
    const auto work = [&] {
      for (uint64_t i = next++; i < count; i = next++) task(arg, i);
    };
    std::vector<std::thread> helpers;
    for (int i = 1; i < threads; ++i) helpers.emplace_back(work);
    work();
    for (std::thread& helper : helpers) helper.join();
  }
  void* Allocate(uint64_t size, uint64_t align) {
    if (size > budget_bytes) return nullptr;
    budget_bytes -= size;
    return std::aligned_alloc(align, (size + align - 1) / align * align);
  }
  astro_status Open(const uint8_t* key, astro_mapping_v1* out) {
    const auto found = cache_.find(MakeKey(key));
    if (found == cache_.end()) return ASTRO_INVALID;
    out->data = found->second->data.get();
    out->size = found->second->size;
    return ASTRO_OK;
  }
  astro_status Create(const uint8_t* key, uint64_t size, astro_cache_writer_v1* out) {
    void* data = std::aligned_alloc(64, (size + 63) / 64 * 64 + 64);
    if (data == nullptr) return ASTRO_NO_MEMORY;
    std::memset(data, 0, size);
    out->handle = new Entry{MakeKey(key), size, std::unique_ptr<void, Free>(data)};
    out->data = data;
    out->size = size;
    return ASTRO_OK;
  }
  astro_status Commit(astro_cache_writer_v1* writer, astro_mapping_v1* out) {
    std::unique_ptr<Entry> entry(static_cast<Entry*>(writer->handle));
    out->data = entry->data.get();
    out->size = entry->size;
    const Key key = entry->key;
    cache_[key] = std::move(entry);
    return ASTRO_OK;
  }
  static Key MakeKey(const uint8_t* key) {
    Key out;
    std::memcpy(out.data(), key, out.size());
    return out;
  }

  astro_host_v1 host_ = {};
  std::map<Key, std::unique_ptr<Entry>> cache_;
};

}  // namespace astro::testing

#endif  // ASTROLABE_SDK_TESTING_FAKE_HOST_H_
