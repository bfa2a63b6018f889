// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/export/export_controller.h"

#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QImage>
#include <QInputDialog>
#include <QMainWindow>
#include <QMessageBox>
#include <QPushButton>
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "app/base/file_tasks.h"
#include "app/base/labels.h"
#include "app/base/messages.h"
#include "app/base/plural.h"
#include "app/base/progress.h"
#include "app/base/qt_text.h"
#include "app/export/video_bar.h"
#include "app/figures/figure_data.h"
#include "app/figures/paper_figure.h"
#include "app/scene/viewport.h"
#include "app/session/document_controller.h"
#include "app/session/pair_distribution_files.h"
#include "app/session/run_table.h"
#include "app/session/trajectory.h"
#include "app/session/user_presets.h"
#include "core/base/described_file.h"
#include "core/base/file.h"
#include "core/base/interrupt.h"
#include "core/base/png.h"
#include "core/studies/cloud_study.h"
#include "render/camera.h"
#include "render/painter.h"
#include "render/scene_builder.h"

namespace twosphere {

namespace {

constexpr const char *csv_files = "Tables (*.csv)", *png_files = "Pictures (*.png)";

/// Writes a figure. Returns false if it was cancelled.
Result<bool> write_figure(const std::string& path, const Figure& figure, const FigurePage& page,
                          const ui::FigureLook& look, const Progress& progress) {
  const QByteArray bytes =
      figure_file(figure, page, look, [&progress] { return progress.cancelled.load(); });
  if (progress.cancelled) return false;
  if (bytes.isEmpty())
    return Error{ErrorKind::input_output, path,
                 "there is not enough memory for a picture so large"};
  if (auto done = write_file(path, {bytes.constData(), static_cast<std::size_t>(bytes.size())});
      !done)
    return done.error();
  return true;
}

/// Writes a picture. Returns false if it was cancelled.
Result<bool> write_picture(const std::string& path, std::span<const std::uint8_t> rgba, int width,
                           const PngForm& form, const Progress& progress) {
  const std::string bytes =
      png(rgba, width, form, [&progress] { return progress.cancelled.load(); });
  if (bytes.empty()) return false;
  if (auto done = write_file(path, bytes); !done) return done.error();
  return true;
}

/// Writes the spectra of the plots, for which a copy may repeat the run. Returns false if it was
/// cancelled.
Result<bool> write_spectra_table(const std::string& path, const RunView& run,
                                 const ui::VisiblePlots& shown, const Progress& progress) {
  const Interruptible interruptible(progress.cancelled);
  const auto table = spectra_table(run, shown);
  if (progress.cancelled) return false;
  if (!table) return table.error();
  if (auto done = write_described(path, table->text, table->companion); !done) return done.error();
  return true;
}

/// The picture on the card of a preset, as a PNG file; empty if nothing can be drawn.
std::string preset_picture(const Snapshot& now, const render::SceneStyle& style) {
  constexpr int width = 448, height = 280;
  const auto painter = render::Painter::create(width, height);
  if (!painter) return {};
  render::SceneMemory memory;
  const render::Scene scene = render::build_scene(now, {}, style, memory);
  render::Camera camera;
  camera.frame(render::framing(now, style), static_cast<float>(width) / height);
  const render::Image image = (*painter)->paint(scene, camera, render::theme(style), false);
  return png(image.pixels, image.width, {});
}

/// The run that the plots of a video measure distances from, if it is another than the recorded
/// one; if the video is split by runs, the recorded run and the others that are shown. `chosen`:
/// Settings::reference_run.
void add_other_runs(const LiveRun& run, int recorded, int chosen, VideoLook& look) {
  const bool split = look.style.split == Split::runs;
  if (split) {
    look.number = recorded;
    look.reference = run.reference_branch();
  }
  for (const Branch& branch : run.branches()) {
    const bool present = branch.id == run.present_branch();
    const VideoCell cell{branch.look.name, branch.look.color,
                         present ? run.snapshot().record : branch.record, branch.id};
    if (branch.id == run.reference_branch() && branch.id != recorded && (split || chosen >= 0))
      look.compared = cell;
    if (!split) continue;
    if (branch.id == recorded) {
      look.name = branch.look.name;
      look.color = branch.look.color;
      look.place = look.others.size();
    } else if (present || !branch.look.hidden) {
      look.others.push_back(cell);
    }
  }
}

}  // namespace

ExportController::ExportController(QMainWindow& window, LiveRun& run, Viewport& viewport,
                                   const DocumentController& document, FileTasks& files,
                                   Messages& messages)
    : window_(window),
      run_(run),
      viewport_(viewport),
      document_(document),
      files_(files),
      messages_(messages),
      video_bar_(std::make_unique<VideoBar>(&window)) {
  window.addToolBar(Qt::BottomToolBarArea, video_bar_.get());
  QObject::connect(video_bar_.get(), &VideoBar::ended, &window,
                   [this](const Result<void>& done, const QString& file, const QString& what) {
                     if (done && file.isEmpty())
                       messages_.show_note(what);
                     else
                       messages_.report(done, file, what);
                   });
}

ExportController::~ExportController() = default;

bool ExportController::recording() const { return video_bar_->recording(); }

void ExportController::save(const QString& title, const QString& filter, const QString& suggestion,
                            const QString& what, FileTasks::LongWork work) {
  files_.ask(title, filter, suggestion, [this, what, work = std::move(work)](const QString& path) {
    files_.write_with_progress(path, what, work);
  });
}

void ExportController::save_repeated(const QString& title, const QString& filter,
                                     const QString& end, const QString& what, WriteRun write) {
  const auto begin = [this, what, write = std::move(write)](const QString& path) {
    files_.write_with_progress(
        path, what,
        [run = run_.request_capture(), write](const std::string& file, Progress& progress) {
          Worker::Captured captured = run->get();
          captured.record.every = captured.first_stride;
          return write(std::move(captured.record), captured.steps, file, progress);
        });
  };
  files_.ask(title, filter, document_.suggested_name(end), begin);
}

void ExportController::export_csv(bool visible) {
  const auto write = [this, visible](const QString& path) {
    run_.update();
    std::optional<Range> time;
    if (visible) {
      const ui::Interval shown = viewport_.interface().plots().time;
      time = {shown.low, shown.high};
    }
    auto table = std::make_shared<RunTable>(run_, time, document_.plotted());
    files_.write_with_progress(path, counted(table->rows(), "row", "rows"),
                               [table](const std::string& file, Progress& progress) {
                                 return table->write(file, progress);
                               });
  };
  files_.ask(
      visible ? QStringLiteral("Export visible range") : QStringLiteral("Export CSV"),
      QStringLiteral("Tables (*.csv);;All files (*)"),
      document_.suggested_name(visible ? QStringLiteral(".visible.csv") : QStringLiteral(".csv")),
      write);
}

void ExportController::export_trajectory() {
  save_repeated("Export trajectory",
                "Tables (*.csv);;Extended XYZ (*.xyz);;ParaView series (*.pvd)", ".trajectory.csv",
                "trajectory", write_trajectory);
}

void ExportController::export_pair_distribution() {
  save_repeated("Export pair distribution", csv_files, ".pairs.csv", "pair distribution",
                write_pair_distribution);
}

void ExportController::export_spectra() { write_spectra(viewport_.interface().plots()); }

void ExportController::export_plot(const ui::PlotSpec& plot) {
  ui::VisiblePlots shown = viewport_.interface().plots();
  std::erase_if(shown.plots, [&](const ui::VisiblePlot& other) { return other.spec != plot; });
  if (plot.spectrum) return write_spectra(std::move(shown));
  run_.update();
  const auto data = std::make_shared<VisibleData>(run_.view(), shown);
  save("Export the data of a plot", csv_files, document_.suggested_name(".plot.csv"),
       counted(data->rows(), "row", "rows"),
       [data](const std::string& file, Progress& progress) { return data->write(file, progress); });
}

void ExportController::write_spectra(ui::VisiblePlots shown) {
  if (std::none_of(shown.plots.begin(), shown.plots.end(),
                   [](const ui::VisiblePlot& plot) { return plot.spec.spectrum; }))
    return messages_.show_error(QStringLiteral("No spectra were written"),
                                QStringLiteral("No power spectrum is plotted."));
  run_.update();
  save("Export spectra", csv_files, document_.suggested_name("_spectra.csv"), "power spectra",
       [run = std::make_shared<const RunView>(run_.view()), shown = std::move(shown)](
           const std::string& file, const Progress& progress) {
         return write_spectra_table(file, *run, shown, progress);
       });
}

void ExportController::export_cloud() {
  run_.update();
  const auto& cloud = run_.snapshot().cloud;
  if (!cloud)
    return messages_.show_error(QStringLiteral("No table was written"),
                                QStringLiteral("No cloud follows the run."));
  const auto lanes = std::make_shared<const std::vector<History>>(History::views(run_.histories()));
  write_table(document_.suggested_name(".cloud.csv"), [lanes, cloud = *cloud] {
    return cloud_table(cloud_study(cloud, (*lanes)[static_cast<std::size_t>(cloud.lane)]));
  });
}

void ExportController::export_section(const std::vector<SectionTable>& tables) {
  std::size_t points = 0;
  for (const SectionTable& table : tables) points += table.points.size();
  save("Save points", csv_files, document_.suggested_name(".points.csv"),
       counted(points, "point", "points"), [tables](const std::string& file, Progress& progress) {
         return write_sections(tables, file, progress);
       });
}

void ExportController::copy_data() {
  run_.update();
  const auto copied = std::make_shared<VisibleData>(run_.view(), viewport_.interface().plots());
  files_.background().start(
      [copied]() -> Result<QString> {
        const auto table = copied->text();
        if (!table) return table.error();
        return QString::fromStdString(*table);
      },
      [this, copied](const Result<QString>& table) {
        if (!table)
          return messages_.show_error(QStringLiteral("The data was not copied"),
                                      to_qstring(table.error().text()));
        QGuiApplication::clipboard()->setText(*table);
        messages_.show_note(counted(copied->rows(), "row", "rows") + QStringLiteral(" copied"));
      });
}

void ExportController::save_picture() {
  // Four bytes a pixel, without gaps between the rows.
  const QImage picture = viewport_.grabFramebuffer().convertToFormat(QImage::Format_RGBA8888);
  if (picture.isNull()) {
    messages_.show_error(QStringLiteral("No picture"),
                         QStringLiteral("There is no scene to save."));
    return;
  }
  save("Save image", png_files, document_.suggested_name(".png"), "picture",
       [picture, title = document_.title().toStdString()](const std::string& file,
                                                          const Progress& progress) {
         return write_picture(
             file, {picture.constBits(), static_cast<std::size_t>(picture.sizeInBytes())},
             picture.width(), {false, title}, progress);
       });
}

void ExportController::save_frame(LiveFrame frame) {
  save("Save image", png_files, document_.suggested_name(".png"), "picture",
       [shared = std::make_shared<const LiveFrame>(std::move(frame))](
           const std::string& file, const Progress& progress) -> Result<bool> {
         const auto stop = [&progress] { return progress.cancelled.load(); };
         const auto drawn = draw(*shared, stop);
         if (stop()) return false;
         if (!drawn) return drawn.error();
         return write_picture(file, drawn->image.pixels, drawn->image.width,
                              {shared->look.transparent}, progress);
       });
}

void ExportController::save_preset() {
  auto* ask = new QInputDialog(&window_);
  ask->setObjectName(QStringLiteral("save_preset"));
  ask->setAttribute(Qt::WA_DeleteOnClose);
  ask->setWindowTitle(QStringLiteral("Save as preset"));
  ask->setLabelText(QStringLiteral("Title on your page of presets"));
  ask->setTextValue(document_.title());
  ask->setOkButtonText(QStringLiteral("&Save"));
  QObject::connect(ask, &QInputDialog::textValueSelected, &window_, [this](const QString& typed) {
    const QString title = typed.trimmed(), file = user_preset_file(title);
    if (title.isEmpty()) return;
    if (!QFileInfo::exists(file)) return write_preset(title, file);
    auto* box = message_box(&window_, QMessageBox::Question, QStringLiteral("Save as preset"),
                            QStringLiteral("Replace your preset %1?").arg(title),
                            QStringLiteral("It is in the file %1.").arg(file), QMessageBox::Cancel);
    QPushButton* replace = box->addButton(QStringLiteral("&Replace"), QMessageBox::DestructiveRole);
    replace->setObjectName(QStringLiteral("replace"));
    QObject::connect(replace, &QPushButton::clicked, &window_,
                     [this, title, file] { write_preset(title, file); });
    box->open();
  });
  ask->open();
}

void ExportController::write_preset(const QString& title, const QString& file) {
  run_.update();
  Scenario scenario = *document_.session().document().settings;
  scenario.title = title.toStdString();
  const auto now = std::make_shared<const Snapshot>(run_.shown());
  const render::SceneStyle style = viewport_.scene_style();
  files_.write(file, QStringLiteral("preset"), [scenario, now, style, file] {
    return write_user_preset(file, scenario, preset_picture(*now, style));
  });
}

void ExportController::save_figure(ui::PlotFigure figure, const FigurePage& page,
                                   const ui::FigureLook& look) {
  const auto format = static_cast<std::size_t>(page.format);
  constexpr std::array filters{"PDF (*.pdf)", "SVG (*.svg)", "PNG (*.png)"};
  constexpr std::array suffixes{".pdf", ".svg", ".png"};
  save("Export figure", filters[format], document_.suggested_name(suffixes[format]), "figure",
       [figure = std::make_shared<ui::PlotFigure>(std::move(figure)), page, look](
           const std::string& file, const Progress& progress) {
         return write_figure(file, *figure, page, look, progress);
       });
}

void ExportController::save_paper_figure(const Figure& figure, const QString& name) {
  save("Save figure", "PDF (*.pdf);;SVG (*.svg);;PNG (*.png)", name + ".pdf", "figure",
       [figure](const std::string& file, const Progress& progress) {
         const QString end = QFileInfo(to_qstring(file)).suffix().toLower();
         const FigureFormat format = figure_format(end.toStdString()).value_or(FigureFormat::pdf);
         return write_figure(file, figure, paper_page(format), paper_look(), progress);
       });
}

void ExportController::save_table(const std::string& table, const QString& name) {
  write_table(name + ".csv", [table] { return table; });
}

void ExportController::write_table(const QString& suggestion, std::function<std::string()> table) {
  const auto write = [this, table = std::move(table)](const QString& path) {
    files_.write(path, QStringLiteral("table"),
                 [table, file = path.toStdString()] { return write_file(file, table()); });
  };
  files_.ask("Save table", csv_files, suggestion, write);
}

VideoLook ExportController::look(const FrameOptions& options) const {
  VideoLook look{viewport_.scene_style(), viewport_.chosen_camera()};
  look.style.fine = true;
  look.transparent = options.transparent;
  look.legend = options.legend;
  look.followed = options.followed;
  look.numbers = viewport_.interface().settings().labels;
  look.layout = options.layout;
  return look;
}

LiveFrame ExportController::frame(const FrameOptions& options, int width, int height,
                                  double time_step, const std::optional<ui::Interval>& elapsed) {
  run_.update();
  return live_frame(run_, viewport_.ghosts(), look(options), width, height, time_step, elapsed);
}

void ExportController::save_page(PagePlan plan) {
  plan.file = document_.suggested_name(QStringLiteral(".json")).toStdString();
  save_repeated(
      "Save as web page", "Web pages (*.html)", ".html", "web page",
      [plan](Scenario record, std::int64_t steps, const std::string& file, Progress& progress) {
        return write_page(std::move(record), steps, plan, file, progress);
      });
}

void ExportController::record_video(int branch, const VideoPlan& plan, VideoKind kind,
                                    const FrameOptions& options) {
  const QString end = to_qstring(suffix(kind));
  const bool frames = kind == VideoKind::frames;
  files_.ask(QStringLiteral("Record video"),
             frames ? QStringLiteral("Folders (*)") : QStringLiteral("Videos (*%1)").arg(end),
             document_.suggested_name(frames ? QStringLiteral("_frames") : end),
             [this, branch, plan, kind, options](const QString& path) {
               auto record = run_.request_record(branch);
               if (!record)
                 return messages_.show_error(QStringLiteral("No video was recorded"),
                                             QStringLiteral("The run was deleted."));
               VideoLook frame = look(options);
               frame.transparent = options.transparent && kind == VideoKind::frames;
               // What plays backwards shows one run.
               if (plan.backwards && frame.style.split == Split::runs)
                 frame.style.split = Split::none;
               add_other_runs(run_, branch, viewport_.interface().settings().reference_run, frame);
               video_bar_->start(std::move(record), plan, frame, kind, path.toStdString());
             });
}

}  // namespace twosphere
