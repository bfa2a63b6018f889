// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/worker/live_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <ctime>
#include <functional>
#include <iterator>
#include <limits>
#include <system_error>
#include <utility>

#include "core/base/build.h"
#include "core/base/fields.h"
#include "core/base/file.h"
#include "core/base/interrupt.h"
#include "core/base/text.h"
#include "core/catalog.h"
#include "core/run/saved_states.h"
#include "core/scenario/document.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"

namespace twosphere {

namespace {

constexpr std::string_view first_words = "twosphere live run, ", file_format = "format 3";
constexpr const char* other_run = "another run writes it";
constexpr const char* foreign = "has content that this version of twosphere does not write";

/// The kinds of blocks; a machine of another byte order reads other numbers.
constexpr std::uint32_t head_kind = 0x54530001, settings_kind = 0x54530002, rows_kind = 0x54530003,
                        state_kind = 0x54530004, progress_kind = 0x54530005, end_kind = 0x54530006;

constexpr std::size_t max_block = std::size_t{1} << 32;
constexpr std::int64_t many_rows = 1 << 14;  // that are not kept back
constexpr std::chrono::seconds heartbeat{1};
/// States take at most this fraction of the time.
constexpr int state_share = 100;

struct BlockHead {
  std::uint32_t kind = 0;
  std::uint64_t length = 0;
  std::uint32_t content_crc = 0, crc = 0;

  template <class Fields>
  void transfer(Fields& fields) {
    fields(kind, length, content_crc, crc);
  }
};
constexpr std::size_t head_bytes = 20, checked_head_bytes = 16;

std::string bytes_of(BlockHead head) {
  std::string text;
  FieldWriter fields(text);
  fields(head);
  return text;
}

}  // namespace

template <class Fields>
void transfer(Fields& fields, LiveProgress& progress) {
  fields(progress.steps, progress.seconds);
}

template <class Fields>
void transfer(Fields& fields, StepFailure& failure) {
  fields(failure.lane, failure.report.status, failure.report.body, failure.step, failure.t,
         failure.message);
}

template <class Fields>
void transfer(Fields& fields, LiveEnd& end) {
  fields(end.reason, end.failure);
}

template <class Fields>
void transfer(Fields& fields, StepCost& cost) {
  fields.bytes(cost.values.data(), sizeof cost.values);
}

template <class Fields>
void transfer(Fields& fields, SampleRows& rows) {
  fields(rows.every, rows.lanes, rows.steps, rows.samples, rows.state_rows, rows.states,
         rows.costs);
}

namespace {

/// The content of a block of a state.
struct StateFields {
  double seconds = 0;
  std::uint64_t known_markers = 0;  ///< those that were written before
  std::vector<RunMarker> markers{};
  RunCheckpoint state;

