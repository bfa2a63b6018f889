// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/help_dialog.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeySequence>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>
#include <QVariant>

#include "app/preset_pictures.h"
#include "core/catalog.h"
#include "ui/notation.h"
#include "ui/preset_list.h"

namespace twosphere {
namespace {

constexpr QSize opening_size{720, 680};

QString text(std::string_view s) {
  return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size()));
}

// "qrc:/help/three_body.md"; another scheme would be opened by the web browser.
QUrl address(const QString& preset) {
  return QUrl(QStringLiteral("qrc:/help/") + preset + QStringLiteral(".md"));
}

// A page with its picture, and links to all others.
QString page(const Preset& preset) {
  QString markdown = text(ui::with_primes(std::string(preset.help)));
  const auto first = markdown.indexOf(QLatin1Char('\n'));
  const QString name = text(preset.key);
  markdown.insert(first < 0 ? markdown.size() : first,
                  QStringLiteral("\n\n![%1](%1.jpg)\n").arg(name));
  QStringList others;
  for (const ui::PresetEntry& entry : ui::preset_entries())
    if (entry.key != preset.key)
      others.push_back(QStringLiteral("[%1](%2.md)").arg(text(entry.title), text(entry.key)));
  return markdown + QStringLiteral("\n\n---\n\nOther presets: ") +
         others.join(QStringLiteral(" · ")) + QLatin1Char('\n');
}

// The preset of a page, or of a picture in one.
QString preset_of(const QUrl& address) {
  return address.path().section(QLatin1Char('/'), -1).section(QLatin1Char('.'), 0, 0);
}

}  // namespace

QVariant HelpBrowser::loadResource(int type, const QUrl& name) {
  const Preset* preset = find_preset(preset_of(name).toStdString());
  if (!preset) return {};
  if (type == QTextDocument::ImageResource)
    return preset_picture(preset->key, palette().color(QPalette::Base).lightness() > 127);
  return page(*preset);
}

// Colours of links and pictures are those of the palette that the page was made with.
void HelpBrowser::changeEvent(QEvent* event) {
  QTextBrowser::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && !source().isEmpty()) reload();
}

HelpDialog::HelpDialog(QWidget* parent)
    : QDialog(parent), browser_(new HelpBrowser), pages_(new QComboBox) {
  setWindowTitle(tr("Help"));
  setObjectName(QStringLiteral("help"));
  resize(opening_size);
  browser_->setObjectName(QStringLiteral("page"));
  browser_->setAccessibleName(tr("Help page"));
  browser_->setOpenExternalLinks(true);
  browser_->document()->setDocumentMargin(14);
  pages_->setObjectName(QStringLiteral("pages"));
  pages_->setAccessibleName(tr("Pages"));
  for (const ui::PresetEntry& entry : ui::preset_entries())
    pages_->addItem(text(entry.title), text(entry.key));

  auto* row = new QHBoxLayout;
  const auto button = [&](Qt::ArrowType arrow, const QString& tip, QKeySequence::StandardKey key) {
    auto* made = new QToolButton;
    made->setArrowType(arrow);
    made->setToolTip(tip);
    made->setAccessibleName(tip);
    made->setShortcut(QKeySequence(key));
    made->setEnabled(false);
    row->addWidget(made);
    return made;
  };
  auto* back = button(Qt::LeftArrow, tr("Back"), QKeySequence::Back);
  auto* forward = button(Qt::RightArrow, tr("Forward"), QKeySequence::Forward);
  row->addWidget(pages_, 1);
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(row);
  layout->addWidget(browser_, 1);

  connect(back, &QToolButton::clicked, browser_, &QTextBrowser::backward);
  connect(forward, &QToolButton::clicked, browser_, &QTextBrowser::forward);
  connect(browser_, &QTextBrowser::backwardAvailable, back, &QWidget::setEnabled);
  connect(browser_, &QTextBrowser::forwardAvailable, forward, &QWidget::setEnabled);
  connect(pages_, &QComboBox::activated, this,
          [this](int index) { show_page(pages_->itemData(index).toString()); });
  connect(browser_, &QTextBrowser::sourceChanged, this, [this](const QUrl& source) {
    pages_->setCurrentIndex(pages_->findData(preset_of(source)));
    setWindowTitle(tr("Help: %1").arg(pages_->currentText()));
  });
}

void HelpDialog::show_page(const QString& preset) {
  if (const QUrl page = address(preset); browser_->source() != page)
    browser_->setSource(page, QTextDocument::MarkdownResource);
  show();
  raise();
  activateWindow();
  browser_->setFocus();
}

}  // namespace twosphere
