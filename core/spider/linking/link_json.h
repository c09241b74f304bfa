// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/spider/linking/schema_links.h"

namespace fathom {

// Links of one kind of item as JSON, as files of links and requests write them: [[item, token, code], ...],
// cells without a link left out (docs/schema_linking.md §6).
struct ItemLink {
  int item = 0, token = 0;
  LinkCode code = LinkCode::None;
  bool operator==(const ItemLink&) const = default;
};

// `cells` [items, tokens] of SchemaLinks.
Json itemLinksJson(const std::vector<LinkCode>& cells, int tokens);
// Links of the member `key`. Data error that names the member and the link: there is no list, or an item, a
// token or a code is not below its limit.
Result<std::vector<ItemLink>> itemLinksFrom(const Json& object, const char* key, int items, int tokens);

}  // namespace fathom
