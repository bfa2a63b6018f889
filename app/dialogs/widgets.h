// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QSize>
#include <QString>
#include <QStringList>
#include <initializer_list>
#include <string>

#include "ui/shell/interface_colors.h"

class QCheckBox;
class QColor;
class QComboBox;
class QDialog;
class QDialogButtonBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;
class QSpinBox;
class QSplitter;
class QTableWidget;
class QWidget;

namespace twosphere {

/// Gives a widget the name by which tests find it, what screen readers say, and a tooltip, which is
/// shown as it is.
void set_names(QWidget& widget, const char* name, const QString& spoken, const QString& tip);

/// The same of a widget that is being made.
template <class Widget>
Widget* named(Widget* widget, const char* name, const QString& spoken = {},
              const QString& tip = {}) {
  set_names(*widget, name, spoken, tip);
  return widget;
}

/// A button that does something and leaves the dialog open; Enter does not press it.
QPushButton* push_button(QWidget& parent, const char* name, const QString& label,
                         const QString& tip);
/// The same in a row of buttons.
QPushButton* add_button(QDialogButtonBox& buttons, const char* name, const QString& label,
                        const QString& tip);
/// The button, which Enter presses, too, that accepts a dialog; the others of the row reject it.
QPushButton* accept_button(QDialog& dialog, QDialogButtonBox& buttons, const char* name,
                           const QString& label);
QCheckBox* check_box(QWidget* parent, const char* name, const QString& label,
                     const QString& tip = {}, bool checked = false);
/// A list to choose from, as wide as so many letters at least, however long its entries are.
QComboBox* drop_down(QWidget* parent, const char* name, const QString& spoken, const QString& tip,
                     int letters);
/// Adds a choice to a list, with what stands for it and a tooltip.
void add_choice(QComboBox& list, const QString& text, const QString& data, const QString& tip);
/// A whole number.
QSpinBox* number_box(QWidget* parent, const char* name, const QString& spoken, const QString& tip,
                     int low, int high, int value);
/// The text in a field, without spaces around it.
std::string typed(const QLineEdit& field);
/// Two fields in one row, with a word between them.
QHBoxLayout* field_pair(QWidget* first, const QString& word, QWidget* second);
/// A text that is broken into lines.
QLabel* text_lines(QWidget& parent, const char* name);
/// HTML that is broken into lines.
QLabel* html_lines(const char* name);

/// A table to read, each column as wide as its texts.
QTableWidget* results_table(QWidget* parent, const char* name, const QString& spoken,
                            const QStringList& headings);
/// Writes into a cell. Numbers are aligned on the right.
void put_cell(QTableWidget& table, int row, int column, const QString& text, const QString& tip,
              bool number);

/// A part of a splitter: how much of the room it takes, and how much [px] at first.
struct SplitPart {
  QWidget* widget;
  int stretch, size;
};
QSplitter* splitter(QWidget* parent, Qt::Orientation direction,
                    std::initializer_list<SplitPart> parts);

/// A column of fields that scrolls if it is higher than its place, wide enough for all of them. The
/// wheel scrolls past fields that do not have the focus.
QScrollArea* scrolling_column(QWidget& parent, QWidget& fields);
/// Lays out a dialog that shows what it will make: the column of fields on the left, on the right
/// the view with a line of facts below it, and the row of buttons at the bottom.
void lay_out_with_view(QDialog& dialog, QWidget* column, QWidget* view, QLabel* facts,
                       QDialogButtonBox* buttons);
/// A page that scrolls, without a frame; by the wheel past fields that do not have the focus.
QScrollArea* scroll_area(QWidget* page, const char* spoken);
/// A colour as HTML writes it.
QString css(ui::Color shade);

/// A rectangle in one colour, beside a name.
inline constexpr QSize swatch_size{18, 10};
QIcon swatch(const QColor& color, QSize size = swatch_size);

}  // namespace twosphere
