// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/form/option_search.h"

#include <algorithm>

#include "core/base/options/option_field.h"
#include "views/look/engine_text.h"

namespace fathom {

namespace {

constexpr int kRanks = 4;

bool holdsAll(const QString& text, const QStringList& words) {
  return std::all_of(words.cbegin(), words.cend(),
                     [&text](const QString& word) { return text.contains(word); });
}

}  // namespace

OptionWords OptionWords::of(const OptionField& field, const QString& title) {
  OptionWords words;
  words.title = (title + QLatin1Char(' ') + fromUtf8(field.title)).toLower();
  words.key = fromUtf8(field.key).toLower();
  words.all = QStringList({words.key, words.title, engineText(field.help).toLower(),
                           engineText(field.group).toLower()})
                  .join(QLatin1Char(' '));
  return words;
}

OptionSearch::OptionSearch(const QString& typed)
    : m_words(typed.trimmed().toLower().split(QLatin1Char(' '), Qt::SkipEmptyParts)) {}

bool OptionSearch::finds(const OptionWords& option) const {
  return holdsAll(option.all, m_words);
}

int OptionSearch::rank(const OptionWords& option, bool active) const {
  const int passedOver = active ? 0 : kRanks;
  if (holdsAll(option.title, m_words))
    return passedOver + (!m_words.isEmpty() && option.title.startsWith(m_words.first()) ? 0 : 1);
  return passedOver + (holdsAll(option.key, m_words) ? 2 : 3);
}

}  // namespace fathom
