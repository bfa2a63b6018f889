// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/settings.h"

#include <QDir>
#include <QSettings>
#include <algorithm>
#include <array>

#include "ui/plots/ready_plots.h"

namespace twosphere {
namespace {

QString settings_file() {
  QString base = qEnvironmentVariable("XDG_CONFIG_HOME");
  if (!QDir::isAbsolutePath(base)) base = QDir::homePath() + QStringLiteral("/.config");
  return base + QStringLiteral("/twosphere/settings.ini");
}

template <class T>
void read_number(const QSettings& from, const char* key, T low, T high, T& value) {
  bool ok = false;
  const double read = from.value(QLatin1String(key)).toDouble(&ok);
  if (ok && read >= static_cast<double>(low) && read <= static_cast<double>(high))
    value = static_cast<T>(read);
}

QString text(std::string_view s) {
  return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size()));
}

void read_flag(const QSettings& from, const char* key, bool& value) {
  value = from.value(QLatin1String(key), value).toBool();
}

// In the order of their enumerations.
constexpr std::array figure_formats{"pdf", "svg", "png"};
constexpr std::array figure_colors{"own", "paper", "grey"};
constexpr std::array film_kinds{"mp4", "webm", "mkv", "gif", "frames"};

template <class Names, class T>
void read_choice(const QSettings& from, const char* key, const Names& names, T& value) {
  const QString read = from.value(QLatin1String(key)).toString();
  for (std::size_t i = 0; i < names.size(); ++i)
    if (read == QLatin1String(names[i])) value = static_cast<T>(i);
}

}  // namespace

WindowSettings read_settings() {
  QSettings file(settings_file(), QSettings::IniFormat);
  WindowSettings s;
  s.geometry = file.value(QStringLiteral("window/geometry")).toByteArray();
  s.directory = file.value(QStringLiteral("files/directory")).toString();
  ui::Settings& u = s.interface;
  read_number(file, "interface/left_width", 100.0F, 2000.0F, u.left_width);
  read_number(file, "interface/right_width", 100.0F, 4000.0F, u.right_width);
  read_number(file, "interface/scale", 0.5F, 4.0F, u.scale);
  read_number(file, "interface/trail_span", 0.0, 1e6, u.trail_span);
  read_flag(file, "interface/columns", u.columns);
  read_flag(file, "interface/trail", u.trail);
  read_flag(file, "interface/ground", u.ground);
  read_flag(file, "interface/graticule", u.graticule);
  read_flag(file, "interface/inset", u.inset);
  read_flag(file, "interface/labels", u.labels);
  read_flag(file, "interface/field", u.field);
  const QString shade = file.value(QStringLiteral("interface/colors")).toString();
  for (std::size_t i = 0; i < shade_count; ++i)
    if (const auto one = static_cast<Shade>(i); info(one).of_bodies && shade == text(info(one).key))
      u.shade = one;
  const QString map = file.value(QStringLiteral("interface/color_map")).toString();
  for (const ColorMap m : color_maps)
    if (map == text(key(m))) u.color_map = m;
  const QStringList arrows = file.value(QStringLiteral("interface/arrows")).toStringList();
  for (std::size_t i = 0; i < body_vector_count; ++i)
    u.arrows[i] = arrows.contains(text(body_vectors()[i].key));
  read_flag(file, "interface/gallery_at_start", u.gallery_at_start);
  const QString palette = file.value(QStringLiteral("interface/palette")).toString();
  for (const Palette p : palettes)
    if (palette == text(key(p))) u.palette = p;
  bool paper = false;
  read_flag(file, "interface/paper_colors", paper);
  u.lane_colors = paper ? LaneColors::paper : LaneColors::own;
  file.beginGroup(QStringLiteral("plots"));
  for (const QString& owner : file.childKeys()) {
    auto& plots = u.own_plots[owner.toStdString()];
    for (const QString& line : file.value(owner).toStringList())
      if (const auto plot = ui::parse_plot(line.toStdString())) plots.push_back(*plot);
  }
  file.endGroup();

  FigureSettings& f = s.figure;
  double width = f.page.points.width(), height = f.page.points.height();
  read_choice(file, "figure/format", figure_formats, f.page.format);
  read_number(file, "figure/width", 72.0, 2880.0, width);
  read_number(file, "figure/height", 72.0, 2880.0, height);
  f.page.points = {width, height};
  read_number(file, "figure/dpi", 36.0, 1200.0, f.page.dpi);
  read_number(file, "figure/font_size", 4.0, 36.0, f.look.font);
  read_number(file, "figure/line_width", 0.25, 6.0, f.look.line);
  f.unit = file.value(QStringLiteral("figure/unit"), f.unit).toString();
  read_choice(file, "figure/colors", figure_colors, f.choice.colors);
  read_flag(file, "figure/whole_run", f.choice.whole_run);
  read_flag(file, "figure/title", f.choice.title);
  read_flag(file, "figure/legend", f.choice.legend);
  read_flag(file, "figure/markers", f.choice.markers);
  read_flag(file, "figure/changes", f.choice.changes);

  FilmSettings& film = s.film;
  read_choice(file, "film/format", film_kinds, film.kind);
  read_number(file, "film/rate", 1.0, 240.0, film.rate);
  read_number(file, "film/speed", 1e-6, 1e6, film.speed);
  read_number(file, "film/width", 16, 8192, film.width);
  read_number(file, "film/height", 16, 8192, film.height);
  read_flag(file, "film/transparent", film.transparent);
  return s;
}

