// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/text_editor.h"

#include <QEvent>
#include <QFontDatabase>
#include <QKeyEvent>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <QWheelEvent>
#include <algorithm>
#include <exception>
#include <set>
#include <string>
#include <utility>

#include "core/custom/checker.h"
#include "core/language/functions.h"
#include "core/language/lexer.h"

// QScintilla's headers use Qt's keywords, which the project does without.
#define signals Q_SIGNALS
#define slots Q_SLOTS
#include <Qsci/qsciabstractapis.h>
#include <Qsci/qscilexercustom.h>
#include <Qsci/qsciscintilla.h>
#undef signals
#undef slots

namespace twosphere {

namespace {

constexpr int error_mark = 8, warning_mark = 9;  // indicators below 8 belong to lexers
constexpr int tallest = 12;                      // in lines

QColor shade(ui::Color color) { return QColor(static_cast<QRgb>(color.rgb)); }

/// Colours the words of the language.
class Lexer final : public QsciLexerCustom {
 public:
  enum Style { plain, number, word, name, sign };

  explicit Lexer(QObject* parent) : QsciLexerCustom(parent) {}

  const char* language() const override { return "twosphere"; }
  QString description(int style) const override;
  void styleText(int start, int end) override;
  void set_names(std::set<std::string> names) { names_ = std::move(names); }

 private:
  std::set<std::string> names_;
};

QString Lexer::description(int style) const {
  switch (style) {
    case plain:
      return QStringLiteral("Text");
    case number:
      return QStringLiteral("Number");
    case word:
      return QStringLiteral("Word of the language");
    case name:
      return QStringLiteral("Name of the definition");
    case sign:
      return QStringLiteral("Sign");
    default:
      return {};
  }
}

void Lexer::styleText(int /*start*/, int /*end*/) {
  // The texts are short, and what a word means may depend on those before it.
  const std::string all = editor()->text().toStdString();
  startStyling(0);
  std::size_t done = 0;
  const auto paint = [&](std::size_t to, int style) {
    if (to > done) setStyling(static_cast<int>(to - done), style);
    done = std::max(done, to);
  };
  std::size_t begin = 0;
  while (begin < all.size()) {
    const std::size_t end = std::min(all.find('\n', begin), all.size());
    try {
      const language::Source line{"", all.substr(begin, end - begin)};
      for (const language::Token& token : language::tokens(line)) {
        paint(begin + token.begin, plain);
        const bool known = names_.contains(token.text);
        paint(begin + token.end, token.kind == language::Token::Kind::number   ? number
                                 : token.kind == language::Token::Kind::symbol ? sign
                                 : known                                       ? name
                                 : custom::is_reserved(token.text)             ? word
                                                                               : plain);
      }
    } catch (const std::exception&) {
      // A character without a meaning: the message says so.
    }
    paint(std::min(end + 1, all.size()), plain);
    begin = end + 1;
  }
}

/// The words that are completed. QScintilla's own list of them, QsciAPIs, is prepared on a thread
/// that it terminates where an editor is closed meanwhile.
class Completions final : public QsciAbstractAPIs {
 public:
  using QsciAbstractAPIs::QsciAbstractAPIs;

  void set(QStringList words) {
    words_ = std::move(words);
    words_.removeDuplicates();
  }
  void updateAutoCompletionList(const QStringList& context, QStringList& list) override {
    for (const QString& word : std::as_const(words_))
      if (word.startsWith(context.last())) list.append(word);
  }
  QStringList callTips(const QStringList& /*context*/, int /*commas*/,
                       QsciScintilla::CallTipsStyle /*style*/, QList<int>& /*shifts*/) override {
    return {};
  }

 private:
  QStringList words_;
};

}  // namespace

class TextEditor::Editor final : public QsciScintilla {
 public:
  explicit Editor(TextEditor& owner);

  void set_palette(const ui::Colors& colors);
  void set_names(const QStringList& names);
  void set_problems(const std::vector<Problem>& problems);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }
  QRect caret() const;

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  void follow_font();
  int shown_lines() const;
  /// Whether keys go here while the window is in front.
  bool has_caret() const { return window()->focusWidget() == this; }

