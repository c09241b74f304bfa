// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "app/window/errors/review_loader.h"
#include "app/window/errors/review_page.h"
#include "app/window/workspace.h"
#include "views/look/qt_names.h"

namespace fathom {

class OpenPage;
class ProgressPage;
class ProjectService;
class SqlReviewPage;
class TextReviewPage;

// The Errors workspace: the predictions of any number of models, checked by hand. One review is open at a
// time, in the page of the panels that its kind asks for (panel_sets.list); it is read in a job. The window
// puts `widget` into its centre.
class ErrorsWorkspace : public Workspace {
  Q_OBJECT
 public:
  enum Page { kEmpty, kLoading, kOpen, kReview, kCompare, kTry };
  // Everything is borrowed.
  ErrorsWorkspace(ProjectService* service, const ReviewPageParts& parts);

  QWidget* widget() const override;
  QStackedWidget* pages() const { return m_pages; }
  Page page() const;
  // The page of the review that is open, else the one that was open last.
  ReviewPage* shown() const { return m_shown; }
  SqlReviewPage* sqlPage() const;
  TextReviewPage* textPage() const;
  OpenPage* openPage() const { return m_openPage; }

  // The review that the project looked at last is opened once.
  void activate() override;
  void reset() override;
  void refreshActions() override { m_shown->refreshActions(); }
  // The review that is open: executing its queries may have taken minutes.
  Handing handOver() override;
  void openSample();
  // The stored prediction sets of a run.
  void openRun(const RunItem& run);
  // The page where files are named: for predictions of SQL, or of another kind.
  void showOpenPage(bool sql = true);
  void open(const ReviewSources& sources);
  void show(Page page);

  bool undo() override;
  bool redo() override;
  bool focusFilter() override;
  QList<QWidget*> places() const override;
  void keep() override { m_shown->keep(); }
  QByteArray saveView() const override;
  void restoreView(const QByteArray& view) override;

 Q_SIGNALS:
  void changed();  // page or review is another one: actions follow

 private:
  void makePages();
  void bindActions();
  Page home() const;  // what is open
  ReviewPage* pageOf(const ReviewKind& kind) const;
  // `kind`: which form says it when the files cannot be read.
  void sayProblem(const std::string& kind, const Error& error);
  void load(const std::string& kind, std::function<Result<ReviewSources>()> sources);
  void opened(std::shared_ptr<OpenReview> open);
  void showHelp();
  ProjectService* m_service;
  ReviewPageParts m_parts;
  QStackedWidget* m_pages;
  ProgressPage* m_progress;
  OpenPage* m_openPage;
  std::vector<ReviewPage*> m_sets;  // parallel to panelSets()
  ReviewPage* m_shown = nullptr;
  ReviewSources m_otherForm;  // of the form while it asks for the other of SQL and the rest
  Json m_place;               // where the last session was, until its predictions are open
  struct HandedOver {
    QString project;
    std::shared_ptr<OpenReview> open;
  };
  HandedOver m_handed;  // until it comes into view
  QString m_asked;      // the project whose last review was asked for
  Page m_back = kEmpty;
};

}  // namespace fathom
