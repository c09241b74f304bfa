// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <vector>

#include "core/base/errors/result.h"
#include "views/look/engine_text.h"

namespace fathom {

class MessageBar;
class PredictionPanel;

// Messages about a review that is open in the window.
class ReviewMessages {
 public:
  explicit ReviewMessages(MessageBar* bar) : m_bar(bar) {}  // borrowed

  // An error; all is well: the one before is not true any more.
  void report(const Status& status) const;
  void note(const QString& text) const;
  // A file that was written, with what one does with it.
  void wrote(const QString& text, const QString& file) const;
  // What was remarked while the files were read, of all and of each model.
  template <typename Models>
  void showRemarks(const std::vector<Phrase>& ofAll, const Models& models) const {
    QStringList remarks;
    for (const Phrase& note : ofAll) remarks.append(phraseText(note));
    for (const auto& model : models)
      for (const Phrase& note : model.notes)
        remarks.append(QStringLiteral("%1: %2").arg(fromUtf8(model.name), phraseText(note)));
    showRemarks(remarks);
  }
  // Only wrong predictions have a category: says so where this is none.
  bool canHaveCategory(bool wrong) const;
  // A category was set: on to the next wrong one.
  void goOn(const Status& set, PredictionPanel* list) const;
  void goWrong(int direction, PredictionPanel* list) const;

 private:
  void showRemarks(const QStringList& remarks) const;
  MessageBar* m_bar;
};

}  // namespace fathom