  template <class Fields>
  void transfer(Fields& fields) {
    fields(seconds, known_markers, markers, state.pulls, state);
  }
};

// Checksums find damage; what another version has written may have right ones, too.

bool is_duration(double seconds) { return seconds >= 0 && seconds < 1e9; }

/// Whether rows with a system that were read are those of a run: steps ascend, the lists have the
/// lengths that belong together, and states are finite.
bool can_be_rows(const SampleRows& rows) {
  const std::size_t count = rows.size(), lanes = rows.lanes, stored = rows.state_rows.size(),
                    numbers = rows.state_numbers();
  const auto ascend = [](const auto& list) {
    return std::adjacent_find(list.begin(), list.end(), std::greater_equal<>()) == list.end();
  };
  // No product overflows.
  return count > 0 && lanes >= 1 && lanes <= max_lanes && rows.every >= 1 &&
         rows.every <= document::max_steps && rows.samples.size() == count * lanes &&
         stored <= count && rows.states.size() == stored * lanes * numbers &&
         rows.costs.size() == stored * lanes && rows.steps.front() >= 0 && ascend(rows.steps) &&
         ascend(rows.state_rows) && (stored == 0 || rows.state_rows.back() < count) &&
         std::all_of(rows.states.begin(), rows.states.end(),
                     [](double x) { return std::isfinite(x); });
}

bool can_be_end(const LiveEnd& end, const RunCheckpoint::Settings& settings) {
  using Reason = LiveEnd::Reason;
  // A number in a file may be no value of the enumeration.
  if (end.reason < Reason::finished || end.reason > Reason::failed) return false;
  if (!end.failure) return true;
  const StepReport& report = end.failure->report;
  const int lane = end.failure->lane;
  return lane >= 0 && lane < static_cast<int>(settings.present.lanes.size()) && report.body >= 0 &&
         report.body < settings.system->size() && report.status > StepStatus::ok &&
         report.status <= StepStatus::interrupted && end.failure->step >= 0 &&
         std::isfinite(end.failure->t);
}

}  // namespace

LiveFileWriter::LiveFileWriter(const Simulation& run, std::chrono::milliseconds first_interval)
    : rows_(std::numeric_limits<std::int64_t>::max(), StateStride::budget),
      system_(run.system()),
      settings_written_(start_of_record(run.record())),
      first_interval_(first_interval) {
  rows_.begin(run, 0);
  rows_.resume();
}

Result<std::unique_ptr<LiveFileWriter>> LiveFileWriter::create(
    const std::string& path, Simulation& run, std::chrono::milliseconds first_interval) {
  if (AppendedFile::is_held(path))
    return Error{ErrorKind::input_output, path, fmt::format("is being written: {}", other_run)};
  auto begun = AtomicFile::open(path);
  if (!begun) return begun.error();
  if (!begun->regular())
    return Error{ErrorKind::usage, path, "must be a file, which another process can read"};
  std::unique_ptr<LiveFileWriter> writer(new LiveFileWriter(run, first_interval));
  const json::Node head =
      json::Node::object({{"program", program_version()}, {"scenario", to_json(run.record())}});
  // A file with its head appears at once, in place of one of this name; from then on it is appended
  // to.
  writer->add_block(head_kind, json::write(head));
  begun->write(fmt::format("{}{}\n", first_words, file_format));
  begun->write(writer->buffer_);
  writer->buffer_.clear();
  if (auto done = begun->commit(); !done) return done.error();
  auto opened = AppendedFile::open(path, other_run);
  if (!opened) return opened.error();
  writer->file_ = std::move(*opened);
  writer->record(run);
  return writer;
}

double LiveFileWriter::seconds() const {
  return std::chrono::duration<double>(Clock::now() - begun_).count();
}

void LiveFileWriter::record(Simulation& run) {
  if (run.steps() == recorded_) return;
  const Uninterrupted writing;
  rows_.record(run, {});
  if (run.at_sample())
    unwritten_rows_ += static_cast<std::int64_t>(std::max<std::size_t>(run.rows().size(), 1));
  recorded_ = run.steps();
  const auto now = Clock::now();
  // The rows of one system are written before those of the next.
  if (now - last_state_ >= interval_ || run.system() != system_) {
    add_state(run);
  } else if (now - last_write_ >= heartbeat) {
    add_rows(run);
    add_fields(progress_kind, LiveProgress{run.steps(), seconds()});
  } else if (unwritten_rows_ >= many_rows) {
    add_rows(run);
  } else {
    return;
  }
  write();
}

void LiveFileWriter::end(Simulation& run, const LiveEnd& how) {
  const Uninterrupted writing;
  record(run);
  add_state(run);
  LiveEnd end = how;
  add_fields(end_kind, end);
  write();
}

/// The rows since the last call, and before those of a changed system its settings.
void LiveFileWriter::add_rows(Simulation& run) {
  rows_.publish(run);
  // Reader and writer of these rows are the same thread.
  rows_.release(rows_.drain(drained_));
  for (SampleRows& rows : drained_) {
    // Rows of another system are read with its settings, which come before them.
    if (rows.system != system_) add_settings(*run.checkpoint().settings);
    add_fields(rows_kind, rows);
  }
  rows_.give_back(drained_);
  unwritten_rows_ = 0;
}

/// The rows so far and the state that they lead to.
void LiveFileWriter::add_state(Simulation& run) {
  add_rows(run);
  const auto begun = Clock::now();
  RunCheckpoint state = run.checkpoint();
  // Settings that are equal, in other memory, are not written again.
  if (state.settings != settings_ && !same(state.settings->present, settings_written_))
    add_settings(*state.settings);
  settings_ = state.settings;
  StateFields fields{seconds(), markers_, {}, std::move(state)};
  // Only the markers since the last state.
  fields.markers.assign(fields.state.markers->begin() + static_cast<std::ptrdiff_t>(markers_),
                        fields.state.markers->end());
  markers_ = fields.state.markers->size();
  const std::size_t before = buffer_.size();
  add_fields(state_kind, fields);
  state_bytes_ += buffer_.size() - before;

  last_state_ = Clock::now();
  if (first_interval_ == Clock::duration(0)) return;
  // The interval grows in proportion to the bytes of states beyond a bound, and with the time that
  // a state takes.
  const double crowd =
      std::max(1.0, static_cast<double>(state_bytes_) / static_cast<double>(many_bytes));
  interval_ = std::max(std::chrono::duration_cast<Clock::duration>(first_interval_ * crowd),
                       state_share * (last_state_ - begun));
}

void LiveFileWriter::add_settings(const RunCheckpoint::Settings& settings) {
  settings_written_ = settings.present;
  system_ = settings.system;
  add_block(settings_kind, settings_text(settings));
}

template <class Value>
void LiveFileWriter::add_fields(std::uint32_t kind, Value&& value) {
  content_.clear();
  FieldWriter fields(content_);
  fields(value);
  add_block(kind, content_);
}

void LiveFileWriter::add_block(std::uint32_t kind, std::string_view content) {
  BlockHead head{kind, content.size(), checksum(content), 0};
  // The head has its own checksum: its length is needed before the content is there.
  head.crc = checksum(std::string_view(bytes_of(head)).substr(0, checked_head_bytes));
  buffer_ += bytes_of(head);
  buffer_ += content;
}

void LiveFileWriter::write() {
  // After an error nothing more is written.
  if (written_) written_ = file_->append(buffer_);
  buffer_.clear();
  last_write_ = Clock::now();
}

bool LiveFileReader::is_live_file(const std::string& path) {
  return first_bytes(path, first_words.size()) == first_words;
}

LiveFileReader::LiveFileReader(LiveFileReader&& other) noexcept { *this = std::move(other); }

LiveFileReader& LiveFileReader::operator=(LiveFileReader&& other) noexcept {
  path_ = std::move(other.path_);
  std::swap(descriptor_, other.descriptor_);
  offset_ = other.offset_;
  record_ = std::move(other.record_);
  settings_ = std::move(other.settings_);
  markers_ = std::move(other.markers_);
  return *this;
}

LiveFileReader::~LiveFileReader() {
  if (descriptor_ >= 0) (void)::close(descriptor_);
}

Error LiveFileReader::error(std::string message) const {
  return {ErrorKind::input_output, fmt::format("{}: byte {}", path_, offset_), std::move(message)};
}

Result<LiveFileReader> LiveFileReader::open(const std::string& path) {
  LiveFileReader reader;
  reader.path_ = path;
  reader.descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (reader.descriptor_ < 0)
    return Error{ErrorKind::input_output, path, std::generic_category().message(errno)};
  if (auto head = reader.read_head(); !head) return head.error();
  return reader;
}

Result<void> LiveFileReader::read_head() {
  std::string line(first_words.size() + file_format.size() + 1, '\0');
  const ssize_t got = ::pread(descriptor_, line.data(), line.size(), 0);
  if (got < 0) return error(std::generic_category().message(errno));
  // The first line tells what the file is, and its format.
  line.resize(static_cast<std::size_t>(got));
  if (!line.starts_with(first_words)) return error("is not a live file of twosphere run --live");
  if (line.substr(first_words.size()) != fmt::format("{}\n", file_format))
    return error(fmt::format(
        "is of another format of live files; this version of twosphere reads {}", file_format));
  offset_ = line.size();
  auto block = read_block();
  if (!block) return block.error();
  if (!*block) return error("its scenario is not complete");
  // The kind is a number that another byte order changes.
  if ((*block)->kind != head_kind)
    return error("was written on a machine with another byte order, or is damaged");
  const auto root = json::parse((*block)->content, path_);
  if (!root) return root.error();
  const json::Node* scenario = root->find("scenario");
  if (!scenario) return error("has no scenario");
  auto record = from_json(*scenario, path_);
  if (!record) return record.error();
  record_ = std::move(*record);
  auto settings = start_settings(record_);
  if (!settings) return Error{settings.error().kind, path_, settings.error().text()};
  settings_ = std::move(*settings);
  markers_ = std::make_shared<const std::vector<RunMarker>>();
  return {};
}

Result<std::optional<LiveFileReader::Block>> LiveFileReader::read_block() {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) return error(std::generic_category().message(errno));
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size < offset_) return error("the file has become shorter");
  // Not complete yet: the writer may be in the middle of it.
  if (size < offset_ + head_bytes) return std::optional<Block>();
  const auto read = [&](std::uint64_t from, std::size_t bytes) -> Result<std::string> {
    std::string text(bytes, '\0');
    // A read may return less than was asked for.
    for (std::size_t got = 0; got < bytes;) {
      const ssize_t now =
          ::pread(descriptor_, text.data() + got, bytes - got, static_cast<off_t>(from + got));
      if (now < 0 && errno == EINTR) continue;
      if (now < 0) return error(std::generic_category().message(errno));
      if (now == 0) return error("the file has become shorter");
      got += static_cast<std::size_t>(now);
    }
    return text;
  };
  const auto bytes = read(offset_, head_bytes);
  if (!bytes) return bytes.error();
  BlockHead head;
  FieldReader fields(*bytes);
  fields(head);
  const bool sound = head.crc == checksum(std::string_view(*bytes).substr(0, checked_head_bytes)) &&
                     head.length <= max_block;
  if (!sound) return error("the file is damaged here");
  // Its content may not have been written yet.
  if (size - offset_ - head_bytes < head.length) return std::optional<Block>();
  auto content = read(offset_ + head_bytes, static_cast<std::size_t>(head.length));
  if (!content) return content.error();
  if (checksum(*content) != head.content_crc) return error("the file is damaged here");
  offset_ += head_bytes + head.length;
  return std::optional(Block{head.kind, std::move(*content)});
}

