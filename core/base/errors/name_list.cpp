// SPDX-License-Identifier: Apache-2.0
#include "core/base/errors/name_list.h"

#include <utility>

namespace fathom {

Phrase listed(std::vector<Phrase> members) {
  std::vector<Phrase> parts;
  for (Phrase& member : members) {
    if (!parts.empty()) parts.emplace_back(Phrase::tr(", "));
    parts.push_back(std::move(member));
  }
  return Phrase::list(std::move(parts), "");
}

Phrase nameList(const std::vector<std::string>& names) {
  std::vector<Phrase> members;
  for (const std::string& name : names) members.push_back(Phrase::words(name));
  return listed(std::move(members));
}

}  // namespace fathom
