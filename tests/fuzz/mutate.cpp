// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

// Drives a libFuzzer entry point where there is no libFuzzer: every file of the folders, then as
// many deterministic mutations of them as are asked for.
//   scenario_fuzz [-runs=N] [-seed=S] FOLDER...
// The input in progress is kept in `crash-input` beside the program's working folder, removed at
// the end.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr const char* record = "crash-input";

void try_input(const std::string& text) {
  {
    std::ofstream file(record, std::ios::binary | std::ios::trunc);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
  }
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
}

class Mutator {
 public:
  Mutator(std::vector<std::string> seeds, std::uint64_t seed)
      : seeds_(std::move(seeds)), random_(seed) {}

  std::string next() {
    std::string text = any(seeds_);
    for (auto edits = below(4) + 1; edits > 0; --edits) edit(text);
    return text;
  }

 private:
  std::size_t below(std::size_t n) { return n == 0 ? 0 : random_() % n; }
  const std::string& any(const std::vector<std::string>& list) { return list[below(list.size())]; }

  /// Begin and end of a run of characters of one value, key or number around a place.
  std::pair<std::size_t, std::size_t> token(const std::string& text, std::size_t at) const {
    constexpr std::string_view ends = ",:[]{}\n ";
    std::size_t begin = at, end = at;
    while (begin > 0 && ends.find(text[begin - 1]) == ends.npos) --begin;
    while (end < text.size() && ends.find(text[end]) == ends.npos) ++end;
    return {begin, end};
  }

  void edit(std::string& text) {
    static const std::vector<std::string> values{
        "0",          "-1",    "1",        "1e308",   "-1e308",   "1e-320", "5e-324",
        "1e999",      "2",     "1e16",     "0.5",     "1e-12",    "1e-3",   "null",
        "true",       "[]",    "{}",       "\"\"",    "[1, 2]",   "1000",   "[0,0,0]",
        "1e-300",     "1e200", "\"rk45\"", "\"rk4\"", "\"auto\"", "-0",     "9007199254740993",
        "\"\\u0000\""};
    if (text.empty()) text = any(seeds_);
    const std::size_t at = below(text.size());
    switch (below(8)) {
      case 0:
        text[at] = static_cast<char>(below(256));
        return;
      case 1:
        text.erase(at, below(16) + 1);
        return;
      case 2:
        text.insert(at, any(values));
        return;
      case 3: {
        const std::string& other = any(seeds_);
        const std::size_t from = below(other.size());
        text.insert(at, other.substr(from, below(200)));
        return;
      }
      case 4: {
        const auto [begin, end] = token(text, at);
        const auto [from, to] = token(text, below(text.size()));
        const std::string word = text.substr(from, to - from);
        text.replace(begin, end - begin, word);
        return;
      }
      default: {
        const auto [begin, end] = token(text, at);
        text.replace(begin, end - begin, any(values));
      }
    }
  }

  std::vector<std::string> seeds_;
  std::mt19937_64 random_;
};

bool option(std::string_view word, std::string_view name, std::uint64_t& value) {
  if (!word.starts_with(name)) return false;
  word.remove_prefix(name.size());
  return std::from_chars(word.data(), word.data() + word.size(), value).ec == std::errc{};
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t runs = 0, seed = 1;
  std::vector<std::filesystem::path> files;
  for (int i = 1; i < argc; ++i) {
    if (option(argv[i], "-runs=", runs) || option(argv[i], "-seed=", seed)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(argv[i]))
      if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> seeds;
  for (const auto& path : files) {
    std::ifstream file(path, std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    try_input(seeds.back());
  }
  if (seeds.empty()) {
    std::fprintf(stderr, "no files in the folders\n");
    return 1;
  }
  Mutator mutator(std::move(seeds), seed);
  for (std::uint64_t i = 0; i < runs; ++i) try_input(mutator.next());
  std::filesystem::remove(record);
  std::printf("%zu files and %llu mutations of seed %llu\n", files.size(),
              static_cast<unsigned long long>(runs), static_cast<unsigned long long>(seed));
  return 0;
}
