// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/theme.h"

#include <initializer_list>

#include "ui/shell/interface_colors.h"

namespace twosphere {

QPalette widget_palette(Palette palette) {
  const ui::Colors& c = ui::colors(palette);
  const auto color = [](ui::Color shade) { return QColor(static_cast<QRgb>(shade.rgb)); };
  QPalette p;
  const auto set = [&](ui::Color shade, std::initializer_list<QPalette::ColorRole> roles) {
    for (const auto role : roles) p.setColor(role, color(shade));
  };
  set(c.panel, {QPalette::Window, QPalette::AlternateBase, QPalette::ToolTipBase});
  set(c.scene, {QPalette::Base, QPalette::Shadow});
  set(c.field, {QPalette::Button});
  set(c.hovered, {QPalette::Light});
  set(c.borders ? c.border : c.line, {QPalette::Mid, QPalette::Midlight, QPalette::Dark});
  set(c.text, {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText,
               QPalette::BrightText});
  set(c.dim, {QPalette::PlaceholderText});
  set(c.accent, {QPalette::Highlight, QPalette::Link});
  set(c.on_accent, {QPalette::HighlightedText});
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    p.setColor(QPalette::Disabled, role, color(c.dim));
  return p;
}

QString widget_borders(Palette palette) {
  const ui::Colors& c = ui::colors(palette);
  if (!c.borders) return {};
  const auto name = [](ui::Color shade) {
    return QColor(static_cast<QRgb>(shade.rgb)).name(QColor::HexRgb);
  };
  return QStringLiteral(
             "QPushButton, QToolButton, QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox, "
             "QAbstractItemView, QTextBrowser, QsciScintilla, QMenu, QToolTip, QDialog "
             "{ border: 1px solid %1; }"
             "QPushButton { background: %2; padding: 4px 12px; }"
             "QToolButton { background: %2; padding: 2px; }"
             // With a border of their own, they reserve too little space for text and arrows.
             "QComboBox { padding: 2px 14px 2px 4px; }"
             "QSpinBox, QDoubleSpinBox { padding: 4px 2px; }"
             "QSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::up-button, "
             "QDoubleSpinBox::down-button { width: 20px; }"
             "QFileDialog QToolButton { background: %1; }"  // its icons are dark
             "QPushButton:focus, QToolButton:focus, QLineEdit:focus, QSpinBox:focus, "
             "QDoubleSpinBox:focus, QComboBox:focus, QAbstractItemView:focus, QsciScintilla:focus "
             "{ border: 2px solid %3; }"
             "QMenuBar { border-bottom: 1px solid %1; }"
             "QStatusBar { border-top: 1px solid %1; }")
      .arg(name(c.border), name(c.field), name(c.accent));
}

}  // namespace twosphere
