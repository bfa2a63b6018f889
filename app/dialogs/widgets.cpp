// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/widgets.h"

#include <QAbstractSpinBox>
#include <QCheckBox>
#include <QColor>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPixmap>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QSplitter>
#include <QTableWidget>
#include <QVBoxLayout>

#include "app/base/labels.h"

namespace twosphere {

namespace {

/// The wheel scrolls past fields that do not have the focus, instead of changing their values.
class WheelGuard : public QObject {
 public:
  using QObject::QObject;
  bool eventFilter(QObject* watched, QEvent* event) override {
    const auto* field = qobject_cast<QWidget*>(watched);
    if (event->type() != QEvent::Wheel || !field || field->hasFocus()) return false;
    event->ignore();
    return true;
  }
};

void guard_fields(QWidget& page) {
  auto* guard = new WheelGuard(&page);
  QList<QWidget*> fields;
  for (auto* box : page.findChildren<QAbstractSpinBox*>()) fields << box;
  for (auto* box : page.findChildren<QComboBox*>()) fields << box;
  for (QWidget* field : fields) {
    field->setFocusPolicy(Qt::StrongFocus);  // not by the wheel
    field->installEventFilter(guard);
  }
}

}  // namespace

void set_names(QWidget& widget, const char* name, const QString& spoken, const QString& tip) {
  widget.setObjectName(QLatin1String(name));
  widget.setAccessibleName(spoken);
  widget.setToolTip(plain_tip(tip));
}

QPushButton* push_button(QWidget& parent, const char* name, const QString& label,
                         const QString& tip) {
  auto* made = named(new QPushButton(label, &parent), name, {}, tip);
  made->setAutoDefault(false);
  return made;
}

QPushButton* add_button(QDialogButtonBox& buttons, const char* name, const QString& label,
                        const QString& tip) {
  QPushButton* made = push_button(buttons, name, label, tip);
  buttons.addButton(made, QDialogButtonBox::ActionRole);
  return made;
}

QPushButton* accept_button(QDialog& dialog, QDialogButtonBox& buttons, const char* name,
                           const QString& label) {
  QPushButton* made = named(buttons.addButton(label, QDialogButtonBox::AcceptRole), name);
  made->setDefault(true);
  QObject::connect(&buttons, &QDialogButtonBox::accepted, &dialog, &QDialog::accept);
  QObject::connect(&buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
  return made;
}

QCheckBox* check_box(QWidget* parent, const char* name, const QString& label, const QString& tip,
                     bool checked) {
  auto* made = named(new QCheckBox(label, parent), name, {}, tip);
  made->setChecked(checked);
  return made;
}

QComboBox* drop_down(QWidget* parent, const char* name, const QString& spoken, const QString& tip,
                     int letters) {
  auto* made = named(new QComboBox(parent), name, spoken, tip);
  made->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  made->setMinimumContentsLength(letters);
  return made;
}

void add_choice(QComboBox& list, const QString& text, const QString& data, const QString& tip) {
  list.addItem(text, data);
  list.setItemData(list.count() - 1, plain_tip(tip), Qt::ToolTipRole);
}

QSpinBox* number_box(QWidget* parent, const char* name, const QString& spoken, const QString& tip,
                     int low, int high, int value) {
  auto* made = named(new QSpinBox(parent), name, spoken, tip);
  made->setRange(low, high);
  made->setValue(value);
  return made;
}

std::string typed(const QLineEdit& field) { return field.text().trimmed().toStdString(); }

QHBoxLayout* field_pair(QWidget* first, const QString& word, QWidget* second) {
  auto* row = new QHBoxLayout;
  row->addWidget(first, 1);
  row->addWidget(plain_label(word, first->parentWidget()));
  row->addWidget(second, 1);
  return row;
}

QLabel* text_lines(QWidget& parent, const char* name) {
  QLabel* made = named(plain_label({}, &parent), name);
  made->setWordWrap(true);
  return made;
}

QLabel* html_lines(const char* name) {
  QLabel* made = named(html_label(), name);
  made->setWordWrap(true);
  return made;
}

QScrollArea* scroll_area(QWidget* page, const char* spoken) {
  guard_fields(*page);
  auto* made = named(new QScrollArea, "", spoken);
  made->setWidget(page);
  made->setWidgetResizable(true);
  made->setFrameShape(QFrame::NoFrame);
  return made;
}

QString css(ui::Color shade) { return QColor(static_cast<QRgb>(shade.rgb)).name(QColor::HexRgb); }

QTableWidget* results_table(QWidget* parent, const char* name, const QString& spoken,
                            const QStringList& headings) {
  auto* made = named(new QTableWidget(0, static_cast<int>(headings.size()), parent), name, spoken);
  made->setHorizontalHeaderLabels(headings);
  made->verticalHeader()->hide();
  for (QHeaderView* header : {made->horizontalHeader(), made->verticalHeader()})
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
  made->setEditTriggers(QAbstractItemView::NoEditTriggers);
  return made;
}

void put_cell(QTableWidget& table, int row, int column, const QString& text, const QString& tip,
              bool number) {
  QTableWidgetItem* item = table.item(row, column);
  if (!item) table.setItem(row, column, item = new QTableWidgetItem);
  item->setTextAlignment((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  item->setText(text);
  item->setToolTip(plain_tip(tip));
}

QSplitter* splitter(QWidget* parent, Qt::Orientation direction,
                    std::initializer_list<SplitPart> parts) {
  auto* made = new QSplitter(direction, parent);
  QList<int> sizes;
  for (const SplitPart& part : parts) {
    made->addWidget(part.widget);
    made->setStretchFactor(made->count() - 1, part.stretch);
    sizes << part.size;
  }
  made->setSizes(sizes);
  return made;
}

QScrollArea* scrolling_column(QWidget& parent, QWidget& fields) {
  /// As high as its fields, where the screen has room; others ask for 24 lines at most.
  class Column : public QScrollArea {
   public:
    using QScrollArea::QScrollArea;
    QSize sizeHint() const override { return widget()->sizeHint(); }
  };
  guard_fields(fields);
  auto* column = new Column(&parent);
  column->setAccessibleName(QStringLiteral("Fields"));
  column->setWidget(&fields);
  column->setWidgetResizable(true);
  column->setFrameShape(QFrame::NoFrame);
  column->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  column->setMinimumWidth(fields.sizeHint().width() +
                          column->verticalScrollBar()->sizeHint().width());
  return column;
}

void lay_out_with_view(QDialog& dialog, QWidget* column, QWidget* view, QLabel* facts,
                       QDialogButtonBox* buttons) {
  facts->setAlignment(Qt::AlignCenter);
  auto* right = new QVBoxLayout;
  right->addWidget(view, 1);
  right->addWidget(facts);
  auto* both = new QHBoxLayout;
  both->addWidget(column);
  both->addLayout(right, 1);
  auto* all = new QVBoxLayout(&dialog);
  all->addLayout(both, 1);
  all->addWidget(buttons);
}

QIcon swatch(const QColor& color, QSize size) {
  QPixmap picture(size);
  picture.fill(color);
  return QIcon(picture);
}

}  // namespace twosphere
