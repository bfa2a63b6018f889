// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRect>
#include <QStringList>
#include <QWidget>
#include <vector>

#include "ui/shell/interface_colors.h"

namespace twosphere {

/// A field for a text of a definition, as high as its lines: the words of the language are
/// coloured, names are completed, errors underlined. Tab moves on to the next field.
class TextEditor : public QWidget {
  Q_OBJECT
 public:
  struct Problem {
    int line = 0, column = -1;  ///< as of DraftProblem
    bool warning = false;
  };

  TextEditor(const QString& name, const QString& label, QWidget* parent = nullptr);

  QString text() const;
  /// Does not emit changed(), and cannot be undone in the field.
  void set_text(const QString& text);
  void set_palette(const ui::Colors& colors);
  /// The names that the definition itself has given, for colours and completion.
  void set_names(const QStringList& names);
  /// Underlines these places, and nothing else.
  void set_problems(const std::vector<Problem>& problems);
  /// Where the caret is, in this widget.
  QRect caret() const;

 Q_SIGNALS:
  void changed();
  /// The caret is elsewhere, or what is shown about it, while the field has the focus.
  void caret_moved();

 private:
  class Editor;
  Editor* editor_;
};

}  // namespace twosphere
