// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/system_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QEvent>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/base/labels.h"
#include "app/base/qt_text.h"
#include "app/dialogs/definition_field.h"
#include "app/dialogs/parameter_table.h"
#include "app/dialogs/start_table.h"
#include "app/dialogs/system_sheet.h"
#include "app/dialogs/text_editor.h"
#include "app/dialogs/widgets.h"
#include "app/scene/viewport.h"
#include "app/session/document_controller.h"
#include "app/session/live_run.h"
#include "core/catalog.h"
#include "core/custom/definition_keys.h"
#include "core/custom/equations.h"
#include "core/scenario/as_text.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"
#include "core/studies/system_report.h"

namespace twosphere {

namespace {

constexpr int check_delay = 150;   // [ms] after the last key
constexpr int report_delay = 400;  // [ms] after a check without errors
constexpr int gap = 10;            // between fields [px]

/// An example to begin with.
struct Template {
  QString key, title, description;
  std::size_t length = 0;  // of its texts
};

/// The simplest first: the one of the shortest texts.
std::vector<Template> templates() {
  std::vector<Template> all;
  for (const Preset& preset : custom_presets()) {
    const auto scenario = read_scenario(preset.text, preset.key);
    if (!scenario) continue;
    const SystemDraft draft = draft_of(scenario->definition->definition());
    std::size_t length = 0;
    for (const std::string& text : draft.texts) length += text.size();
    all.push_back({to_qstring(preset.key), to_qstring(scenario->title),
                   to_qstring(scenario->description), length});
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Template& a, const Template& b) { return a.length < b.length; });
  return all;
}

}  // namespace

SystemDialog::SystemDialog(const DialogContext& context)
    : QDialog(&context.window), context_(context) {
  setObjectName(QStringLiteral("system_dialog"));
  resize(980, 640);
  auto* both = new QSplitter;
  both->addWidget(make_fields());
  sheet_ = new SystemSheet;
  both->addWidget(sheet_);
  both->setStretchFactor(0, 3);
  both->setStretchFactor(1, 2);
  both->setChildrenCollapsible(false);
  auto* all = new QVBoxLayout(this);
  all->addWidget(both, 1);
  all->addWidget(make_buttons());

  delay_.setSingleShot(true);
  delay_.setInterval(check_delay);
  connect(&delay_, &QTimer::timeout, this, &SystemDialog::check);
  report_delay_.setSingleShot(true);
  report_delay_.setInterval(report_delay);
  connect(&report_delay_, &QTimer::timeout, this, &SystemDialog::report);
  connect(&context_.document.session(), &Session::changed, this, &SystemDialog::follow_document,
          Qt::QueuedConnection);
  connect(&context_.viewport, &Viewport::drawn, this, [this] {
    if (context_.document.session().document().settings != followed_) follow_document();
  });
  connect(templates_, &QComboBox::activated, this, &SystemDialog::load_template);
  connect(title_, &QLineEdit::textEdited, this, &SystemDialog::change);
  connect(bodies_, &QSpinBox::valueChanged, this, &SystemDialog::change);
  connect(strict_units_, &QCheckBox::toggled, this, &SystemDialog::change);
  connect(first_order_, &QCheckBox::toggled, this, [this] {
    show_order();
    change();
  });
  connect(parameters_, &ParameterTable::changed, this, &SystemDialog::change);
  connect(&sheet_->start(), &StartTable::typed, this, &SystemDialog::take_start);
  for (DefinitionField* field : texts_) {
    TextEditor* editor = &field->editor();
    connect(editor, &TextEditor::changed, this, &SystemDialog::change);
    // Once the field has the height of its lines.
    connect(
        editor, &TextEditor::caret_moved, this, [this, editor] { show_caret(*editor); },
        Qt::QueuedConnection);
  }
  follow_palette();
}

SystemDialog::~SystemDialog() { reporting_.request_stop(); }

