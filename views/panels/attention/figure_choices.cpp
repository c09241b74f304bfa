// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/attention/figure_choices.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <algorithm>

#include "views/look/engine_text.h"

namespace fathom {

namespace {
constexpr int kOfferCharacters = 14, kListCharacters = 16, kNumberCharacters = 8, kLeastCharacters = 4;
constexpr double kLargestSpin = 1e9;

// Parts of a network as a sentence says them: "encoder self-attention"; other words as they are.
QString partTitle(const QString& id) {
  static const char* const kTitles[][2] = {
      {"encoder.self_attention", QT_TRANSLATE_NOOP("fathom::FigureChoices", "encoder self-attention")},
      {"decoder.self_attention", QT_TRANSLATE_NOOP("fathom::FigureChoices", "decoder self-attention")},
      {"decoder.cross_attention", QT_TRANSLATE_NOOP("fathom::FigureChoices", "decoder cross-attention")},
      {"extra.self_attention",
       QT_TRANSLATE_NOOP("fathom::FigureChoices", "self-attention of the extra layers")},
      {"global.self_attention",
       QT_TRANSLATE_NOOP("fathom::FigureChoices", "self-attention of the global tokens")},
      {"encoder", QT_TRANSLATE_NOOP("fathom::FigureChoices", "the encoder")},
      {"decoder", QT_TRANSLATE_NOOP("fathom::FigureChoices", "the decoder")},
      {"extra", QT_TRANSLATE_NOOP("fathom::FigureChoices", "the extra layers")},
      {"global", QT_TRANSLATE_NOOP("fathom::FigureChoices", "the global tokens")}};
  for (const auto& [part, title] : kTitles)
    if (id == QLatin1String(part)) return FigureChoices::tr(title);
  return id;
}

}  // namespace

FigureChoices::FigureChoices(QWidget* parent, Texts texts) : ChoiceSentence(parent), m_texts(texts) {}

void FigureChoices::setFields(const std::vector<OptionField>& fields, const Json& values,
                              const QString& sentence) {
  clear();
  m_controls.clear();
  m_values = Json::object();
  for (const OptionField& field : fields)
    if (values.contains(field.key)) m_values[field.key] = values[field.key];
  m_schema = OptionSchema(fields, {});
  m_named = keysOf(sentence);
  for (const OptionField& field : fields) {
    QWidget* control = controlOf(field);
    if (control == nullptr) continue;
    const QString title = engineText(field.title);
    control->setAccessibleName(title);
    control->setToolTip(title + QStringLiteral(": ") + engineText(field.help));
    m_controls.insert(fromUtf8(field.key), control);
  }
  if (!sentence.isEmpty()) build(sentence, m_controls);
  for (const OptionField& field : fields) {
    QWidget* control = m_controls.value(fromUtf8(field.key));
    if (control == nullptr || m_named.contains(fromUtf8(field.key))) continue;
    // Beside a figure there is no room for the title of a box, whose words say it.
    const bool speaks = field.type == OptionType::Flag || field.type == OptionType::Integer ||
                        (m_texts == Texts::Typed && !field.choices.empty());
    add(control, speaks ? QString() : engineText(field.title));
  }
  showActive();
  refresh();
}

// In a sentence the words around a control say what it is.
bool FigureChoices::isNamed(const OptionField& field) const {
  return m_named.contains(fromUtf8(field.key));
}

void FigureChoices::choose(const std::string& key, const Json& asked) {
  const OptionField* field = m_schema.find(key);
  QWidget* control = m_controls.value(fromUtf8(key));
  if (field == nullptr || control == nullptr) return;
  Json value = asked;
  auto* number = qobject_cast<QSpinBox*>(control);
  if (number != nullptr && asked.is_number_integer())
    value = std::clamp<qint64>(asked.get<qint64>(), number->minimum(), number->maximum());
  if (m_values.value(key, field->defaultValue) == value) return;
  const QSignalBlocker quiet(control);
  if (number != nullptr && value.is_number_integer()) number->setValue(value.get<int>());
  if (auto* box = qobject_cast<QComboBox*>(control); box != nullptr && value.is_string())
    box->setCurrentIndex(box->findData(fromUtf8(value.get<std::string>())));
  if (value == field->defaultValue) {
    m_values.erase(key);
  } else {
    m_values[key] = value;
  }
  showActive();
}

void FigureChoices::set(const std::string& key, const Json& value, const Json& byDefault) {
  if (value == byDefault) {
    m_values.erase(key);
  } else {
    m_values[key] = value;
  }
  showActive();
  Q_EMIT changed(fromUtf8(key));
}

void FigureChoices::showActive() {
  OptionValues values(m_schema);
  if (!values.merge(m_values, "figure").ok()) return;
  for (auto control = m_controls.begin(); control != m_controls.end(); ++control)
    (*control)->setEnabled(values.active(toUtf8(control.key())));
}

QWidget* FigureChoices::controlOf(const OptionField& field) {
  if (field.type == OptionType::Flag) {
    const Json now = m_values.value(field.key, field.defaultValue);
    auto* box = new QCheckBox(engineText(field.title), this);
    box->setChecked(now.is_boolean() && now.get<bool>());
    connect(box, &QCheckBox::toggled, this,
            [this, key = field.key, byDefault = field.defaultValue](bool on) { set(key, on, byDefault); });
    return box;
  }
  if (field.type == OptionType::Integer) return makeNumber(field);
  if (!field.choices.empty()) return makeBox(field);
  if (field.type == OptionType::Text && m_texts == Texts::Offered) return makeOffers(field);
  if (field.type == OptionType::Text || field.type == OptionType::IntegerList ||
      field.type == OptionType::TextList || (field.type == OptionType::Real && m_texts == Texts::Typed))
    return makeLine(field);
  return nullptr;
}

QWidget* FigureChoices::makeNumber(const OptionField& field) {
  const Json now = m_values.value(field.key, field.defaultValue);
  auto* box = new QSpinBox(this);
  if (!isNamed(field)) box->setPrefix(engineText(field.title) + QStringLiteral(" "));
  box->setRange(int(field.minimum.value_or(0)),
                int(std::min(field.maximum.value_or(kLargestSpin), kLargestSpin)));
  box->setValue(now.is_number() ? now.get<int>() : 0);
  box->setKeyboardTracking(false);
  box->setMinimumWidth(fontMetrics().averageCharWidth() * kNumberCharacters);
  if (isNamed(field)) box->setMaximumWidth(box->minimumWidth());
  connect(box, &QSpinBox::valueChanged, this,
          [this, key = field.key, byDefault = field.defaultValue](int value) { set(key, value, byDefault); });
  return box;
}

QWidget* FigureChoices::makeBox(const OptionField& field) {
  const Json now = m_values.value(field.key, field.defaultValue);
  auto* box = new QComboBox(this);
  for (const OptionChoice& choice : field.choices)
    box->addItem(engineText(choice.title), fromUtf8(choice.id));
  if (now.is_string()) box->setCurrentIndex(box->findData(fromUtf8(now.get<std::string>())));
  connect(box, &QComboBox::currentIndexChanged, this,
          [this, box, key = field.key, byDefault = field.defaultValue] {
            set(key, toUtf8(box->currentData().toString()), byDefault);
          });
  return box;
}

// Lists have commas between their items; what cannot be read goes back to what it was.
QWidget* FigureChoices::makeLine(const OptionField& field) {
  auto* line = new QLineEdit(this);
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
  return line;
}

// Filled when the results have said what there is.
QWidget* FigureChoices::makeOffers(const OptionField& field) {
  auto* box = new QComboBox(this);
  box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  box->setMinimumContentsLength(kOfferCharacters);
  connect(box, &QComboBox::currentIndexChanged, this,
          [this, box, key = field.key, byDefault = field.defaultValue] {
            if (box->currentIndex() >= 0) set(key, toUtf8(box->currentData().toString()), byDefault);
          });
  box->hide();
  return box;
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
  showOffered(box);
}

// One alone is no choice: a sentence says it in words.
void FigureChoices::showOffered(QComboBox* box) {
  box->setHidden(box->count() < 2);
  setFixed(box, box->count() == 1 && !box->itemData(0).toString().isEmpty() ? box->itemText(0) : QString());
  refresh();
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
  for (const QString& offer : offers) box->addItem(partTitle(offer), offer);
  if (!now.isEmpty() && box->findData(now) < 0) box->addItem(partTitle(now), now);
  box->setCurrentIndex(std::max(0, box->findData(now)));
  showOffered(box);
}

}  // namespace fathom
