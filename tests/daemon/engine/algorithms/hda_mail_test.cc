// The messages of HDA*, and what its pace makes of them, between threads.
#include "daemon/engine/algorithms/hda_mail.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <thread>
#include <vector>

#include "daemon/engine/structures/memory_account.h"
#include "daemon/engine/structures/message_batch.h"

namespace astrolabe::engine {
namespace {

constexpr size_t kSlot = 8;
using Batch = MessageBatch<kSlot, false>;
using Mail = HdaMail<Batch>;

// A message whose f is told and then taken, in whatever order two threads come to it, leaves nothing behind: a least f
// that nobody has any more would make every thread wait for good.
TEST(HdaMail, NothingIsCountedThatLiesInNoBox) {
  constexpr int kRounds = 1'000;
  constexpr Cost kOwn = 100;  // of what lies open at both
  MemoryAccount memory;
  HdaBoard board(2, 1, 1, kSlot, memory);
  Mail::All mails;
  for (uint32_t i = 0; i < 2; ++i) mails.push_back(std::make_unique<Mail>(i, kSlot, board, mails, memory));
  for (uint32_t i = 0; i < 2; ++i) board.pace.Tell(i, kOwn);
  const std::array<std::byte, kSlot> state{};
  std::atomic<int> received{0};
  std::thread sender([&] {
    for (int round = 0; round < kRounds; ++round) {
      while (received < round) std::this_thread::yield();
      mails[0]->To(1).Append(state.data(), 50, 1, 0, 0);
      mails[0]->Send(1);
    }
  });
  int left_behind = 0;
  while (received < kRounds) {
    int taken = 0;
    mails[1]->Receive([&](const std::vector<Batch>& batches) { taken = static_cast<int>(batches.size()); },
                      [](const Batch&) {});
    board.pace.Tell(1, kOwn);
    if (taken == 0) continue;
    if (board.pace.LeastF() != kOwn) ++left_behind;
    received += taken;
  }
  sender.join();
  EXPECT_EQ(left_behind, 0);
}

}  // namespace
}  // namespace astrolabe::engine
