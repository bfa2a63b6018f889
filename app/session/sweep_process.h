// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QProcess>
#include <QString>

namespace twosphere {

/// Runs the tasks of a sweep with `twosphere sweep run`, in another process: its crash costs at
/// most the rows of the last two seconds. It ends with this object, and with the window.
class SweepProcess : public QObject {
  Q_OBJECT
 public:
  explicit SweepProcess(QObject* parent);
  /// Stops it and waits until it has written its rows.
  ~SweepProcess() override;

  void start(const QString& folder);
  /// Lets it write its rows and end.
  void stop();
  bool running() const { return process_.state() != QProcess::NotRunning; }

 Q_SIGNALS:
  /// It has ended; with the reason if it failed.
  void ended(const QString& problem);

 private:
  void report(int code, QProcess::ExitStatus how);

  QProcess process_;
  bool stopping_ = false;
};

}  // namespace twosphere
