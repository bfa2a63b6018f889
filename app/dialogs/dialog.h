// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/dialogs/dialog_settings.h"
#include "ui/shell/actions.h"

class QMainWindow;

namespace twosphere {

class DocumentController;
class ExportController;
class LiveRun;
class Viewport;

/// What dialogs are made with: what they are about, and whom they give what the user chose.
struct DialogContext {
  QMainWindow& window;  ///< the parent
  LiveRun& run;
  Viewport& viewport;
  DocumentController& document;
  ExportController& exports;
  DialogSettings& settings;
  std::function<void(ui::Action)> perform;  ///< carries out an action of the window
  std::function<void(const std::string& name)> begin_tour;
  /// Carries out an instruction of the help page of a preset: "set:integrator.step=0.005".
  std::function<void(const QString& preset, const QString& instruction)> do_exercise;
  /// Dialogs::open()
  std::function<void(std::string_view key, const QString& topic)> open{};
};

/// DialogRecord::make of a class that takes the context.
template <class Made>
QDialog* make_dialog(const DialogContext& context) {
  return new Made(context);
}

/// A dialog: one record, made beside the dialog itself. One that asks and goes has `make` alone.
/// One that stays beside the window, made once, has `show` too.
struct DialogRecord {
  std::string_view key;  ///< what it is opened by: Dialogs::open("video")
  QString title;
  /// A child of the window, with its results connected to where they go.
  QDialog* (*make)(const DialogContext&);
  /// Shows it with a topic; without one, what it chooses itself.
  void (*show)(QDialog&, const DialogContext&, const QString& topic) = nullptr;
};

/// Shows a dialog above the other windows, with the keyboard's focus.
void bring_up(QDialog& dialog);
/// All there are.
const std::vector<DialogRecord>& dialog_records();

/// Opens dialogs by their records. Owns those that stay; the window calls it.
class Dialogs {
 public:
  explicit Dialogs(DialogContext context);

  /// Takes the results of the run so far first. Does not wait for the dialog.
  void open(std::string_view key, const QString& topic = {});

 private:
  DialogContext context_;
  std::map<std::string_view, std::unique_ptr<QDialog>> dialogs_;
};

}  // namespace twosphere
