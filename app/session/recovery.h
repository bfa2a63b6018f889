// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <vector>

#include "app/session/saved_session.h"

class QListWidget;
class QPushButton;

namespace twosphere {

/// Asks what to do with sessions that ended without being saved or discarded.
class RecoveryDialog : public QDialog {
  Q_OBJECT
 public:
  RecoveryDialog(std::vector<AbandonedSession> sessions, QWidget* parent);

  /// The session to recover, if the dialog was accepted.
  AbandonedSession take();

 private:
  void discard();
  void choose();

  std::vector<AbandonedSession> sessions_;
  QListWidget* list_;
  QPushButton* recover_;
};

}  // namespace twosphere
