// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/formula_view.h"

#include <QFontInfo>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <string>

#include "ui/shell/formula.h"

namespace twosphere {

namespace {

constexpr int equation_gap = 10;  // between equations [px]

class Pen final : public ui::FormulaPen {
 public:
  Pen(QPainter* painter, const QFont& font) : painter_(painter), font_(font) {}

  float width(const std::string& text, float size) const override {
    return static_cast<float>(
        QFontMetricsF(sized(size)).horizontalAdvance(QString::fromStdString(text)));
  }
  void text(float x, float baseline, const std::string& text, float size) override {
    painter_->setFont(sized(size));
    painter_->drawText(QPointF(x, baseline), QString::fromStdString(text));
  }
  void line(float x0, float y0, float x1, float y1, float thickness) override {
    QPen pen(painter_->pen().color(), static_cast<double>(std::max(thickness, 1.0F)));
    painter_->save();
    painter_->setPen(pen);
    painter_->drawLine(QPointF(x0, y0), QPointF(x1, y1));
    painter_->restore();
  }
  void dot(float x, float y, float radius) override {
    painter_->save();
    painter_->setBrush(painter_->pen().color());
    painter_->setPen(Qt::NoPen);
    const auto r = static_cast<double>(std::max(radius, 0.9F));
    painter_->drawEllipse(QPointF(x, y), r, r);
    painter_->restore();
  }

 private:
  QFont sized(float size) const {
    QFont font = font_;
    font.setPixelSize(std::max(1, static_cast<int>(std::lround(size))));
    return font;
  }

  QPainter* painter_;
  QFont font_;
};

}  // namespace

QImage formula_picture(const QString& formula, const QFont& font, const QColor& color,
                       double ratio) {
  const auto size = 1.1F * static_cast<float>(QFontInfo(font).pixelSize());
  constexpr float widest = 620, margin = 2;
  const auto read = ui::parse_formula(formula.toStdString());
  Pen measure(nullptr, font);
  const ui::FormulaSize needed = ui::set_formula(read, measure, 0, 0, size, widest, false);
  const QSizeF logical(std::ceil(static_cast<double>(needed.width + 2 * margin)),
                       std::ceil(static_cast<double>(needed.up + needed.down + 2 * margin)));
  QImage picture((logical * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
  picture.setDevicePixelRatio(ratio);
  picture.fill(Qt::transparent);
  QPainter painter(&picture);
  painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
  painter.setPen(color);
  Pen pen(&painter, font);
  ui::set_formula(read, pen, margin, margin, size, widest);
  return picture;
}

FormulaView::FormulaView(QWidget* parent) : QWidget(parent) {
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void FormulaView::set_formulas(const QStringList& formulas) {
  if (formulas_ == formulas) return;
  formulas_ = formulas;
  setAccessibleDescription(formulas.join(QLatin1Char('\n')));
  updateGeometry();
  update();
}

/// The equation at this width: smaller if one of its parts is wider than that.
float FormulaView::set(const QString& formula, ui::FormulaPen& pen, float y, float width,
                       bool drawn) const {
  const auto read = ui::parse_formula(formula.toStdString());
  float size = 1.1F * static_cast<float>(QFontInfo(font()).pixelSize());
  constexpr float smallest = 0.55F;
  const float needed = ui::set_formula(read, pen, 0, y, size, width, false).width;
  if (needed > width) size *= std::max(width / needed, smallest);
  const ui::FormulaSize taken = ui::set_formula(read, pen, 0, y, size, width, drawn);
  return taken.up + taken.down + equation_gap;
}

int FormulaView::heightForWidth(int width) const {
  Pen pen(nullptr, font());
  float height = 0;
  for (const QString& formula : formulas_)
    height += set(formula, pen, 0, static_cast<float>(width), false);
  return static_cast<int>(std::ceil(height));
}

QSize FormulaView::sizeHint() const { return {320, heightForWidth(std::max(width(), 200))}; }

void FormulaView::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
  painter.setPen(palette().color(QPalette::WindowText));
  Pen pen(&painter, font());
  float y = 0;
  for (const QString& formula : formulas_)
    y += set(formula, pen, y, static_cast<float>(width()), true);
}

}  // namespace twosphere

#include "moc_formula_view.cpp"
