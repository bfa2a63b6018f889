// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "app/dialogs/text_editor.h"
#include "app/session/system_draft.h"
#include "ui/shell/interface_colors.h"

class QLabel;

namespace twosphere {

/// A text of a definition in a form: its title with a hint, the field to type it into, and what is
/// wrong with it.
class DefinitionField : public QWidget {
 public:
  explicit DefinitionField(DraftText field);

  /// "Potential V".
  static const char* title(DraftText field);

  TextEditor& editor() const { return *editor_; }
  /// The line below the field, with a link for a name that is not known.
  QLabel& problem() const { return *problem_; }
  /// Underlines those of the problems that belong here, and says the first.
  void show_problems(const std::vector<DraftProblem>& all, const ui::Colors& colors);

 private:
  DraftText field_;
  TextEditor* editor_;
  QLabel* problem_;
};

/// Says a problem in a line, or hides the line if there is none.
void say_problem(QLabel& line, const DraftProblem* problem, const ui::Colors& colors);

}  // namespace twosphere
