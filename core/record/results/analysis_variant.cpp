// SPDX-License-Identifier: Apache-2.0
#include "core/record/results/analysis_variant.h"

#include <algorithm>

#include "core/base/errors/error_key.h"
#include "core/base/options/option_field.h"
#include "core/base/text/text_list.h"

namespace fathom {

namespace {

std::string textOf(const Json& value) {
  return optionValueText({}, value);
}

std::string runSetText(const Json& runOptions) {
  std::string text;
  for (const auto& option : runOptions.items())
    text += (text.empty() ? "" : ",") + option.key() + "=" + textOf(option.value());
  return text;
}

}  // namespace

AnalysisVariant AnalysisVariant::of(const AnalysisRequest& request) {
  return {request.split, request.options, request.runOptions};
}

std::string variantText(const AnalysisVariant& variant) {
  std::string text = "split=" + variant.split;
  for (const auto& option : variant.options.items())
    text += "; " + option.key() + "=" + textOf(option.value());
  return text + "; run_set=" + runSetText(variant.runOptions);
}

Result<Json> wantedVariant(const std::string& text) {
  Json wanted = Json::object();
  for (const std::string_view each : splitAt(text, ';')) {
    const std::string part(trimmed(each));
    if (part.empty()) continue;
    const auto equals = part.find('=');
    if (equals == std::string::npos || equals == 0) {
      return aboutKey("computed", usageError(Phrase::tr("'%1' is not of the form key=value")(part),
                                             Phrase::tr("such as examples=200")));
    }
    wanted[part.substr(0, equals)] = part.substr(equals + 1);
  }
  return wanted;
}

bool meetsVariant(const AnalysisRequest& request, const Json& wanted) {
  const auto items = wanted.items();
  return std::all_of(items.begin(), items.end(), [&](const auto& each) {
    const std::string value = textOf(each.value());
    if (each.key() == "split") return request.split == value;
    if (each.key() == "examples" && !request.options.contains(each.key())) return true;
    if (each.key() == "run_set") return runSetText(request.runOptions) == value;
    return request.options.contains(each.key()) && textOf(request.options[each.key()]) == value;
  });
}

}  // namespace fathom
