// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QElapsedTimer>
#include <QRect>
#include <QTimer>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/base/background.h"
#include "app/dialogs/dialog.h"
#include "app/figures/figure_file.h"

class QHBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace twosphere {

/// The dialog of a study: a parameter map, a section, frequencies, orders, a figure of the paper.
/// It stays beside the window, whose run continues meanwhile.
///
/// All look alike: a column of fields, the results beside it, then a line that says what is wrong,
/// and a row of buttons. All have the same life. This class has those parts of it that are not of
/// one study alone:
///
///   prepare()  Each time before the dialog is shown, it takes what the window has then: the
///              scenario, or a topic. What the user chose before stays as far as it fits.
///   refuse()   Fields that describe no study are answered in the line of problems, which is hidden
///              while it is empty.
///   compute()  Work begins on another thread, on copies of what it needs. It says by proceed()
///              how much is done. That returns false after cancel(), by the button or by closing,
///              and the work then ends early.
///   poll()     Called every `interval` on the thread of the window: while work is in progress or,
///              of a study that follows the run, while the dialog is visible.
///   a result   arrives on the thread of the window in the function that compute() was given, also
///              after cancel(). None arrives when the dialog is gone: the destructor waits for the
///              work, which therefore uses members of this class alone, or what it owns itself.
///   export     The buttons of the row give what is shown to `context_.exports`, which asks for the
///              file.
///
/// A study is a class derived from this, in NAME_dialog.cpp, whose constructor makes the fields,
/// the results and the buttons, in the order of Tab, and ends with lay_out(). It has only what is
/// its own: what the fields mean, what is computed, and how the result is shown. Two compute
/// elsewhere and poll what comes of it: the tasks of a map run in a process, which continues while
/// the dialog is hidden (SweepProcess); the points of a section are found on a thread that follows
/// the run (SectionFollower). The step check is no such dialog: it has no fields, and its result is
/// a line at each lane.
class StudyDialog : public QDialog {
  Q_OBJECT
 public:
  ~StudyDialog() override;

  /// Takes what the window has now. `topic`: as of Dialogs::open().
  virtual void prepare(const QString& topic);

 protected:
  static constexpr int interval = 100;  ///< [ms]
  enum class Follows { nothing, run };

  StudyDialog(const DialogContext& context, const char* name, QSize size,
              Follows what = Follows::nothing);

  /// Adds a button to the row.
  QPushButton* add_button(const char* name, const QString& label, const QString& tip,
                          std::function<void()> pressed);
  /// Adds the buttons that copy and save the table of a study that follows the run, and save its
  /// picture; they are enabled while there is one. `rows`: those of the table; `what`: the end of
  /// the names of files; `table`: with tabs or as CSV.
  void add_exports(const char* rows, const char* what, std::function<std::string(bool tabs)> table);
  void set_exported(std::optional<Figure> picture);
  /// Adds the bar of progress to the row, or to the results; it is shown while work is in progress.
  QProgressBar* make_bar(const QString& spoken);
  /// Adds the line of problems and the button "Close", and places everything. Without fields the
  /// results have the whole width.
  void lay_out(QWidget* fields, const QString& close_tip = {});

  /// Where the dialog covers a part of the scene of the window: hides the fields, makes it as
  /// narrow as it can be, and moves it to the side where it covers least. A Wayland client cannot
  /// move.
  void step_aside();
  /// Shows the fields again, where the dialog was.
  void show_fields();
  /// Adds the button for that to the row, where step_aside() shows it.
  void add_settings_button();

  /// Says what is wrong; empty: nothing is.
  void refuse(const QString& why);

  /// Calls work(), which returns a Result, on another thread, then take(result) on this one. A
  /// study that shows how much is done begins none while busy().
  template <class Work, class Take>
  void compute(Work work, Take take) {
    begin();
    work_.start(std::move(work), [this, take = std::move(take)](auto result) mutable {
      end();
      take(std::move(result));
    });
  }
  bool busy() const { return work_.busy(); }
  /// Of a study that follows the run: whether the pause after the last computation is over.
  /// Measured from its beginning, it is `times` as long as that took, and at least 250 ms.
  bool rested(int times) const;
  void cancel() { stop_ = true; }
  /// Whether the work in progress, or the last one, was cancelled.
  const std::atomic<bool>& cancelled() const { return stop_; }
  /// Called by the work: so much is done. Returns whether it is to continue.
  bool proceed(std::size_t done, std::size_t all);
  /// Shows that in the bar.
  virtual void poll();

  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

  /// "double_pendulum-orders", from a title, or `untitled` if that is empty.
  static QString file_name(std::string_view title, const char* untitled, const char* what);
  /// Threads for work beside the window, to which one processor is left.
  static int spare_threads();

  const DialogContext context_;
  QVBoxLayout* results_;
  QHBoxLayout* row_;
  QLabel* problem_;
  QProgressBar* bar_ = nullptr;
  QTimer timer_;

 private:
  void begin();
  void end();

  const Follows follows_;
  QScrollArea* fields_ = nullptr;
  QPushButton* settings_button_ = nullptr;
  std::vector<QPushButton*> export_buttons_;
  std::optional<Figure> exported_;
  QRect with_fields_;  // where it was when the fields were hidden
  std::atomic<bool> stop_ = false;
  std::atomic<std::size_t> done_ = 0, all_ = 1;
  QElapsedTimer work_began_;    // since the last computation began
  std::int64_t work_took_ = 0;  // [ms]
  Background work_;             // last: it uses the others
};

/// Prepares a study and brings it up: DialogRecord::show.
void show_study(QDialog& dialog, const DialogContext& context, const QString& topic);

template <class Study>
DialogRecord study_record(std::string_view key, const QString& title) {
  return {.key = key, .title = title, .make = make_dialog<Study>, .show = show_study};
}

}  // namespace twosphere
