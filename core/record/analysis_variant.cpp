// SPDX-License-Identifier: Apache-2.0
#include "core/record/analysis_variant.h"

#include <algorithm>

#include "core/base/option_field.h"

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

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  return first == std::string::npos ? std::string() : text.substr(first, last + 1 - first);
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
  for (std::size_t from = 0, to = 0; to != std::string::npos; from = to + 1) {
    to = text.find(';', from);
    const std::string part = trimmed(text.substr(from, to == std::string::npos ? to : to - from));
    if (part.empty()) continue;
    const auto equals = part.find('=');
    if (equals == std::string::npos || equals == 0) {
      Error error = usageError(Phrase::tr("'%1' is not of the form key=value")(part),
                               Phrase::tr("such as examples=200"));
      error.key = "computed";
      return error;
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
