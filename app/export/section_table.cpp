// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/export/section_table.h"

#include "app/session/trajectory.h"
#include "core/base/described_file.h"
#include "core/output/csv.h"

namespace twosphere {

Result<bool> write_sections(const std::vector<SectionTable>& tables, const std::string& path,
                            Progress& progress) {
  std::vector<LaneSpec> names(tables.size());
  double all = 1, written = 0;
  for (std::size_t k = 0; k < tables.size(); ++k) {
    names[k].name = tables[k].name;
    all += static_cast<double>(tables[k].points.size());
  }
  const std::vector<std::string> paths = lane_paths(path, names);
  std::vector<DescribedFile> files;
  std::vector<std::string> companions;
  for (std::size_t k = 0; k < tables.size(); ++k) {
    const SectionTable& table = tables[k];
    const auto surface =
        SectionSurface::create(table.record->section.value_or(PoincareSection{}), *table.record);
    if (!surface) return surface.error();
    auto file = DescribedFile::open(paths[k]);
    if (!file) return file.error();
    file->write(section_header(**surface));
    for (std::size_t i = 0; i < table.points.size() && !file->failed(); ++i) {
      if (progress.cancelled) return false;
      file->write(section_row(**surface, table.points, i));
      progress.share = ++written / all;
    }
    companions.push_back(section_companion(*table.record, **surface, table.lane));
    files.push_back(std::move(*file));
  }
  for (std::size_t k = 0; k < files.size(); ++k)
    if (auto done = files[k].commit(companions[k]); !done) return done.error();
  return true;
}

}  // namespace twosphere
