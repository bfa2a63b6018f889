// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/netcdf_data.h"
#include "core/studies/sweep_collect.h"

#ifdef TWOSPHERE_NETCDF

#include <dlfcn.h>
#include <fmt/format.h>
#include <netcdf.h>
#include <netcdf_mem.h>

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <numeric>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/temporary.h"
#include "core/base/text.h"
#include "core/scenario/setting_unit.h"
#include "core/scenario/writer.h"

namespace twosphere {

namespace {

namespace fs = std::filesystem;

// The functions of netCDF that are called.
// clang-format off
#define TWOSPHERE_NETCDF_FUNCTIONS(X)                                                        \
  X(nc_close) X(nc_close_memio) X(nc_create) X(nc_create_mem) X(nc_def_dim) X(nc_def_var)    \
  X(nc_enddef) X(nc_put_att_double) X(nc_put_att_int) X(nc_put_att_text)                     \
  X(nc_put_var_double) X(nc_put_var_int) X(nc_strerror)
// clang-format on

/// netCDF, loaded when it is first needed: with it come HDF5 and some forty other libraries, which
/// would take every command 7 ms.
struct NetcdfLibrary {
  // NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration
#define TWOSPHERE_NETCDF_MEMBER(name) decltype(&::name) name = nullptr;
  TWOSPHERE_NETCDF_FUNCTIONS(TWOSPHERE_NETCDF_MEMBER)
#undef TWOSPHERE_NETCDF_MEMBER

  /// The library; an error if this machine has none that fits.
  static const Result<NetcdfLibrary>& get() {
    static const Result<NetcdfLibrary> library = load();
    return library;
  }

 private:
  static Result<NetcdfLibrary> load() {
    const auto failure = [] {
      const char* reason = dlerror();
      return Error{ErrorKind::input_output, "netCDF", reason ? reason : "cannot be loaded"};
    };
    // It stays loaded until the end: HDF5 closes its files there.
    void* library = dlopen(TWOSPHERE_NETCDF, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) return failure();
    NetcdfLibrary netcdf;
#define TWOSPHERE_NETCDF_FIND(name)                                             \
  netcdf.name = reinterpret_cast<decltype(netcdf.name)>(dlsym(library, #name)); \
  if (!netcdf.name) return failure();
    TWOSPHERE_NETCDF_FUNCTIONS(TWOSPHERE_NETCDF_FIND)
#undef TWOSPHERE_NETCDF_FIND
    return netcdf;
  }
};

/// A unit in ASCII, as UDUNITS reads it: "kg m2" for "kg m²".
std::string ascii_unit(std::string unit) {
  constexpr std::pair<std::string_view, std::string_view> signs[] = {
      {"²", "2"}, {"³", "3"}, {"¹", "1"}, {"⁻", "-"}, {"·", " "}, {"µ", "u"}, {"°", "degree"}};
  for (const auto& [sign, plain] : signs)
    for (std::size_t at; (at = unit.find(sign)) != unit.npos;) unit.replace(at, sign.size(), plain);
  return unit;
}

/// A text with what is not ASCII, or a control character, escaped as in JSON, which changes nothing
/// in texts that are JSON.
std::string ascii_text(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view character = first_character(std::string_view(text).substr(i));
    const char32_t sign = code_point(character);
    const bool space = sign == '\n' || sign == '\t' || sign == '\r';
    if (space || (sign >= 0x20 && sign < 0x7F))
      out += character;
    else if (sign < 0x10000)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(sign));
    else
      out += fmt::format("\\u{:04x}\\u{:04x}", 0xd7c0U + (sign >> 10), 0xdc00U + (sign & 0x3ffU));
    i += character.size();
  }
  return out;
}

/// A file being written: in memory, or a Zarr group. The first error is kept; calls after it do
/// nothing. HDF5 has no files of its own, because it crashes at the end of the process where it
/// could not write one. Texts of Zarr groups are ASCII, since the Python module zarr reads no
/// others before version 3.
class NetcdfFile {
 public:
  /// `group`: the path of a Zarr group; empty: in memory.
  NetcdfFile(const NetcdfLibrary& netcdf, const std::string& group)
      : netcdf_(netcdf), zarr_(!group.empty()) {
    constexpr int mode = NC_NETCDF4 | NC_CLOBBER;
    const std::string url = "file://" + group + "#mode=zarr,file";
    open_ = zarr_ ? try_call(netcdf_.nc_create, url.c_str(), mode, &id_)
                  : try_call(netcdf_.nc_create_mem, "sweep.nc", mode, std::size_t{0}, &id_);
  }
  NetcdfFile(const NetcdfFile&) = delete;
  NetcdfFile& operator=(const NetcdfFile&) = delete;
  ~NetcdfFile() {
    close();
    std::free(memory_.memory);
  }

