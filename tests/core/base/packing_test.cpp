// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/packing.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <string>

namespace twosphere::packing_test {
namespace {

TEST(Packing, WritesBase64AsTheStandardDoes) {
  // RFC 4648, section 10.
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("\xff\xfe\xfd"), "//79");
}

TEST(Packing, ReadsWhatItWrites) {
  std::string bytes;
  for (int i = 0; i < 515; ++i) {
    EXPECT_EQ(from_base64(base64(bytes)), bytes);
    bytes += static_cast<char>(i * 7);
  }
  EXPECT_EQ(from_base64(" Zm\n9v\tYg==\r\n"), "foob");
}

TEST(Packing, RefusesWhatIsNoBase64) {
  for (const char* wrong : {"Z", "Zg", "Zg=", "Zg===", "Z===", "Zg==Zg==", "Zm9*", "<div>"})
    EXPECT_FALSE(from_base64(wrong)) << wrong;
}

TEST(Packing, CompressesForAnyReaderOfZlib) {
  const std::string text = std::string(100'000, 'a') + "b";
  const std::string packed = deflated(text);
  EXPECT_LT(packed.size(), 1000u);
  std::string back(text.size(), '\0');
  uLongf size = back.size();
  ASSERT_EQ(uncompress(reinterpret_cast<Bytef*>(back.data()), &size,
                       reinterpret_cast<const Bytef*>(packed.data()), packed.size()),
            Z_OK);
  EXPECT_EQ(size, text.size());
  EXPECT_EQ(back, text);
}

}  // namespace
}  // namespace twosphere::packing_test
