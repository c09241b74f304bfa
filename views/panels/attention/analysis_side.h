// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QVector>
#include <QWidget>

#include "views/look/qt_names.h"
#include "views/tables/run_item.h"

namespace fathom {

class CheckpointBar;
class FigureChoices;
struct OptionField;

// Choice of what is looked at: which analysis, of which runs, at which checkpoint, and what is computed where
// there is no result yet.
class AnalysisSide : public QWidget {
  Q_OBJECT
 public:
  explicit AnalysisSide(QWidget* parent = nullptr);
  // (id, title, paper) in the order of the list.
  struct Entry {
    QString id, title, reference;
  };
  void setAnalyses(const QVector<Entry>& entries);
  // Pixels in which every title is whole.
  int naturalWidth() const;
  QString analysis() const;
  void setAnalysis(const QString& id);
  // Ticks stay. `reasons`: of each run why it has no place in the figure, empty where it has one.
  void setRuns(const QVector<RunItem>& runs, const QStringList& reasons);
  QStringList chosenRuns() const;
  // The runs of the figure in its order: they have the colour of their curves, the others none.
  void setDrawnRuns(const QStringList& uuids);
  void setChosenRuns(const QStringList& uuids);
  // Options of the computation (part of the data, number of examples, those of the probe); empty: nothing is
  // computed for this analysis.
  void setComputation(const std::vector<OptionField>& fields, const Json& values);
  // In words, what the stored results were computed from, and which one is shown: -1 where what the options
  // ask for is not computed.
  void setVariants(const QStringList& words, int shown);
  QComboBox* variants() const { return m_variants; }
  FigureChoices* computation() const { return m_computation; }
  CheckpointBar* checkpoints() const { return m_checkpoints; }
  QListWidget* analyses() const { return m_analyses; }
  QListWidget* runs() const { return m_runs; }

 Q_SIGNALS:
  void analysisChosen(const QString& id);
  void runsChosen(const QStringList& uuids);
  void computationChanged();
  void variantChosen(int index);

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fitComputation();
  void fitLists();
  QIcon swatchOf(const QString& uuid) const;
  void colourRuns();
  void shadeRuns();
  void filterRuns(const QString& text);
  static bool matches(const QListWidgetItem* item, const QString& text);
  QListWidget* m_analyses;
  QLineEdit* m_filter;
  QListWidget* m_runs;
  QVector<RunItem> m_items;
  QStringList m_reasons;
  QStringList m_drawn;
  CheckpointBar* m_checkpoints;
  QWidget* m_computationTitle;
  QComboBox* m_variants;
  QScrollArea* m_computationArea;
  FigureChoices* m_computation;
};

}  // namespace fathom
