// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/time.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "tests/fuzz/grammar.h"
#include "tests/sanitized.h"

// Drives a libFuzzer entry point where there is no libFuzzer: every file of the folders, then as
// many deterministic cases as are asked for, by turns mutations of the files and scenarios of the
// grammar. Each is done within bounded time and memory.
//   scenario_fuzz [-runs=N] [-seed=S] FOLDER...
// With TWOSPHERE_LONG set there are 200 000 of the grammar, and as many mutations.
// The input in progress is kept in `crash-input` beside the program's working folder, removed at
// the end.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr const char* record = "crash-input";

using twosphere::test::sanitized;
constexpr double max_seconds = sanitized ? 60 : 2;   // of processor time
constexpr long max_memory = sanitized ? 8000 : 500;  // of the process at its largest [MB]

void try_input(const std::string& text) {
  {
    std::ofstream file(record, std::ios::binary | std::ios::trunc);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
  }
  // One that does not end is ended by SIGPROF.
  itimerval limit{};
  limit.it_value.tv_sec = static_cast<time_t>(10 * max_seconds);
  ::setitimer(ITIMER_PROF, &limit, nullptr);
  const std::clock_t begin = std::clock();
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const long memory = used.ru_maxrss / 1000;
  if (seconds <= max_seconds && memory <= max_memory) return;
  std::fprintf(stderr, "%.1f s, %ld MB:\n%s\n", seconds, memory, text.c_str());
  std::abort();
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
    static const std::vector<std::string> members{
        "\"stop\":[{\"quantity\":\"energy_error\",\"above\":1e-9}]",
        "\"stop\":[{\"time\":0.02}]",
        "\"every\":2",
        "\"view\":{\"camera\":{}}",
        "\"lanes\":[{\"type\":\"rk4\",\"step\":0.01},{\"type\":\"variational\",\"step\":0.005}]",
        "\"lanes\":[{\"type\":\"rk4\",\"step\":0.01,\"name\":\"a\"}]",
        "\"integrator\":{\"type\":\"rk45\",\"step\":0.01,\"relative_tolerance\":1e-6}",
        "\"events\":[{\"step\":1,\"resume\":true}]",
        "\"events\":[{\"step\":1,\"pull\":{\"body\":0,\"force\":[1,0,0],\"steps\":2}}]",
        "\"branches\":[{\"name\":\"b\",\"from_step\":2,\"events\":[{\"step\":2,\"set\":"
        "{\"every\":2}}]}]",
        "\"initial\":{\"generator\":{\"type\":\"icosphere\",\"subdivisions\":1}}",
        "\"springs\":[{\"between\":[0,1],\"stiffness\":10}]",
        "\"step_index\":7",
        "\"time_origin\":0.5",
        "\"work\":1e-3",
        "\"energy_reference\":-1",
        "\"integrator_state\":{\"work_compensation\":[0]}",
        "\"integrator_state\":{}"};
    if (text.empty()) text = any(seeds_);
    const std::size_t at = below(text.size());
    switch (below(11)) {
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
      case 5:
        add_member(text, fmt::format("\"events\":[{{\"step\":{},\"set\":{{\"{}\":{}}}}}]", below(5),
                                     path(), any(values)));
        return;
      case 6:
        add_member(text, any(members));
        return;
      case 7:
        if (const auto key = path_in(text, at))
          text.replace(key->first, key->second - key->first, path());
        return;
      default: {
        const auto [begin, end] = token(text, at);
        text.replace(begin, end - begin, any(values));
      }
    }
  }

  /// A member more of the document, at its end.
  void add_member(std::string& text, const std::string& member) {
    const std::size_t close = text.rfind('}');
    if (close != text.npos) text.insert(close, "," + member);
  }

  /// The path of a setting of every kind, or nearly one.
  std::string path() {
    static const std::vector<std::string> good = twosphere::split(
        "system.gravity system.masses system.masses[0] system.springs[0].stiffness "
        "system.springs[0].between system.springs[0].between[1] system.control_torque[2] "
        "system.control_torque system.control_torque.type system.control_torque.amplitude[1] "
        "system.control_torque.frequency system.control_torque.target_q "
        "system.control_torque.kd system.lattice.rows system.positions[0][1] system.damping "
        "system.type integrator integrator.type integrator.step integrator.name "
        "integrator.relative_tolerance integrator.formulation lanes lanes[0] lanes[0].type "
        "lanes[0].step lanes[1].step lanes[1].name lanes[0].initial.q[0][1] initial.q "
        "initial.q[0] initial.omega[0][2] initial.generator.subdivisions duration every stop "
        "stop[0] stop[0].above view view.camera title twosphere step_index integrator_state "
        "events events[0].step branches branches[0].from_step",
        ' ');
    static const std::vector<std::string> indices = twosphere::split(
        "-1,18446744073709551616,18446744073709551615,9223372036854775808,+0,00,0x1,1e3, 1,,"
        "[,a,4294967296,99",
        ',');
    std::string out = any(good);
    switch (below(6)) {
      case 0:
        return out;
      case 1:
        return out + "[" + any(indices) + "]";
      case 2: {
        const std::size_t open = out.find('[');
        if (open == out.npos) return out + "[" + any(indices) + "].step";
        return out.replace(open + 1, out.find(']') - open - 1, any(indices));
      }
      case 3:
        return out.erase(below(out.size()), 1 + below(3));
      case 4: {
        static const std::vector<std::string> pieces{".", "[", "]", "[]", "..", ".[0]", "[0]", "x"};
        return out.insert(below(out.size() + 1), any(pieces));
      }
      default:
        return out + "." + any(good);
    }
  }

  /// Begin and end of the key next to a place that is a path, if there is one.
  static std::optional<std::pair<std::size_t, std::size_t>> path_in(const std::string& text,
                                                                    std::size_t at) {
    const std::size_t set = text.find("\"set\"", at), brace = text.find('{', set);
    if (set == text.npos || brace == text.npos) return {};
    const std::size_t open = text.find('"', brace), close = text.find('"', open + 1);
    if (open == text.npos || close == text.npos) return {};
    return std::pair(open + 1, close);
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
  if (std::getenv("TWOSPHERE_LONG")) runs = std::max<std::uint64_t>(runs, 400'000);
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
  Grammar grammar(seed);
  for (std::uint64_t i = 0; i < runs; ++i)
    try_input(i % 2 == 0 ? mutator.next() : grammar.scenario());
  std::filesystem::remove(record);
  std::printf("%zu files and %llu cases of seed %llu\n", files.size(),
              static_cast<unsigned long long>(runs), static_cast<unsigned long long>(seed));
  return 0;
}
