// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/form/option_row.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QHash>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QToolButton>
#include <algorithm>
#include <utility>

#include "views/look/engine_text.h"
#include "views/look/icons.h"
#include "views/look/theme.h"
#include "views/panels/form/experiment_draft.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"
#include "views/panels/widgets/elided_label.h"

namespace fathom {

namespace {

// In average characters, so that larger texts have larger places.
constexpr int kTitleCharacters = 26;
constexpr int kEditorCharacters = 24, kRowNumberCharacters = 17, kPathCharacters = 27;
// Editor with its unit or button: the help of all rows begins at one place.
constexpr int kCellCharacters = 33;
// From this width on paths and long choices are whole, and the help still has a line.
constexpr int kCharactersForLongCells = 170, kLongCellCharacters = 60;
// From this width on all help stands beside its editor; below it that which has room there in two lines.
constexpr int kCharactersForHelpBeside = 118;
constexpr int kLinesBeside = 2;

// The help of an option, of which a form has hundreds: a QLabel breaks its text into lines for every hint and
// every time that a layout asks how high it is, which is most of the time that another size of texts takes.
class HelpOfOption : public QLabel {
 public:
  explicit HelpOfOption(QWidget* parent) : QLabel(parent) {
    setWordWrap(true);
    setTextFormat(Qt::PlainText);
  }
  // Its column takes what is left; its height is that for the width that it gets.
  QSize sizeHint() const override { return minimumSizeHint(); }
  QSize minimumSizeHint() const override {
    constexpr int kLeastCharacters = 12;
    return {kLeastCharacters * fontMetrics().averageCharWidth(), fontMetrics().height()};
  }
  int heightForWidth(int width) const override {
    if (m_text != text()) m_heights.clear();
    m_text = text();
    const auto known = m_heights.constFind(width);
    if (known != m_heights.cend()) return *known;
    return *m_heights.insert(width, QLabel::heightForWidth(width));
  }

 protected:
  void changeEvent(QEvent* event) override {
    m_heights.clear();
    QLabel::changeEvent(event);
  }

