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

Phrase headWords(int layer, int head) {
  return Phrase::tr("layer %1, head %2")(layer + 1, head + 1);
}

Result<ChosenHead> chosenHead(const std::string& selection) {
  FATHOM_TRY(const Selection named, Selection::fromText(QString::fromStdString(selection)));
  bool layerKnown = false, headKnown = false, queryKnown = false;
  ChosenHead chosen;
  chosen.layer = named.current(Dimension::Layer).toInt(&layerKnown);
  chosen.head = named.current(Dimension::Head).toInt(&headKnown);
  if (!layerKnown || !headKnown) return usageError(Phrase::tr("the selection '%1' names no head")(selection));
  const int query = named.current(Dimension::QueryToken).toInt(&queryKnown);
  if (queryKnown) chosen.query = query;
  chosen.run = named.current(Dimension::Run).toStdString();
  return chosen;
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
