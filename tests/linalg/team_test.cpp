/// Threads that share loops: every task once, exceptions, loops within loops. Theory: docs/theory/performance.md,
/// "Threads".
#include "support/allocation_counter.hpp"

#include <filum/linalg/team.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace filum::linalg {
namespace {

/// How often each of `count` tasks is run.
std::vector<int> runs(int count) {
  std::vector<std::atomic<int>> times(static_cast<std::size_t>(count));
  for_each_task(count, [&](int k) { ++times[static_cast<std::size_t>(k)]; });
  return {times.begin(), times.end()};
}

class TeamOf : public testing::TestWithParam<int> {
 protected:
  Team team{GetParam()};
};

TEST_P(TeamOf, RunsEveryTaskOnce) {
  const TeamInUse use(&team);
  EXPECT_EQ(team.threads(), GetParam());
  for (const int count : {0, 1, 2, 5, 1000})
    for (int repeat = 0; repeat < 20; ++repeat)
      EXPECT_EQ(runs(count), std::vector<int>(static_cast<std::size_t>(count), 1));
}

TEST_P(TeamOf, ChunksCoverAllNumbersOnce) {
  const TeamInUse use(&team);
  for (const int count : {0, 1, 7, 8, 9, 1001}) {
    std::vector<std::atomic<int>> times(static_cast<std::size_t>(count));
    for_each_chunk(count, 8, [&](int first, int end) {
      EXPECT_LT(first, end);
      for (int k = first; k < end; ++k) ++times[static_cast<std::size_t>(k)];
    });
    for (const auto& t : times) EXPECT_EQ(t, 1);
  }
}

TEST_P(TeamOf, SeesWhatTheCallerWroteAndIsSeenByIt) {
  const TeamInUse use(&team);
  std::vector<unsigned long> numbers(4096, 0);  // that may overflow
  for (unsigned long round = 1; round <= 200; ++round) {
    for (unsigned long& x : numbers) x += round;
    for_each_chunk(4096, 64, [&](int first, int end) {
      for (int k = first; k < end; ++k) numbers[static_cast<std::size_t>(k)] *= 1 + round % 2;
    });
  }
  for (const unsigned long x : numbers) EXPECT_EQ(x, numbers.front());
}

TEST_P(TeamOf, PassesOnTheExceptionOfTheLowestTask) {
  const TeamInUse use(&team);
  for (int repeat = 0; repeat < 50; ++repeat) {
    std::string found;
    try {
      for_each_task(100, [](int k) {
        if (k % 10 == 7) throw std::runtime_error(std::to_string(k));
      });
    } catch (const std::runtime_error& error) {
      found = error.what();
    }
    EXPECT_EQ(found, "7");
    EXPECT_EQ(runs(30), std::vector<int>(30, 1)) << "after an exception";
  }
}

TEST_P(TeamOf, RunsLoopsInsideOfTasksWhereTheyAre) {
  const TeamInUse use(&team);
  std::atomic<int> elsewhere = 0, sum = 0;
  for_each_task(20, [&](int) {
    const auto here = std::this_thread::get_id();
    EXPECT_EQ(team_in_use(), nullptr);
    for_each_task(20, [&](int k) {
      elsewhere += std::this_thread::get_id() != here;
      sum += k;
    });
  });
  EXPECT_EQ(elsewhere, 0);
  EXPECT_EQ(sum, 20 * 190);
  EXPECT_EQ(team_in_use(), &team);
}

TEST_P(TeamOf, DoesNotAllocate) {
  const TeamInUse use(&team);
  std::vector<int> out(1000);
  const auto loop = [&] { for_each_task(1000, [&](int k) { out[static_cast<std::size_t>(k)] = k; }); };
  loop();
  EXPECT_EQ(test::allocations_of([&] {
              for (int k = 0; k < 100; ++k) loop();
            }),
            0);
}

TEST_P(TeamOf, SleepsAndIsWokenUp) {
  const TeamInUse use(&team);
  for (int repeat = 0; repeat < 5; ++repeat) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(runs(100), std::vector<int>(100, 1));
  }
}

// Many more threads than cores: nobody waits for one that the machine does not run.
INSTANTIATE_TEST_SUITE_P(Threads, TeamOf, testing::Values(1, 2, 3, 7, 40));

TEST(Teams, OfTwoThreadsDoNotMeet) {
  const auto work = [] {
    Team team(3);
    const TeamInUse use(&team);
    for (int k = 0; k < 200; ++k) EXPECT_EQ(runs(50), std::vector<int>(50, 1));
  };
  std::thread other(work);
  work();
  other.join();
}

TEST(Teams, BelongToTheThreadThatUsesThem) {
  Team team(2);
  const TeamInUse use(&team);
  Team* seen = &team;
  std::thread([&] { seen = team_in_use(); }).join();
  EXPECT_EQ(seen, nullptr);
}

TEST(Teams, AreNotNeeded) {
  std::vector<int> order;
  for_each_task(5, [&](int k) { order.push_back(k); });
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4}));
  int calls = 0;
  for_each_chunk(1000, 8, [&](int first, int end) {
    ++calls;
    EXPECT_EQ(first, 0);
    EXPECT_EQ(end, 1000);
  });
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace filum::linalg
