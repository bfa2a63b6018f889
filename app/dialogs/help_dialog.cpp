// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/help_dialog.h"

#include <QAbstractTextDocumentLayout>
#include <QComboBox>
#include <QDesktopServices>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeySequence>
#include <QList>
#include <QMainWindow>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextCharFormat>
#include <QTextCursor>
#include <QTextFragment>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>
#include <QVariant>
#include <utility>

#include "app/base/formula_view.h"
#include "app/base/labels.h"
#include "app/base/qt_text.h"
#include "app/dialogs/dialog.h"
#include "app/dialogs/widgets.h"
#include "app/scene/preset_pictures.h"
#include "app/session/document_controller.h"
#include "core/catalog.h"
#include "ui/shell/preset_list.h"

namespace twosphere {
namespace {

// "qrc:/help/three_body.md"; another scheme would be opened by the web browser.
QUrl address(const QString& preset) {
  return QUrl(QStringLiteral("qrc:/help/") + preset + QStringLiteral(".md"));
}

constexpr const char* formula_scheme = "formula";
constexpr const char* instruction_scheme = "do";

// A dot above a letter is lost before an index that is a separate letter; "k_p" has no such
// letter.
QString with_indices(QString line) {
  static const QRegularExpression written(QStringLiteral("\\b(\\p{L})_(\\p{L})\\b"));
  line.replace(written, QStringLiteral("\\1<sub>\\2</sub>"));
  static const QString letters = QStringLiteral("₀₁₂₃₄₅₆₇₈₉ᵢⱼₖₙ"),
                       plain = QStringLiteral("0123456789ijkn");
  QString result;
  bool dotted = false, open = false;
  for (const QChar c : line) {
    const auto at = letters.indexOf(c);
    if (at >= 0 && (dotted || open)) {
      if (!open) result += QStringLiteral("<sub>");
      open = true;
      result += plain[at];
    } else {
      if (open) result += QStringLiteral("</sub>");
      open = false;
      result += c;
    }
    dotted = c == QChar(0x307) || c == QChar(0x308);
  }
  return open ? result + QStringLiteral("</sub>") : result;
}

// Lines of equations, which are indented by four, become pictures of them. One after another stand
// in one paragraph.
QString with_formulas(const QString& markdown) {
  QStringList lines = markdown.split(QLatin1Char('\n'));
  for (QString& line : lines) {
    if (!line.startsWith(QLatin1String("    "))) {
      line = with_indices(line);
      continue;
    }
    QStringList parts;
    for (const QString& part : line.trimmed().split(QStringLiteral(",  "))) {
      // A name of one plain word: Qt puts the picture once for every piece of it.
      parts << QStringLiteral("![equation](%1:%2)")
                   .arg(QLatin1String(formula_scheme),
                        QString::fromLatin1(QUrl::toPercentEncoding(part)));
    }
    line = QStringLiteral("&nbsp;&nbsp;&nbsp;&nbsp;") + parts.join(QStringLiteral(" &emsp; "));
  }
  return lines.join(QLatin1Char('\n'));
}

// A button has room at both ends, and is not broken between its words. Its instruction may have
// spaces and brackets, which Markdown takes in no address.
QString with_buttons(QString markdown) {
  static const QRegularExpression button(QStringLiteral("\\[([^\\]]+)\\]\\(do:(.+)\\)$"),
                                         QRegularExpression::MultilineOption);
  for (qsizetype from = 0;;) {
    const QRegularExpressionMatch found = button.match(markdown, from);
    if (!found.hasMatch()) return markdown;
    const QString label = QStringLiteral("\u00a0%1\u00a0")
                              .arg(found.captured(1))
                              .replace(QLatin1Char(' '), QChar::Nbsp);
    const QByteArray address = QUrl::toPercentEncoding(found.captured(2), ":=");
    const QString link = QStringLiteral("[%1](do:%2)").arg(label, QString::fromLatin1(address));
    markdown.replace(found.capturedStart(), found.capturedLength(), link);
    from = found.capturedStart() + link.size();
  }
}

// A page with its picture, and links to all others.
QString page(const Preset& preset) {
  QString markdown = with_formulas(with_buttons(to_qstring(preset.help)));
  const auto first = markdown.indexOf(QLatin1Char('\n'));
  const QString name = to_qstring(preset.key);
  markdown.insert(first < 0 ? markdown.size() : first,
                  QStringLiteral("\n\n![picture](/help/%1.jpg)\n").arg(name));
  QStringList others;
  for (const ui::PresetEntry& entry : ui::preset_entries())
    if (entry.key != preset.key)
      others.push_back(
          QStringLiteral("[%1](/help/%2.md)").arg(to_qstring(entry.title), to_qstring(entry.key)));
  return markdown + QStringLiteral("\n\n---\n\nOther presets: ") +
         others.join(QStringLiteral(" · ")) + QLatin1Char('\n');
}

// The preset of a page, or of a picture in one.
QString preset_of(const QUrl& address) {
  return address.path().remove(QStringLiteral("/help/")).section(QLatin1Char('.'), 0, 0);
}

}  // namespace

QVariant HelpBrowser::loadResource(int type, const QUrl& name) {
  if (name.scheme() == QLatin1String(formula_scheme))
    return formula_picture(QUrl::fromPercentEncoding(name.path(QUrl::FullyEncoded).toLatin1()),
                           font(), palette().color(QPalette::Text), devicePixelRatioF());
  const Preset* preset = find_preset(preset_of(name).toStdString());
  if (!preset) return {};
  if (type == QTextDocument::ImageResource)
    return preset_picture(preset->key, palette().color(QPalette::Base).lightness() > 127);
  return page(*preset);
}

HelpBrowser::HelpBrowser(QWidget* parent) : QTextBrowser(parent) {
  connect(this, &QTextBrowser::sourceChanged, this, [this] { draw_buttons(); });
}

// Colours of links and pictures are those of the palette that the page was made with.
void HelpBrowser::changeEvent(QEvent* event) {
  QTextBrowser::changeEvent(event);
  if (event->type() != QEvent::PaletteChange || source().isEmpty()) return;
  reload();
  draw_buttons();
}

void HelpBrowser::draw_buttons() {
  QTextCharFormat look;
  look.setBackground(palette().highlight());
  look.setForeground(palette().highlightedText());
  look.setFontUnderline(false);
  const QString beginning = QLatin1String(instruction_scheme) + QLatin1Char(':');
  QList<std::pair<int, int>> buttons;
  for (QTextBlock block = document()->begin(); block.isValid(); block = block.next())
    for (auto part = block.begin(); !part.atEnd(); ++part)
      if (const QTextFragment text = part.fragment();
          text.charFormat().anchorHref().startsWith(beginning))
        buttons.push_back({text.position(), text.position() + text.length()});
  QTextCursor cursor(document());
  for (const auto& [from, to] : buttons) {
    cursor.setPosition(from);
    cursor.setPosition(to, QTextCursor::KeepAnchor);
    cursor.mergeCharFormat(look);
  }
}

HelpDialog::HelpDialog(QWidget* parent, DoExercise do_exercise)
    : QDialog(parent),
      do_exercise_(std::move(do_exercise)),
      browser_(new HelpBrowser),
      pages_(new QComboBox) {
  setObjectName(QStringLiteral("help"));
  resize(720, 680);
  set_names(*browser_, "page", "Help page", {});
  browser_->setOpenLinks(false);
  browser_->document()->setDocumentMargin(14);
  set_names(*pages_, "pages", "Pages", {});
  for (const ui::PresetEntry& entry : ui::preset_entries())
    pages_->addItem(to_qstring(entry.title), to_qstring(entry.key));

  auto* row = new QHBoxLayout;
  const auto button = [&](Qt::ArrowType arrow, const QString& tip, QKeySequence::StandardKey key) {
    auto* made = named(new QToolButton, "", tip, tip);
    made->setArrowType(arrow);
    made->setShortcut(QKeySequence(key));
    made->setEnabled(false);
    row->addWidget(made);
    return made;
  };
  auto* back = button(Qt::LeftArrow, QStringLiteral("Back"), QKeySequence::Back);
  auto* forward = button(Qt::RightArrow, QStringLiteral("Forward"), QKeySequence::Forward);
  row->addWidget(pages_, 1);
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(row);
  layout->addWidget(browser_, 1);

  connect(back, &QToolButton::clicked, browser_, &QTextBrowser::backward);
  connect(forward, &QToolButton::clicked, browser_, &QTextBrowser::forward);
  connect(browser_, &QTextBrowser::backwardAvailable, back, &QWidget::setEnabled);
  connect(browser_, &QTextBrowser::forwardAvailable, forward, &QWidget::setEnabled);
  connect(browser_, &QTextBrowser::anchorClicked, this, &HelpDialog::follow);
  connect(pages_, &QComboBox::activated, this,
          [this](int index) { show_page(pages_->itemData(index).toString()); });
  connect(browser_, &QTextBrowser::sourceChanged, this, [this](const QUrl& source) {
    pages_->setCurrentIndex(pages_->findData(preset_of(source)));
    setWindowTitle(QStringLiteral("Help: %1").arg(pages_->currentText()));
  });
}

/// A button acts on the run, and the page stays; another page of help is shown here, and what is
/// not of the program by the web browser.
void HelpDialog::follow(const QUrl& link) {
  if (link.scheme() == QLatin1String(instruction_scheme)) {
    if (do_exercise_) do_exercise_(preset_of(browser_->source()), link.path(QUrl::FullyDecoded));
  } else if (link.scheme() == QLatin1String("qrc")) {
    browser_->setSource(link, QTextDocument::MarkdownResource);
  } else {
    QDesktopServices::openUrl(link);
  }
}

void HelpDialog::show_page(const QString& preset, const QString& heading) {
  if (const QUrl page = address(preset); browser_->source() != page)
    browser_->setSource(page, QTextDocument::MarkdownResource);
  bring_up(*this);
  browser_->setFocus();
  const QTextDocument& page = *browser_->document();
  for (QTextBlock block = page.begin(); block.isValid() && !heading.isEmpty(); block = block.next())
    if (block.blockFormat().headingLevel() > 0 && block.text() == heading)
      browser_->verticalScrollBar()->setValue(
          static_cast<int>(page.documentLayout()->blockBoundingRect(block).top()));
}

namespace {

/// A preset, "three_body" or "three_body#Exercises", or else the open one, or one with its system.
/// Another system as text has no page: then that of the simplest one.
void show_help(QDialog& dialog, const DialogContext& context, const QString& topic) {
  QString page = topic.section(QLatin1Char('#'), 0, 0);
  if (page.isEmpty()) {
    const Scenario& open = *context.document.session().document().opened;
    const ui::PresetEntry* nearest = ui::preset_of(&open);
    for (const ui::PresetEntry& entry : ui::preset_entries())
      if (!nearest && entry.system->key == open.system && same_kind(entry.scenario(), open))
        nearest = &entry;
    page = nearest ? to_qstring(nearest->key) : QStringLiteral("custom/pendulum");
  }
  static_cast<HelpDialog&>(dialog).show_page(page, topic.section(QLatin1Char('#'), 1));
}

}  // namespace

DialogRecord help_dialog() {
  return {.key = "help",
          .title = QStringLiteral("Help"),
          .make = [](const DialogContext& context) -> QDialog* {
            return new HelpDialog(&context.window, context.do_exercise);
          },
          .show = show_help};
}

}  // namespace twosphere

#include "moc_help_dialog.cpp"
