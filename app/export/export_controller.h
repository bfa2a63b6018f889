// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/base/file_tasks.h"
#include "app/export/drawn_page.h"
#include "app/export/live_frame.h"
#include "app/export/section_table.h"
#include "app/export/video.h"
#include "app/figures/figure_file.h"

class QMainWindow;

namespace twosphere {

class DocumentController;
class VideoBar;
class LiveRun;
class Messages;
class Viewport;

/// Writes what a run and its view show: tables, trajectories, spectra, figures, pictures, videos.
/// Owns the recording of a video; the window and its dialogs call it. Asks for each file first.
class ExportController {
 public:
  ExportController(QMainWindow& window, LiveRun& run, Viewport& viewport,
                   const DocumentController& document, FileTasks& files, Messages& messages);
  ~ExportController();

  /// The samples of the run, or of the plots' time range.
  void export_csv(bool visible);
  /// By a repetition of the run in the background.
  void export_trajectory();
  /// The pair distribution function, in the same way.
  void export_pair_distribution();
  void export_spectra();
  /// The curves of one plot over the visible time range.
  void export_plot(const ui::PlotSpec& plot);
  void export_cloud();
  /// The points of sections, a file for each.
  void export_section(const std::vector<SectionTable>& tables);
  /// The data that the plots show, as a table.
  void copy_data();
  /// The window as it is.
  void save_picture();
  /// A frame of the instant shown.
  void save_frame(LiveFrame frame);
  /// The start and the settings as a preset of the user's, with a picture of the present instant.
  void save_preset();
  void save_figure(ui::PlotFigure figure, const FigurePage& page, const ui::FigureLook& look);
  /// One of the paper's, under this name without its end.
  void save_paper_figure(const Figure& figure, const QString& name);
  /// A table as CSV, under this name without its end.
  void save_table(const std::string& table, const QString& name);
  /// Of a run of the document, by its Branch::id.
  void record_video(int branch, const VideoPlan& plan, VideoKind kind, const FrameOptions& options);
  /// The frame of the instant shown, from the present camera: live_frame().
  LiveFrame frame(const FrameOptions& options, int width, int height, double time_step,
                  const std::optional<ui::Interval>& elapsed = {});

  /// A part of the present run as a web page; without its PagePlan::file.
  void save_page(PagePlan plan);

  VideoBar& video_bar() { return *video_bar_; }
  bool recording() const;

 private:
  QMainWindow& window_;
  LiveRun& run_;
  Viewport& viewport_;
  /// What frames show of the run, from the present camera.
  VideoLook look(const FrameOptions& options) const;
  /// The power spectra among these plots.
  void write_spectra(ui::VisiblePlots shown);
  /// Asks for a file and writes it, with a progress bar.
  void save(const QString& title, const QString& filter, const QString& suggestion,
            const QString& what, FileTasks::LongWork work);
  using WriteRun = std::function<Result<bool>(Scenario record, std::int64_t steps,
                                              const std::string& path, Progress& progress)>;
  /// The same by a repetition of the run as it is when the file is chosen; `end` of its name.
  void save_repeated(const QString& title, const QString& filter, const QString& end,
                     const QString& what, WriteRun write);
  /// Asks for a file and writes a table, which is made in the background.
  void write_table(const QString& suggestion, std::function<std::string()> table);
  void write_preset(const QString& title, const QString& file);

  const DocumentController& document_;
  FileTasks& files_;
  Messages& messages_;
  std::unique_ptr<VideoBar> video_bar_;
};

}  // namespace twosphere
