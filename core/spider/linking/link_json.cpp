// SPDX-License-Identifier: Apache-2.0
#include "core/spider/linking/link_json.h"
#include "core/base/text/shown_value.h"

namespace fathom {

Json itemLinksJson(const std::vector<LinkCode>& cells, int tokens) {
  Json out = Json::array();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i] == LinkCode::None) continue;
    const auto width = static_cast<std::size_t>(tokens);
    out.push_back({i / width, i % width, static_cast<int>(cells[i])});
  }
  return out;
}

Result<std::vector<ItemLink>> itemLinksFrom(const Json& object, const char* key, int items, int tokens) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_array()) return dataError(Phrase::tr("no list \"%1\"")(key));
  std::vector<ItemLink> out;
  for (const Json& link : *found) {
    const auto below = [&link](std::size_t at, int limit) {
      return link[at].is_number_integer() && link[at] >= 0 && link[at] < limit;
    };
    const bool sound =
        link.is_array() && link.size() == 3 && below(0, items) && below(1, tokens) && below(2, kLinkCodes);
    if (!sound)
      return dataError(Phrase::tr("\"%1\": %2 is no [item below %3, token below %4, code below %5]")(
          key, shownValue(link.dump()), items, tokens, kLinkCodes));
    out.push_back({link[0].get<int>(), link[1].get<int>(), static_cast<LinkCode>(link[2].get<int>())});
  }
  return out;
}

}  // namespace fathom