  TextEditor& owner_;
  Lexer* lexer_;
  Completions* completions_;
};

TextEditor::Editor::Editor(TextEditor& owner)
    : QsciScintilla(&owner),
      owner_(owner),
      lexer_(new Lexer(this)),
      completions_(new Completions(lexer_)) {
  setUtf8(true);
  setEolMode(EolUnix);
  setLexer(lexer_);
  for (int margin = 0; margin < 5; ++margin) setMarginWidth(margin, 0);
  setWrapMode(WrapWord);
  setWrapIndentMode(WrapIndentIndented);
  setIndentationWidth(4);
  setBraceMatching(SloppyBraceMatch);
  setAutoCompletionSource(AcsAPIs);
  setAutoCompletionThreshold(2);
  setAutoCompletionCaseSensitivity(true);
  setAutoCompletionReplaceWord(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setScrollWidthTracking(true);
  indicatorDefine(SquiggleIndicator, error_mark);
  indicatorDefine(DashesIndicator, warning_mark);
  // Keys of the window act in the editor, too.
  SendScintilla(SCI_CLEARCMDKEY, SCK_RETURN + (SCMOD_CTRL << 16));
  connect(this, &QsciScintilla::linesChanged, this, &QWidget::updateGeometry);
  connect(this, &QsciScintilla::textChanged, this, &QWidget::updateGeometry);
  connect(this, &QsciScintilla::cursorPositionChanged, &owner, [this, &owner] {
    if (has_caret()) Q_EMIT owner.caret_moved();
  });
  follow_font();
}

void TextEditor::Editor::follow_font() {
  QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  font.setPointSizeF(QWidget::font().pointSizeF());
  lexer_->setDefaultFont(font);
  lexer_->setFont(font, -1);
  setExtraAscent(2);
  setExtraDescent(2);
  updateGeometry();
}

void TextEditor::Editor::set_palette(const ui::Colors& c) {
  lexer_->setDefaultPaper(shade(c.scene));
  lexer_->setDefaultColor(shade(c.text));
  lexer_->setPaper(shade(c.scene), -1);
  lexer_->setColor(shade(c.text), -1);
  lexer_->setColor(shade(c.dim), Lexer::sign);
  lexer_->setColor(shade(c.accent), Lexer::word);
  lexer_->setColor(shade(c.warning), Lexer::name);
  setCaretForegroundColor(shade(c.text));
  setSelectionBackgroundColor(shade(c.accent));
  setSelectionForegroundColor(shade(c.on_accent));
  setMatchedBraceForegroundColor(shade(c.accent));
  setMatchedBraceBackgroundColor(shade(c.hovered));
  setUnmatchedBraceForegroundColor(shade(c.error));
  setUnmatchedBraceBackgroundColor(shade(c.scene));
  setIndicatorForegroundColor(shade(c.error), error_mark);
  setIndicatorForegroundColor(shade(c.warning), warning_mark);
  recolor();
}

void TextEditor::Editor::set_names(const QStringList& names) {
  QStringList words = names;
  const auto add = [&](std::string_view word) {
    if (word.size() > 3)
      words.append(QLatin1String(word.data(), static_cast<qsizetype>(word.size())));
  };
  for (const std::string_view word : language::function_names) add(word);
  for (const std::string_view word : language::call_names) add(word);
  add("rate");
  completions_->set(std::move(words));
  std::set<std::string> known;
  for (const QString& name : names) known.insert(name.toStdString());
  lexer_->set_names(std::move(known));
  recolor();
}

void TextEditor::Editor::set_problems(const std::vector<Problem>& problems) {
  const int last = lines() - 1;
  for (const int mark : {error_mark, warning_mark})
    clearIndicatorRange(0, 0, last, static_cast<int>(text(last).size()), mark);
  for (const Problem& problem : problems) {
    const int line = std::clamp(problem.line, 0, last);
    QString said = text(line);
    while (said.endsWith(QLatin1Char('\n'))) said.chop(1);
    const int length = static_cast<int>(said.size());
    // A mark needs a character: that before the end where something is missing.
    const int from = std::clamp(problem.column, 0, std::max(length - 1, 0));
    int to = length;
    if (problem.column >= 0) {
      to = from + 1;
      const auto in_word = [&](int at) { return said[at].isLetterOrNumber() || said[at] == u'_'; };
      if (from < length && in_word(from))
        while (to < length && in_word(to)) ++to;
    }
    fillIndicatorRange(line, from, line, std::max(to, from + 1),
                       problem.warning ? warning_mark : error_mark);
  }
}

int TextEditor::Editor::shown_lines() const {
  int count = 0;
  for (int line = 0; line < lines(); ++line)
    count += static_cast<int>(SendScintilla(SCI_WRAPCOUNT, static_cast<unsigned long>(line)));
  return std::clamp(count, 1, tallest);
}

QSize TextEditor::Editor::sizeHint() const {
  return {240, shown_lines() * textHeight(0) + 2 * frameWidth() + 4};
}

QRect TextEditor::Editor::caret() const {
  const long position = SendScintilla(SCI_GETCURRENTPOS);
  const auto coordinate = [&](unsigned int which) {
    return static_cast<int>(SendScintilla(which, 0UL, position));
  };
  return {coordinate(SCI_POINTXFROMPOSITION), coordinate(SCI_POINTYFROMPOSITION), 1, textHeight(0)};
}

bool TextEditor::Editor::event(QEvent* event) {
  if (event->type() == QEvent::FontChange || event->type() == QEvent::ApplicationFontChange)
    follow_font();
  // No shortcut of the window takes a letter that is typed here.
  if (event->type() == QEvent::ShortcutOverride) {
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
    if (enter && (key->modifiers() & Qt::ControlModifier)) return false;
    if (!(key->modifiers() & (Qt::ControlModifier | Qt::AltModifier))) event->accept();
  }
  return QsciScintilla::event(event);
}

void TextEditor::Editor::keyPressEvent(QKeyEvent* event) {
  const bool listing = isListActive();
  const bool forth = event->key() == Qt::Key_Tab, back = event->key() == Qt::Key_Backtab;
  if ((forth || back) && !listing) {
    // QScintilla's own stays in the field.
    QWidget::focusNextPrevChild(forth);  // NOLINT(bugprone-parent-virtual-call)
    return;
  }
  const bool apply = (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) &&
                     (event->modifiers() & Qt::ControlModifier);
  if (apply || (event->key() == Qt::Key_Escape && !listing)) {
    event->ignore();  // the dialog's
    return;
  }
  QsciScintilla::keyPressEvent(event);
}

void TextEditor::Editor::resizeEvent(QResizeEvent* event) {
  QsciScintilla::resizeEvent(event);
  updateGeometry();
  if (has_caret()) Q_EMIT owner_.caret_moved();
}

// The page scrolls, unless there is more text than the field shows.
void TextEditor::Editor::wheelEvent(QWheelEvent* event) {
  if (SendScintilla(SCI_LINESONSCREEN) < SendScintilla(SCI_GETLINECOUNT))
    QsciScintilla::wheelEvent(event);
  else
    event->ignore();
}

TextEditor::TextEditor(const QString& name, const QString& label, QWidget* parent)
    : QWidget(parent), editor_(new Editor(*this)) {
  setObjectName(name);
  editor_->setAccessibleName(label);
  setFocusProxy(editor_);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(editor_);
  connect(editor_, &QsciScintilla::textChanged, this, &TextEditor::changed);
}

QString TextEditor::text() const { return editor_->text(); }

void TextEditor::set_text(const QString& text) {
  const QSignalBlocker quiet(this);
  editor_->setText(text);
  editor_->updateGeometry();
}

QRect TextEditor::caret() const {
  return editor_->caret().translated(editor_->mapTo(this, QPoint(0, 0)));
}

void TextEditor::set_palette(const ui::Colors& colors) { editor_->set_palette(colors); }
void TextEditor::set_names(const QStringList& names) { editor_->set_names(names); }
void TextEditor::set_problems(const std::vector<Problem>& problems) {
  editor_->set_problems(problems);
}

}  // namespace twosphere

#include "moc_text_editor.cpp"
