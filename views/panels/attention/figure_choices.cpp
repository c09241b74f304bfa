// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/attention/figure_choices.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>

#include "views/look/engine_text.h"
#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/flow_layout.h"

namespace fathom {

namespace {
constexpr int kOfferCharacters = 14, kListCharacters = 16, kNumberCharacters = 8, kLeastCharacters = 4;
constexpr double kLargestSpin = 1e9;
}  // namespace

FigureChoices::FigureChoices(QWidget* parent, Texts texts) : QWidget(parent), m_texts(texts) {
  auto* layout = new FlowLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(metrics::kGrid);
}

void FigureChoices::setFields(const std::vector<OptionField>& fields, const Json& values) {
  for (QWidget* placed : std::as_const(m_placed)) {
    layout()->removeWidget(placed);
    placed->hide();  // it may be what called us
    placed->deleteLater();
  }
  m_placed.clear();
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

// `with`: the control and its title.
void FigureChoices::place(QWidget* control, const OptionField& field, QWidget* with) {
  const QString title = engineText(field.title);
  control->setAccessibleName(title);
  control->setToolTip(title + QStringLiteral(": ") + engineText(field.help));
  QWidget* placed = with == nullptr ? control : with;
  layout()->addWidget(placed);
  m_placed.append(placed);
  m_controls.insert(fromUtf8(field.key), control);
  placed->show();
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
    box->setMinimumWidth(fontMetrics().averageCharWidth() * kNumberCharacters);
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
  } else if (field.type == OptionType::Text && m_texts == Texts::Offered) {
    addOffers(field);
  } else if (field.type == OptionType::Text || field.type == OptionType::IntegerList ||
             field.type == OptionType::TextList ||
             (field.type == OptionType::Real && m_texts == Texts::Typed)) {
    addLine(field);
  }
}

// Lists have commas between their items; what cannot be read goes back to what it was.
void FigureChoices::addLine(const OptionField& field) {
  auto* with = new QWidget(this);
  auto* title = new QLabel(engineText(field.title), with);
  auto* line = new QLineEdit(with);
  title->setBuddy(line);
  makeRow(with, {title, {line, 1}}, metrics::kGrid);
  const bool number = field.type == OptionType::Real;
  line->setMinimumWidth(fontMetrics().averageCharWidth() * kLeastCharacters);
  line->setMaximumWidth(fontMetrics().averageCharWidth() * (number ? kNumberCharacters : kListCharacters));
  line->setText(fromUtf8(optionValueText(field, m_values.value(field.key, field.defaultValue))));
  connect(line, &QLineEdit::editingFinished, this, [this, line, field] {
    const Json before = m_values.value(field.key, field.defaultValue);
    const auto read = parseOptionText(field, toUtf8(line->text().remove(QLatin1Char(' '))));
    OptionValues checked(m_schema);
    if (read.ok() && *read == before) return;
    if (read.ok() && checked.set(field.key, *read).ok()) return set(field.key, *read, field.defaultValue);
    line->setText(fromUtf8(optionValueText(field, before)));
  });
  place(line, field, with);
}

// Filled when the results have said what there is.
void FigureChoices::addOffers(const OptionField& field) {
  auto* box = new QComboBox(this);
  box->setMinimumContentsLength(kOfferCharacters);
  connect(box, &QComboBox::currentIndexChanged, this,
          [this, box, key = field.key, byDefault = field.defaultValue] {
            if (box->currentIndex() >= 0) set(key, toUtf8(box->currentData().toString()), byDefault);
          });
  place(box, field);
  box->hide();
}

void FigureChoices::offerChoices(QComboBox* box, const OptionField& field, const QStringList& offers) {
  const Json chosen = m_values.value(field.key, field.defaultValue);
  const QSignalBlocker blocker(box);
  box->clear();
  for (const OptionChoice& choice : field.choices) {
    const bool now = chosen == choice.id;
    if (!now && !offers.contains(fromUtf8(choice.id))) continue;
    box->addItem(engineText(choice.title), fromUtf8(choice.id));
    if (now) box->setCurrentIndex(box->count() - 1);
  }
  box->setVisible(box->count() > 1);
}

void FigureChoices::setOffers(const QString& key, const QStringList& offers, const QString& none) {
  auto* box = qobject_cast<QComboBox*>(m_controls.value(key));
  const OptionField* field = m_schema.find(toUtf8(key));
  if (box == nullptr || field == nullptr) return;
  if (!field->choices.empty()) return offerChoices(box, *field, offers);
  const Json chosen = m_values.value(toUtf8(key), field->defaultValue);
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
