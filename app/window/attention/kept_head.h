// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace fathom {

class FigureChoices;
class SelectionModel;

// The chosen head is one in all views: a figure that shows one head alone, by its options "layer" and "head",
// shows the one that the selection of the window names, and the other way round. GUI thread.
class KeptHead {
 public:
  // Both are borrowed; `source` changes the selection.
  KeptHead(SelectionModel* selection, FigureChoices* choices, QObject* source)
      : m_selection(selection), m_choices(choices), m_source(source) {}
  // The options follow the selection. True where the figure shows another head for it.
  bool follow() const;
  // The selection follows the option `key` that a person has changed, where it names a head and counts.
  void choose(const QString& key) const;

 private:
  bool counts() const;
  SelectionModel* m_selection;
  FigureChoices* m_choices;
  QObject* m_source;
};

}  // namespace fathom
