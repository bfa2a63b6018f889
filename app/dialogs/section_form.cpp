// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/section_form.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <algorithm>
#include <string>

#include "app/base/qt_text.h"
#include "app/dialogs/expression_field.h"
#include "app/dialogs/widgets.h"
#include "core/base/json.h"
#include "core/language/evaluate.h"

namespace twosphere {

namespace {

enum SectionKind { surface, strobe };
constexpr std::array axis_keys{"x", "y"};

}  // namespace

SectionForm::SectionForm(QWidget* parent) : QWidget(parent) {
  form_ = new QFormLayout(this);
  form_->setContentsMargins(0, 0, 0, 0);
  const auto list = [this](const char* name, const QStringList& choices, const QString& tip) {
    auto* box = named(new QComboBox(this), name, {}, tip);
    box->addItems(choices);
    connect(box, &QComboBox::activated, this, [this] {
      show_fields();
      Q_EMIT edited();
    });
    return box;
  };
  const auto field = [this](const char* name, const QString& tip) {
    return expression_field(this, name, {}, tip, [this] { Q_EMIT edited(); });
  };
  const QString numbers = expression_tip();
  kind_ =
      list("kind", {"Zero of an expression", "Every period"},
           "A point is taken where the expression passes through zero (Poincaré), or after each "
           "period (stroboscopic)");
  expression_ = field("expression", numbers);
  direction_ = list("direction", {"Rising", "Falling", "Both"},
                    "Whether the expression rises or falls along the run");
  period_ = field("period", "[s]; an expression of the parameters, or a number");
  phase_ = field("phase", "[s]; the points are at phase + j·period");
  coordinates_ = {field("across", numbers), field("up", numbers)};
  form_->addRow("Section type", kind_);
  form_->addRow("Expression", expression_);
  form_->addRow("Direction", direction_);
  form_->addRow("Period", period_);
  form_->addRow("Phase", phase_);
  form_->addRow("Horizontal axis", coordinates_[0]);
  form_->addRow("Vertical axis", coordinates_[1]);
  show_fields();
}

void SectionForm::show_fields() {
  const bool strobes = kind_->currentIndex() == strobe;
  form_->setRowVisible(expression_, !strobes);
  form_->setRowVisible(direction_, !strobes);
  form_->setRowVisible(period_, strobes);
  form_->setRowVisible(phase_, strobes);
}

void SectionForm::set_section(const PoincareSection& section) {
  given_ = section;
  kind_->setCurrentIndex(section.stroboscopic() ? strobe : surface);
  expression_->setText(
      to_qstring(section.stroboscopic() ? std::string("q[0].e2") : section.expression));
  direction_->setCurrentIndex(static_cast<int>(section.direction));
  period_->setText(to_qstring(section.stroboscopic() ? section.period : std::string("1")));
  phase_->setText(to_qstring(json::shortest(section.phase)));
  for (std::size_t k = 0; k < coordinates_.size(); ++k)
    coordinates_[k]->setText(
        k < section.coordinates.size() ? to_qstring(section.coordinates[k].second) : QString());
  show_fields();
}

Result<PoincareSection> SectionForm::section() const {
  PoincareSection section;
  if (kind_->currentIndex() == strobe) {
    section.period = typed(*period_);
    const auto phase = evaluate(typed(*phase_), "s");
    if (!phase) return Error{ErrorKind::usage, "phase", phase.error().text()};
    section.phase = *phase;
  } else {
    section.expression = typed(*expression_);
    if (section.expression.empty())
      return Error{ErrorKind::usage, "expression", "must not be empty; it is zero on the section"};
    section.direction = static_cast<PoincareSection::Direction>(direction_->currentIndex());
  }
  section.coordinates = given_.coordinates;
  section.coordinates.resize(std::max(section.coordinates.size(), coordinates_.size()));
  for (std::size_t k = 0; k < coordinates_.size(); ++k) {
    auto& [name, expression] = section.coordinates[k];
    const std::string text = typed(*coordinates_[k]);
    if (name.empty() || text != expression) name = axis_keys[k];
    expression = text;
  }
  return section;
}

}  // namespace twosphere

#include "moc_section_form.cpp"
