// SPDX-License-Identifier: GPL-3.0-or-later
// Work beside the window's thread: whatever goes wrong there comes back as an error.
#include "app/base/background.h"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QThread>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "tests/outcome.h"
#include "tests/thread_limit.h"

namespace twosphere::test::background_test {
namespace {

void wait_for(const Background& background) {
  while (background.busy()) {
    QCoreApplication::processEvents();
    QThread::usleep(100);
  }
}

TEST(Background, WorksOnThreadsOfItsOwnAndEndsOnThisOne) {
  Background background;
  std::vector<int> ends;
  std::atomic<int> elsewhere = 0;
  for (int k = 0; k < 5; ++k)
    background.start(
        [&elsewhere, k, here = QThread::currentThread()]() -> Result<int> {
          elsewhere += QThread::currentThread() != here;
          return 10 * k;
        },
        [&ends, here = QThread::currentThread()](const Result<int>& result) {
          EXPECT_EQ(QThread::currentThread(), here);
          ends.push_back(*result);
        });
  EXPECT_TRUE(background.busy());
  wait_for(background);
  std::sort(ends.begin(), ends.end());
  EXPECT_EQ(ends, (std::vector<int>{0, 10, 20, 30, 40}));
  EXPECT_EQ(elsewhere, 5);
}

TEST(Background, EndsAtOnceWhatIsDoneWithinThePatienceOfTheCaller) {
  Background background;
  int ended = 0;
  const auto end = [&ended](const Result<int>& result) { ended += *result; };
  background.start([]() -> Result<int> { return 1; }, end, std::chrono::hours(1));
  EXPECT_EQ(ended, 1);
  EXPECT_FALSE(background.busy());
  QCoreApplication::processEvents();
  EXPECT_EQ(ended, 1) << "only once";
  std::promise<void> goes_on;
  background.start(
      [&goes_on]() -> Result<int> {
        goes_on.get_future().wait();
        return 10;
      },
      end, std::chrono::milliseconds(1));
  EXPECT_EQ(ended, 1);
  EXPECT_TRUE(background.busy());
  goes_on.set_value();
  wait_for(background);
  EXPECT_EQ(ended, 11);
}

TEST(Background, BringsExceptionsBackAsErrors) {
  Background background;
  std::vector<std::string> errors;
  const auto end = [&errors](const Result<void>& result) {
    errors.push_back(result ? "" : result.error().text());
  };
  background.start(
      []() -> Result<void> {
        throw std::system_error(std::make_error_code(std::errc::no_space_on_device));
      },
      end);
  wait_for(background);
  background.start([]() -> Result<void> { throw std::bad_alloc(); }, end);
  wait_for(background);
  background.start([]() -> Result<void> { return Error{{}, "file", "is gone"}; }, end);
  wait_for(background);
  EXPECT_EQ(errors, (std::vector<std::string>{"No space left on device",
                                              "there is not enough memory", "file: is gone"}));
}

TEST(Background, AsksForAReportOfAnUnexpectedException) {
  Background background;
  std::vector<Error> errors;
  background.start([]() -> Result<void> { return (void)std::vector<int>().at(7), Result<void>(); },
                   [&errors](const Result<void>& result) { errors.push_back(result.error()); });
  wait_for(background);
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].kind, ErrorKind::internal);
  EXPECT_TRUE(says(errors[0].message, "Please report"));
}

TEST(Background, SaysThatNoThreadCanBeStarted) {
  Background background;
  std::vector<std::string> errors;
  bool worked = false;
  {
    const ThreadLimit none(0);
    background.start(
        [&worked]() -> Result<void> {
          worked = true;
          return {};
        },
        [&errors](const Result<void>& result) { errors.push_back(result.error().text()); });
    background.wait();
    wait_for(background);
  }
  EXPECT_FALSE(worked);
  EXPECT_EQ(errors, (std::vector<std::string>{"no thread can be started"}));
}

TEST(Background, IsWaitedForOnDestructionWithoutItsCallback) {
  bool worked = false;
  {
    Background background;
    background.start(
        [&worked]() -> Result<void> {
          QThread::msleep(20);
          worked = true;
          return {};
        },
        [](const Result<void>&) { ADD_FAILURE() << "an end after the end"; });
  }
  EXPECT_TRUE(worked);
  QCoreApplication::processEvents();
}

}  // namespace
}  // namespace twosphere::test::background_test