bool write_settings(const WindowSettings& s) {
  QSettings file(settings_file(), QSettings::IniFormat);
  const auto put = [&file](const char* key, const auto& value) {
    file.setValue(QLatin1String(key), value);
  };
  put("window/geometry", s.geometry);
  put("files/directory", s.directory);
  const ui::Settings& u = s.interface;
  put("interface/left_width", static_cast<double>(u.left_width));
  put("interface/right_width", static_cast<double>(u.right_width));
  put("interface/scale", static_cast<double>(u.scale));
  put("interface/trail_span", u.trail_span);
  put("interface/columns", u.columns);
  put("interface/trail", u.trail);
  put("interface/ground", u.ground);
  put("interface/graticule", u.graticule);
  put("interface/inset", u.inset);
  put("interface/labels", u.labels);
  put("interface/field", u.field);
  put("interface/colors", u.shade ? text(info(*u.shade).key) : QStringLiteral("usual"));
  put("interface/color_map", text(key(u.color_map)));
  QStringList arrows;
  for (std::size_t i = 0; i < body_vector_count; ++i)
    if (u.arrows[i]) arrows.push_back(text(body_vectors()[i].key));
  put("interface/arrows", arrows);
  put("interface/gallery_at_start", u.gallery_at_start);
  ui::Settings own = u;
  ui::keep_plots(own);
  file.remove(QStringLiteral("plots"));
  for (const auto& [owner, list] : own.own_plots) {
    QStringList plots;
    for (const ui::PlotSpec& plot : list) plots.push_back(text(ui::to_text(plot)));
    file.setValue(QStringLiteral("plots/") + text(owner), plots);
  }
  put("interface/palette", text(key(u.palette)));
  put("interface/paper_colors", u.lane_colors == LaneColors::paper);
  const FigureSettings& f = s.figure;
  const auto name = [](const auto& names, auto value) {
    return QString::fromLatin1(names[static_cast<std::size_t>(value)]);
  };
  put("figure/format", name(figure_formats, f.page.format));
  put("figure/width", f.page.points.width());
  put("figure/height", f.page.points.height());
  put("figure/dpi", f.page.dpi);
  put("figure/font_size", f.look.font);
  put("figure/line_width", f.look.line);
  put("figure/unit", f.unit);
  put("figure/colors", name(figure_colors, f.choice.colors));
  put("figure/whole_run", f.choice.whole_run);
  put("figure/title", f.choice.title);
  put("figure/legend", f.choice.legend);
  put("figure/markers", f.choice.markers);
  put("figure/changes", f.choice.changes);
  put("film/format", name(film_kinds, s.film.kind));
  put("film/rate", s.film.rate);
  put("film/speed", s.film.speed);
  put("film/width", s.film.width);
  put("film/height", s.film.height);
  put("film/transparent", s.film.transparent);
  file.sync();
  return file.status() == QSettings::NoError;
}

}  // namespace twosphere
