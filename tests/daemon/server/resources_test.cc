#include "daemon/server/resources.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/process.h"

namespace astrolabe::server {
namespace {

class ResourcesTest : public ::testing::Test {
 protected:
  void Put(const std::string& name, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(root / name).parent_path());
    root.Write(name, text);
  }
  testing::TempFolder root;
};

TEST_F(ResourcesTest, WithoutCgroupsItIsThePhysicalMemory) {
  EXPECT_GT(AvailableMemoryBytes(root.path()), 128ll << 20);
  EXPECT_GE(AvailableCpus(root.path()), 1);
}

TEST_F(ResourcesTest, TheSmallestLimitOfAnyParentGroupCounts) {
  Put("proc/self/cgroup", "0::/a/b\n");
  Put("sys/fs/cgroup/a/b/memory.max", "max\n");
  Put("sys/fs/cgroup/a/memory.max", "100000000\n");
  Put("sys/fs/cgroup/memory.max", "200000000\n");
  Put("sys/fs/cgroup/a/cpu.max", "50000 100000\n");
  EXPECT_EQ(AvailableMemoryBytes(root.path()), 100000000);
  EXPECT_EQ(AvailableCpus(root.path()), 1);
}

TEST_F(ResourcesTest, VersionOneGroupsCountToo) {
  Put("proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/x\n");
  Put("sys/fs/cgroup/memory/x/memory.limit_in_bytes", "123456789\n");
  EXPECT_EQ(AvailableMemoryBytes(root.path()), 123456789);
}

TEST_F(ResourcesTest, AGroupThatIsNotVisibleMeansTheMountIsOurs) {
  Put("proc/self/cgroup", "0::/kubepods/pod1\n");
  Put("sys/fs/cgroup/memory.max", "300000000\n");
  EXPECT_EQ(AvailableMemoryBytes(root.path()), 300000000);
}

TEST_F(ResourcesTest, NonsenseIsNeverALimit) {
  Put("proc/self/cgroup", "rubbish\n0::/a\n");
  Put("sys/fs/cgroup/a/memory.max", "-5\n");
  EXPECT_GT(AvailableMemoryBytes(root.path()), 64ll << 20);
  Put("sys/fs/cgroup/a/memory.max", "1\n");
  EXPECT_EQ(AvailableMemoryBytes(root.path()), 64ll << 20);
}

TEST(DefaultJobMemory, IsSixtyPercentSharedByTheSlots) {
  EXPECT_EQ(DefaultJobMemory(1000, 1), 600);
  EXPECT_EQ(DefaultJobMemory(1000, 4), 150);
  EXPECT_EQ(DefaultJobMemory(1000, 0), 600);
}

}  // namespace
}  // namespace astrolabe::server
