// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

class QLabel;

namespace twosphere {

/// The folder of a sweep in one line: its path, without its middle where there is no room, whole in
/// the tooltip, and a button that copies it. Hidden as long as there is none.
class SweepPath : public QWidget {
  Q_OBJECT
 public:
  explicit SweepPath(QWidget* parent);

  void show_path(const QString& path);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void fit();

  QString path_;
  QLabel* label_;
};

}  // namespace twosphere
