// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QFile>
#include <QTemporaryDir>
#include <string>

#include "core/base/numbers/not_a_number.h"
#include "core/review/review.h"

namespace fathom::test {

inline Result<Review> openedReview(const ReviewSources& sources) {
  Progress progress;
  return openReview(sources, 1, progress);
}

// The score of that id; a failure where the model has none, not a number where it has no value.
inline double scoreOf(const ReviewModel& model, const std::string& id) {
  for (const ReviewScore& score : model.scores)
    if (score.id == id) return score.value.value_or(kNaN);
  throw Failure(usageError("no score " + id));
}

// A folder for the files of a review, gone with its owner.
class ReviewFiles {
 protected:
  // Path of the file; empty when it could not be written.
  std::string write(const char* name, const QByteArray& bytes) const {
    const QString path = m_folder.filePath(QString::fromLatin1(name));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) return {};
    return path.toStdString();
  }
  // Four examples of two classes.
  std::string classGold() const {
    return write("gold.tsv",
                 "index\tsentence1\tsentence2\tlabel\n0\ta b\tc\tentailment\n1\td\te\tnot_entailment\n"
                 "2\tf\tg\tentailment\n3\th\ti\tnot_entailment\n");
  }
  QTemporaryDir m_folder;
};

}  // namespace fathom::test
