// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/look/reason_text.h"

#include <QCoreApplication>

#include "views/look/engine_text.h"

namespace fathom {

namespace {

constexpr const char* kContext = "CategoryReason";

QString said(const std::string& text) {
  return QCoreApplication::translate(kContext, text.c_str());
}

// The places %1, %2, … filled in one go: a part may hold a % of its own.
QString filled(const QString& text, const std::vector<ReasonPhrase>& parts) {
  QString out;
  for (qsizetype i = 0; i < text.size(); ++i) {
    qsizetype end = i + 1;
    std::size_t number = 0;
    while (text[i] == QLatin1Char('%') && end < text.size() && text[end].isDigit())
      number = 10 * number + std::size_t(text[end++].digitValue());
    if (number == 0 || number > parts.size()) {
      out += text[i];
      continue;
    }
    out += reasonText(parts[number - 1]);
    i = end - 1;
  }
  return out;
}

}  // namespace

const std::vector<const char*>& reasonTexts() {
  static const std::vector<const char*> texts = {
      QT_TRANSLATE_NOOP("CategoryReason", "the gold query is refused: %1"),
      QT_TRANSLATE_NOOP("CategoryReason", "the prediction is refused at byte %1: %2"),
      QT_TRANSLATE_NOOP("CategoryReason", "the prediction is too large to be compared: %1"),
      QT_TRANSLATE_NOOP("CategoryReason", "equal for the metric, but the clause differs"),
      QT_TRANSLATE_NOOP("CategoryReason", "the join conditions differ; the metric never looks at them"),
      QT_TRANSLATE_NOOP("CategoryReason", "the same meaning: %1"),
      QT_TRANSLATE_NOOP("CategoryReason", "perhaps the same meaning: %1"),
      QT_TRANSLATE_NOOP("CategoryReason", "SQLite refuses the prediction at byte %1: %2"),
      QT_TRANSLATE_NOOP("CategoryReason", "the tables are joined in another way than in gold"),
      QT_TRANSLATE_NOOP("CategoryReason", "nothing differs that the definitions count, but the results do"),
      QT_TRANSLATE_NOOP("CategoryReason", "the results are equal only with DISTINCT left out"),
      QT_TRANSLATE_NOOP("CategoryReason", "a sub-query inside differs"),
      QT_TRANSLATE_NOOP("CategoryReason", "gold has %1, the prediction has %2"),
      QT_TRANSLATE_NOOP("CategoryReason", "gold reads %1, the prediction reads %2"),
      QT_TRANSLATE_NOOP("CategoryReason", "only in gold: %1; only in the prediction: %2"),
      QT_TRANSLATE_NOOP("CategoryReason", "gold uses %1, the prediction its foreign-key sibling %2"),
      QT_TRANSLATE_NOOP("CategoryReason", "nothing differs that the definitions count; %1"),
      QT_TRANSLATE_NOOP("CategoryReason", "order of GROUP BY columns"),
      QT_TRANSLATE_NOOP("CategoryReason",
                        "values, DISTINCT, LIMIT or order inside a sub-query, an alias, or a spelling the "
                        "official parser refuses"),
      QT_TRANSLATE_NOOP("CategoryReason",
                        "columns are at other places than in gold, or the connectives are in another order"),
      QT_TRANSLATE_NOOP("CategoryReason", "%1: %2"),
      QT_TRANSLATE_NOOP("CategoryReason", "the results are equal"),
      QT_TRANSLATE_NOOP("CategoryReason", "the results differ"),
      QT_TRANSLATE_NOOP("CategoryReason", "both results are empty"),
      QT_TRANSLATE_NOOP("CategoryReason", "the same number of rows (%1)"),
      QT_TRANSLATE_NOOP("CategoryReason", "%1, with gold's values in it: %2"),
      QT_TRANSLATE_NOOP("CategoryReason", "rows of gold: %1, of the prediction: %2"),
      QT_TRANSLATE_NOOP("CategoryReason", "rows of gold: %1, of the prediction, which has no values: %2"),
      QT_TRANSLATE_NOOP("CategoryReason", "nothing"), QT_TRANSLATE_NOOP("CategoryReason", "no table"),
      QT_TRANSLATE_NOOP("CategoryReason", "no condition"),
      QT_TRANSLATE_NOOP("CategoryReason", "no connective"),
      QT_TRANSLATE_NOOP("CategoryReason", "%1 tables, %2 sub-queries"),
      QT_TRANSLATE_NOOP("CategoryReason", "%1 columns"), QT_TRANSLATE_NOOP("CategoryReason", "no order"),
      QT_TRANSLATE_NOOP("CategoryReason", "%1 ascending"),
      QT_TRANSLATE_NOOP("CategoryReason", "%1 descending"), QT_TRANSLATE_NOOP("CategoryReason", "a limit"),
      QT_TRANSLATE_NOOP("CategoryReason", "no limit"), QT_TRANSLATE_NOOP("CategoryReason", "no set operator"),
      QT_TRANSLATE_NOOP("CategoryReason", "ORDER BY x LIMIT 1 is min(x) or max(x)"),
      QT_TRANSLATE_NOOP("CategoryReason", "x = (SELECT max(x)) is ORDER BY x DESC LIMIT 1, up to ties"),
      QT_TRANSLATE_NOOP("CategoryReason", "the operands of INTERSECT and UNION may be swapped"),
      QT_TRANSLATE_NOOP("CategoryReason", "EXCEPT on a key is NOT IN"),
      QT_TRANSLATE_NOOP("CategoryReason",
                        "UNION of two filters is OR, INTERSECT is AND with IN, up to duplicates"),
      QT_TRANSLATE_NOOP("CategoryReason", "count(*) is count of a column that is never NULL"),
      QT_TRANSLATE_NOOP("CategoryReason", "columns that depend on a key add nothing to GROUP BY"),
      QT_TRANSLATE_NOOP("CategoryReason",
                        "BETWEEN is >= AND <=, NOT folds into the operator, IN (list) is OR"),
      QT_TRANSLATE_NOOP("CategoryReason", "a table joined only through a foreign key adds nothing"),
      QT_TRANSLATE_NOOP("CategoryReason", "columns equal by the inner join may replace each other"),
      QT_TRANSLATE_NOOP("CategoryReason",
                        "IN or = with a sub-query that selects a key is a join on that key"),
      QT_TRANSLATE_NOOP("CategoryReason", "INTERSECT and EXCEPT over a key are IN and NOT IN over that key"),
      QT_TRANSLATE_NOOP("CategoryReason",
                        "a query without ON conditions is completed along its foreign keys"),
      // Sub-types.
      QT_TRANSLATE_NOOP("CategoryReason", "invalid"), QT_TRANSLATE_NOOP("CategoryReason", "too large"),
      QT_TRANSLATE_NOOP("CategoryReason", "gold"), QT_TRANSLATE_NOOP("CategoryReason", "table/JOIN"),
      QT_TRANSLATE_NOOP("CategoryReason", "FK-sibling"),
      QT_TRANSLATE_NOOP("CategoryReason", "metric strictness"),
      QT_TRANSLATE_NOOP("CategoryReason", "swapped"), QT_TRANSLATE_NOOP("CategoryReason", "join kind"),
      QT_TRANSLATE_NOOP("CategoryReason", "results differ"), QT_TRANSLATE_NOOP("CategoryReason", "ON"),
      // Kinds of reasons.
      QT_TRANSLATE_NOOP("CategoryReason", "sketch"), QT_TRANSLATE_NOOP("CategoryReason", "column"),
      QT_TRANSLATE_NOOP("CategoryReason", "table"), QT_TRANSLATE_NOOP("CategoryReason", "equal meaning"),
      QT_TRANSLATE_NOOP("CategoryReason", "strict metric"), QT_TRANSLATE_NOOP("CategoryReason", "note")};
  return texts;
}

QString reasonText(const ReasonPhrase& words) {
  const QString text = words.verbatim ? fromUtf8(words.text) : said(words.text);
  return words.parts.empty() ? text : filled(text, words.parts);
}

QString subTypeText(const std::string& subType) {
  return said(subType);
}

QString reasonKindText(const std::string& kind) {
  return said(kind == "equivalence" ? "equal meaning" : kind == "strictness" ? "strict metric" : kind);
}

}  // namespace fathom
