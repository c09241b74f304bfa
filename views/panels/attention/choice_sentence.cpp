// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/attention/choice_sentence.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QSpinBox>

#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/flow_layout.h"

namespace fathom {

namespace {

const QString& sentenceDot() {
  static const QString kDot = QStringLiteral("·");
  return kDot;
}

const QRegularExpression& placePattern() {
  static const QRegularExpression kPlace(QStringLiteral("\\{([a-z_]+)\\}"));
  return kPlace;
}

// Left out on purpose; a widget that was never on the screen is hidden, too.
bool leftOut(const QWidget* widget) {
  return widget->isHidden() && widget->testAttribute(Qt::WA_WState_ExplicitShowHide);
}

QString readOf(const QWidget* control) {
  if (const auto* box = qobject_cast<const QComboBox*>(control)) return box->currentText();
  if (const auto* number = qobject_cast<const QSpinBox*>(control)) return number->text();
  if (const auto* line = qobject_cast<const QLineEdit*>(control)) return line->text();
  if (const auto* tick = qobject_cast<const QCheckBox*>(control))
    return tick->isChecked() ? tick->text() : QString();
  if (const auto* label = qobject_cast<const QLabel*>(control)) return label->text();
  return {};
}

}  // namespace

ChoiceSentence::ChoiceSentence(QWidget* parent) : QWidget(parent) {
  auto* layout = new FlowLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(metrics::kGrid);
}

QStringList ChoiceSentence::keysOf(const QString& sentence) {
  QStringList keys;
  for (auto match = placePattern().globalMatch(sentence); match.hasNext();)
    keys.append(match.next().captured(1));
  return keys;
}

// A control that is taken away may be what called us.
void ChoiceSentence::clear() {
  for (const Part& part : std::as_const(m_parts)) {
    layout()->removeWidget(part.widget);
    part.widget->hide();
    part.widget->deleteLater();
  }
  m_parts.clear();
  m_fixed.clear();
  m_dotted = false;
}

ChoiceSentence::Part& ChoiceSentence::newPart() {
  Part part;
  part.widget = new QWidget(this);
  makeRow(part.widget, {}, metrics::kGrid);
  part.dot = new QLabel(sentenceDot(), part.widget);
  part.widget->layout()->addWidget(part.dot);
  layout()->addWidget(part.widget);
  m_parts.append(part);
  return m_parts.last();
}

QLabel* ChoiceSentence::addWords(Part& part, const QString& words) {
  if (words.isEmpty()) return nullptr;
  auto* label = new QLabel(words, part.widget);
  part.widget->layout()->addWidget(label);
  return label;
}

void ChoiceSentence::build(const QString& sentence, const QHash<QString, QWidget*>& controls) {
  m_dotted = true;
  for (const QString& piece : sentence.split(sentenceDot())) {
    Part& part = newPart();
    qsizetype at = 0;
    for (auto match = placePattern().globalMatch(piece); match.hasNext();) {
      const QRegularExpressionMatch place = match.next();
      QLabel* words = addWords(part, piece.mid(at, place.capturedStart() - at).trimmed());
      at = place.capturedEnd();
      QWidget* control = controls.value(place.captured(1));
      if (control == nullptr) continue;
      part.widget->layout()->addWidget(control);
      part.controls.append(control);
      if (words != nullptr) words->setBuddy(control);
      auto* fixed = new QLabel(part.widget);
      fixed->hide();
      part.widget->layout()->addWidget(fixed);
      m_fixed.insert(control, fixed);
    }
    addWords(part, piece.mid(at).trimmed());
  }
}

void ChoiceSentence::add(QWidget* control, const QString& title) {
  Part& part = newPart();
  if (QLabel* words = addWords(part, title)) words->setBuddy(control);
  part.widget->layout()->addWidget(control);
  part.controls.append(control);
}

void ChoiceSentence::setFixed(const QWidget* control, const QString& text) {
  QLabel* fixed = m_fixed.value(control);
  if (fixed == nullptr) return;
  fixed->setText(text);
  fixed->setHidden(text.isEmpty());
}

// The first part of a sentence always says what the figure is.
void ChoiceSentence::refresh() {
  bool first = true;
  for (const Part& part : std::as_const(m_parts)) {
    bool any = part.controls.isEmpty() || (m_dotted && first);
    for (QWidget* control : part.controls) {
      const QLabel* fixed = m_fixed.value(control);
      any = any || !leftOut(control) || (fixed != nullptr && !leftOut(fixed));
    }
    part.widget->setHidden(!any);
    if (!any) continue;
    part.dot->setHidden(first || !m_dotted);
    first = false;
  }
  layout()->invalidate();
  updateGeometry();
}

QString ChoiceSentence::text() const {
  QStringList parts;
  for (const Part& part : m_parts) {
    if (leftOut(part.widget)) continue;
    QStringList words;
    const QLayout* line = part.widget->layout();
    for (int i = 0; i < line->count(); ++i) {
      const QWidget* each = line->itemAt(i)->widget();
      if (each == nullptr || each == part.dot || leftOut(each)) continue;
      if (const QString read = readOf(each); !read.isEmpty()) words.append(read);
    }
    if (!words.isEmpty()) parts.append(words.join(QLatin1Char(' ')));
  }
  return parts.join(QStringLiteral(" · "));
}

}  // namespace fathom
