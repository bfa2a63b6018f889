// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/configuration_table.h"

#include "core/base/table_writer.h"

namespace twosphere {

std::string configuration_table(std::span<const LaneConfiguration> configurations) {
  TableWriter table(TableWriter::Form::tabs);
  table.row("lane", "body", "time [s]", "q_x [1]", "q_y [1]", "q_z [1]", "omega_x [rad/s]",
            "omega_y [rad/s]", "omega_z [rad/s]");
  for (const LaneConfiguration& configuration : configurations)
    for (Eigen::Index i = 0; i < configuration.state.q.cols(); ++i) {
      const auto q = configuration.state.q.col(i), w = configuration.state.w.col(i);
      table.row(configuration.lane, i + 1, configuration.state.t, q[0], q[1], q[2], w[0], w[1],
                w[2]);
    }
  return table.take();
}

}  // namespace twosphere
