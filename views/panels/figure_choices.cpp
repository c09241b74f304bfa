// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/figure_choices.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>

#include "views/panels/engine_text.h"
#include "views/panels/flow_layout.h"
#include "views/panels/theme.h"

namespace fathom {

namespace {
constexpr int kOfferCharacters = 14, kListCharacters = 24;
constexpr double kLargestSpin = 1e9;
}  // namespace

FigureChoices::FigureChoices(QWidget* parent) : QWidget(parent) {
  auto* layout = new FlowLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(metrics::kGrid);
}

void FigureChoices::setFields(const std::vector<OptionField>& fields, const Json& values) {
  for (QWidget* control : std::as_const(m_controls)) {
    layout()->removeWidget(control);
    control->hide();  // it may be what called us
    control->deleteLater();
  }
  m_controls.clear();
  m_values = Json::object();
  for (const OptionField& field : fields)
    if (values.contains(field.key)) m_values[field.key] = values[field.key];
  m_schema = OptionSchema(fields, {});
  for (const OptionField& field : fields) addControl(field);
  showActive();
}

void FigureChoices::set(const std::string& key, const Json& value, const Json& byDefault) {
  if (value == byDefault) {
    m_values.erase(key);
  } else {
    m_values[key] = value;
  }
  showActive();
  Q_EMIT changed();
}

void FigureChoices::showActive() {
  OptionValues values(m_schema);
  if (!values.merge(m_values, "figure").ok()) return;
  for (auto control = m_controls.begin(); control != m_controls.end(); ++control)
    (*control)->setEnabled(values.active(toUtf8(control.key())));
}

void FigureChoices::place(QWidget* control, const OptionField& field) {
  const QString title = engineText(field.title);
  control->setAccessibleName(title);
  control->setToolTip(title + QStringLiteral(": ") + engineText(field.help));
  layout()->addWidget(control);
  m_controls.insert(fromUtf8(field.key), control);
  control->show();
}

void FigureChoices::addControl(const OptionField& field) {
  const Json now = m_values.value(field.key, field.defaultValue);
  if (field.type == OptionType::Flag) {
    auto* box = new QCheckBox(engineText(field.title), this);
    box->setChecked(now.is_boolean() && now.get<bool>());
    connect(box, &QCheckBox::toggled, this,
            [this, key = field.key, byDefault = field.defaultValue](bool on) { set(key, on, byDefault); });
    place(box, field);
  } else if (field.type == OptionType::Integer) {
    auto* box = new QSpinBox(this);
    box->setPrefix(engineText(field.title) + QStringLiteral(" "));
    box->setRange(int(field.minimum.value_or(0)),
                  int(std::min(field.maximum.value_or(kLargestSpin), kLargestSpin)));
    box->setValue(now.is_number() ? now.get<int>() : 0);
    box->setKeyboardTracking(false);
    connect(
        box, &QSpinBox::valueChanged, this,
        [this, key = field.key, byDefault = field.defaultValue](int value) { set(key, value, byDefault); });
    place(box, field);
  } else if (!field.choices.empty()) {
    auto* box = new QComboBox(this);
    for (const OptionChoice& choice : field.choices)
      box->addItem(engineText(choice.title), fromUtf8(choice.id));
    if (now.is_string()) box->setCurrentIndex(box->findData(fromUtf8(now.get<std::string>())));
    connect(box, &QComboBox::currentIndexChanged, this,
            [this, box, key = field.key, byDefault = field.defaultValue] {
              set(key, toUtf8(box->currentData().toString()), byDefault);
            });
    place(box, field);
  } else if (field.type == OptionType::Text) {
    addOffers(field);
  } else if (field.type == OptionType::IntegerList || field.type == OptionType::TextList) {
    addList(field);
  }
}

// Items with commas between; what cannot be read goes back to what it was.
void FigureChoices::addList(const OptionField& field) {
  auto* line = new QLineEdit(this);
  line->setPlaceholderText(engineText(field.title));
  line->setMinimumWidth(fontMetrics().averageCharWidth() * kListCharacters);
  line->setText(fromUtf8(optionValueText(field, m_values.value(field.key, field.defaultValue))));
  connect(line, &QLineEdit::editingFinished, this, [this, line, field] {
    const Json before = m_values.value(field.key, field.defaultValue);
    const auto read = parseOptionText(field, toUtf8(line->text().remove(QLatin1Char(' '))));
    if (read.ok() && *read == before) return;
    if (read.ok()) return set(field.key, *read, field.defaultValue);
    line->setText(fromUtf8(optionValueText(field, before)));
  });
  place(line, field);
}

// Filled when the results have said what there is.
void FigureChoices::addOffers(const OptionField& field) {
  auto* box = new QComboBox(this);
  box->setMinimumContentsLength(kOfferCharacters);
  connect(box, &QComboBox::currentIndexChanged, this, [this, box, key = field.key] {
    if (box->currentIndex() >= 0) set(key, toUtf8(box->currentData().toString()), "");
  });
  place(box, field);
  box->hide();
}

void FigureChoices::setOffers(const QString& key, const QStringList& offers, const QString& none) {
  auto* box = qobject_cast<QComboBox*>(m_controls.value(key));
  if (box == nullptr) return;
  const Json chosen = m_values.value(toUtf8(key), Json(""));
  const QString now = chosen.is_string() ? fromUtf8(chosen.get<std::string>()) : QString();
  const QSignalBlocker blocker(box);
  box->clear();
  if (!none.isEmpty()) box->addItem(none, QString());
  for (const QString& offer : offers) box->addItem(offer, offer);
  if (!now.isEmpty() && box->findData(now) < 0) box->addItem(now, now);
  box->setCurrentIndex(std::max(0, box->findData(now)));
  box->setVisible(box->count() > 1);
}

}  // namespace fathom
