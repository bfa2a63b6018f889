// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/appended_file.h"
#include "core/base/result.h"
#include "core/run/checkpoint.h"
#include "core/run/sample_rows.h"
#include "core/run/simulation.h"
#include "core/worker/row_writer.h"

/// A live file: a run that is written while it runs, so that another process can follow it.
///
///   first line   "twosphere live run, format 3\n"
///   then blocks  kind (4 bytes), length of the content (8), CRC-32 of the content (4), CRC-32 of
///                these 16 bytes (4), content
///
/// of these kinds, in the byte order of the machine that writes it, which is little-endian on
/// x86-64 and ARM; a machine of the other byte order says so and reads nothing:
///
///   head      once, first: a JSON object with the scenario and the program that runs it
///   settings  the settings from here on, where events have changed them: a JSON object
///   rows      samples of all lanes, with states as StateStride selects them
///   state     the exact state of the run, a RunCheckpoint, after the rows up to it; the markers
///             since the last one, and the seconds that the run has taken so far
///   progress  the steps and seconds so far; once per second between states
///   end       how the run has ended
///
/// It is only appended to, so that a process that is killed leaves an incomplete block at most. All
/// of a run is exact: a state continues it bit for bit.
namespace twosphere {

/// How far a run is that is not at an exact state.
struct LiveProgress {
  std::int64_t steps = 0;
  double seconds = 0;  ///< real time since its start
};
struct LiveState {
  std::shared_ptr<const RunCheckpoint> checkpoint;
  double seconds = 0;
};
/// The end of a run, after its last state.
struct LiveEnd {
  enum class Reason {
    finished,     ///< at its planned end
    stopped,      ///< by a stop condition
    step_failed,  ///< the next step cannot be taken
    interrupted,  ///< by a signal
    failed,       ///< an output file could not be written
  };
  Reason reason = Reason::finished;
  std::optional<StepFailure> failure{};
};
using LiveBlock = std::variant<SampleRows, LiveState, LiveProgress, LiveEnd>;

/// Writes a run to a live file. Costs a reading of the clock per call of record(), and at most
/// about one hundredth of the time for states.
class LiveFileWriter {
 public:
  /// The default interval between two states at first; it grows in proportion to the bytes of all
  /// states beyond `many_bytes`, so that their size grows with the square root of the time.
  static constexpr std::chrono::milliseconds default_interval{100};
  static constexpr std::size_t many_bytes = std::size_t{16} << 20;

  /// Replaces a file of this name at the first state of the run, which is written at once. Fails if
  /// the file cannot be written or is being written by another run. `first_interval`: between the
  /// first states; 0: a state with every call of record().
  static Result<std::unique_ptr<LiveFileWriter>> create(
      const std::string& path, Simulation& run,
      std::chrono::milliseconds first_interval = default_interval);
  /// Call at the start, and after every call of Simulation::advance_to() and advance_rows().
  void record(Simulation& run);
  /// Writes the last state and the end.
  void end(Simulation& run, const LiveEnd& how);
  /// The first error of writing; nothing is written after it.
  const Result<void>& written() const { return written_; }

 private:
  using Clock = std::chrono::steady_clock;
  LiveFileWriter(const Simulation& run, std::chrono::milliseconds first_interval);
  double seconds() const;
  void add_rows(Simulation& run);
  void add_state(Simulation& run);
  void add_settings(const RunCheckpoint::Settings& settings);
  template <class Value>
  void add_fields(std::uint32_t kind, Value&& value);
  void add_block(std::uint32_t kind, std::string_view content);
  void write();

  std::optional<AppendedFile> file_;
  Result<void> written_;
  RowWriter rows_;
  std::vector<SampleRows> drained_;
  std::int64_t recorded_ = -1;  // the last step given to record()
  std::int64_t unwritten_rows_ = 0;
  std::shared_ptr<const System> system_;
  std::shared_ptr<const RunCheckpoint::Settings> settings_;  // the last ones seen
  Scenario settings_written_;
  std::size_t markers_ = 0;  // written so far
  std::string content_, buffer_;
  std::size_t state_bytes_ = 0;
  Clock::time_point begun_ = Clock::now(), last_state_{}, last_write_{};
  const Clock::duration first_interval_;
  Clock::duration interval_ = first_interval_;
};

/// Reads a live file, also while it is being written.
class LiveFileReader {
 public:
  /// Whether this is a file, and begins like one.
  static bool is_live_file(const std::string& path);
  /// Reads the head. Fails if the file is not a live file of this format and byte order, or if its
  /// scenario cannot be read.
  static Result<LiveFileReader> open(const std::string& path);
  LiveFileReader(LiveFileReader&&) noexcept;
  LiveFileReader& operator=(LiveFileReader&&) noexcept;
  ~LiveFileReader();

  const std::string& path() const { return path_; }
  const Scenario& record() const { return record_; }

  /// The next block; none if it is not complete yet. After an error, which names its position in
  /// the file, the same block is tried again.
  Result<std::optional<LiveBlock>> next();
  /// Whether a process is writing the file; false on file systems without locks.
  bool is_held() const { return AppendedFile::is_held(descriptor_); }
  /// The time since the file was written last, by the clocks of this machine and of the file
  /// system.
  std::chrono::seconds age() const;
  /// Whether the file of this name is now another one.
  bool is_replaced() const;

 private:
  struct Block {
    std::uint32_t kind = 0;
    std::string content;
  };
  LiveFileReader() = default;
  Error error(std::string message) const;
  Result<std::optional<Block>> read_block();
  Result<void> read_head();
  Result<void> read_settings(std::string_view content);
  Result<SampleRows> read_rows(std::string_view content) const;
  Result<LiveState> read_state(std::string_view content);

  std::string path_;
  int descriptor_ = -1;
  std::uint64_t offset_ = 0;  // of the next block
  Scenario record_;
  std::shared_ptr<const RunCheckpoint::Settings> settings_;
  std::shared_ptr<const std::vector<RunMarker>> markers_;
};

}  // namespace twosphere
