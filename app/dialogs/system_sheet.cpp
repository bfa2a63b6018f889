// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/system_sheet.h"

#include <fmt/format.h>

#include <QLabel>
#include <QRegularExpression>
#include <QScrollArea>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextCursor>
#include <QVBoxLayout>
#include <cmath>
#include <string>

#include "app/base/formula_view.h"
#include "app/base/labels.h"
#include "app/base/qt_text.h"
#include "app/dialogs/start_table.h"
#include "app/dialogs/widgets.h"
#include "app/session/system_draft.h"
#include "core/scenario/scenario.h"
#include "core/studies/system_report.h"
#include "core/studies/system_report_text.h"
#include "embedded/custom_page.h"

namespace twosphere {

namespace {

constexpr int sheet_gap = 10;  // between parts [px]

/// With a minus sign in place of a hyphen.
std::string shown_number(double x) {
  return fmt::format("{}{:.8g}", x < 0 ? "−" : "", std::abs(x));
}

/// The part of the page on custom systems that explains the language. Fonts put a dot above a
/// letter anywhere.
QString language_page() {
  const auto files = embedded::custom_page();
  const QString page = to_qstring(files[0].text);
  const auto from = page.indexOf(QStringLiteral("## Expressions")),
             to = page.indexOf(QStringLiteral("## Errors"));
  static const QRegularExpression rate(QStringLiteral("q\u0307(ᵢ?)"));
  return page.mid(from, to - from).replace(rate, QStringLiteral("dq\\1/dt"));
}

}  // namespace

SystemSheet::SystemSheet() {
  setObjectName(QStringLiteral("sheet"));
  equations_ = named(new FormulaView, "equations", "Equations");
  values_ = named(plain_label(), "values");
  values_->setWordWrap(true);
  values_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* sheet = new QWidget;
  auto* column = new QVBoxLayout(sheet);
  column->addWidget(equations_);
  column->addSpacing(sheet_gap);
  column->addWidget(values_);
  start_ = new StartTable;
  column->addWidget(start_);
  column->addSpacing(sheet_gap);
  report_ = html_lines("report");
  report_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  column->addWidget(report_);
  column->addStretch(1);
  QScrollArea* scroll = scroll_area(sheet, "Equations and values");
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);

  auto* language = named(new QTextBrowser, "language", "The language");
  language->setOpenLinks(false);
  language->document()->setDocumentMargin(10);
  language->setMarkdown(language_page());
  language->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  for (QTextBlock block = language->document()->begin(); block.isValid(); block = block.next()) {
    QTextBlockFormat format = block.blockFormat();
    format.setNonBreakableLines(false);  // of examples, too
    QTextCursor(block).setBlockFormat(format);
  }

  addTab(scroll, "&Equations");
  addTab(language, "&Language");
}

void SystemSheet::set_formulas(const QStringList& formulas) { equations_->set_formulas(formulas); }
void SystemSheet::clear_report() { report_->clear(); }

void SystemSheet::show_values(const CheckedDraft& checked, bool begins, bool present) {
  const bool shown =
      begins && checked.scenario && checked.scenario->size() <= StartTable::max_bodies;
  start_->setVisible(shown);
  if (!checked.scenario) return values_->clear();
  const bool first_order = info_of(*checked.scenario).first_order;
  if (shown) start_->set_start(checked.scenario->q, checked.scenario->omega, !first_order);
  const char* where = present ? "At the state of the run:" : "At the start:";
  values_->setText(to_qstring(
      first_order ? fmt::format("{}\nH = {} J", where, shown_number(checked.potential))
                  : fmt::format("{}\nV = {} J\nT = {} J\nE = {} J", where,
                                shown_number(checked.potential), shown_number(checked.kinetic),
                                shown_number(checked.potential + checked.kinetic))));
}

void SystemSheet::show_report(const SystemReport& report, const ui::Colors& colors) {
  static const QRegularExpression negative(QStringLiteral("(?<!\\w)-(?=\\d)"));
  QString rows;
  for (const ReportLine& line : report_lines(report)) {
    const bool warning = line.finding == ReportLine::Finding::warning;
    const QString sign = line.finding == ReportLine::Finding::ok ? QStringLiteral("✓ ") : QString();
    const QString value =
        to_qstring(line.value).replace(negative, QStringLiteral("\u2212")).toHtmlEscaped();
    rows += QStringLiteral("<tr><td style='padding-right:10px; color:%1'>%2</td><td>%3</td></tr>")
                .arg(css(colors.dim), to_qstring(line.label).toHtmlEscaped(),
                     warning ? QStringLiteral("<span style='color:%1'>%2</span>")
                                   .arg(css(colors.warning), value)
                             : sign + value);
  }
  report_->setText(QStringLiteral("<b>Before the first step</b><table>%1</table>").arg(rows));
}

}  // namespace twosphere
