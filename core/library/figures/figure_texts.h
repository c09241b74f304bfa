// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"

namespace fathom {

// Words that a person put in the place of a figure's own, by what the figure says (markup of figure texts, as
// both are). A text that the figure does not say any more, of a run that left it, waits until it does again.
struct FigureTexts {
  std::map<std::string, std::string> titles;  // of panels
  std::map<std::string, std::string> axes;    // of axes, colour bars and scales beside grids
  std::map<std::string, std::string> legend;  // entries
  bool empty() const { return titles.empty() && axes.empty() && legend.empty(); }
  // The text wherever it stands.
  void say(const std::string& was, const std::string& is);
  Json toJson() const;
  bool operator==(const FigureTexts&) const = default;
};

// Data error for what is no object of texts.
Result<FigureTexts> figureTextsFromJson(const Json& json);

// What stands for `was`: itself where nobody said otherwise.
const std::string& wordsFor(const std::map<std::string, std::string>& texts, const std::string& was);

}  // namespace fathom
