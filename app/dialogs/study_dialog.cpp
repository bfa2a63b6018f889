// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/study_dialog.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMainWindow>
#include <QProgressBar>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "app/base/qt_text.h"
#include "app/base/user_files.h"
#include "app/dialogs/widgets.h"
#include "app/export/export_controller.h"
#include "app/scene/viewport.h"
#include "app/session/live_run.h"
#include "core/base/thread_pool.h"

namespace twosphere {

namespace {

constexpr double share_of_screen = 0.92;      // at most
constexpr std::int64_t shortest_pause = 250;  // [ms]

/// What each study is good for, by the name of its dialog.
constexpr std::array<std::pair<std::string_view, const char*>, 7> purposes{
    {{"section_dialog",
      "Points where the motion crosses a plane: a curve is regular, a scatter chaotic."},
     {"frequencies_dialog",
      "The fundamental frequencies of the motion: where they stay, it is regular; where they "
      "drift, chaotic."},
     {"pair_distribution_dialog",
      "How often two directions are an angle apart: peaks are the distances of neighbours, 1 is no "
      "order."},
     {"orbits_dialog",
      "Where the system can rest, how it moves near there, and which motions repeat themselves: "
      "all others run between these."},
     {"sweep_dialog",
      "How a result depends on settings: its map shows where one kind of motion ends and another "
      "begins."},
     {"order_dialog",
      "Errors against step and cost: the slope is the order of a method, the lowest curve the "
      "cheapest method."},
     {"paper_figures_dialog",
      "The figures of the 2009 paper, computed again, and the printed numbers beside ours."}}};

}  // namespace

StudyDialog::StudyDialog(const DialogContext& context, const char* name, QSize size, Follows what)
    : QDialog(&context.window),
      context_(context),
      results_(new QVBoxLayout),
      row_(new QHBoxLayout),
      problem_(text_lines(*this, "problem")),
      follows_(what) {
  setObjectName(QLatin1String(name));
  resize(size.boundedTo(screen()->availableSize() * share_of_screen));
  problem_->hide();
  timer_.setInterval(interval);
  connect(&timer_, &QTimer::timeout, this, &StudyDialog::poll);
  connect(this, &QDialog::finished, this, &StudyDialog::cancel);
}

StudyDialog::~StudyDialog() { cancel(); }

void StudyDialog::prepare(const QString& /*topic*/) {}

QPushButton* StudyDialog::add_button(const char* name, const QString& label, const QString& tip,
                                     std::function<void()> pressed) {
  QPushButton* made = push_button(*this, name, label, tip);
  row_->addWidget(made);
  connect(made, &QPushButton::clicked, this, std::move(pressed));
  return made;
}

void StudyDialog::add_exports(const char* rows, const char* what,
                              std::function<std::string(bool)> table) {
  const QString of = QLatin1String(rows);
  const auto name = [this, what] {
    return file_name(context_.run.snapshot().present->title, "run", what);
  };
  QPushButton* copy =
      add_button("copy", "&Copy table",
                 QStringLiteral("Copy the %1 at full precision, for a spreadsheet").arg(of),
                 [table] { QGuiApplication::clipboard()->setText(to_qstring(table(true))); });
  row_->addStretch(1);
  QPushButton* csv = add_button(
      "save_table", "Save &table…", QStringLiteral("Write the %1 at full precision as CSV").arg(of),
      [this, table, name] { context_.exports.save_table(table(false), name()); });
  QPushButton* figure =
      add_button("save_figure", "Save &figure…", "Write the picture as PDF, SVG or PNG",
                 [this, name] { context_.exports.save_paper_figure(*exported_, name()); });
  export_buttons_ = {copy, csv, figure};
  set_exported({});
}

void StudyDialog::set_exported(std::optional<Figure> picture) {
  exported_ = std::move(picture);
  for (QPushButton* button : export_buttons_) button->setEnabled(exported_.has_value());
}

QProgressBar* StudyDialog::make_bar(const QString& spoken) {
  bar_ = named(new QProgressBar(this), "progress", spoken);
  bar_->hide();
  return bar_;
}

void StudyDialog::lay_out(QWidget* fields, const QString& close_tip) {
  add_button("close", "Close", close_tip, [this] { reject(); });
  results_->addWidget(problem_);
  auto* both = new QHBoxLayout;
  if (fields) {
    fields_ = scrolling_column(*this, *fields);
    fields_->setMaximumWidth(fields_->minimumWidth());
    both->addWidget(fields_);
  }
  both->addLayout(results_, 1);
  auto* all = new QVBoxLayout(this);
  const auto purpose = std::find_if(purposes.begin(), purposes.end(), [this](const auto& one) {
    return objectName() == to_qstring(one.first);
  });
  if (purpose != purposes.end()) {
    QLabel* const line = text_lines(*this, "purpose");
    line->setText(QString::fromUtf8(purpose->second));
    all->addWidget(line);
  }
  all->addLayout(both, 1);
  all->addLayout(row_);
}

void StudyDialog::step_aside() {
  const ui::Rect at = context_.viewport.interface().scene();
  const double ratio = context_.viewport.devicePixelRatioF();
  const QRect scene(context_.viewport.mapToGlobal(QPointF(at.x, at.y) / ratio).toPoint(),
                    (QSizeF(at.width, at.height) / ratio).toSize());
  if (!isVisible() || !with_fields_.isNull() || !frameGeometry().intersects(scene)) return;
  with_fields_ = geometry();
  fields_->hide();
  settings_button_->show();
  layout()->activate();
  resize(minimumSizeHint().width(), height());
  const QRect room = screen()->availableGeometry();
  const int wide = frameGeometry().width(), end = scene.right() + 1;
  const int left = std::max(room.left(), scene.left() - wide);
  const int right = std::min(room.right() + 1 - wide, end);
  const auto covered = [&](int x) { return std::min(x + wide, end) - std::max(x, scene.left()); };
  move(covered(right) < covered(left) ? right : left, y());
}

void StudyDialog::add_settings_button() {
  settings_button_ = add_button("settings", "S&ettings", "Show the settings of the study again",
                                [this] { show_fields(); });
  settings_button_->hide();
}

void StudyDialog::show_fields() {
  if (with_fields_.isNull()) return;
  fields_->show();
  settings_button_->hide();
  setGeometry(std::exchange(with_fields_, {}));
}

void StudyDialog::refuse(const QString& why) {
  problem_->setText(why);
  problem_->setVisible(!why.isEmpty());
}

void StudyDialog::begin() {
  stop_ = false;
  done_ = 0;
  all_ = 1;
  work_began_.start();
  timer_.start();
}

void StudyDialog::end() {
  work_took_ = work_began_.elapsed();
  if (follows_ == Follows::nothing) timer_.stop();
}

bool StudyDialog::rested(int times) const {
  return !work_began_.isValid() ||
         work_began_.elapsed() >= std::max(shortest_pause, times * work_took_);
}

bool StudyDialog::proceed(std::size_t done, std::size_t all) {
  done_ = done;
  all_ = all;
  return !stop_;
}

void StudyDialog::poll() {
  bar_->setVisible(busy());
  bar_->setRange(0, static_cast<int>(all_));
  bar_->setValue(static_cast<int>(done_));
}

void StudyDialog::showEvent(QShowEvent* event) {
  QDialog::showEvent(event);
  if (follows_ == Follows::nothing) return;
  timer_.start();
  poll();
}

void StudyDialog::hideEvent(QHideEvent* event) {
  QDialog::hideEvent(event);
  if (follows_ == Follows::run) timer_.stop();
}

QString StudyDialog::file_name(std::string_view title, const char* untitled, const char* what) {
  return QStringLiteral("%1-%2").arg(file_name_of(to_qstring(title), QLatin1String(untitled)),
                                     QLatin1String(what));
}

int StudyDialog::spare_threads() { return std::max(1, processors() - 1); }

void show_study(QDialog& dialog, const DialogContext& /*context*/, const QString& topic) {
  static_cast<StudyDialog&>(dialog).prepare(topic);
  bring_up(dialog);
}

}  // namespace twosphere

#include "moc_study_dialog.cpp"
