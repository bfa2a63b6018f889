// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/window_settings.h"

#include <QSettings>
#include <array>
#include <type_traits>
#include <vector>

#include "app/base/qt_text.h"
#include "app/base/user_files.h"
#include "app/window/scene_settings.h"
#include "ui/plots/ready_plots.h"

namespace twosphere {
namespace {

QString settings_file() {
  return user_folder("XDG_CONFIG_HOME", QStringLiteral(".config")) +
         QStringLiteral("/settings.ini");
}

// In the order of their enumerations.
constexpr std::array figure_formats{"pdf", "svg", "png"};
constexpr std::array figure_colors{"own", "paper", "grey"};
constexpr std::array video_kinds{"mp4", "webm", "mkv", "gif", "frames"};
constexpr std::array frame_content_names{"scene", "scene+plots", "plots"};
constexpr std::array plot_place_names{"right", "below"};

/// Reads fields from a file. Missing, unreadable and invalid values leave the fields unchanged.
class Reader {
 public:
  explicit Reader(QSettings& file) : file_(file) {}

  template <class T>
  void plain(const char* key, T& value) {
    value = file_.value(QLatin1String(key), value).template value<T>();
  }
  template <class T>
  void number(const char* key, T low, T high, T& value) {
    bool ok = false;
    const double read = file_.value(QLatin1String(key)).toDouble(&ok);
    if (ok && read >= static_cast<double>(low) && read <= static_cast<double>(high))
      value = static_cast<T>(read);
  }
  /// One of several values, by its key name_of(value).
  template <class T>
  void choice(const char* key, T& value, const std::vector<T>& all, const auto& name_of) {
    const QString read = file_.value(QLatin1String(key)).toString();
    for (const T& one : all)
      if (read == to_qstring(name_of(one))) value = one;
  }
  void arrows(const char* key, std::array<bool, body_vector_count>& shown) {
    const QStringList read = file_.value(QLatin1String(key)).toStringList();
    for (std::size_t i = 0; i < body_vector_count; ++i)
      shown[i] = read.contains(to_qstring(body_vectors()[i].key));
  }
  void plots(const char* group, ui::Settings& settings) {
    file_.beginGroup(QLatin1String(group));
    for (const QString& owner : file_.childKeys()) {
      auto& plots = settings.own_plots[owner.toStdString()];
      for (const QString& line : file_.value(owner).toStringList())
        if (const auto plot = ui::parse_plot(line.toStdString())) plots.push_back(*plot);
    }
    file_.endGroup();
  }

 private:
  QSettings& file_;
};

/// Writes the same fields.
class Writer {
 public:
  explicit Writer(QSettings& file) : file_(file) {}

  template <class T>
  void plain(const char* key, const T& value) {
    file_.setValue(QLatin1String(key), value);
  }
  template <class T>
  void number(const char* key, T /*low*/, T /*high*/, T value) {
    if constexpr (std::is_same_v<T, float>)
      plain(key, static_cast<double>(value));
    else
      plain(key, value);
  }
  template <class T>
  void choice(const char* key, const T& value, const std::vector<T>&, const auto& name_of) {
    plain(key, to_qstring(name_of(value)));
  }
  void arrows(const char* key, const std::array<bool, body_vector_count>& shown) {
    QStringList list;
    for (std::size_t i = 0; i < body_vector_count; ++i)
      if (shown[i]) list.push_back(to_qstring(body_vectors()[i].key));
    plain(key, list);
  }
  void plots(const char* group, ui::Settings settings) {
    ui::store_plots(settings);
    file_.remove(QLatin1String(group));
    for (const auto& [owner, list] : settings.own_plots) {
      QStringList lines;
      for (const ui::PlotSpec& plot : list) lines.push_back(to_qstring(ui::to_text(plot)));
      file_.setValue(QLatin1String(group) + QLatin1Char('/') + to_qstring(owner), lines);
    }
  }

