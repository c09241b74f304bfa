// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPair>
#include <QString>
#include <QVector>
#include <QWidget>

#include "core/base/errors/error.h"
#include "core/base/json/json.h"
#include "core/base/threads/progress.h"
#include "views/look/qt_names.h"

namespace fathom {

class RankOutlook;
struct DryRunWords;

// "Can I run this?": parameters, memory against what is free, time and disk of the run that the form
// describes, as the engine's estimate says them. What cannot fit stands in words with the changes that would
// make it fit, each a button.
class FitBar : public QWidget {
  Q_OBJECT
 public:
  explicit FitBar(QWidget* parent = nullptr);
  // Shows that nothing is known (no engine, options that are no values).
  void clear();
  // The numbers are those of former options while new ones are worked out.
  void showBusy();
  void showProgress(const ProgressUpdate& update);
  // docs/dry_run.md §5, of a run or of a grid.
  void showReport(const Json& report);
  // What is known at once, while the rest is worked out: the answer to a question that is not over.
  void showFirst(const Json& report);
  // Why nothing could be worked out.
  void showError(const Error& error);
  // The refusal of the report that is shown, with its option; an empty message where it fits, or nothing is
  // known of the options as they are.
  Error refusal() const;
  // Of the report that is shown, about the options as they are; null: nothing is known of them.
  Json report() const { return m_outdated ? Json() : m_report; }
  bool answered() const { return !m_outdated; }

 Q_SIGNALS:
  // Set these options so.
  void remedyChosen(const QVector<QPair<QString, qint64>>& options);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  struct Cell {
    QLabel* title = nullptr;
    QLabel* value = nullptr;
  };
  Cell addCell(const QString& title, const QString& objectName);
  void show(const Cell& cell, const Phrase& words, const Phrase& parts);
  void showNumbers(const DryRunWords& words, const Json& report);
  void showRemedies(const Json& report);
  void colour();
  void layOut();
  QWidget* m_numbers;
  Cell m_parameters, m_memory, m_time, m_disk;
  RankOutlook* m_ranks;  // predictions for several processes
  QProgressBar* m_share;
  QLabel* m_state;
  QWidget* m_refusalRow;
  QLabel* m_refusalIcon;
  QLabel* m_refusal;
  QWidget* m_remedies;
  QVector<QPushButton*> m_buttons;
  Json m_report;
  bool m_outdated = true;
};

}  // namespace fathom
