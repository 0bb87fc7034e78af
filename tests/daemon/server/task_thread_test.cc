#include "daemon/server/task_thread.h"

#include <gtest/gtest.h>

#include <future>
#include <vector>

namespace astrolabe::server {
namespace {

TEST(TaskThread, RunsTasksInOrderOnAThreadOfItsOwn) {
  TaskThread thread;
  std::promise<void> done;
  std::vector<int> order;
  std::thread::id where;
  for (int i = 0; i < 10; ++i) {
    thread.Run([&, i](bool may_run) {
      EXPECT_TRUE(may_run);
      order.push_back(i);
      where = std::this_thread::get_id();
      if (i == 9) done.set_value();
    });
  }
  done.get_future().wait();
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_NE(where, std::this_thread::get_id());
}

TEST(TaskThread, StopWaitsForTheRunningTaskAndRefusesTheRest) {
  TaskThread thread;
  std::promise<void> started;
  std::promise<void> go;
  bool finished = false;
  int refused = 0;
  thread.Run([&](bool) {
    started.set_value();
    go.get_future().wait();
    finished = true;
  });
  started.get_future().wait();
  thread.Run([&](bool may_run) { refused += !may_run; });
  std::thread stopper([&] { thread.Stop(); });
  go.set_value();
  stopper.join();
  EXPECT_TRUE(finished);
  EXPECT_LE(refused, 1);
  thread.Run([&](bool may_run) { refused += 10 * !may_run; });
  EXPECT_GE(refused, 10);
}

}  // namespace
}  // namespace astrolabe::server
