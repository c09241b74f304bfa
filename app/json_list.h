// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/base/json/json.h"

namespace fathom {

// The text of a JSON object that ends with a list, as dump(2) writes it, element after element: for lists
// that are too long to be held as values.
class JsonListText {
 public:
  // `head`: the members before it, at least one.
  JsonListText(const Json& head, const std::string& list);
  void add(const Json& element);
  std::string finished();  // once, at the end

 private:
  std::string m_text;
  bool m_empty = true;
};

}  // namespace fathom
