// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/configuration_table.h"

#include "core/base/json.h"

namespace twosphere {

std::string configuration_table(std::span<const LaneConfiguration> poses) {
  std::string text =
      "lane\tbody\ttime [s]\tq_x [1]\tq_y [1]\tq_z [1]\tomega_x [rad/s]\tomega_y [rad/s]\t"
      "omega_z [rad/s]\n";
  for (const LaneConfiguration& pose : poses) {
    const std::string time = json::shortest(pose.state.t);
    for (Eigen::Index i = 0; i < pose.state.q.cols(); ++i) {
      text += pose.lane + '\t' + std::to_string(i + 1) + '\t' + time;
      for (const Columns* columns : {&pose.state.q, &pose.state.w})
        for (Eigen::Index k = 0; k < 3; ++k) (text += '\t') += json::shortest((*columns)(k, i));
      text += '\n';
    }
  }
  return text;
}

}  // namespace twosphere
