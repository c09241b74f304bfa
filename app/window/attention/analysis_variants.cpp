// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/attention/analysis_variants.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

#include "views/look/engine_text.h"

namespace fathom {

namespace {

QString wordsOf(const OptionField& field, const Json& value) {
  const auto choice = std::find_if(field.choices.begin(), field.choices.end(),
                                   [&value](const OptionChoice& each) { return value == each.id; });
  if (choice != field.choices.end()) return engineText(choice->title);
  if (value.is_boolean()) return engineText(field.title);
  const std::string text = optionValueText(field, value);
  return text.empty() ? QString() : engineText(field.title) + QLatin1Char(' ') + fromUtf8(text);
}

}  // namespace

AnalysisVariant variantOfForm(const std::vector<OptionField>& fields, const Json& values) {
  AnalysisVariant variant;
  for (const OptionField& field : fields) {
    const Json value = values.value(field.key, field.defaultValue);
    if (field.key == "split") {
      variant.split = value.get<std::string>();
    } else {
      variant.options[field.key] = value;
    }
  }
  return variant;
}

Json formOfVariant(const std::vector<OptionField>& fields, const AnalysisVariant& variant) {
  Json values = variant.options;
  values["split"] = variant.split;
  Json form = Json::object();
  for (const OptionField& field : fields)
    if (values.contains(field.key) && values[field.key] != field.defaultValue)
      form[field.key] = values[field.key];
  return form;
}

QString variantWords(const std::vector<OptionField>& fields, const AnalysisVariant& variant) {
  const Json form = formOfVariant(fields, variant);
  QStringList words;
  for (const OptionField& field : fields)
    if (form.contains(field.key)) words.append(wordsOf(field, form[field.key]));
  for (const auto& option : variant.runOptions.items())
    words.append(fromUtf8(option.key() + "=" + optionValueText({}, option.value())));
  words.removeAll(QString());
  if (words.isEmpty()) return QCoreApplication::translate("AnalysisVariants", "usual options");
  return words.join(QStringLiteral(" · "));
}

}  // namespace fathom
