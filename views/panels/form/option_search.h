// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace fathom {

struct OptionField;

// Texts of an option in which a search looks, in small letters.
struct OptionWords {
  QString title, key, all;
  // `title`: as it is shown; the English one of the field is looked in, too.
  static OptionWords of(const OptionField& field, const QString& title);
};

// Words that somebody typed to find an option, and the order of what they find: the same in the form and in
// the grid.
class OptionSearch {
 public:
  explicit OptionSearch(const QString& typed);
  bool isEmpty() const { return m_words.isEmpty(); }
  // All words occur in key, title, help or group. Nothing typed: every option.
  bool finds(const OptionWords& option) const;
  // Place of a found one, less is better: options that can be set stand before the others; among them the
  // title begins with the first word, holds all words, the key does, or only help or group.
  int rank(const OptionWords& option, bool active) const;

 private:
  QStringList m_words;
};

}  // namespace fathom
