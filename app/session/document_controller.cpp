// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/document_controller.h"

#include <fmt/format.h>

#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMainWindow>
#include <QMessageBox>
#include <QPushButton>
#include <QTimer>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/base/file_tasks.h"
#include "app/base/labels.h"
#include "app/base/messages.h"
#include "app/base/qt_text.h"
#include "app/base/user_files.h"
#include "app/session/recent_files.h"
#include "app/session/run_command.h"
#include "app/session/run_opening.h"
#include "core/base/file.h"
#include "core/catalog.h"
#include "core/scenario/branches.h"
#include "core/scenario/page_scenario.h"
#include "core/scenario/reader.h"
#include "core/scenario/writer.h"
#include "core/worker/live_file.h"
#include "ui/interface.h"
#include "ui/plot/plot_spec.h"

namespace twosphere {

namespace {

constexpr std::chrono::milliseconds soon{5};
constexpr const char* json_filter = "Scenarios (*.json);;All files (*)";
constexpr const char* open_filter =
    "Scenarios, live runs and web pages (*.json *.live *.html *.htm);;All files (*)";

/// The file that Save writes after `path` was opened: none after a web page.
QString file_to_save(const QString& path) {
  return is_web_page_file(path.toStdString()) ? QString() : path;
}

/// The text of the scenario with the other runs as branches; none if they do not fit it because its
/// start has changed.
std::optional<std::string> text_with_branches(const Scenario& record, const SavedFamily& family) {
  std::string text = write_scenario(with_branches(record, family));
  if (family.size() > 1 && !read_scenario(text, "")) return {};
  return text;
}

/// Waits for a run. An explicit stride makes the rows independent of the number of steps.
Worker::Captured as_file(std::future<Worker::Captured>& capture) {
  Worker::Captured captured = capture.get();
  captured.record.every = captured.first_stride;
  return captured;
}

/// Whether the run of a scenario, read from `path` unless that is empty, can start. Nothing is
/// changed to find out. Its figure is measured, too, as for the first picture.
Result<void> check_start(const Scenario& scenario, const QString& path) {
  const auto shown = check_shown_lanes(scenario);
  const auto tried = Simulation::create(scenario);
  if (shown && tried) {
    (void)tried->system()->extent();
    return {};
  }
  const Error& error = shown ? tried.error() : shown.error();
  return path.isEmpty() ? error : Error{error.kind, path.toStdString(), error.text()};
}

}  // namespace

DocumentController::DocumentController(QMainWindow& window, LiveRun& run, ui::Interface& interface,
                                       FileTasks& files, Messages& messages, const QString& path)
    : window_(window),
      run_(run),
      interface_(interface),
      files_(files),
      messages_(messages),
      session_(run, interface, file_to_save(path).toStdString()),
      recovery_(window, run, session_, files, messages),
      autosave_(run, session_) {
  if (QFileInfo(path).isFile()) remember_file(path);
  connect(&autosave_, &Autosave::failed, this, [this](const QString& reason) {
    messages_.keep_note(QStringLiteral("The session is not saved for recovery: %1").arg(reason));
  });
}

DocumentController::~DocumentController() = default;

void DocumentController::ask_to_open() {
  files_.ask(QStringLiteral("Open scenario"), QString::fromLatin1(open_filter), {},
             [this](const QString& path) { open(path); });
}

void DocumentController::open(const QString& path, const std::function<void()>& then) {
  if (LiveFileReader::is_live_file(path.toStdString())) return follow(path, then);
  const auto opened = [path, then] {
    remember_file(path);
    if (then) then();
  };
  read(QFileInfo(path).fileName(), file_to_save(path), {.then = opened},
       [file = path.toStdString()](auto* warnings) { return load_scenario(file, warnings); });
}

void DocumentController::follow(const QString& path, const std::function<void()>& then) {
  const std::string file = QFileInfo(path).absoluteFilePath().toStdString();
  const auto opened = LiveFileReader::open(file);
  const auto shown = opened ? check_shown_lanes(opened->record()) : opened.error();
  if (!shown) {
    messages_.show_error(QStringLiteral("The run cannot be followed"),
                         to_qstring(shown.error().text()));
    return;
  }
  ask_to_save([this, then, record = opened->record(), file] {
    messages_.clear_note();  // it refers to the previous run
    session_.follow(record, file);
    remember_file(to_qstring(file));
    if (then) then();
  });
}

void DocumentController::open_preset(const QString& key, const std::function<void()>& then) {
  const Preset* preset = find_preset(key.toStdString());
  read(QFileInfo(key).fileName(), {}, {.ask = session_.has_unsaved_text(), .then = then},
       [preset, key = key.toStdString()](auto* warnings) {
         return preset ? read_scenario(preset->text, preset->key, warnings)
                       : load_scenario(key, warnings);
       });
}

void DocumentController::start(const Scenario& scenario, const QString& path, Opening how) {
  read(to_qstring(scenario.title), path, std::move(how),
       [scenario](auto*) -> Result<Scenario> { return scenario; });
}

void DocumentController::read(const QString& what, const QString& path, Opening how, Load load) {
  const auto work = [this, path, how = std::move(how),
                     load = std::move(load)]() -> Result<FileTasks::Use> {
    std::vector<std::string> warnings;
    auto scenario = load(&warnings);
    if (!scenario) return scenario.error();
    if (const auto can = check_start(*scenario, path); !can) return can.error();
    return FileTasks::Use(
        [=, this, scenario = std::move(*scenario)] { show(scenario, path, warnings, how); });
  };
  files_.read(what, QStringLiteral("The scenario was not opened"), work);
}

void DocumentController::show(const Scenario& scenario, const QString& path,
                              const std::vector<std::string>& warnings, Opening how) {
  std::function<void()> show_view;
  if (scenario.view.kind != json::Kind::null) {
    auto read = view_.read(scenario.view, path.toStdString());
    if (!read) {
      messages_.show_error(QStringLiteral("The scenario was not opened"),
                           to_qstring(read.error().text()));
      return;
    }
    show_view = std::move(*read);
  }
  const auto open = [this, scenario, show_view, path, warnings, written = how.written,
                     then = std::move(how.then)] {
    messages_.clear_note();  // it refers to the previous run
    session_.open(scenario, path.toStdString(), written);
    if (!written) run_.send(Pace{});  // that of the run before may be far from this one's
    if (show_view) show_view();
    for (const std::string& warning : warnings) messages_.show_note(to_qstring(warning));
    if (then) then();
  };
  if (how.ask)
    ask_to_save(open);
  else
    open();
}

void DocumentController::ask_to_save(std::function<void()> then) {
  session_.update();
  if (!session_.modified()) return then();
  const QString name = path().isEmpty() ? title() : QFileInfo(path()).fileName();
  const std::size_t runs = run_.branches().size();
  auto* box = message_box(
      &window_, QMessageBox::Question, QStringLiteral("Unsaved changes"),
      QStringLiteral("Save the changes to %1?").arg(name),
      runs > 1 ? QStringLiteral(
                     "The file will hold all %1 runs from this start. Otherwise those that are "
                     "not in it yet are lost, and so is what was changed.")
                     .arg(runs)
      : session_.has_unsaved_text()
          ? QStringLiteral("The text of its system is in no file.")
          : QStringLiteral("Parameters, integrator or step were changed since the scenario was "
                           "opened or saved."),
      QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
  for (const auto& [button, label] : {std::pair{QMessageBox::Save, QStringLiteral("&Save")},
                                      {QMessageBox::Discard, QStringLiteral("&Discard")},
                                      {QMessageBox::Cancel, QStringLiteral("&Cancel")}})
    box->button(button)->setText(label);
  connect(box, &QMessageBox::finished, this, [this, then = std::move(then)](int answer) {
    if (answer == QMessageBox::Save)
      save(then);
    else if (answer == QMessageBox::Discard)
      then();
  });
  box->open();
}

void DocumentController::ask_to_leave(const std::function<void()>& then) {
  ask_to_save([this, then] {
    if (!autosave_.has_draft()) return then();
    auto* box = message_box(
        &window_, QMessageBox::Question, QStringLiteral("A text that is not applied"),
        QStringLiteral("Discard the text in the editor?"),
        QStringLiteral("It was not applied to a run and is in no file."), QMessageBox::Cancel);
    auto* discard = box->addButton(QStringLiteral("&Discard"), QMessageBox::DestructiveRole);
    discard->setObjectName(QStringLiteral("discard_draft"));
    connect(discard, &QPushButton::clicked, this, then);
    box->open();
  });
}

void DocumentController::save(const std::function<void()>& then) {
  // Do not overwrite the record of a table.
  if (path().isEmpty() || path().endsWith(QLatin1String(".csv.json")))
    save_as(then);
  else
    write_scenario_to(path(), session_.document().with_view, then);
}

void DocumentController::save_as(const std::function<void()>& then) {
  files_.ask(QStringLiteral("Save scenario"), QString::fromLatin1(json_filter),
             suggested_name(QStringLiteral(".json")), [this, then](const QString& to) {
               write_scenario_to(to, session_.document().with_view, then);
             });
}

void DocumentController::save_session() {
  files_.ask(QStringLiteral("Save session"), QString::fromLatin1(json_filter),
             suggested_name(QStringLiteral(".json")),
             [this](const QString& to) { write_scenario_to(to, true, {}); });
}

DocumentController::Chosen& DocumentController::chosen() {
  if (chosen_.of != run_.snapshot().loaded)
    chosen_ = {.of = run_.snapshot().loaded, .section = {}, .signal = {}};
  return chosen_;
}

void DocumentController::set_section(const PoincareSection& section) { chosen().section = section; }

void DocumentController::set_signal(const ComplexSignal& signal) { chosen().signal = signal; }

std::optional<ComplexSignal> DocumentController::measured_signal() const {
  const Snapshot& now = run_.snapshot();
  if (chosen_.of == now.loaded && chosen_.signal) return chosen_.signal;
  return now.present ? now.present->signal : std::nullopt;
}

std::vector<PlottedExpression> DocumentController::plotted() const {
  std::vector<PlottedExpression> all = run_.snapshot().record->plots;
  for (const PlottedExpression& plotted : ui::expressions_of(interface_.settings().plots)) {
    const auto same_name = [&](const PlottedExpression& p) { return p.name == plotted.name; };
    if (std::none_of(all.begin(), all.end(), same_name)) all.push_back(plotted);
  }
  return all;
}

void DocumentController::write_scenario_to(const QString& path, bool with_view,
                                           const std::function<void()>& then) {
  run_.update();
  if (run_.is_switching()) {  // soon the run that is left is among the others
    QTimer::singleShot(soon, this, [=, this] { write_scenario_to(path, with_view, then); });
    return;
  }
  struct Written {
    Scenario record;
    bool complete;  ///< no settings are pending
    bool branched;  ///< with the branches, if any
  };
  files_.background().start(
      [capture = run_.request_capture(), runs = session_.saved_runs(),
       view = with_view ? view_.take() : json::Node(), chosen = chosen(), plotted = plotted(),
       file = path.toStdString()]() -> Result<Written> {
        Worker::Captured captured = as_file(*capture);
        Scenario record = captured.record;
        record.view = view;
        if (view.kind == json::Kind::object)
          write_saved_runs(record.view, with_present(runs, captured), false);
        if (chosen.section) record.section = chosen.section;
        if (chosen.signal) record.signal = chosen.signal;
        record.plots = plotted;
        const auto text = text_with_branches(record, runs.back());
        if (auto done = write_file(file, text ? *text : write_scenario(record)); !done)
          return done.error();
        return Written{std::move(captured.record), captured.pending.empty(), text.has_value()};
      },
      [this, path, with_view, then](Result<Written> written) {
        if (!written) return messages_.report(written.error(), path, {});
        run_.update();
        session_.saved(path.toStdString(), std::move(written->record), written->branched,
                       with_view);
        remember_file(path);
        messages_.report(
            {}, path,
            !written->branched
                ? QStringLiteral("scenario without its branches, which no longer fit")
            : written->complete
                ? with_view ? QStringLiteral("session") : QStringLiteral("scenario")
                : QStringLiteral("scenario without the settings that wait for Rewind"));
        if (then) then();
      });
}

void DocumentController::save_run(int run) {
  run_.update();
  if (!run_.look(run)) return;
  const auto& record = run_.runs().find(run)->record;
  save_alone(record ? *record : *run_.snapshot().record);
}

/// Saves a scenario without changing the document.
void DocumentController::save_alone(const Scenario& record) {
  files_.ask(QStringLiteral("Save the run as a scenario"), QString::fromLatin1(json_filter),
             suggested_name(QStringLiteral(".json")), [this, record](const QString& path) {
               files_.background().start(
                   [record, file = path.toStdString()] {
                     return write_file(file, write_scenario(main_record(record)));
                   },
                   [this, path](const Result<void>& done) {
                     messages_.report(done, path, QStringLiteral("scenario"));
                   });
             });
}

void DocumentController::save_state() {
  const auto write = [this](const QString& path) {
    files_.background().start(
        [capture = run_.request_capture(), file = path.toStdString()]() -> Result<std::int64_t> {
          const Worker::Captured captured = capture->get();
          if (auto done = write_file(file, write_scenario(captured.scenario)); !done)
            return done.error();
          return captured.steps;
        },
        [this, path](const Result<std::int64_t>& step) {
          if (step)
            messages_.report({}, path, QStringLiteral("state at step %1").arg(*step));
          else
            messages_.report(step.error(), path, {});
        });
  };
  files_.ask(QStringLiteral("Save state"), QString::fromLatin1(json_filter),
             suggested_name(QStringLiteral(".state.json")), write);
}

void DocumentController::copy_scenario() {
  files_.background().start(
      [capture = run_.request_capture()]() -> Result<std::pair<QString, bool>> {
        const Worker::Captured captured = as_file(*capture);
        return std::pair(to_qstring(write_scenario(captured.record)), captured.pending.empty());
      },
      [this](const Result<std::pair<QString, bool>>& copied) {
        if (!copied)
          return messages_.show_error(QStringLiteral("The scenario was not copied"),
                                      to_qstring(copied.error().text()));
        QGuiApplication::clipboard()->setText(copied->first);
        messages_.show_note(
            copied->second
                ? QStringLiteral("Scenario copied")
                : QStringLiteral("Scenario copied without the settings that wait for Rewind"));
      });
}

void DocumentController::paste_scenario() {
  read_pasted(QGuiApplication::clipboard()->text(), QStringLiteral("clipboard"));
}

void DocumentController::read_pasted(const QString& content, const QString& source) {
  if (content.trimmed().isEmpty()) {
    messages_.show_error(QStringLiteral("No scenario was pasted"),
                         QStringLiteral("There is no text to paste."));
    return;
  }
  read(source, {}, {}, [text = content.toStdString(), from = source.toStdString()](auto* warnings) {
    return read_scenario(text, from, warnings);
  });
}

void DocumentController::copy_command() {
  const QString file = path().isEmpty() ? QString() : QFileInfo(path()).absoluteFilePath();
  files_.background().start(
      [capture = run_.request_capture(), file = file.toStdString()]() -> Result<std::string> {
        Worker::Captured captured = as_file(*capture);
        return run_command({std::move(captured.record), captured.steps, file});
      },
      [this](const Result<std::string>& line) {
        if (line) {
          QGuiApplication::clipboard()->setText(to_qstring(*line));
          messages_.show_note(QStringLiteral("Copied: %1").arg(to_qstring(*line)));
        } else {
          offer_command_file(to_qstring(line.error().text()));
        }
      });
}

void DocumentController::offer_command_file(const QString& reason) {
  auto* box = message_box(
      &window_, QMessageBox::Question, QStringLiteral("Copy as command"),
      QStringLiteral("A command that repeats this run needs a scenario file"),
      QStringLiteral("%1 Save the scenario first; the command then refers to that file.")
          .arg(reason),
      QMessageBox::Save | QMessageBox::Cancel);
  connect(box, &QMessageBox::finished, this, [this](int answer) {
    if (answer == QMessageBox::Save) save([this] { copy_command(); });
  });
  box->open();
}

QString DocumentController::suggested_name(const QString& suffix) const {
  if (!path().isEmpty()) return QFileInfo(path()).completeBaseName() + suffix;
  return file_name_of(title(), QStringLiteral("scenario")) + suffix;
}

QString DocumentController::path() const { return to_qstring(session_.document().path); }

QString DocumentController::live_file() const { return to_qstring(session_.document().live_file); }

QString DocumentController::title() const { return to_qstring(session_.document().opened->title); }

void DocumentController::close() { recovery_.close(); }

void DocumentController::leave() {
  run_.send(Pause{});  // so that a long step in progress does not delay closing
  // The file of a session that is being recovered is still there.
  if (!recovery_.is_running() || has_unsaved()) autosave_.leave_behind();
  recovery_.leave();
}

}  // namespace twosphere

#include "moc_document_controller.cpp"
