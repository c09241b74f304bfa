// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QVector>
#include <optional>
#include <vector>

#include "core/analysis/training/run_comparison.h"
#include "core/base/errors/phrase.h"
#include "core/base/errors/result.h"
#include "views/tables/table_model.h"

namespace fathom {

// What a test of the predictions says of one column against the base.
struct ComparedPredictions {
  double difference = 0, low = 0, high = 0, p = 1;  // in the unit of ComparisonTest::compared
  std::optional<double> score;
  std::optional<int> onlyBase, onlyThis;  // right in one of them only
};
struct ComparisonTest {
  QString title;       // "Predictions of the validation part"
  Phrase compared;     // "BLEU", "exact match, points"
  bool exact = false;  // McNemar's test instead of a bootstrap's p
  std::optional<double> baseScore;
  std::vector<std::optional<ComparedPredictions>> columns;  // one a column of the comparison
};

// Runs side by side, a column each: the options in which they differ, then the scores with their differences
// from the base, then what the test of the predictions says. Headings in between. GUI thread.
class ComparisonModel : public TableModel {
  Q_OBJECT
 public:
  enum Role {
    HeadingRole = Qt::UserRole,  // the row is a heading over all columns
    BestRole,                    // the best of its row
    KeyRole                      // of the option, id of the metric
  };
  using TableModel::TableModel;
  // `titles`: of options and their choices; keys and values without. `colours`: of the columns' runs.
  void setComparison(RunComparison comparison, const OptionSchema& titles, const QVector<QColor>& colours);
  const RunComparison& comparison() const { return m_comparison; }
  // Forgotten with the next comparison of other columns.
  void setTest(const std::optional<ComparisonTest>& test);
  // Columns of the table below each other, all digits, tabs between them.
  QString asText() const;
  // For a paper (comparisonPaperTable), with what the test of the predictions says, in UTF-8.
  Result<std::string> asLatex() const;
  QVector<int> headings() const;

  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  struct Cell {
    QString text, whole;  // as shown; with all digits
    bool strong = false;  // differs from the base, or is the best
  };
  struct Line {
    QString title, key;
    QVector<Cell> cells;  // empty: a heading
    bool number = false, dim = false, best = false;
  };
  qsizetype shownRows() const override { return m_lines.size(); }
  qsizetype shownColumns() const override { return 1 + qsizetype(m_comparison.columns.size()); }
  QString title(int column) const override;
  void build();
  void addHeading(const QString& title);
  void addOption(const ComparedOption& option);
  void addScore(const ComparedScore& score);
  void addDifferences(const ComparedScore& score);
  void addTest(const ComparisonTest& test);
  std::vector<std::string> optionTitleTexts() const;
  RunComparison m_comparison;
  OptionSchema m_titles;
  QVector<QColor> m_colours;
  std::optional<ComparisonTest> m_test;
  QVector<Line> m_lines;
};

}  // namespace fathom
