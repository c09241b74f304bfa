// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figures/probe_selection.h"

namespace fathom {

std::string probeSelection(const std::string& run, const std::string& stack, const std::string& kind) {
  Selection selection;
  selection.set(Dimension::Run, {QString::fromStdString(run)});
  const std::string word = stack == "decoder" ? "dec" : stack == "encoder" ? "enc" : stack;
  selection.set(Dimension::Stack, {QString::fromStdString(word)});
  if (!kind.empty())
    selection.set(Dimension::AttentionKind, {QString::fromStdString(kind.substr(0, kind.find('_')))});
  return selection.text().toStdString();
}

std::string stackOfSelection(const Selection& selection) {
  const QString word = selection.current(Dimension::Stack);
  return word == QLatin1String("dec")   ? "decoder"
         : word == QLatin1String("enc") ? "encoder"
                                        : word.toStdString();
}

std::string headPart(int layer, int head) {
  return "L" + std::to_string(layer) + "/H" + std::to_string(head);
}

std::string sublayerPart(const std::string& name, int sublayer) {
  const std::string part = "S" + std::to_string(sublayer);
  const std::string before = ".layers.";
  const auto at = name.find(before);
  if (at == std::string::npos) return part;
  const auto first = at + before.size(), end = name.find('.', first);
  return "L" + name.substr(first, end - first) + "/" + part;
}

}  // namespace fathom
