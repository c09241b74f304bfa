// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <string>
#include <vector>

#include "app/window/errors/review_export.h"
#include "core/base/json/json.h"
#include "views/look/qt_names.h"
#include "views/tables/reviewed_predictions.h"

namespace fathom {

class ComparisonPanel;
class ErrorsActions;
class FileChoice;
class JobCenter;
class MessageBar;
class NoteLines;
class PredictionPanel;
class PredictionTableModel;

// Parts of the window that the pages of reviews borrow.
struct ReviewPageParts {
  JobCenter* jobs;
  MessageBar* messages;
  FileChoice* files;
  SelectionModel* selection;
  ErrorsActions* actions;
  QWidget* window;
};

// A review in the Errors workspace: the list of predictions with its filter and facets, the comparison of the
// models, the keys that judge. What stands beside the list, and further parts, are those of a set of panels
// (PanelSet), which inherits this page; which set a review has, its kind says (ReviewKind::panels).
class ReviewPage : public QWidget {
  Q_OBJECT
 public:
  // The third is of those sets that can ask a model.
  enum Part { kReview, kCompare, kTry };
  ReviewPage(const ReviewPageParts& parts, QWidget* parent);
  ReviewedPredictions* review() const { return m_review; }
  PredictionTableModel* model() const { return m_model; }
  PredictionPanel* predictions() const { return m_predictions; }
  ComparisonPanel* comparison() const { return m_comparison; }
  bool empty() const { return m_review->empty(); }

  // Null: nothing is open. `place`: where somebody was in it (savePlace).
  void setReview(std::shared_ptr<OpenReview> open, const Json& place);
  Json savePlace() const;  // null where nothing is open
  // Sizes of the parts and the like, members of the workspace's view.
  virtual Json saveLayout() const { return Json::object(); }
  virtual void restoreLayout(const Json& /*view*/) {}

  Part part() const;
  virtual void showPart(Part part);
  // Enables the actions that make sense now, and names the keys.
  void refreshActions();
  // The n-th category that a person may give, from 0.
  void setCategory(int number);
  void clearCategory();
  void goWrong(int direction);
  void editNote();
  // Asks for a file name where it is empty; the recipe is kept in the project.
  void exportFigure(const QString& file = {});
  void exportTable(const QString& file = {});
  // Folds and unfolds them, as their button does.
  void toggleFacets();
  virtual void undo();
  virtual void redo();
  void focusFilter();
  virtual void keep() = 0;  // edits that wait are written
  // Parts that F6 goes through.
  QList<QWidget*> places() const;
  // Ids of help pages, the first is opened.
  QStringList helpPages() const;

 Q_SIGNALS:
  void changed();  // part or example is another one: actions follow
  void asked();    // an action shows something here: the page is to come into view

 protected:
  // `review` is the part with the list; what stands beside the list is the set's.
  void makeParts(QWidget* review);
  void addPart(QWidget* part, const QString& title);
  const ReviewPageParts& parts() const { return m_parts; }
  const ReviewMessages& messages() const { return m_messages; }
  QTabBar* tabs() const { return m_tabs; }

  virtual NoteLines* notes() const = 0;
  // False: what is shown is not what would be judged.
  virtual bool canJudge() { return true; }
  virtual void nameKeys();
  // Enables those that only this set has; all of them are disabled before.
  virtual void refreshOwnActions(bool reviewing, bool writable) = 0;
  virtual void savePlaceOf(Json& /*place*/) const {}
  virtual void returnToPlaceOf(const Json& /*place*/) {}
  virtual QList<QWidget*> placesOf(Part part) const = 0;
  virtual QStringList helpOfKind() const = 0;
  // True where the list is exported while it is in view, else always the comparison.
  virtual bool exportsList() const { return true; }

 private:
  void returnTo(const Json& place);
  ReviewExport exporter() const;
  void comparePairs();
  void pairsChanged();
  void pickSelection(const QString& selection, const QString& title);
  ReviewPageParts m_parts;
  ReviewMessages m_messages;
  ReviewedPredictions* m_review;
  PredictionTableModel* m_model;
  QTabBar* m_tabs;
  QStackedWidget* m_pages;
  PredictionPanel* m_predictions;
  ComparisonPanel* m_comparison;
};

struct PanelSet {
  std::string id;
  ReviewPage* (*make)(const ReviewPageParts& parts, QWidget* parent) = nullptr;
};
const std::vector<PanelSet>& panelSets();  // made of panel_sets.list

}  // namespace fathom