Result<std::optional<LiveBlock>> LiveFileReader::next() {
  for (;;) {
    const std::uint64_t before = offset_;
    auto block = read_block();
    if (!block) return block.error();
    if (!*block) return std::optional<LiveBlock>();
    const std::string& content = (*block)->content;
    const auto again = [&](const Error& why) {
      // The same block is tried again after an error.
      offset_ = before;
      return error(why.text());
    };
    FieldReader fields(content);
    switch ((*block)->kind) {
      case settings_kind:
        if (auto done = read_settings(content); !done) return again(done.error());
        continue;
      case rows_kind: {
        auto rows = read_rows(content);
        if (!rows) return again(rows.error());
        return std::optional<LiveBlock>(std::move(*rows));
      }
      case state_kind: {
        auto state = read_state(content);
        if (!state) return again(state.error());
        return std::optional<LiveBlock>(std::move(*state));
      }
      case progress_kind: {
        LiveProgress progress;
        fields(progress);
        if (!fields.at_end() || progress.steps < 0 || !is_duration(progress.seconds))
          return again({ErrorKind::input_output, "", foreign});
        return std::optional<LiveBlock>(progress);
      }
      case end_kind: {
        LiveEnd end;
        fields(end);
        if (!fields.at_end() || !can_be_end(end, *settings_))
          return again({ErrorKind::input_output, "", foreign});
        return std::optional<LiveBlock>(std::move(end));
      }
      default:
        return again({ErrorKind::input_output, "", foreign});
    }
  }
}

