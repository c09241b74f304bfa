// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QVector>

#include "core/spider/spider_schema.h"

namespace fathom {

// Words of a question that name a table or a column, for the eye alone: runs of words equal to a whole name
// (exact), else single words that are part of one (partial). Plural and singular count as one.
struct QuestionLink {
  qsizetype begin = 0, length = 0;  // characters of the question
  bool exact = false;
  bool table = false;
  QStringList names;  // "singer", "concert.year"
};
QVector<QuestionLink> questionLinks(const QString& question, const SpiderSchema& schema);

// The question as rich text with its links underlined; columns and tables in different colours.
QString questionHtml(const QString& question, const QVector<QuestionLink>& links, const QString& tableColour,
                     const QString& columnColour);

}  // namespace fathom
