// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QStringList>
#include <QWidget>

namespace twosphere {

namespace ui {
class FormulaPen;
}

/// A picture of an equation in plain text (ui/shell/formula.h), for text documents.
QImage formula_picture(const QString& formula, const QFont& font, const QColor& color,
                       double ratio);

/// Shows equations below one another, broken into lines of its width.
class FormulaView : public QWidget {
  Q_OBJECT
 public:
  explicit FormulaView(QWidget* parent = nullptr);

  void set_formulas(const QStringList& formulas);
  const QStringList& formulas() const { return formulas_; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  float set(const QString& formula, ui::FormulaPen& pen, float y, float width, bool drawn) const;

  QStringList formulas_;
};

}  // namespace twosphere
