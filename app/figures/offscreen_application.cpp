// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/figures/offscreen_application.h"

#include <QGuiApplication>
#include <QString>
#include <QtGlobal>
#include <clocale>
#include <cstdio>

namespace twosphere {

namespace {

char program_name[] = "twosphere", option[] = "-platform", platform[] = "offscreen";

/// Suppresses messages of Qt about the window system.
void on_qt_message(QtMsgType type, const QMessageLogContext&, const QString& message) {
  if (type == QtCriticalMsg || type == QtFatalMsg)
    std::fprintf(stderr, "twosphere: %s\n", message.toUtf8().constData());
}

}  // namespace

Offscreen::Offscreen() : argv_{program_name, option, platform, nullptr} {
  qInstallMessageHandler(on_qt_message);
  application_ = std::make_unique<QGuiApplication>(argc_, argv_.data());
  std::setlocale(LC_NUMERIC, "C");
}

Offscreen::~Offscreen() = default;

}  // namespace twosphere
