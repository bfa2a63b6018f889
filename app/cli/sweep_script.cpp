// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sweep_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/base/exceptions.h"
#include "core/base/json.h"
#include "core/base/parse_number.h"
#include "core/base/text.h"

namespace twosphere {

namespace {

constexpr std::int64_t max_parts = 1 << 20;

/// A text as one word of a shell.
std::string shell_word(const std::string& text) {
  std::string out = "'";
  for (const char c : text)
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  return out + "'";
}

/// A text as a string in Python.
std::string python_string(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (const auto byte = static_cast<unsigned char>(c); byte < 0x20 || byte == 0x7f)
      out += fmt::format("\\x{:02x}", byte);
    else
      out += c;
  }
  return out + '"';
}

}  // namespace

Result<LauncherScript> launcher_script(Launcher launcher, const LaunchedParts& parts,
                                       const std::string& program, const std::string& folder) {
  const std::string run = fmt::format("{} sweep run {}", shell_word(program), shell_word(folder));
  const auto script = [&](const std::string& name, const char* start, std::string text) {
    const std::string path = folder + '/' + name;
    return LauncherScript{name, std::move(text), start + (' ' + shell_word(path))};
  };
  const auto [count, jobs] = parts;
  switch (launcher) {
    case Launcher::slurm:
      // SLURM_ARRAY_TASK_COUNT is fewer where only some parts are submitted again.
      return script(
          "sweep.slurm", "sbatch",
          fmt::format("#!/bin/sh\n"
                      "#SBATCH --job-name=twosphere-sweep\n"
                      "#SBATCH --array=1-{0}\n"
                      "#SBATCH --ntasks=1\n"
                      "#SBATCH --cpus-per-task={1}\n"
                      "#SBATCH --requeue\n"
                      "#SBATCH --open-mode=append\n"
                      "# {0} parts. A part that is started again continues where it was. sbatch "
                      "--array=3,7 starts only some.\n"
                      "exec {2} --part \"$SLURM_ARRAY_TASK_ID/{0}\" --jobs "
                      "\"${{SLURM_CPUS_PER_TASK:-{1}}}\" --quiet\n",
                      count, jobs, run));
    case Launcher::parallel:
      // As whole commands, in which GNU parallel replaces nothing. Their rows alone say which parts
      // are complete.
      return script(
          "sweep.parallel", "sh",
          fmt::format("#!/bin/sh\n"
                      "# {0} parts, as many at a time as there are processors for. With "
                      "--sshlogin HOST,HOST also on\n"
                      "# other machines that have this folder and this program. Complete parts end "
                      "at once.\n"
                      "command={1}\n"
                      "seq 1 {0} | while read -r part; do\n"
                      "  printf '%s --part %s/{0} --jobs {2} --quiet\\0' \"$command\" \"$part\"\n"
                      "done | parallel -0 -j {3}% \"$@\"\n",
                      count, shell_word(run), jobs, std::max(1, 100 / jobs)));
    case Launcher::snakemake:
      if (folder.find('{') != folder.npos)
        return Error{ErrorKind::usage, "",
                     fmt::format("Snakemake takes braces in the names of files for wildcards; the "
                                 "folder must have another name than {}",
                                 json::quote(folder))};
      for (const std::string& path : {folder, program})
        if (!is_utf8(path))
          return Error{ErrorKind::usage, "",
                       fmt::format("a Snakefile is UTF-8, which the path {} is not; it must have "
                                   "another name",
                                   json::quote(path))};
      return script(
          "Snakefile", "snakemake --cores all --snakefile",
          fmt::format(
              "# {0} parts; their marks show which are complete.\n"
              "folder = {1}\n"
              "command = {2}\n"
              "rule all:\n"
              "    input: [f\"{{folder}}/marks/{{part}}-of-{0}\" for part in range(1, {3})]\n"
              "rule part:\n"
              "    output: touch(folder + \"/marks/{{part}}-of-{0}\")\n"
              "    threads: {4}\n"
              "    shell: \"{{command}} --part {{wildcards.part}}/{0} --jobs {{threads}} "
              "--quiet\"\n",
              count, python_string(folder), python_string(run), count + 1, jobs));
    case Launcher::mpirun:
      return script(
          "sweep.mpirun", "sh",
          fmt::format("#!/bin/sh\n"
                      "# {0} parts as processes of one job; they exchange nothing.\n"
                      "exec mpirun -np {0}{1} \"$@\" {2} --part auto --jobs {3} --quiet\n",
                      count, jobs > 1 ? " --bind-to none" : "", run, jobs));
  }
  return Error{};
}