  void close() {
    if (!std::exchange(open_, false)) return;
    if (zarr_)
      (void)try_call(netcdf_.nc_close, id_);
    else
      (void)try_call(netcdf_.nc_close_memio, id_, &memory_);
  }
  /// Why it could not be written; empty if all is well.
  const std::string& problem() const { return problem_; }
  /// The bytes of a closed file in memory.
  std::string_view bytes() const {
    return {static_cast<const char*>(memory_.memory), memory_.size};
  }

  int dimension(const std::string& name, std::size_t length) {
    int dimension = -1;
    if (ok()) (void)try_call(netcdf_.nc_def_dim, id_, name.c_str(), length, &dimension);
    return dimension;
  }
  int variable(const std::string& name, nc_type type, const std::vector<int>& dimensions) {
    int variable = -1;
    if (ok())
      (void)try_call(netcdf_.nc_def_var, id_, name.c_str(), type,
                     static_cast<int>(dimensions.size()), dimensions.data(), &variable);
    return variable;
  }
  void attribute(int variable, const char* name, const std::string& text) {
    put_text(variable, name, zarr_ ? ascii_text(text) : text);
  }
  void units(int variable, const std::string& unit) {
    put_text(variable, "units", zarr_ ? ascii_text(ascii_unit(unit)) : unit);
  }
  void fill(int variable, double value) {
    if (ok())
      (void)try_call(netcdf_.nc_put_att_double, id_, variable, "_FillValue", NC_DOUBLE,
                     std::size_t{1}, &value);
  }
  /// The type of so many words, which are numbers from 0 on.
  static nc_type type_of(std::size_t words) { return words <= 128 ? NC_BYTE : NC_INT; }
  void flags(int variable, std::vector<std::string> words) {
    std::vector<int> numbers(words.size());
    std::iota(numbers.begin(), numbers.end(), 0);
    if (ok())
      (void)try_call(netcdf_.nc_put_att_int, id_, variable, "flag_values", type_of(words.size()),
                     numbers.size(), numbers.data());
    // Spaces separate them.
    for (std::string& word : words)
      for (char& c : word)
        if (static_cast<unsigned char>(c) <= ' ' || c == 0x7F) c = '_';
    attribute(variable, "flag_meanings", fmt::format("{}", fmt::join(words, " ")));
  }
  void put(int variable, const std::vector<double>& values) {
    if (ok()) (void)try_call(netcdf_.nc_put_var_double, id_, variable, values.data());
  }
  void put(int variable, const std::vector<int>& values) {
    if (ok()) (void)try_call(netcdf_.nc_put_var_int, id_, variable, values.data());
  }
  void end_definitions() {
    if (ok()) (void)try_call(netcdf_.nc_enddef, id_);
  }

 private:
  bool ok() const { return problem_.empty(); }
  void put_text(int variable, const char* name, const std::string& text) {
    if (ok())
      (void)try_call(netcdf_.nc_put_att_text, id_, variable, name, text.size(), text.c_str());
  }
  template <class... Parameters, class... Given>
  bool try_call(int (*call)(Parameters...), Given... given) {
    errno = 0;
    const int status = call(given...);
    if (status == NC_NOERR) return true;
    // Of files the system knows the reason.
    if (ok())
      problem_ = status == NC_EACCESS && errno != 0 ? std::generic_category().message(errno)
                                                    : netcdf_.nc_strerror(status);
    return false;
  }

