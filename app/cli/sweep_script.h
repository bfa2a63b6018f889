// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/studies/sweep_run.h"

namespace twosphere {

/// The program that starts the parts of a sweep.
enum class Launcher { slurm, parallel, snakemake, mpirun };

/// A file for a launcher that runs the sweep in a folder.
struct LauncherScript {
  std::string file_name;  ///< "sweep.slurm", in the folder of the sweep
  std::string text;
  std::string command;  ///< that starts it
};
/// The parts that a launcher starts.
struct LaunchedParts {
  int count = 1;
  int jobs = 1;  ///< tasks at the same time in each
};
/// The file for these parts of the sweep in `folder`, run by `program`, both absolute paths. Fails
/// with an empty location if the launcher cannot have such a folder: Snakemake takes braces in the
/// names of files for wildcards.
Result<LauncherScript> launcher_script(Launcher launcher, const LaunchedParts& parts,
                                       const std::string& program, const std::string& folder);

/// The part that this process is of by the variables of its launcher: of an array of Slurm jobs, of
/// srun within them, of Open MPI or of MPICH; none if there are none of them. Fails if they do not
/// fit together.
std::optional<SweepPart> part_of_environment(
    const std::function<const char*(const char*)>& variable);

}  // namespace twosphere
