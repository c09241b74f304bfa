// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QStringList>
#include <vector>

#include "core/base/options/option_field.h"
#include "views/look/qt_names.h"
#include "views/panels/attention/choice_sentence.h"

namespace fathom {

// The options of a figure or of a computation as small controls in a sentence that says what they choose:
// choices and named texts as boxes, flags as ticks, whole numbers as spin boxes, other numbers as lines,
// lists as lines with commas. Sizes of figures belong to the export and are left out.
class FigureChoices : public ChoiceSentence {
  Q_OBJECT
 public:
  // For a figure, texts are chosen from offers and numbers with a point (its size) have no control; for a
  // computation both are typed.
  enum class Texts { Offered, Typed };
  explicit FigureChoices(QWidget* parent = nullptr, Texts texts = Texts::Offered);
  // `values`: what differs from the defaults; keys that the fields do not have are dropped. `sentence`, in
  // the window's language, has the keys of options in braces; the other options follow it under their titles.
  void setFields(const std::vector<OptionField>& fields, const Json& values, const QString& sentence = {});
  // As if somebody had chosen it; a control follows. What the fields do not have is left out; a number out of
  // their range becomes the nearest one.
  void choose(const std::string& key, const Json& value);
  // Sets the offers of a text option; one without offers has no control. "" is offered as `none`. For a
  // choice: the only ones that are left beside the one that is chosen.
  void setOffers(const QString& key, const QStringList& offers, const QString& none);
  const Json& values() const { return m_values; }
  QWidget* control(const QString& key) const { return m_controls.value(key); }

 Q_SIGNALS:
  void changed(const QString& key);

 private:
  QWidget* controlOf(const OptionField& field);
  QWidget* makeBox(const OptionField& field);
  QWidget* makeNumber(const OptionField& field);
  QWidget* makeOffers(const OptionField& field);
  QWidget* makeLine(const OptionField& field);
  void offerChoices(QComboBox* box, const OptionField& field, const QStringList& offers);
  void set(const std::string& key, const Json& value, const Json& byDefault);
  // Greys the options that the others leave without a meaning.
  void showActive();
  bool isNamed(const OptionField& field) const;
  void showOffered(QComboBox* box);
  Texts m_texts;
  QStringList m_named;  // keys in the sentence
  OptionSchema m_schema;
  Json m_values = Json::object();
  QHash<QString, QWidget*> m_controls;
};

}  // namespace fathom