  const NetcdfLibrary& netcdf_;
  int id_ = -1;
  std::string problem_;
  bool open_ = false;
  const bool zarr_;
  NC_memio memory_{};
};

void write_all(NetcdfFile& file, const SweepFolder& folder, const std::vector<SweepRow>& rows) {
  const Sweep& sweep = folder.sweep;
  file.attribute(NC_GLOBAL, "Conventions", "CF-1.10");
  file.attribute(NC_GLOBAL, "title", "sweep of: " + sweep.scenario.title);
  file.attribute(NC_GLOBAL, "source",
                 sweep.program.empty() ? "twosphere " + sweep.version : sweep.program);
  file.attribute(NC_GLOBAL, "instruction_set", sweep.isa);
  file.attribute(NC_GLOBAL, "sweep_name", folder.name);
  file.attribute(NC_GLOBAL, "scenario", write_scenario(sweep.scenario));
  file.attribute(NC_GLOBAL, "sweep", write_sweep(sweep));

  // Axes: dimensions and their coordinates.
  std::vector<int> dimensions, coordinates;
  const std::vector<std::string> axes = axis_names(sweep);
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const SweepAxis& axis = sweep.axes[k];
    const std::size_t count = axis.values.size();
    dimensions.push_back(file.dimension(axes[k], count));
    const int variable = file.variable(
        axes[k], axis.numeric() ? NC_DOUBLE : NetcdfFile::type_of(count), {dimensions.back()});
    coordinates.push_back(variable);
    file.attribute(variable, "long_name", axis.path.text());
    if (const std::string unit = setting_unit(sweep.scenario, axis.path);
        !unit.empty() && axis.numeric())
      file.units(variable, unit);
    if (axis.numeric()) continue;
    std::vector<std::string> words;
    for (const json::Node& value : axis.values) words.push_back(value.text);
    file.flags(variable, words);
  }
  if (sweep.members > 1) {
    dimensions.push_back(file.dimension("member", static_cast<std::size_t>(sweep.members)));
    coordinates.push_back(file.variable("member", NC_DOUBLE, {dimensions.back()}));
    file.attribute(coordinates.back(), "long_name", "member of the ensemble");
    file.units(coordinates.back(), "1");
  }
  std::vector<int> measures;
  const std::vector<std::string> names = measure_names(sweep);
  for (std::size_t k = 0; k < sweep.measures.size(); ++k) {
    const SweepMeasure& measure = sweep.measures[k];
    const int variable = file.variable(names[k], NC_DOUBLE, dimensions);
    measures.push_back(variable);
    file.fill(variable, std::nan(""));
    file.attribute(variable, "long_name", measure.key());
    file.units(variable, std::string(measure.unit()));
    file.attribute(variable, "ancillary_variables", "status");
  }
  const int status = file.variable("status", NetcdfFile::type_of(task_statuses.size()), dimensions);
  file.attribute(status, "long_name", "how the task ended");
  file.attribute(status, "standard_name", "status_flag");
  file.flags(status, {task_statuses.begin(), task_statuses.end()});
  file.end_definitions();

  for (std::size_t k = 0; k < sweep.axes.size(); ++k) {
    const std::vector<json::Node>& values = sweep.axes[k].values;
    if (sweep.axes[k].numeric()) {
      std::vector<double> numbers;
      numbers.reserve(values.size());
      for (const json::Node& value : values) numbers.push_back(value.number);
      file.put(coordinates[k], numbers);
    } else {
      std::vector<int> numbers(values.size());
      std::iota(numbers.begin(), numbers.end(), 0);
      file.put(coordinates[k], numbers);
    }
  }
  if (sweep.members > 1) {
    std::vector<double> numbers(static_cast<std::size_t>(sweep.members));
    std::iota(numbers.begin(), numbers.end(), 0.0);
    file.put(coordinates.back(), numbers);
  }
  std::vector<double> values(rows.size());
  for (std::size_t k = 0; k < measures.size(); ++k) {
    for (const SweepRow& row : rows) values[row.task] = row.values[k];
    file.put(measures[k], values);
  }
  std::vector<int> statuses;
  statuses.reserve(rows.size());
  for (const SweepRow& row : rows) statuses.push_back(static_cast<int>(row.status));
  file.put(status, statuses);
}

/// Completes a Zarr group: all its descriptions in one file, which readers look for, and no fill
/// values of variables in which nothing is missing, which readers would take for missing numbers.
Result<void> complete_zarr(const std::string& group) {
  std::map<std::string, std::string> texts;
  std::error_code error;
  for (fs::recursive_directory_iterator at(group, error), end; !error && at != end;
       at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (name != ".zgroup" && name != ".zattrs" && name != ".zarray") continue;
    auto text = read_file(at->path().string(), std::size_t{1} << 30);
    if (!text) return text.error();
    texts.emplace(fs::relative(at->path(), group, error).generic_string(), std::move(*text));
  }
  if (error) return Error{ErrorKind::input_output, group, error.message()};
  std::string all;
  for (auto& [name, text] : texts) {
    if (name.ends_with(".zarray")) {
      constexpr std::string_view key = "\"fill_value\": ", missing = "NaN";
      const std::size_t found = text.find(key), begin = found + key.size();
      const std::size_t end = found == text.npos ? text.npos : text.find(',', begin);
      if (end == text.npos)
        return Error{ErrorKind::input_output, group, name + " has no fill value"};
      if (text.compare(begin, end - begin, missing) != 0) text.replace(begin, end - begin, "null");
      if (auto done = write_file((fs::path(group) / name).string(), text); !done) return done;
    }
    all += fmt::format("{}\n\"{}\": {}", all.empty() ? "" : ",", name, text);
  }
  return write_file(
      (fs::path(group) / ".zmetadata").string(),
      fmt::format("{{\"zarr_consolidated_format\": 1, \"metadata\": {{{}\n}}}}\n", all));
}

}  // namespace

