// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QTimer>
#include <array>
#include <memory>
#include <optional>
#include <stop_token>

#include "app/base/background.h"
#include "app/dialogs/dialog.h"
#include "app/session/system_draft.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;
class QSpinBox;

namespace twosphere {

class DefinitionField;
class ParameterTable;
class SystemSheet;
class TextEditor;

/// A system as texts: templates, fields, its equations as they are typed, and what is wrong with
/// them. The text is checked on another thread after every change. Stays beside the window. More
/// than twenty members: its fields, and what has been read and checked of them.
class SystemDialog : public QDialog {
  Q_OBJECT
 public:
  explicit SystemDialog(const DialogContext& context);
  ~SystemDialog() override;

  /// Shows a template to begin with; asks first if a text of the user's would be lost.
  void show_new();
  /// Shows the system of the run as text; asks first if a text of the user's would be lost.
  void show_present();
  /// Shows a recovered text, as write_draft() has written it.
  void show_draft(const QString& text);

 protected:
  void changeEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  /// What the text belongs to.
  struct EditedSystem {
    std::shared_ptr<const Scenario> base;  ///< start, methods and duration
    /// The document that the text changes as its run continues; null: the text begins another.
    std::shared_ptr<const Scenario> document;
  };

  QWidget* make_fields();
  QWidget* make_buttons();
  void show_order();
  void load(const SystemDraft& draft, EditedSystem subject, const QString& title);
  void load_template(int index);
  void replace_text(const QString& question, const std::function<void()>& then);
  bool edited() const { return start_typed_ || read_fields() != loaded_; }
  SystemDraft read_fields() const;
  void keep_draft();
  void change();
  void check();
  void take(CheckedDraft checked);
  void report();
  void show_problems();
  void take_start(int body, bool omega, const Vec3& value);
  void show_names();
  void show_state();
  void show_caret(const TextEditor& editor);
  void follow_document();
  void follow_palette();
  bool live() const;
  void apply(bool run);

  const DialogContext context_;
  EditedSystem subject_;
  SystemDraft loaded_;        // as it was loaded or applied
  bool written_ = false;      // what was applied differs from what was loaded
  bool start_typed_ = false;  // since then, and not applied
  SystemDraft checking_;      // what `checked_` is of, or will be
  std::optional<CheckedDraft> checked_;
  bool stale_ = true;  // there are changes that have not been checked
  std::shared_ptr<const CompiledDefinition> starting_;  // applied as another document
  QString applied_;                                     // what to say of it until the text changes
  std::shared_ptr<const Scenario> followed_;            // Document::settings
  QTimer delay_;
  QTimer report_delay_;
  std::stop_source reporting_;
  Background checker_, reporter_;

  QScrollArea* fields_;
  QComboBox* templates_;
  QLineEdit* title_;
  QSpinBox* bodies_;
  ParameterTable* parameters_;
  QLabel* parameter_problem_;
  QCheckBox *strict_units_, *first_order_;
  std::array<DefinitionField*, draft_texts> texts_{};
  SystemSheet* sheet_;
  QLabel* state_;
  QPushButton *apply_, *run_;
};

}  // namespace twosphere