 private:
  mutable QString m_text;  // that the heights are of
  mutable QHash<int, int> m_heights;
};

void setColour(QWidget* widget, const QColor& colour) {
  QPalette palette = widget->palette();
  palette.setColor(QPalette::WindowText, colour);
  palette.setColor(QPalette::Text, colour);  // what labels are drawn with on a panel
  widget->setPalette(palette);
}

}  // namespace

OptionRow::OptionRow(const OptionField& field, ExperimentDraft* draft, QWidget* parent)
    : QWidget(parent), m_field(field), m_draft(draft), m_key(fromUtf8(field.key)) {
  setObjectName(QStringLiteral("row:") + m_key);
  m_words = OptionWords::of(field, engineText(field.title));
  m_title = new ElidedLabel(engineText(field.title), this);
  m_title->setHint(m_key);
  m_editor = makeEditor();
  m_editor->setObjectName(m_key);
  m_editor->setAccessibleName(engineText(field.title));
  m_editor->setAccessibleDescription(engineText(field.help));
  m_editor->setFocusPolicy(Qt::StrongFocus);
  m_editor->installEventFilter(this);
  m_unit = new QLabel(engineText(field.unit), this);
  m_unit->setVisible(!field.unit.empty());  // an empty one has a gap before it
  m_revert = flatButton(this, QStringLiteral("revert"), {});
  m_revert->setObjectName(QStringLiteral("revert:") + m_key);
  connect(m_revert, &QToolButton::clicked, this, [this] {
    m_editor->setFocus();
    m_draft->revert(m_key);
  });
  m_help = new HelpOfOption(this);
  layOut();
  refresh();
}

void OptionRow::layOut() {
  sizeTexts();
  sizeEditor();
  m_problem = new QWidget(this);
  m_problemIcon = new QLabel(m_problem);
  m_problemText = wrappedLabel(m_problem, QStringLiteral("problem:") + m_key);
  makeRow(m_problem, {{m_problemIcon, 0, Qt::AlignTop}, {m_problemText, 1}}, metrics::kGrid,
          {0, 0, 0, metrics::kGrid});
  m_cell = new QWidget(this);
  auto* cell = makeRow(m_cell, {{m_editor, takesAllWidth() ? 1 : 0}}, metrics::kGrid);
  if (m_browse != nullptr) cell->addWidget(m_browse);
  cell->addWidget(m_unit);
  cell->addStretch();
  m_grid = new QGridLayout(this);
  m_grid->setContentsMargins(metrics::kMargin, 0, metrics::kMargin, 0);
  m_grid->setHorizontalSpacing(metrics::kMargin);
  m_grid->setVerticalSpacing(2);
  m_grid->setRowMinimumHeight(0, metrics::kFormRow);
  m_grid->setColumnMinimumWidth(2, metrics::kFormRow);
  m_problem->hide();
  place(Shape::Medium);
}

// Paths and lists of words are long: they have the line that other editors leave empty.
bool OptionRow::takesAllWidth() const {
  return m_field.type == OptionType::Path || m_field.type == OptionType::TextList;
}

OptionRow::Shape OptionRow::shapeFor(int width) const {
  const int character = fontMetrics().averageCharWidth();
  if (width >= kCharactersForHelpBeside * character && keepsColumn(Shape::Wide)) return Shape::Wide;
  const int beside = kTitleCharacters * character + m_cell->sizeHint().width() + metrics::kFormRow;
  if (width < beside + 5 * metrics::kMargin) return Shape::Narrow;
  return helpFitsBeside(width) ? Shape::Beside : Shape::Medium;
}

void OptionRow::fitShape() {
  const Shape shape = shapeFor(width());
  const bool wide = shape == Shape::Wide && m_cell->minimumWidth() != cellWidth(shape);
  if (shape != m_shape || wide) place(shape);
}

int OptionRow::cellWidth(Shape shape) const {
  const int character = fontMetrics().averageCharWidth();
  const bool large = width() >= kCharactersForLongCells * character;
  if (shape == Shape::Wide) return (large ? kLongCellCharacters : kCellCharacters) * character;
  return shape == Shape::Beside ? kEditorCharacters * character : 0;
}

// Beside a wider editor the help would begin further right than that of the other rows.
bool OptionRow::keepsColumn(Shape shape) const {
  return m_cell->sizeHint().width() <= cellWidth(shape);
}

bool OptionRow::helpFitsBeside(int width) const {
  if (takesAllWidth() || !keepsColumn(Shape::Beside)) return false;
  const int room = width - kTitleCharacters * fontMetrics().averageCharWidth() - cellWidth(Shape::Beside) -
                   metrics::kFormRow - 5 * metrics::kMargin;
  const QFontMetrics small(m_help->font());
  const QRect needed = small.boundingRect(QRect(0, 0, qMax(1, room), 1000), Qt::TextWordWrap, m_help->text());
  return needed.width() <= room && needed.height() <= kLinesBeside * small.lineSpacing();
}

void OptionRow::place(Shape shape) {
  m_shape = shape;
  for (QWidget* part : {static_cast<QWidget*>(m_title), m_cell, static_cast<QWidget*>(m_revert),
                        static_cast<QWidget*>(m_help), m_problem})
    m_grid->removeWidget(part);
  const bool narrow = shape == Shape::Narrow;
  const bool whole = takesAllWidth() && shape != Shape::Wide;
  m_grid->setColumnStretch(1, whole ? 1 : 0);
  m_grid->setColumnStretch(3, whole ? 0 : 1);
  const int titleWidth = fontMetrics().averageCharWidth() * kTitleCharacters;
  m_title->setMinimumWidth(narrow ? 0 : titleWidth);
  m_title->setMaximumWidth(narrow ? QWIDGETSIZE_MAX : titleWidth);
  m_grid->setRowMinimumHeight(0, narrow ? 0 : metrics::kFormRow);
  if (narrow) {
    m_cell->setMinimumWidth(0);
    m_grid->addWidget(m_title, 0, 0, 1, 4);
    m_grid->addWidget(m_cell, 1, 0, 1, 2);
    m_grid->addWidget(m_revert, 1, 2);
    m_grid->addWidget(m_help, 2, 0, 1, 4);
    m_grid->addWidget(m_problem, 3, 0, 1, 4);
    return;
  }
  m_cell->setMinimumWidth(cellWidth(shape));
  m_grid->addWidget(m_title, 0, 0);
  m_grid->addWidget(m_cell, 0, 1);
  m_grid->addWidget(m_revert, 0, 2);
  if (shape == Shape::Wide || shape == Shape::Beside) {
    m_grid->addWidget(m_help, 0, 3);
  } else {
    m_grid->addWidget(m_help, 1, 1, 1, 3);
  }
  m_grid->addWidget(m_problem, 2, 1, 1, 3);
}

QSize OptionRow::minimumSizeHint() const {
  return {m_cell->minimumSizeHint().width() + metrics::kFormRow + 4 * metrics::kMargin,
          QWidget::minimumSizeHint().height()};
}

QWidget* OptionRow::makeEditor() {
  switch (m_field.type) {
    case OptionType::Flag:
      m_check = new QCheckBox(this);
      connect(m_check, &QCheckBox::clicked, this, [this](bool on) {
        m_draft->endEdit();
        m_draft->setValue(m_key, Json(on));
      });
      return m_check;
    case OptionType::Choice:
      makeChoice();
      return m_combo;
    default:
      makeLine();
      return m_line;
  }
}

void OptionRow::makeChoice() {
  m_combo = new QComboBox(this);
  for (const OptionChoice& choice : m_field.choices) {
    m_combo->addItem(choice.title.empty() ? fromUtf8(choice.id) : engineText(choice.title),
                     fromUtf8(choice.id));
  }
  m_combo->setSizeAdjustPolicy(QComboBox::AdjustToContents);  // whole where there is room
  m_combo->setMinimumContentsLength(1);
  connect(m_combo, &QComboBox::activated, this, [this](int index) {
    m_draft->endEdit();
    m_draft->setValue(m_key, Json(toUtf8(m_combo->itemData(index).toString())));
  });
}

void OptionRow::makeLine() {
  m_line = new QLineEdit(this);
  if (m_field.type == OptionType::Time) m_line->setPlaceholderText(tr("300u, 10e or 20Mt"));
  if (m_field.type == OptionType::IntegerList || m_field.type == OptionType::RealList)
    m_line->setPlaceholderText(tr("separated by commas"));
  connect(m_line, &QLineEdit::textEdited, this,
          [this](const QString& text) { m_draft->setText(m_key, text.trimmed()); });
  connect(m_line, &QLineEdit::editingFinished, this, [this] {
    m_draft->endEdit();
    m_line->setModified(false);
    refreshEditor();
  });
  if (m_field.type != OptionType::Path) return;
  m_browse = new QToolButton(this);
  m_browse->setIcon(icon(QStringLiteral("folder")));
  m_browse->setToolTip(tr("Choose a file"));
  m_browse->setAccessibleName(tr("Choose a file for %1").arg(engineText(m_field.title)));
  m_browse->setFocusPolicy(Qt::StrongFocus);
  connect(m_browse, &QToolButton::clicked, this, [this] { Q_EMIT browseRequested(m_key); });
}

QWidgetList OptionRow::tabStops() const {
  QWidgetList stops = {m_editor};
  if (m_browse != nullptr) stops.append(m_browse);
  stops.append(m_revert);
  return stops;
}

OptionRow::Shown OptionRow::shownNow() const {
  Shown now{m_draft->active(m_key), m_draft->changed(m_key), {}, {}};
  if (now.changed) now.base = m_draft->baseText(m_key);
  if (const QString error = m_draft->error(m_key); !error.isEmpty()) now.problems.append(error);
  now.problems += m_draft->reasons(m_key);
  return now;
}

void OptionRow::refresh() {
  refreshEditor();
  Shown now = shownNow();
  if (m_shown == now) return;
  m_shown = std::move(now);
  dress();
}

void OptionRow::dress() {
  const bool active = m_shown->active;
  const bool changed = m_shown->changed;
  const QString unused = m_draft->inactiveReason(m_key);
  m_editor->setEnabled(active);
  m_unit->setEnabled(active);
  if (m_browse != nullptr) m_browse->setEnabled(active);
  m_title->setEnabled(active);
  QFont bold = m_title->font();
  bold.setBold(changed);
  m_title->setFont(bold);
  if (m_line != nullptr) m_line->setFont(bold);
  if (m_combo != nullptr) m_combo->setFont(bold);
  m_revert->setVisible(changed);
  m_revert->setToolTip(tr("Back to %1").arg(m_shown->base));
  m_revert->setAccessibleName(tr("Set %1 back to %2").arg(engineText(m_field.title), m_shown->base));
  m_help->setText(unused.isEmpty() ? engineText(m_field.help) : unused);
  colour();
  refreshTip();
  fitShape();
}

void OptionRow::colour() {
  const QColor secondary = Theme::of(palette()).secondary;
  setColour(m_help, secondary);
  setColour(m_unit, secondary);
  refreshProblem();
}

// The chosen one, or the path, in full: beside a narrow page it is cut.
void OptionRow::refreshTip() {
  const QString value = m_combo != nullptr ? m_combo->currentText()
                        : takesAllWidth()  ? m_line->text()
                                           : QString();
  const QString tip = value.isEmpty() ? m_help->text() : value + QStringLiteral("\n\n") + m_help->text();
  if (tip != m_editor->toolTip()) m_editor->setToolTip(tip);
}

// "6" means "6u" already, but whoever is typing it must be able to go on.
bool OptionRow::isBeingTyped(const QString& text) const {
  if (m_line == nullptr || !m_line->hasFocus() || !m_line->isModified()) return false;
  const auto typed = parseOptionText(m_field, toUtf8(m_line->text().trimmed()));
  const auto known = parseOptionText(m_field, toUtf8(text));
  return typed && known && *typed == *known;
}

void OptionRow::refreshEditor() {
  const QString text = m_draft->text(m_key);
  if (m_line != nullptr && m_line->text().trimmed() != text && !isBeingTyped(text)) m_line->setText(text);
  if (m_check != nullptr) {
    const QSignalBlocker block(m_check);
    m_check->setChecked(text == QLatin1String("true"));
  }
  if (m_combo != nullptr) {
    const QSignalBlocker block(m_combo);
    m_combo->setCurrentIndex(m_combo->findData(text));
  }
  refreshTip();
}

void OptionRow::refreshProblem() {
  const QStringList& texts = m_shown->problems;
  m_problem->setVisible(!texts.isEmpty());
  if (texts.isEmpty()) return;
  const QColor colour = Theme::of(palette()).failed;
  m_problemText->setText(texts.join(QLatin1Char('\n')));
  setColour(m_problemText, colour);
  m_problemIcon->setPixmap(iconPixmap(QStringLiteral("error"), colour, metrics::kIcon, devicePixelRatioF()));
}

bool OptionRow::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::FocusIn) Q_EMIT focused(m_key);
  // A wheel turned to scroll the form must not change the option under the pointer.
  if (event->type() == QEvent::Wheel && !m_editor->hasFocus()) {
    event->ignore();
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

void OptionRow::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitShape();
}

void OptionRow::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (m_problem == nullptr) return;
  if (event->type() == QEvent::PaletteChange) colour();
  if (event->type() != QEvent::FontChange) return;
  sizeTexts();
  m_oldSizes = true;
  if (isVisible()) catchUp();
}

void OptionRow::showEvent(QShowEvent* event) {
  catchUp();
  QWidget::showEvent(event);
}

void OptionRow::catchUp() {
  if (!std::exchange(m_oldSizes, false)) return;
  sizeEditor();
  place(shapeFor(width()));
}

void OptionRow::sizeEditor() {
  const int character = fontMetrics().averageCharWidth();
  if (m_combo != nullptr) m_combo->setMinimumWidth(character * kEditorCharacters);
  if (m_line == nullptr) return;
  if (takesAllWidth()) {
    m_line->setMinimumWidth(character * kRowNumberCharacters);  // and all that there is
  } else {
    m_line->setFixedWidth(character *
                          (m_field.type == OptionType::Text ? kPathCharacters : kRowNumberCharacters));
  }
}

void OptionRow::sizeTexts() {
  constexpr double kSmall = 0.9;
  for (QLabel* label : {m_unit, m_help}) setTextShare(label, font(), kSmall);
}

}  // namespace fathom
