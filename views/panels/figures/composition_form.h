// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVector>
#include <QWidget>
#include <functional>
#include <memory>
#include <vector>

#include "core/library/figures/figure_composition.h"
#include "core/review/stored_review.h"
#include "views/look/qt_names.h"

namespace fathom {

class ElidedLabel;
class ExperimentDraft;
class OptionRow;
class StyleChoice;
class TrackSharesField;

// The recipe of a page: name, venue, size and look; its panels with their places; data and options of the
// selected one. Shows a composition and tells every edit; who owns the composition sets it anew.
class CompositionForm : public QWidget {
  Q_OBJECT
 public:
  struct Run {
    QString uuid, name, wholeName = {};
    QString noValues = {}, noStates = {};  // why it has none; empty where it has
  };
  explicit CompositionForm(QWidget* parent = nullptr);
  ~CompositionForm() override;

  // Sets the runs and reviews that a panel may be of.
  void setData(const QVector<Run>& runs, const std::vector<StoredReview>& reviews);
  // The values; fields that a person is in keep what is typed.
  void setComposition(const FigureComposition& composition, int selected);
  // Why the selected panel cannot be drawn; empty = it can.
  void setProblem(const QString& problem);
  void setReadOnly(bool readOnly);
  // Buttons beside the list of panels. Borrowed.
  void setPanelActions(const QList<QAction*>& actions);
  // A button below the runs of a panel. Borrowed.
  void setRunsAction(QAction* action);
  StyleChoice* styles() const { return m_style; }
  // Into the settings of the selected panel.
  void focusPanel();

 Q_SIGNALS:
  // `what` names the kind of edit: edits of one kind in a row are one stretch.
  void edited(const fathom::FigureComposition& composition, const QString& what);
  void panelSelected(int index);
  // The place of a panel that cannot be had.
  void placeRefused();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  QWidget* makePage();
  void connectPage();
  QWidget* makePanelList();
  QWidget* makePanelSettings();
  QWidget* makePlaces();
  void movePanel(int which, int value);
  void changePanel(const QString& what, const std::function<void(CompositionPanel&)>& change);
  void change(const QString& what, const std::function<void(FigureComposition&)>& change);
  void showPage();
  void showPanels();
  void showPanel();
  void showOptions(const FigureRecipe& recipe);
  void showRuns(const FigureRecipe& recipe);
  void fitRuns();
  void showReviews(const FigureRecipe& recipe);
  FigureComposition m_composition;
  int m_selected = -1;
  bool m_showing = false, m_readOnly = false;
  QVector<Run> m_known;
  std::vector<StoredReview> m_reviews;
  QLineEdit* m_name;
  StyleChoice* m_style;
  QDoubleSpinBox* m_width;
  QDoubleSpinBox* m_height;
  QComboBox* m_font;
  QDoubleSpinBox* m_text;
  QComboBox* m_letters;
  TrackSharesField* m_rows;
  TrackSharesField* m_columns;
  QCheckBox* m_shareX;
  QCheckBox* m_shareY;
  QCheckBox* m_dashes;
  QTreeWidget* m_panels;
  QWidget* m_buttons;
  QWidget* m_settings;
  ElidedLabel* m_heading;
  QLabel* m_problem;
  QLineEdit* m_title;
  QSpinBox* m_places[4];
  QLabel* m_runsLabel;
  QListWidget* m_runs = nullptr;
  QToolButton* m_sameRuns;
  QComboBox* m_reviewBox;
  QVBoxLayout* m_options;
  QString m_optionsOf;  // figure whose options stand there
  std::unique_ptr<ExperimentDraft> m_draft;
  QVector<OptionRow*> m_optionRows;
};

}  // namespace fathom