 private:
  QSettings& file_;
};

/// An enumeration, stored by name; `names` are in the order of the values.
template <class T, std::size_t n>
void named(auto& file, const char* key, T& value, const std::array<const char*, n>& names) {
  std::vector<T> all;
  for (std::size_t i = 0; i < n; ++i) all.push_back(static_cast<T>(i));
  file.choice(key, value, all, [&](T one) { return names[static_cast<std::size_t>(one)]; });
}

/// The table of all settings: keys and allowed values.
void exchange(auto& file, WindowSettings& s) {
  file.plain("window/geometry", s.geometry);
  file.plain("window/plot_geometry", s.plot_geometry);
  file.plain("files/directory", s.directory);

  ui::Settings& u = s.interface;
  exchange_scene(file, u);
  file.number("interface/scale", 0.5F, 4.0F, u.scale);
  file.plain("interface/joystick_springs", u.joystick_springs);
  file.plain("interface/time_pictures", u.time_pictures);
  file.plain("interface/gallery_at_start", u.gallery_at_start);
  file.plain("interface/moving_pictures", u.moving_pictures);
  file.plots("plots", u);
  file.choice("interface/palette", u.palette,
              std::vector<Palette>(palettes.begin(), palettes.end()),
              [](Palette palette) { return key(palette); });
  file.choice("interface/paper_colors", u.lane_colors, {LaneColors::own, LaneColors::paper},
              [](LaneColors colors) { return colors == LaneColors::paper ? "true" : "false"; });

  FigureSettings& f = s.dialogs.figure;
  double width = f.page.points.x, height = f.page.points.y;
  named(file, "figure/format", f.page.format, figure_formats);
  file.number("figure/width", 72.0, 2880.0, width);
  file.number("figure/height", 72.0, 2880.0, height);
  f.page.points = {width, height};
  file.number("figure/dpi", 36.0, 1200.0, f.page.dpi);
  file.number("figure/font_size", 4.0, 36.0, f.look.font);
  file.number("figure/line_width", 0.25, 6.0, f.look.line);
  file.plain("figure/unit", f.unit);
  named(file, "figure/colors", f.choice.colors, figure_colors);
  file.plain("figure/whole_run", f.choice.whole_run);
  file.plain("figure/title", f.choice.title);
  file.plain("figure/legend", f.choice.legend);
  file.plain("figure/markers", f.choice.markers);
  file.plain("figure/changes", f.choice.changes);

  VideoSettings& video = s.dialogs.video;
  named(file, "film/format", video.kind, video_kinds);
  file.number("film/rate", 1.0, 240.0, video.rate);
  file.number("film/speed", 1e-6, 1e6, video.speed);
  file.plain("film/transparent", video.transparent);
  file.plain("film/backwards", video.backwards);

  FrameSettings& frame = s.dialogs.frame;
  named(file, "film/content", frame.content, frame_content_names);
  named(file, "film/plots", frame.place, plot_place_names);
  file.number("film/width", 16, 8192, frame.width);
  file.number("film/height", 16, 8192, frame.height);
  file.number("film/text", 0, 200, frame.text);
  file.plain("film/time", frame.time);
  file.plain("film/title", frame.title);
  file.plain("film/title_text", frame.title_text);
  file.plain("film/legend", frame.legend);
  file.plain("picture/window", s.dialogs.picture.window);
  file.plain("picture/transparent", s.dialogs.picture.transparent);
}

}  // namespace

WindowSettings read_settings() {
  QSettings file(settings_file(), QSettings::IniFormat);
  WindowSettings settings;
  Reader reader(file);
  exchange(reader, settings);
  return settings;
}

bool write_settings(WindowSettings settings) {
  QSettings file(settings_file(), QSettings::IniFormat);
  Writer writer(file);
  exchange(writer, settings);
  file.sync();
  return file.status() == QSettings::NoError;
}

}  // namespace twosphere
