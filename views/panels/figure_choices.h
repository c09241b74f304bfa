// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QStringList>
#include <QWidget>
#include <vector>

#include "core/base/option_field.h"

class QComboBox;

namespace fathom {

// The options of a figure as small controls in one or more lines: choices and named texts as boxes, flags as
// ticks, whole numbers as spin boxes, lists as lines with commas. Sizes belong to the export and are left
// out.
class FigureChoices : public QWidget {
  Q_OBJECT
 public:
  explicit FigureChoices(QWidget* parent = nullptr);
  // `values`: what differs from the defaults; keys that the fields do not have are dropped.
  void setFields(const std::vector<OptionField>& fields, const Json& values);
  // What a text option may be; an option without offers has no control. "" is offered as `none`.
  void setOffers(const QString& key, const QStringList& offers, const QString& none);
  const Json& values() const { return m_values; }
  QWidget* control(const QString& key) const { return m_controls.value(key); }

 Q_SIGNALS:
  void changed();

 private:
  void addControl(const OptionField& field);
  void addOffers(const OptionField& field);
  void addList(const OptionField& field);
  void place(QWidget* control, const OptionField& field);
  void set(const std::string& key, const Json& value, const Json& byDefault);
  // What the other options leave without a meaning is grey.
  void showActive();
  OptionSchema m_schema;
  Json m_values = Json::object();
  QHash<QString, QWidget*> m_controls;
};

}  // namespace fathom