QWidget* SystemDialog::make_fields() {
  templates_ = drop_down(nullptr, "templates", {}, "Examples to begin with", 8);
  for (const Template& one : templates())
    add_choice(*templates_, one.title, one.key, one.description);
  templates_->setPlaceholderText("an example");
  title_ = named(new QLineEdit, "title", "Title");
  bodies_ = named(new QSpinBox, "bodies", {},
                  "The number n of bodies. Another number begins another run.");
  bodies_->setRange(1, 100'000);
  auto* top = new QFormLayout;
  auto* row = new QHBoxLayout;
  row->addWidget(templates_, 1);
  row->addSpacing(gap);
  QLabel* count = plain_label("&Bodies n");
  count->setBuddy(bodies_);
  row->addWidget(count);
  row->addWidget(bodies_);
  top->addRow("&Begin with", row);
  qobject_cast<QLabel*>(top->labelForField(row))->setBuddy(templates_);
  top->addRow("T&itle", title_);

  auto* page = named(new QWidget, "fields");
  auto* column = new QVBoxLayout(page);
  column->setSpacing(2);
  column->addLayout(top);
  column->addSpacing(gap);
  column->addWidget(html_label("<b>Parameters</b>"));
  parameters_ = new ParameterTable;
  column->addWidget(parameters_);
  parameter_problem_ = html_lines("parameter_problem");
  column->addWidget(parameter_problem_);
  strict_units_ = check_box(nullptr, "strict_units", "&Strict units",
                            "Units that do not fit are errors; t is in s, w in rad/s, v in 1/s");
  column->addWidget(strict_units_);
  first_order_ = check_box(nullptr, "first_order", "&First order",
                           "Without kinetic energy, as spins and vortices: κ dq/dt = ∂H/∂q × q");
  column->addWidget(first_order_);
  for (std::size_t k = 0; k < draft_texts; ++k) {
    texts_[k] = new DefinitionField(static_cast<DraftText>(k));
    column->addWidget(texts_[k]);
    connect(&texts_[k]->problem(), &QLabel::linkActivated, this,
            [this](const QString& name) { parameters_->add(name); });
  }
  column->addStretch(1);

  fields_ = scroll_area(page, "Fields");
  return fields_;
}

/// Scrolls the page to the caret, with the line below it.
void SystemDialog::show_caret(const TextEditor& editor) {
  const QRect caret = editor.caret();
  const QPoint at = editor.mapTo(fields_->widget(), caret.center());
  fields_->ensureVisible(at.x(), at.y(), 20, caret.height() * 3 / 2);
}

/// The fields of the order of the equations.
void SystemDialog::show_order() {
  for (std::size_t k = 0; k < draft_texts; ++k)
    texts_[k]->setVisible(has_field(first_order_->isChecked(), static_cast<DraftText>(k)));
}

QWidget* SystemDialog::make_buttons() {
  state_ = named(plain_label(), "state");
  state_->setWordWrap(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  apply_ = add_button(*buttons, "apply", "&Apply", {});
  run_ = add_button(*buttons, "apply_and_run", "Apply and &run",
                    "Apply the text, close this window and play (Ctrl+Enter)");
  connect(apply_, &QPushButton::clicked, this, [this] { apply(false); });
  connect(run_, &QPushButton::clicked, this, [this] { apply(true); });
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::hide);
  for (QAbstractButton* made : buttons->buttons())
    if (auto* push = qobject_cast<QPushButton*>(made)) push->setAutoDefault(false);
  auto* row = new QWidget;
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(state_, 1);
  layout->addWidget(buttons);
  return row;
}

// Loading

void SystemDialog::show_new() {
  bring_up(*this);
  load_template(0);
}

void SystemDialog::show_present() {
  const auto open = [this] {
    context_.run.update();
    const Snapshot& now = context_.run.snapshot();
    const Scenario& present = *now.present;
    templates_->setCurrentIndex(-1);
    const QString title = to_qstring(present.title);
    if (present.definition)
      return load(draft_of(present_definition(present)),
                  {now.present, context_.document.session().document().opened}, title);
    auto text = as_text(present);
    if (!text) {
      auto* box = message_box(this, QMessageBox::Warning, QStringLiteral("System as text"),
                              QStringLiteral("The system cannot be shown as text"),
                              to_qstring(text.error().text()), QMessageBox::Ok);
      return box->open();
    }
    const SystemDraft draft = draft_of(text->definition->definition());
    load(draft, {std::make_shared<const Scenario>(std::move(*text)), nullptr}, title);
  };
  bring_up(*this);
  if (subject_.base && edited())
    replace_text(QStringLiteral("Replace the text by the system of the run?"), open);
  else
    open();
}

void SystemDialog::show_draft(const QString& text) {
  bring_up(*this);
  const auto recovered = read_draft(text.toStdString(), "the recovered text");
  if (!recovered) return;
  const std::string key = templates_->itemData(0).toString().toStdString();
  auto scenario = read_scenario(recovered->start, "the recovered start");
  const bool has_start = scenario.has_value();
  if (!has_start) scenario = read_scenario(find_preset(key)->text, key);
  if (!scenario) return;
  templates_->setCurrentIndex(-1);
  load(recovered->draft, {std::make_shared<const Scenario>(std::move(*scenario)), nullptr},
       to_qstring(recovered->title));
  loaded_ = {};  // it has not been applied
  start_typed_ = has_start;
  keep_draft();
}

void SystemDialog::replace_text(const QString& question, const std::function<void()>& then) {
  auto* box = message_box(this, QMessageBox::Question, QStringLiteral("A text that is not applied"),
                          question, QStringLiteral("Your changes to it will be lost."),
                          QMessageBox::Cancel);
  QPushButton* replace = box->addButton(QStringLiteral("&Replace"), QMessageBox::DestructiveRole);
  replace->setObjectName(QStringLiteral("replace"));
  connect(replace, &QPushButton::clicked, this, then);
  box->open();
}

void SystemDialog::load_template(int index) {
  const auto open = [this, index] {
    const std::string key = templates_->itemData(index).toString().toStdString();
    auto scenario = read_scenario(find_preset(key)->text, key);
    if (!scenario) return;
    const SystemDraft draft = draft_of(scenario->definition->definition());
    const QString title = to_qstring(scenario->title);
    templates_->setCurrentIndex(index);
    load(draft, {std::make_shared<const Scenario>(std::move(*scenario)), nullptr}, title);
  };
  if (subject_.base && edited())
    replace_text(QStringLiteral("Replace the text by that of the example?"), open);
  else
    open();
}

void SystemDialog::load(const SystemDraft& draft, EditedSystem subject, const QString& title) {
  subject_ = std::move(subject);
  {
    const QSignalBlocker quiet_title(title_), quiet_bodies(bodies_), quiet(parameters_),
        quiet_units(strict_units_), quiet_order(first_order_);
    title_->setText(title);
    bodies_->setValue(draft.bodies);
    strict_units_->setChecked(draft.strict_units);
    first_order_->setChecked(draft.first_order);
    parameters_->set_parameters(draft.parameters);
  }
  show_order();
  for (std::size_t k = 0; k < draft_texts; ++k)
    texts_[k]->editor().set_text(to_qstring(draft.texts[k]));
  loaded_ = read_fields();
  written_ = start_typed_ = false;
  checked_.reset();
  change();
  delay_.stop();
  check();
}

SystemDraft SystemDialog::read_fields() const {
  SystemDraft draft;
  draft.bodies = bodies_->value();
  draft.parameters = parameters_->parameters();
  for (std::size_t k = 0; k < draft_texts; ++k)
    draft.texts[k] = texts_[k]->editor().text().toStdString();
  draft.first_order = first_order_->isChecked();
  draft.strict_units = strict_units_->isChecked();
  return draft;
}

/// What is not applied is kept for recovery, and not lost without a question.
void SystemDialog::keep_draft() {
  if (!edited()) return context_.document.keep_draft({});
  context_.document.keep_draft(
      write_draft({title_->text().toStdString(), read_fields(),
                   start_typed_ ? write_scenario(*subject_.base) : std::string()}));
}

// Checking

void SystemDialog::change() {
  if (!subject_.base) return;
  stale_ = true;
  applied_.clear();
  keep_draft();
  show_names();
  show_state();
  delay_.start();
}

void SystemDialog::check() {
  if (checker_.busy() || !subject_.base) return;  // again when it is done
  checking_ = read_fields();
  stale_ = false;
  context_.run.update();
  const Snapshot& shown = context_.run.shown();
  std::optional<State> state;
  if (subject_.document && !shown.lanes.empty()) state = shown.lanes[0].state;
  checker_.start(
      [draft = checking_, base = subject_.base, state]() -> Result<CheckedDraft> {
        return check_draft(draft, *base, state ? &*state : nullptr);
      },
      [this](Result<CheckedDraft> done) {
        if (done) {
          take(std::move(*done));
        } else {
          CheckedDraft failed;
          failed.problems.emplace_back().message = done.error().text();
          take(std::move(failed));
        }
        if (stale_ && !delay_.isActive()) check();
      });
}

void SystemDialog::take(CheckedDraft checked) {
  checked_ = std::move(checked);
  show_problems();
  const bool runs = subject_.document && bodies_->value() == subject_.base->size();
  sheet_->show_values(*checked_, !subject_.document, runs);
  show_state();
  reporting_.request_stop();
  sheet_->clear_report();
  if (checked_->scenario) report_delay_.start();
}

/// What can be said about the system before its first step.
void SystemDialog::report() {
  if (stale_ || !checked_ || !checked_->scenario) return;
  if (reporter_.busy()) return report_delay_.start();
  reporting_ = {};
  reporter_.start(
      [scenario = *checked_->scenario, stop = reporting_.get_token()] {
        return system_report(scenario, stop);
      },
      [this, stop = reporting_.get_token()](const Result<std::optional<SystemReport>>& done) {
        if (!stop.stop_requested() && done && *done)
          sheet_->show_report(**done, ui::colors(context_.viewport.interface().settings().palette));
      });
}

/// Equations and completion follow what can be read of the text.
void SystemDialog::show_names() {
  const Definition definition = unchecked_definition(read_fields());
  QStringList names, formulas;
  for (const std::string& name : names_of(definition)) names << to_qstring(name);
  for (const std::string& equation : equations(definition)) formulas << to_qstring(equation);
  sheet_->set_formulas(formulas);
  for (DefinitionField* field : texts_) field->editor().set_names(names);
}

void SystemDialog::show_problems() {
  const ui::Colors& colors = ui::colors(context_.viewport.interface().settings().palette);
  const std::vector<DraftProblem>& all = checked_->problems;
  for (DefinitionField* field : texts_) field->show_problems(all, colors);
  parameters_->set_problems(all, colors);
  const auto first =
      std::find_if(all.begin(), all.end(), [](const DraftProblem& p) { return p.parameter >= 0; });
  say_problem(*parameter_problem_, first == all.end() ? nullptr : &*first, colors);
}

/// The start of what is checked, with one value that was typed.
void SystemDialog::take_start(int body, bool omega, const Vec3& value) {
  if (!checked_ || !checked_->scenario || subject_.document) return;
  Scenario next = *checked_->scenario;
  if (!omega) next.q.col(body) = value.normalized();
  next.omega.col(body) = tangent(next.q.col(body), omega ? value : next.omega.col(body));
  subject_.base = std::make_shared<const Scenario>(std::move(next));
  start_typed_ = true;
  change();
}

/// Whether plots, colours, the seed and the meanings of names are the same, which a run keeps.
bool same_names(const Definition& a, const Definition& b) {
  return a.plots == b.plots && a.color == b.color && a.seed == b.seed && same_meanings(a, b);
}

/// Whether the run can continue with the text.
bool SystemDialog::live() const {
  return subject_.document && checked_ && checked_->scenario &&
         checked_->scenario->size() == subject_.base->size() &&
         same_names(checked_->scenario->definition->definition(),
                    subject_.base->definition->definition());
}

void SystemDialog::show_state() {
  const bool ready = checked_ && !stale_ && checked_->scenario;
  QString said;
  if (!checked_ || stale_) {
    said = QStringLiteral("Checking …");
  } else if (!checked_->scenario) {
    const DraftProblem& problem = checked_->problems.front();
    const char* field = problem.text             ? DefinitionField::title(*problem.text)
                        : problem.parameter >= 0 ? "Parameters"
                                                 : nullptr;
    said = field ? QStringLiteral("There is an error in %1.").arg(QLatin1String(field))
                 : to_qstring(problem.message);
  } else if (!applied_.isEmpty()) {
    said = applied_;
  } else if (!subject_.document) {
    said = QStringLiteral("Begins a new run.");
  } else if (!live()) {
    said = QStringLiteral("Other bodies, order, plots or colours: begins a new run.");
  } else {
    said = QStringLiteral("The run continues with the text; a jump of the energy counts as work.");
  }
  state_->setText(said);
  apply_->setEnabled(ready);
  run_->setEnabled(ready);
  apply_->setToolTip(plain_tip(subject_.document
                                   ? QStringLiteral("Change the run, as one edit to undo")
                                   : QStringLiteral("Open the system at its start")));
}

// Applying

void SystemDialog::apply(bool run) {
  if (!checked_ || stale_ || !checked_->scenario) return;
  Scenario next = *checked_->scenario;
  next.title = typed(*title_);
  const SystemDraft text = read_fields();
  if (text != loaded_ && !subject_.document) next.description.clear();
  written_ |= text != loaded_ || title_->isModified() || start_typed_;
  // Only then: opening may be refused, or cancelled where it asks whether to save.
  const auto taken = [this, text] {
    loaded_ = text;
    start_typed_ = false;
    keep_draft();
  };
  const auto applied = [this, run](double t) {
    if (run) {
      context_.run.send(Play{});
      hide();
    }
    applied_ = QStringLiteral("Applied at t = %1 s.").arg(t, 0, 'f', 2);
    show_state();
    context_.viewport.request_frame();
  };
  if (live()) {
    taken();
    context_.document.session().change_system(next);
    check();
    applied(context_.run.shown().t);
  } else {
    starting_ = next.definition;
    // Possibly after the question whether to save, unless the text that the run has is the former
    // version of this one.
    context_.document.start(
        next, {}, {.ask = !subject_.document, .written = written_, .then = [this, taken, applied] {
                     taken();
                     follow_document();
                     applied(0);
                   }});
  }
}

/// The text belongs to a document that was opened with it, and no longer to one that was closed.
/// Values of parameters that were changed in the window are taken over, where the text has the
/// former ones.
void SystemDialog::follow_document() {
  const Document& document = context_.document.session().document();
  followed_ = document.settings;
  if (starting_ && document.opened->definition == starting_) {
    subject_ = {document.opened, document.opened};
    starting_.reset();
  } else if (subject_.document && subject_.document != document.opened) {
    subject_.document = nullptr;
    applied_.clear();
  }
  if (subject_.document && document.settings->definition &&
      document.settings->size() == bodies_->value()) {
    subject_.base = document.settings;
    const SystemDraft now = draft_of(present_definition(*document.settings));
    std::vector<SystemDraft::Parameter> typed = parameters_->parameters();
    for (const SystemDraft::Parameter& p : now.parameters)
      for (std::size_t row = 0; row < std::min(typed.size(), loaded_.parameters.size()); ++row) {
        SystemDraft::Parameter& was = loaded_.parameters[row];
        if (typed[row].name != p.name || was.name != p.name || typed[row].value != was.value)
          continue;
        was.value = p.value;
        parameters_->set_value(static_cast<int>(row), to_qstring(p.value));
      }
  }
  show_state();
}

void SystemDialog::follow_palette() {
  const ui::Colors& colors = ui::colors(context_.viewport.interface().settings().palette);
  for (DefinitionField* field : texts_) field->editor().set_palette(colors);
  sheet_->start().set_colors(colors);
  if (checked_) show_problems();
}

void SystemDialog::keyPressEvent(QKeyEvent* event) {
  const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (!enter) return QDialog::keyPressEvent(event);
  if (event->modifiers() & Qt::ControlModifier) apply(true);
}

void SystemDialog::changeEvent(QEvent* event) {
  QDialog::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && run_) follow_palette();
}

namespace {

void show_system(QDialog& dialog, const DialogContext& /*context*/, const QString& topic) {
  auto& editor = static_cast<SystemDialog&>(dialog);
  if (topic == QLatin1String("new"))
    editor.show_new();
  else if (topic.startsWith(QLatin1Char('{')))
    editor.show_draft(topic);
  else
    editor.show_present();
}

}  // namespace

DialogRecord system_dialog() {
  return {.key = "system",
          .title = QStringLiteral("System as text"),
          .make = make_dialog<SystemDialog>,
          .show = show_system};
}

}  // namespace twosphere

#include "moc_system_dialog.cpp"
