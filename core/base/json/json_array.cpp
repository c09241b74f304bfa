// SPDX-License-Identifier: Apache-2.0
#include "core/base/json/json_array.h"

#include <optional>
#include <utility>

#include "core/base/json/json_builder.h"
#include "core/base/text/byte_order_mark.h"

namespace fathom {

namespace {

using Wanted = std::function<bool(std::string_view)>;

// std::nullopt when the reader that gives reasons has to look.
std::optional<std::vector<Json>> quickElements(std::string_view text, const Wanted& wanted) {
  const JsonLimits limits;
  if (text.size() > limits.maxBytes) return std::nullopt;
  text = withoutByteOrderMark(text);
  JsonBuilder builder(text, limits);
  std::vector<Json> elements;
  if (!builder.beginArray()) return std::nullopt;
  std::string_view element;
  while (builder.nextElement(element)) {
    if (!wanted(element)) continue;
    Json built;
    if (!builder.buildElement(element, built)) return std::nullopt;
    elements.push_back(std::move(built));
  }
  if (!builder.atEnd()) return std::nullopt;
  return elements;
}

}  // namespace

Result<std::vector<Json>> parseJsonArray(std::string_view text, const std::string& file,
                                         const Wanted& wanted) {
  if (auto quick = quickElements(text, wanted)) return std::move(*quick);
  FATHOM_TRY(Json root, parseJson(text, file));
  if (!root.is_array())
    return dataErrorAt(file, 0, Phrase::tr("a JSON list is expected, not %1")(std::string(root.type_name())));
  std::vector<Json> elements;
  for (Json& element : root)
    if (wanted(element.dump())) elements.push_back(std::move(element));
  return elements;
}

}  // namespace fathom
