// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/sweep_process.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <unistd.h>

#include <QCoreApplication>

namespace twosphere {

namespace {

constexpr int patience = 10'000;  // [ms] for its last rows
constexpr int niceness = 5;       // the window goes first

}  // namespace

SweepProcess::SweepProcess(QObject* parent) : QObject(parent), process_(this) {
  process_.setProgram(QCoreApplication::applicationFilePath());
  process_.setStandardOutputFile(QProcess::nullDevice());
  process_.setChildProcessModifier([] {
    (void)::nice(niceness);
    ::prctl(PR_SET_PDEATHSIG, SIGINT);
  });
  connect(&process_, &QProcess::finished, this, &SweepProcess::report);
  connect(&process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) Q_EMIT ended(process_.errorString());
  });
}

SweepProcess::~SweepProcess() {
  if (!running()) return;
  process_.disconnect(this);
  stop();
  if (process_.waitForFinished(patience)) return;
  process_.kill();
  process_.waitForFinished();
}

void SweepProcess::start(const QString& folder) {
  stopping_ = false;
  process_.setArguments(
      {QStringLiteral("sweep"), QStringLiteral("run"), folder, QStringLiteral("--quiet")});
  process_.start(QIODevice::ReadOnly);
}

void SweepProcess::stop() {
  stopping_ = true;
  if (const qint64 id = process_.processId(); id > 0) ::kill(static_cast<pid_t>(id), SIGINT);
}

void SweepProcess::report(int code, QProcess::ExitStatus how) {
  const QString said = QString::fromUtf8(process_.readAllStandardError()).trimmed();
  if (stopping_ || (how == QProcess::NormalExit && code == 0)) {
    Q_EMIT ended({});
  } else if (how == QProcess::CrashExit) {
    Q_EMIT ended(QStringLiteral("The process that ran the tasks was ended by signal %1. Its rows "
                                "are kept; Continue runs the tasks that are left.")
                     .arg(code));
  } else {
    Q_EMIT ended(said.isEmpty() ? QStringLiteral("The process ended with status %1.").arg(code)
                                : said);
  }
}

}  // namespace twosphere

#include "moc_sweep_process.cpp"