std::optional<SweepPart> part_of_environment(
    const std::function<const char*(const char*)>& variable) {
  const auto wrong = [](const std::string& message) {
    return Failure({ErrorKind::usage, "--part", "auto: " + message});
  };
  // A variable; none if it is not set.
  const auto number = [&](const char* name) -> std::optional<std::int64_t> {
    const char* text = variable(name);
    if (!text) return {};
    const auto value = parse_number<std::int64_t>(text);
    if (!value || *value < 0 || *value > max_parts)
      throw wrong(fmt::format("{} must be a whole number from 0 to {}, not {}", name, max_parts,
                              json::quote(text)));
    return value;
  };
  SweepPart part;
  bool found = false;
  // Several divisions multiply.
  const auto divide = [&](const std::string& rank_name, std::int64_t rank, const char* count_name,
                          std::int64_t count) {
    if (rank >= count)
      throw wrong(
          fmt::format("{} is {}, which must be below {}, {}", rank_name, rank, count_name, count));
    if (count * part.count > max_parts)
      throw wrong(fmt::format("{} × {} parts are more than {}", part.count, count, max_parts));
    part = {static_cast<int>((part.index - 1) * count + rank + 1),
            static_cast<int>(part.count * count)};
    found = true;
  };
  // A rank and the number of ranks. Whether they are set.
  const auto ranks = [&](const char* rank_name, const char* count_name) {
    const auto rank = number(rank_name), count = number(count_name);
    if (rank.has_value() != count.has_value())
      throw wrong(fmt::format("{} is set, but {} is not", rank ? rank_name : count_name,
                              rank ? count_name : rank_name));
    if (rank) divide(rank_name, *rank, count_name, *count);
    return rank.has_value();
  };

  const auto id = number("SLURM_ARRAY_TASK_ID"), first = number("SLURM_ARRAY_TASK_MIN"),
             step = number("SLURM_ARRAY_TASK_STEP"), count = number("SLURM_ARRAY_TASK_COUNT");
  if (id) {
    if (!count) throw wrong("SLURM_ARRAY_TASK_ID is set, but SLURM_ARRAY_TASK_COUNT is not");
    const std::int64_t by = std::max<std::int64_t>(1, step.value_or(1)),
                       from = *id - first.value_or(0);
    if (from < 0 || from % by != 0)
      throw wrong(
          fmt::format("SLURM_ARRAY_TASK_ID, {}, is not SLURM_ARRAY_TASK_MIN, {}, plus a "
                      "multiple of SLURM_ARRAY_TASK_STEP, {}",
                      *id, first.value_or(0), by));
    divide("the place of SLURM_ARRAY_TASK_ID", from / by, "SLURM_ARRAY_TASK_COUNT", *count);
  }
  // The ranks of mpirun, also within a job of Slurm.
  for (const auto& [rank, size] :
       {std::pair("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"), {"PMI_RANK", "PMI_SIZE"}})
    if (ranks(rank, size)) return part;
  // A batch script has SLURM_PROCID, too, but is not started by srun.
  if (variable("SLURM_STEP_NUM_TASKS")) ranks("SLURM_PROCID", "SLURM_STEP_NUM_TASKS");
  return found ? std::optional(part) : std::nullopt;
}

}  // namespace twosphere
