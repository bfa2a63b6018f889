// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/triple_buffer.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/base/handoff.h"

namespace twosphere::triple_buffer_test {
namespace {

TEST(TripleBuffer, ReaderGetsTheNewestOnce) {
  TripleBuffer<std::string> buffer;
  EXPECT_FALSE(buffer.unread());
  EXPECT_FALSE(buffer.take());
  for (const char* text : {"one", "two", "three", "four"}) {
    buffer.back() = text;
    buffer.publish();
    EXPECT_TRUE(buffer.unread());
  }
  EXPECT_TRUE(buffer.take());
  EXPECT_EQ(buffer.front(), "four");
  EXPECT_FALSE(buffer.unread());
  EXPECT_FALSE(buffer.take());
  EXPECT_EQ(buffer.front(), "four");
}

TEST(TripleBuffer, FrontStaysWhileTheWriterGoesOn) {
  TripleBuffer<int> buffer;
  buffer.back() = 1;
  buffer.publish();
  ASSERT_TRUE(buffer.take());
  const int* front = &buffer.front();
  for (int i = 2; i < 100; ++i) {
    EXPECT_NE(&buffer.back(), front);
    buffer.back() = i;
    buffer.publish();
    EXPECT_EQ(*front, 1);
  }
  ASSERT_TRUE(buffer.take());
  EXPECT_EQ(buffer.front(), 99);
}

TEST(TripleBuffer, ReusesStorage) {
  TripleBuffer<std::vector<int>> buffer;
  std::set<const int*> places;
  for (int i = 0; i < 50; ++i) {
    buffer.back().assign(1000, i);
    buffer.publish();
    if (i % 3 == 0) buffer.take();
    if (i >= 10) places.insert(buffer.front().data());
  }
  EXPECT_LE(places.size(), 3u);
}

// Every number of a value must be the same, and values must come in order and end with the last.
TEST(TripleBuffer, ValuesArriveWholeAndInOrder) {
  constexpr int enough = 2'000;
  TripleBuffer<std::vector<std::uint64_t>> buffer;
  std::atomic<bool> go_on = true;
  std::uint64_t written = 0;
  std::thread writer([&] {
    while (go_on) {
      ++written;
      buffer.back().assign(8 + written % 5, written);
      buffer.publish();
    }
  });
  std::uint64_t last = 0, torn = 0, backwards = 0;
  const auto look = [&] {
    const auto& value = buffer.front();
    torn += value.size() != 8 + value[0] % 5;
    for (const std::uint64_t x : value) torn += x != value[0];
    backwards += value[0] <= last;
    last = value[0];
  };
  for (int taken = 0; taken < enough;) {
    if (!buffer.take()) {
      std::this_thread::yield();
      continue;
    }
    ++taken;
    look();
  }
  go_on = false;
  writer.join();
  if (buffer.take()) look();
  EXPECT_EQ(torn, 0u);
  EXPECT_EQ(backwards, 0u);
  EXPECT_EQ(last, written);
}

TEST(Stream, DropsNothingAndKeepsTheOrder) {
  constexpr int count = 300'000;
  Stream<std::unique_ptr<int>> stream;
  std::atomic<bool> done = false;
  std::thread writer([&] {
    std::vector<std::unique_ptr<int>> chunk;
    for (int i = 0; i < count; ++i) {
      chunk.push_back(std::make_unique<int>(i));
      if (chunk.size() > static_cast<std::size_t>(i) % 97) stream.append(chunk);
    }
    stream.append(chunk);
    EXPECT_TRUE(chunk.empty());
    done = true;
  });
  std::vector<std::unique_ptr<int>> got;
  while (!done) {
    stream.drain(got);
    std::this_thread::yield();
  }
  writer.join();
  stream.drain(got);
  ASSERT_EQ(got.size(), static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) ASSERT_EQ(*got[static_cast<std::size_t>(i)], i);
}

TEST(Stream, KeepsTheNewestIfTold) {
  Stream<int> stream;
  std::vector<int> chunk{1, 2, 3};
  stream.append(chunk, 4);
  chunk = {4, 5, 6};
  stream.append(chunk, 4);
  std::vector<int> got{0};
  stream.drain(got);
  EXPECT_EQ(got, (std::vector<int>{0, 3, 4, 5, 6}));
  stream.drain(got);
  EXPECT_EQ(got.size(), 5u);
}

}  // namespace
}  // namespace twosphere::triple_buffer_test
