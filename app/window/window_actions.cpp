// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QDesktopServices>
#include <QProcess>
#include <QStandardPaths>
#include <QUrl>
#include <array>
#include <cstddef>
#include <string_view>

#include "app/base/labels.h"
#include "app/base/qt_text.h"
#include "app/base/user_files.h"
#include "app/dialogs/dialog.h"
#include "app/export/export_controller.h"
#include "app/export/video_bar.h"
#include "app/scene/viewport.h"
#include "app/session/document_controller.h"
#include "app/session/recent_files.h"
#include "app/session/user_presets.h"
#include "app/window/main_window.h"
#include "app/window/presentation.h"
#include "app/window/tour_guide.h"
#include "ui/shell/pace.h"

namespace twosphere {

/// The window's part of an action.
struct MainWindow::WindowAction {
  void (*run)(MainWindow&) = nullptr;
  bool (*enabled)(const MainWindow&) = nullptr;  ///< null: always
  std::string_view why_not = {};                 ///< said where it is not
};

const MainWindow::WindowAction& MainWindow::window_action(ui::Action action) {
  static constexpr std::array table{
#define WINDOW(...) []([[maybe_unused]] MainWindow& w) { __VA_ARGS__; }
#define WINDOW_IF(condition, why, ...)                 \
  []([[maybe_unused]] MainWindow& w) { __VA_ARGS__; }, \
      []([[maybe_unused]] const MainWindow& w) { return condition; }, why
#define ACTION(name, place, label, key, help, ...) WindowAction{__VA_ARGS__},
#include "ui/shell/action_list.h"
  };
  return table[static_cast<std::size_t>(action)];
}

void MainWindow::open_documentation() {
  const QString page = documentation_page();
  const auto fail = [this, page] {
    messages_.show_error(
        QStringLiteral("The documentation was not opened"),
        QStringLiteral("No program was found that opens web pages. The first page is %1").arg(page),
        false);
  };
  messages_.show_note(QStringLiteral("The documentation: %1").arg(page));
  // Whether a browser can be opened is known only when this program has ended.
  const QString opener = QStandardPaths::findExecutable(QStringLiteral("xdg-open"));
  if (opener.isEmpty()) {
    if (!QDesktopServices::openUrl(QUrl::fromLocalFile(page))) fail();
    return;
  }
  auto* process = new QProcess;  // without an owner, which would end the browser with the window
  process->setStandardOutputFile(QProcess::nullDevice());
  process->setStandardErrorFile(QProcess::nullDevice());
  connect(process, &QProcess::finished, process, &QObject::deleteLater);
  connect(process, &QProcess::errorOccurred, this, [process, fail](QProcess::ProcessError error) {
    if (error != QProcess::FailedToStart) return;
    process->deleteLater();
    fail();
  });
  connect(process, &QProcess::finished, this, [fail](int status) {
    if (status != 0) fail();
  });
  process->start(opener, {page});
}

void MainWindow::perform(ui::Action action) {
  const WindowAction& own = window_action(action);
  if (own.enabled && !own.enabled(*this)) return;
  if (own.run) own.run(*this);
  guide_->note(action);
  if (!viewport_->handle(action)) return;
  session().update();
  follow_settings();
}

void MainWindow::update_actions() {
  for (const ui::ActionInfo& info : ui::actions()) {
    const WindowAction& own = window_action(info.action);
    if (!own.enabled || !(has_scene_ || info.without_scene)) continue;
    auto* action = findChild<QAction*>(to_qstring(info.id));
    const bool enabled = own.enabled(*this);
    action->setEnabled(enabled);
    const QString help = to_qstring(info.help), why_not = to_qstring(own.why_not);
    action->setToolTip(plain_tip(enabled ? help : help + QLatin1Char('\n') + why_not));
    action->setStatusTip(enabled ? help : why_not);
  }
}

}  // namespace twosphere
