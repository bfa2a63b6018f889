// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/studies/sweep_rows.h"

namespace twosphere {

/// What starts the parts of a sweep.
enum class Launcher { slurm, parallel, snakemake, mpirun };

/// A file for a launcher that runs `parts` parts of the sweep in `folder` by `program`, both
/// absolute paths.
struct LauncherScript {
  std::string file_name;  ///< "sweep.slurm", in the folder of the sweep
  std::string text;
  std::string command;  ///< that starts it
};
LauncherScript launcher_script(Launcher launcher, int parts, const std::string& program,
                               const std::string& folder);

/// The part that this process is of by the variables of its launcher: of an array of Slurm jobs, of
/// srun within them, of Open MPI or of MPICH; none if there are none of them. Fails with an empty
/// location if they do not fit together.
Result<std::optional<SweepPart>> part_of_environment(
    const std::function<const char*(const char*)>& variable);

}  // namespace twosphere
