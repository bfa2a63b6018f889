// SPDX-License-Identifier: GPL-3.0-or-later
#include <QMainWindow>
#include <QMessageBox>

#include "app/dialogs/dialog.h"
#include "app/scene/viewport.h"
#include "core/base/version.h"

namespace twosphere {

namespace {

QDialog* make_about(const DialogContext& context) {
  return new QMessageBox(
      QMessageBox::NoIcon, {},
      QStringLiteral("<h3>twosphere %1</h3><p>Mechanics on products of two-spheres, simulated "
                     "interactively.</p><p>Built with Qt %2, Dear ImGui %3 and Eigen.</p>"
                     "<p>Licence: GNU General Public License, version 3 or later.</p>")
          .arg(QLatin1String(version), QLatin1String(qVersion()), Viewport::imgui_version()),
      QMessageBox::Close, &context.window);
}

}  // namespace

DialogRecord about_dialog() {
  return {.key = "about", .title = QStringLiteral("About twosphere"), .make = make_about};
}

}  // namespace twosphere
