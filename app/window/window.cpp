// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/window.h"

#include <sys/socket.h>
#include <unistd.h>

#include <QApplication>
#include <QIcon>
#include <QLocale>
#include <QMessageBox>
#include <QSocketNotifier>
#include <QString>
#include <QSurfaceFormat>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/base/background.h"
#include "app/base/check_box_style.h"
#include "app/base/labels.h"
#include "app/base/qt_text.h"
#include "app/scene/viewport.h"
#include "app/session/plan.h"
#include "app/window/main_window.h"
#include "app/window/view_section.h"
#include "core/base/interrupt.h"
#include "core/base/thread_pool.h"
#include "core/program/back_end.h"
#include "core/tours/tour.h"
#include "core/worker/live_file.h"
#include "ui/shell/tour_names.h"

namespace twosphere {
namespace {

constexpr int no_display = static_cast<int>(ErrorKind::input_output);

// Whether a window can be shown: there is a display, or a platform named by the user.
bool display_expected() {
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
    if (const char* value = std::getenv(name); value && *value) return true;
  return false;
}

int explain_no_display(const char* reason) {
  std::fprintf(stderr,
               "twosphere: the window needs a display%s%s; twosphere run --preset NAME simulates "
               "without one\n",
               *reason ? ": " : "", reason);
  return no_display;
}

// Qt warns and then aborts if it cannot connect to the display: print an error and exit instead.
QByteArray last_warning;

void on_start_message(QtMsgType type, const QMessageLogContext&, const QString& message) {
  if (type == QtFatalMsg) {
    if (last_warning.isEmpty())
      last_warning = message.section(QLatin1Char('\n'), 0, 0).toLocal8Bit();
    std::_Exit(explain_no_display(last_warning.constData()));
  }
  if (type == QtWarningMsg && message.contains(QLatin1String("display")))
    last_warning = message.toLocal8Bit();
}

// Ctrl-C, SIGTERM and the end of the terminal close the window without asking, with exit status
// 128 + signal.
int signal_pipe[2];

void on_signal(int signal) {
  const char byte = static_cast<char>(signal);
  [[maybe_unused]] const auto written = write(signal_pipe[1], &byte, 1);
}

int exit_status = 0;

void watch_signals(QApplication& application, MainWindow& window) {
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, signal_pipe) != 0) return;
  auto* notifier = new QSocketNotifier(signal_pipe[0], QSocketNotifier::Read, &application);
  QObject::connect(notifier, &QSocketNotifier::activated, &window, [&window] {
    char byte = 0;
    if (::read(signal_pipe[0], &byte, 1) != 1) return;
    exit_status = 128 + byte;
    window.leave();
  });
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  if (std::signal(SIGHUP, on_signal) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);  // nohup
}

/// The scenario with which the window is opened.
struct Opening {
  Scenario scenario;
  Simulation simulation;
  std::optional<Tour> tour{};  ///< that is begun in it
};

Result<Opening> read_opening(const WindowOptions& options) {
  std::vector<std::string> warnings;
  auto scenario = open_scenario(options.scenario_path, options.preset, warnings);
  print_messages(warnings);
  if (!scenario) return scenario.error();
  if (const auto shown = check_shown_lanes(*scenario); !shown) return shown.error();
  if (scenario->view.kind != json::Kind::null)
    if (const auto view = read_view_section(scenario->view, options.scenario_path, {}); !view)
      return view.error();
  auto simulation = Simulation::create(*scenario);
  if (!simulation) return simulation.error();
  Opening opening{std::move(*scenario), std::move(*simulation)};
  if (!options.tour.empty()) {
    auto tour = load_tour(options.tour, ui::tour_names());
    if (!tour) {
      Error error = tour.error();
      if (error.location.empty()) error.location = "--tour";
      return error;
    }
    opening.tour = std::move(*tour);
  }
  return opening;
}

/// Whether what is printed can be seen: not where a file manager or a menu started the program.
bool has_terminal() {
  return isatty(STDIN_FILENO) == 1 || isatty(STDOUT_FILENO) == 1 || isatty(STDERR_FILENO) == 1;
}

void show_refusal(const Error& error) {
  auto* box = message_box(nullptr, QMessageBox::Warning, QStringLiteral("twosphere"),
                          QStringLiteral("The scenario was not opened"), to_qstring(error.text()),
                          QMessageBox::Close);
  box->setTextInteractionFlags(Qt::TextSelectableByMouse);
  box->exec();
}

}  // namespace

int run_window(int argc, char** argv, const WindowOptions& options) {
  custom::compile_in_background(true);
  const bool live = LiveFileReader::is_live_file(options.scenario_path);
  auto opening = read_opening(options);
  const int refused = opening ? 0 : report_error(opening.error());
  if (refused != 0 && (has_terminal() || !display_expected())) return refused;
  if (!display_expected()) return explain_no_display("");

  QSurfaceFormat::setDefaultFormat(surface_format());
  const auto default_messages = qInstallMessageHandler(on_start_message);
  QApplication application(argc, argv);
  qInstallMessageHandler(default_messages);
  // Use the same number format everywhere, on the screen and in files.
  std::setlocale(LC_NUMERIC, "C");
  QLocale::setDefault(QLocale::c());
  QApplication::setApplicationName(QStringLiteral("twosphere"));
  QApplication::setDesktopFileName(QStringLiteral("twosphere"));
  // That of the theme, or where the program was not installed for the desktop, of its own prefix.
  const QIcon icon(QApplication::applicationDirPath() +
                   QStringLiteral("/../share/icons/hicolor/scalable/apps/twosphere.svg"));
  QApplication::setWindowIcon(QIcon::fromTheme(QStringLiteral("twosphere"), icon));
  QApplication::setStyle(new CheckBoxStyle);

  if (!opening) {
    show_refusal(opening.error());
    return refused;
  }

  set_threads(std::max(1, threads() - 1));  // leave one processor for drawing

  // A figure that takes long is measured where that can be cancelled: while the window, which shows
  // the usual run until then, opens the file.
  constexpr std::chrono::milliseconds moment(250);
  std::atomic<bool> stop = false;
  const auto measured = std::make_shared<bool>(false);
  Background measuring;
  measuring.start(
      [system = opening->simulation.system(), &stop]() -> Result<void> {
        const Interruptible scope(stop);
        (void)system->extent();
        return {};
      },
      [measured](const Result<void>&) { *measured = true; }, moment);
  const bool later = !*measured && !options.scenario_path.empty();
  if (later) {
    stop = true;
    opening = read_opening({});
  }

  const Scenario& scenario = opening->scenario;
  if (!scenario.branches.empty()) opening->simulation.keep_start();
  const QString path = QString::fromStdString(options.scenario_path);
  MainWindow window(std::move(opening->simulation), live || later ? QString() : path);
  window.run().open_runs(scenario);
  if (scenario.view.kind != json::Kind::null) window.show_view(scenario.view);
  const bool waits = live || later;
  if (waits)
    window.open(path, [&window, present = options.present] {
      if (present) window.present();
    });
  watch_signals(application, window);
  if (!options.named && !options.present) window.greet();
  if (opening->tour) window.begin_tour(std::move(*opening->tour));
  window.show();
  if (options.present && !waits) window.present();
  window.activateWindow();  // without a window manager, a new window gets no keyboard focus
  const int status = QApplication::exec();
  return exit_status != 0 ? exit_status : status;
}

}  // namespace twosphere
