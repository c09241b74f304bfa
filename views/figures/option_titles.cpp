// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figures/option_titles.h"

#include <algorithm>

#include "core/library/runs/short_names.h"
#include "views/figure/figure_text.h"

namespace fathom {

std::string optionTitle(const std::string& key) {
  const auto titles = optionTitles();
  const OptionField* field = titles->find(key);
  return field == nullptr || field->title.empty() ? key : field->title;
}

// Two stacks have options of one title: the keys tell which is which.
Phrase optionLabel(const std::string& key, const std::vector<std::string>& shown) {
  const std::string title = optionTitle(key);
  if (title == key) return Phrase::words(markupOf(key));
  const bool shared = std::any_of(shown.begin(), shown.end(), [&](const std::string& other) {
    return other != key && optionTitle(other) == title;
  });
  if (shared) return Phrase::tr("%1 (%2)")(Phrase::known(markupOf(title)), markupOf(key));
  return Phrase::known(markupOf(title));
}

}  // namespace fathom
