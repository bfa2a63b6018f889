// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/definition_field.h"

#include <QLabel>
#include <QVBoxLayout>
#include <array>
#include <string>

#include "app/base/qt_text.h"
#include "app/dialogs/widgets.h"

namespace twosphere {

namespace {

constexpr int above = 10;  // [px]

struct FieldLabel {
  const char *title, *hint;
};
/// By DraftText.
constexpr std::array<FieldLabel, draft_texts> labels{{
    {"Definitions", "names for expressions, one in each line: x[i] = l*q[i]"},
    {"Inertia M", "diag(i: m[i]*l[i]^2), chain(m, l), rod(mu, l, D) or matrix(i, j: …)"},
    {"Potential V", "an expression of the directions q[i], in J"},
    {"Strength κ", "a number for all bodies, a list or i: kappa[i], in J s; none if it is empty"},
    {"Hamiltonian H", "an expression of the directions q[i], in J"},
    {"Damping c", "as the strength, in N m s; none if it is empty"},
    {"Temperature k_BT",
     "of a heat bath, a constant in J; none if it is empty; it needs a damping"},
    {"Seed", "of the noise of the heat bath, a whole number; 0 if it is empty"},
    {"Frame rotation Ω", "a constant vector, in rad/s: [0, 0, 0.1]; none if it is empty"},
    {"Gyroscopic terms G",
     "a number that is linear in velocities v[i], in J: B*e3.cross(q[0], v[0])"},
    {"Lagrangian L",
     "of q[i] and v[i], in J, in place of the fields above: m/2*norm(v[0])^2 + 9.81*e3.q[0]"},
    {"Forces", "generalised forces on q[i], one in each line: f[0] = 0.2*sin(t)*e1"},
    {"Torques", "one in each line: torque[i] = -c*w[i] is friction"},
    {"Figure", "what is drawn: ball(x[i], m[i]), rod(x[i-1], x[i]), arrow, spring, sphere()"},
    {"Plots", "curves of your own, one in each line: height: -e3.x[0]"},
    {"Colour", "of every body by a quantity, with its index: height: -e3.x[i]"},
}};

const FieldLabel& label_of(DraftText field) { return labels.at(static_cast<std::size_t>(field)); }

}  // namespace

DefinitionField::DefinitionField(DraftText field) : field_(field) {
  const FieldLabel& label = label_of(field);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, above, 0, 0);
  column->setSpacing(2);
  QLabel* title = html_lines("");
  title->setText(QStringLiteral("<b>%1</b>&nbsp; <small>%2</small>")
                     .arg(label.title, QString(label.hint).toHtmlEscaped()));
  column->addWidget(title);
  const std::string key(draft_keys.at(static_cast<std::size_t>(field)));
  editor_ = new TextEditor(QLatin1String(key.c_str()), QLatin1String(label.title));
  column->addWidget(editor_);
  problem_ = html_lines((key + "_problem").c_str());
  column->addWidget(problem_);
}

const char* DefinitionField::title(DraftText field) { return label_of(field).title; }

void DefinitionField::show_problems(const std::vector<DraftProblem>& all,
                                    const ui::Colors& colors) {
  std::vector<TextEditor::Problem> places;
  const DraftProblem* first = nullptr;
  for (const DraftProblem& problem : all) {
    if (problem.text != field_) continue;
    if (!first) first = &problem;
    places.push_back({problem.line, problem.column, problem.warning});
  }
  editor_->set_problems(places);
  say_problem(*problem_, first, colors);
}

void say_problem(QLabel& line, const DraftProblem* problem, const ui::Colors& colors) {
  line.setVisible(problem != nullptr);
  if (!problem) return line.clear();
  QString text = QStringLiteral("<span style='color:%1'>%2</span>")
                     .arg(css(problem->warning ? colors.warning : colors.error),
                          to_qstring(problem->message).toHtmlEscaped());
  if (const QString name = to_qstring(problem->unknown); !name.isEmpty())
    text += QStringLiteral(" <a href='%1'>Add parameter %1</a>").arg(name);
  line.setText(text);
}

}  // namespace twosphere
