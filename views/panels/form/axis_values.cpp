// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/form/axis_values.h"

#include <QCoreApplication>

#include "views/look/engine_text.h"

namespace fathom {

namespace {

// Titles may have commas inside: as many parts as make a title are one value.
QStringList joinTitles(const OptionField& field, const QStringList& parts) {
  QStringList values;
  for (qsizetype i = 0; i < parts.size();) {
    qsizetype taken = parts.size() - i;
    while (taken > 1 && choiceOf(field, parts.mid(i, taken).join(QStringLiteral(", "))) == nullptr) --taken;
    values.append(parts.mid(i, taken).join(QStringLiteral(", ")));
    i += taken;
  }
  return values;
}

}  // namespace

const OptionChoice* choiceOf(const OptionField& field, const QString& text) {
  for (const OptionChoice& choice : field.choices) {
    for (const QString& name : {fromUtf8(choice.id), fromUtf8(choice.title), engineText(choice.title)})
      if (!name.isEmpty() && name.compare(text, Qt::CaseInsensitive) == 0) return &choice;
  }
  return nullptr;
}

QStringList splitValues(const OptionField& field, const QString& text) {
  // Lists have commas inside; their values are separated by semicolons.
  const bool isList = field.type == OptionType::IntegerList || field.type == OptionType::RealList ||
                      field.type == OptionType::TextList;
  QStringList values;
  for (const QString& part : text.split(isList ? QLatin1Char(';') : QLatin1Char(','), Qt::SkipEmptyParts)) {
    const QString value = part.trimmed();
    if (value.isEmpty()) continue;
    const qsizetype dots = value.indexOf(QLatin1String(".."));
    bool lowOk = false, highOk = false;
    const int low = value.left(dots).toInt(&lowOk);
    const int high = value.mid(dots + 2).toInt(&highOk);
    if (dots > 0 && lowOk && highOk && high >= low && high - low < kMostRunsAtOnce) {
      for (int i = low; i <= high; ++i) values.append(QString::number(i));
    } else {
      values.append(value);
    }
  }
  return field.type == OptionType::Choice ? joinTitles(field, values) : values;
}

Result<Json> parseValue(const OptionField& field, const QString& text) {
  const OptionChoice* choice = choiceOf(field, text);
  return parseOptionText(field, choice != nullptr ? choice->id : toUtf8(text));
}

QString choiceTitle(const OptionChoice& choice) {
  return choice.title.empty() ? fromUtf8(choice.id) : engineText(choice.title);
}

QString possibleValues(const OptionField& field) {
  const QString example = fromUtf8(optionValueText(field, field.defaultValue));
  switch (field.type) {
    case OptionType::Choice: {
      QStringList titles;
      for (const OptionChoice& choice : field.choices) titles.append(choiceTitle(choice));
      return titles.join(QStringLiteral(", "));
    }
    case OptionType::Flag:
      return QStringLiteral("true, false");
    case OptionType::Integer:
      return QCoreApplication::translate("fathom::GridEditor", "whole numbers, such as %1 or 1..5")
          .arg(example);
    case OptionType::IntegerList:
    case OptionType::RealList:
    case OptionType::TextList:
      return QCoreApplication::translate("fathom::GridEditor",
                                         "lists with semicolons between them, such as %1")
          .arg(example);
    default:
      return example.isEmpty()
                 ? QCoreApplication::translate("fathom::GridEditor", "values with commas between them")
                 : QCoreApplication::translate("fathom::GridEditor",
                                               "values with commas between them, such as %1")
                       .arg(example);
  }
}

QString valuesToolTip(const OptionField& field) {
  QStringList lines = {engineText(field.help)};
  for (const OptionChoice& choice : field.choices)
    lines.append(QStringLiteral("%1  (%2)").arg(choiceTitle(choice), fromUtf8(choice.id)));
  if (field.choices.empty()) lines.append(possibleValues(field));
  if (field.minimum && field.maximum)
    lines.append(QCoreApplication::translate("fathom::GridEditor", "from %1 to %2")
                     .arg(*field.minimum)
                     .arg(*field.maximum));
  return lines.join(QLatin1Char('\n'));
}

}  // namespace fathom