Result<void> LiveFileReader::read_settings(std::string_view content) {
  auto read = twosphere::read_settings(content, record_, *settings_);
  if (!read) return read.error();
  settings_ = std::move(*read);
  return {};
}

Result<SampleRows> LiveFileReader::read_rows(std::string_view content) const {
  SampleRows rows;
  rows.system = settings_->system;
  // Kept alive by the settings that it is part of.
  rows.settings = {settings_, &settings_->present};
  for (const LaneSpec& lane : settings_->present.lanes)
    rows.methods.push_back({find_integrator(lane.type), lane.step});
  FieldReader fields(content);
  fields(rows);
  if (!fields.at_end() || !can_be_rows(rows)) return Error{ErrorKind::input_output, "", foreign};
  return rows;
}

Result<LiveState> LiveFileReader::read_state(std::string_view content) {
  FieldReader fields(content);
  StateFields read;
  // Conditions are armed or not one by one, so that they must be known before.
  read.state.stops.watch(settings_->present, static_cast<int>(settings_->present.lanes.size()));
  fields(read);
  auto state = std::make_shared<RunCheckpoint>(std::move(read.state));
  if (!fields.at_end() || read.known_markers > markers_->size() ||
      !fits(*state, read.markers, *settings_, record_) || !is_duration(read.seconds))
    return Error{ErrorKind::input_output, "", foreign};
  if (!read.markers.empty()) {
    // States share their markers; new ones make a new list.
    auto all = std::make_shared<std::vector<RunMarker>>(*markers_);
    all->resize(static_cast<std::size_t>(read.known_markers));
    std::move(read.markers.begin(), read.markers.end(), std::back_inserter(*all));
    markers_ = std::move(all);
  }
  state->settings = settings_;
  state->markers = markers_;
  return LiveState{std::move(state), read.seconds};
}

std::chrono::seconds LiveFileReader::age() const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) return {};
  return std::chrono::seconds(std::max<std::time_t>(std::time(nullptr) - status.st_mtime, 0));
}

bool LiveFileReader::is_replaced() const {
  struct stat there {
  }, open{};
  // Another file has the name now.
  return ::stat(path_.c_str(), &there) == 0 && ::fstat(descriptor_, &open) == 0 &&
         (there.st_ino != open.st_ino || there.st_dev != open.st_dev);
}

}  // namespace twosphere
