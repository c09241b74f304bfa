// SPDX-License-Identifier: GPL-3.0-or-later
// Predictions of other kinds than SQL in the Errors workspace: which files, the job that reads them.
#include <QStackedWidget>
#include <QTreeWidget>

#include "app/window/errors/errors_actions.h"
#include "app/window/errors/errors_workspace.h"
#include "app/window/errors/kind_review_page.h"
#include "app/window/file_choice.h"
#include "app/window/job_center.h"
#include "app/window/project_service.h"
#include "views/look/engine_text.h"
#include "views/panels/errors/example_panel.h"
#include "views/panels/errors/kind_open_page.h"

namespace fathom {

bool ErrorsWorkspace::kindShown() const {
  return m_pages->currentIndex() == kKind;
}

ErrorsWorkspace::Page ErrorsWorkspace::home() const {
  if (!m_review->empty()) return kReview;
  return m_kind->review()->empty() ? kEmpty : kKind;
}

void ErrorsWorkspace::connectKinds() {
  connect(m_kind, &KindReviewPage::changed, this, &ErrorsWorkspace::changed);
  connect(m_openKind, &KindOpenPage::browseRequested, this, &ErrorsWorkspace::browseKind);
  connect(m_openKind, &KindOpenPage::openRequested, this, [this] { openKind(m_openKind->sources()); });
  connect(m_openKind, &KindOpenPage::closed, this, [this] {
    show(m_back);
    activate();
  });
}

void ErrorsWorkspace::showOpenKindPage() {
  if (m_pages->currentIndex() != kOpenKind) m_back = home();
  if (!m_kind->review()->empty() && m_openKind->files()->topLevelItemCount() == 0)
    m_openKind->setSources(m_kind->review()->review().sources);
  show(kOpenKind);
}

void ErrorsWorkspace::browseKind(const QString& field) {
  if (field == QLatin1String("predictions")) {
    m_openKind->addPredictions(
        m_files->severalToRead(m_window, FileKind::Predictions, tr("Prediction files"), tr("All files (*)")));
    return;
  }
  const QString path = m_files->toRead(m_window, FileKind::Data, tr("Open a file"));
  if (!path.isEmpty()) m_openKind->setPath(field, path);
}

void ErrorsWorkspace::openKind(const KindSources& sources) {
  m_example->keepEdits();
  m_kind->keep();
  loadKind([sources]() -> Result<KindSources> { return sources; });
}

void ErrorsWorkspace::loadKind(std::function<Result<KindSources>()> sources) {
  m_asked = m_service->path();
  showProgress({});
  show(kLoading);
  m_jobs->start<std::unique_ptr<OpenKindReview>>(
      tr("Opening predictions"), QLatin1String(kOpening),
      [project = toUtf8(m_service->path()), sources = std::move(sources)](
          Progress& progress, const StopToken& stop) -> Result<std::unique_ptr<OpenKindReview>> {
        FATHOM_TRY(const KindSources found, sources());
        return loadKindReview(project, found, progress, stop);
      },
      [this](Result<std::unique_ptr<OpenKindReview>> result) { kindTaken(std::move(result)); },
      [this](const ProgressUpdate& update) { showProgress(update); });
}

void ErrorsWorkspace::kindTaken(Result<std::unique_ptr<OpenKindReview>> result) {
  if (!result.ok()) {
    // The page of the files says it, beside the fields it is about.
    m_openKind->setProblem(phraseText(result.error().phrase()));
    m_back = home();
    show(kOpenKind);
    return;
  }
  m_review->setReview(nullptr);
  m_openKind->setProblem({});
  m_back = kKind;
  show(kKind);
  m_kind->setReview(std::move(result).value());
  Q_EMIT changed();
}

}  // namespace fathom
