// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sweep_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace twosphere {

namespace {

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
    out += c;
  }
  return out + '"';
}

}  // namespace

LauncherScript launcher_script(Launcher launcher, int parts, const std::string& program,
                               const std::string& folder) {
  const std::string run = fmt::format("{} sweep run {}", shell_word(program), shell_word(folder));
  const auto script = [&](const std::string& name, const char* start, std::string text) {
    const std::string path = folder + '/' + name;
    return LauncherScript{name, std::move(text), start + (' ' + shell_word(path))};
  };
  switch (launcher) {
    case Launcher::slurm:
      return script("sweep.slurm", "sbatch",
                    fmt::format("#!/bin/sh\n"
                                "#SBATCH --job-name=twosphere-sweep\n"
                                "#SBATCH --array=1-{0}\n"
                                "#SBATCH --ntasks=1\n"
                                "#SBATCH --cpus-per-task=1\n"
                                "#SBATCH --requeue\n"
                                "#SBATCH --open-mode=append\n"
                                "# {0} parts. A part that is started again goes on where it was.\n"
                                "exec {1} --part auto --jobs \"${{SLURM_CPUS_PER_TASK:-1}}\" "
                                "--quiet\n",
                                parts, run));
    case Launcher::parallel:
      return script(
          "sweep.parallel", "sh",
          fmt::format("#!/bin/sh\n"
                      "# {0} parts, as many at a time as there are processors. With "
                      "--sshlogin HOST,HOST also on other\n"
                      "# machines that have this folder and this program.\n"
                      "seq 1 {0} | parallel --joblog {1} --resume-failed \"$@\" {2}\n",
                      parts, shell_word(folder + "/sweep.joblog"),
                      shell_word(run + fmt::format(" --part {{}}/{} --jobs 1 --quiet", parts))));
    case Launcher::snakemake:
      return script(
          "Snakefile", "snakemake --cores all --snakefile",
          fmt::format("# {0} parts; their marks show which are complete.\n"
                      "folder = {1}\n"
                      "rule all:\n"
                      "    input: expand(folder + \"/marks/{{part}}\", part=range(1, {2}))\n"
                      "rule part:\n"
                      "    output: touch(folder + \"/marks/{{part}}\")\n"
                      "    params: command={3}\n"
                      "    shell: \"{{params.command}} --part {{wildcards.part}}/{0} --jobs 1 "
                      "--quiet\"\n",
                      parts, python_string(folder), parts + 1, python_string(run)));
    case Launcher::mpirun:
      return script("sweep.mpirun", "sh",
                    fmt::format("#!/bin/sh\n"
                                "# {0} parts as processes of one job; they exchange nothing.\n"
                                "exec mpirun -np {0} \"$@\" {1} --part auto --jobs 1 --quiet\n",
                                parts, run));
  }
  return {};
}

std::optional<SweepPart> part_of_environment(
    const std::function<const char*(const char*)>& variable) {
  const auto number = [&](const char* name) -> std::optional<int> {
    const char* text = variable(name);
    if (!text) return {};
    const std::string_view digits(text);
    int value = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (read.ec != std::errc() || read.ptr != digits.data() + digits.size() || value < 0) return {};
    return value;
  };
  SweepPart part;
  bool found = false;
  // Several divisions multiply.
  const auto divide = [&](std::optional<int> rank, std::optional<int> count) {
    if (!rank || !count || *rank >= *count) return false;
    part = {(part.index - 1) * *count + *rank + 1, part.count * *count};
    return found = true;
  };
  if (const auto id = number("SLURM_ARRAY_TASK_ID")) {
    const int least = number("SLURM_ARRAY_TASK_MIN").value_or(0);
    const int step = std::max(1, number("SLURM_ARRAY_TASK_STEP").value_or(1));
    (void)divide((*id - least) / step, number("SLURM_ARRAY_TASK_COUNT"));
  }
  if (!divide(number("OMPI_COMM_WORLD_RANK"), number("OMPI_COMM_WORLD_SIZE")) &&
      !divide(number("PMI_RANK"), number("PMI_SIZE")))
    (void)divide(number("SLURM_PROCID"), number("SLURM_STEP_NUM_TASKS"));
  if (!found) return {};
  return part;
}

}  // namespace twosphere