bool has_netcdf() { return NetcdfLibrary::get().has_value(); }

Result<std::string> netcdf_bytes(const NetcdfData& data) {
  const auto& netcdf = NetcdfLibrary::get();
  if (!netcdf) return netcdf.error();
  NetcdfFile file(*netcdf, "");
  file.attribute(NC_GLOBAL, "Conventions", "CF-1.10");
  for (const auto& [key, text] : data.attributes) file.attribute(NC_GLOBAL, key.c_str(), text);
  std::map<std::string, int> dimensions;
  for (const auto& [name, length] : data.dimensions)
    dimensions[name] = file.dimension(name, length);
  std::vector<int> variables;
  for (const NetcdfVariable& variable : data.variables) {
    std::vector<int> along;
    for (const std::string& name : variable.dimensions) along.push_back(dimensions[name]);
    const bool flags = !variable.words.empty();
    const int id = file.variable(
        variable.name, flags ? NetcdfFile::type_of(variable.words.size()) : NC_DOUBLE, along);
    variables.push_back(id);
    if (!flags && !dimensions.contains(variable.name)) file.fill(id, std::nan(""));
    file.attribute(id, "long_name", variable.meaning);
    if (!variable.unit.empty()) file.units(id, variable.unit);
    if (flags) file.flags(id, variable.words);
  }
  file.end_definitions();
  for (std::size_t k = 0; k < variables.size(); ++k) {
    const NetcdfVariable& variable = data.variables[k];
    if (variable.words.empty())
      file.put(variables[k], variable.values);
    else
      file.put(variables[k], std::vector<int>(variable.values.begin(), variable.values.end()));
  }
  file.close();
  if (!file.problem().empty()) return Error{ErrorKind::input_output, "netCDF", file.problem()};
  return std::string(file.bytes());
}

Result<void> write_netcdf(const SweepFolder& folder, const std::vector<SweepRow>& rows,
                          const std::string& path) {
  const auto fails = [&](const std::string& why) {
    return Error{ErrorKind::input_output, path, why};
  };
  const auto& netcdf = NetcdfLibrary::get();
  if (!netcdf) return fails(netcdf.error().text());
  if (!path.ends_with(".zarr")) {
    auto target = AtomicFile::open(path);
    if (!target) return target.error();
    NetcdfFile file(*netcdf, "");
    write_all(file, folder, rows);
    file.close();
    if (!file.problem().empty()) return fails(file.problem());
    target->write(file.bytes());
    return target->commit();
  }
  // A folder, of which that in its place must be one, too.
  const std::string target = link_target(path);
  std::error_code error;
  if (fs::exists(path, error) && !fs::exists(path + "/.zgroup", error))
    return fails("is there and is not a Zarr group; choose another name");
  const std::string parent = fs::absolute(folder_of(target), error).string();
  temporary::remove_abandoned(parent);
  const std::string unfinished = temporary::name(parent, ".zarr");
  const auto written = [&]() -> Result<void> {
    {
      NetcdfFile file(*netcdf, unfinished);
      write_all(file, folder, rows);
      file.close();
      if (!file.problem().empty()) return fails(file.problem());
    }
    if (auto complete = complete_zarr(unfinished); !complete) return complete;
    fs::remove_all(target, error);
    fs::rename(unfinished, target, error);
    if (error) return fails(error.message());
    return {};
  }();
  if (!written) fs::remove_all(unfinished, error);
  return written;
}

}  // namespace twosphere

#else

namespace twosphere {

bool has_netcdf() { return false; }

Result<std::string> netcdf_bytes(const NetcdfData& /*data*/) {
  return Error{ErrorKind::usage, "netCDF", "this build writes none; build with libnetcdf-dev"};
}

Result<void> write_netcdf(const SweepFolder& /*folder*/, const std::vector<SweepRow>& /*rows*/,
                          const std::string& path) {
  return Error{ErrorKind::usage, path,
               "this build writes no netCDF and Zarr; write .csv, or build with libnetcdf-dev"};
}

}  // namespace twosphere

#endif
