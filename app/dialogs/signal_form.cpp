// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/signal_form.h"

#include <fmt/format.h>

#include <QFormLayout>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <string>

#include "app/base/qt_text.h"
#include "app/dialogs/expression_field.h"
#include "app/dialogs/widgets.h"
#include "core/scenario/state_signal.h"

namespace twosphere {

SignalForm::SignalForm(QWidget* parent) : QWidget(parent) {
  const auto part = [this](const char* name, const QString& spoken, const QString& tip) {
    return expression_field(this, name, spoken, tip, [this] { Q_EMIT edited(); });
  };
  const QString numbers = expression_tip();
  real_ = part("signal_real", "Real part of the signal", numbers);
  imaginary_ = part("signal_imaginary", "Imaginary part of the signal", numbers + "; empty: 0");
  window_ = named(new QSpinBox(this), "signal_window", "Power of the Hann window",
                  "Power p of the Hann window: over a time T the error of a frequency is of order "
                  "T^−(2p+2), but lines must be farther apart");
  window_->setRange(0, ComplexSignal::max_window);
  connect(window_, &QSpinBox::valueChanged, this, &SignalForm::edited);
  rows_ = new QFormLayout(this);
  rows_->setContentsMargins(0, 0, 0, 0);
  rows_->addRow("Real part", real_);
  rows_->addRow("Imaginary part", imaginary_);
  rows_->addRow("Window power", window_);
}

void SignalForm::set_signal(const ComplexSignal& signal) {
  const QSignalBlocker quiet(window_);
  real_->setText(to_qstring(signal.real));
  imaginary_->setText(to_qstring(signal.imaginary));
  window_->setValue(signal.window);
}

void SignalForm::set_expressions_enabled(bool on) {
  real_->setEnabled(on);
  imaginary_->setEnabled(on);
}

Result<ComplexSignal> SignalForm::signal(const Scenario& scenario) const {
  ComplexSignal signal{typed(*real_), typed(*imaginary_), window_->value()};
  if (signal.real.empty())
    return Error{ErrorKind::usage, "Real part", "must not be empty; it is an expression"};
  const auto made = StateSignal::create(signal, scenario);
  if (made) return signal;
  // "real:column 3"
  const std::string& location = made.error().location;
  const std::size_t end = location.find(':');
  return Error{made.error().kind,
               fmt::format("{}, {}", location.starts_with("real") ? "Real part" : "Imaginary part",
                           location.substr(end + 1)),
               made.error().message};
}

}  // namespace twosphere

#include "moc_signal_form.cpp"
