// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/errors/errors_workspace.h"

#include <QStackedWidget>
#include <QTreeWidget>
#include <algorithm>
#include <utility>

#include "app/window/errors/errors_actions.h"
#include "app/window/errors/open_page_files.h"
#include "app/window/errors/sql_review_page.h"
#include "app/window/errors/text_review_page.h"
#include "app/window/jobs/job_center.h"
#include "app/window/jobs/project_service.h"
#include "core/review/reviewed_sql.h"
#include "views/look/engine_text.h"
#include "views/panels/errors/open_page.h"
#include "views/panels/widgets/controls.h"
#include "views/panels/widgets/empty_state.h"
#include "views/panels/widgets/help_window.h"
#include "views/panels/widgets/message_bar.h"
#include "views/panels/widgets/progress_page.h"

namespace fathom {

namespace {

constexpr const char* kOpening = "errors";  // the owner of its jobs

template <typename Page>
Page* firstOf(const std::vector<ReviewPage*>& pages) {
  for (ReviewPage* each : pages)
    if (auto* page = qobject_cast<Page*>(each)) return page;
  return nullptr;
}

const std::string& firstOtherKind() {
  const auto& kinds = reviewKinds();
  return std::find_if(kinds.begin(), kinds.end(),
                      [](const ReviewKind& kind) { return kind.id != kSqlReviewId; })
      ->id;
}

}  // namespace

ErrorsWorkspace::ErrorsWorkspace(ProjectService* service, const ReviewPageParts& parts)
    : Workspace(parts.window),
      m_service(service),
      m_parts(parts),
      m_pages(new QStackedWidget(parts.window)),
      m_progress(new ProgressPage(m_pages)),
      m_openPage(new OpenPage(m_pages)) {
  makePages();
  connect(this, &ErrorsWorkspace::changed, this, &ErrorsWorkspace::refreshActions);
  bindActions();
}

void ErrorsWorkspace::makePages() {
  const auto action = [this](const char* id) { return m_parts.actions->action(QLatin1String(id)); };
  auto* empty = new EmptyState(m_pages);
  empty->setText(tr("No predictions yet. Open those of a model, or generate the sample."));
  empty->setActions({action("errors.open"), action("errors.open_kind"), action("errors.sample")});
  for (QWidget* page :
       {static_cast<QWidget*>(empty), static_cast<QWidget*>(m_progress), static_cast<QWidget*>(m_openPage)})
    m_pages->addWidget(page);
  for (const PanelSet& set : panelSets()) {
    ReviewPage* page = set.make(m_parts, m_pages);
    connect(page, &ReviewPage::changed, this, &ErrorsWorkspace::changed);
    connect(page, &ReviewPage::asked, this, [this, page] {
      if (page == m_shown && !page->empty()) m_pages->setCurrentWidget(page);
    });
    m_pages->addWidget(page);
    m_sets.push_back(page);
  }
  m_shown = m_sets.front();
  for (QAction* each : m_parts.actions->ordered())
    if (each != nullptr) m_pages->addAction(each);
  connect(m_progress, &ProgressPage::cancelRequested, this, [this] {
    m_parts.jobs->cancelOwner(QLatin1String(kOpening));
    show(m_back);
  });
  answerOpenPage(m_openPage, m_parts, QLatin1String(kOpening));
  connect(m_openPage, &OpenPage::openRequested, this, [this] { open(m_openPage->sources()); });
  connect(m_openPage, &OpenPage::closed, this, [this] {
    show(m_back);
    activate();
  });
  leaveWithEscape(m_openPage, [this] { Q_EMIT m_openPage->closed(); });
  leaveWithEscape(m_progress, [this] { Q_EMIT m_progress->cancelRequested(); });
  for (int i = 0; i < m_pages->count(); ++i) m_pages->widget(i)->setMinimumSize(280, 200);
}

void ErrorsWorkspace::bindActions() {
  ErrorsActions* actions = m_parts.actions;
  actions->bind("errors.open", [this] { showOpenPage(); });
  actions->bind("errors.open_kind", [this] { showOpenPage(false); });
  actions->bind("errors.sample", [this] { openSample(); });
  actions->bindKeys([this](int key) { m_shown->setCategory(key); });
  actions->bind("errors.clear", [this] { m_shown->clearCategory(); });
  actions->bind("errors.next", [this] { m_shown->goWrong(1); });
  actions->bind("errors.previous", [this] { m_shown->goWrong(-1); });
  actions->bind("errors.review", [this] { show(kReview); });
  actions->bind("errors.compare", [this] { show(kCompare); });
  actions->bind("errors.export_figure", [this] { m_shown->exportFigure(); });
  actions->bind("errors.export_table", [this] { m_shown->exportTable(); });
  actions->bind("errors.facets", [this] { m_shown->toggleFacets(); });
  actions->bind("errors.note", [this] { m_shown->editNote(); });
  actions->bind("errors.help", [this] { showHelp(); });
}

QWidget* ErrorsWorkspace::widget() const {
  return m_pages;
}

SqlReviewPage* ErrorsWorkspace::sqlPage() const {
  return firstOf<SqlReviewPage>(m_sets);
}

TextReviewPage* ErrorsWorkspace::textPage() const {
  return firstOf<TextReviewPage>(m_sets);
}

// Panels that this program does not have: what is predicted is a text, whatever else it is.
ReviewPage* ErrorsWorkspace::pageOf(const ReviewKind& kind) const {
  for (std::size_t i = 0; i < m_sets.size(); ++i)
    if (panelSets()[i].id == kind.panels) return m_sets[i];
  return textPage();
}

ErrorsWorkspace::Page ErrorsWorkspace::page() const {
  const int index = m_pages->currentIndex();
  return index < kReview ? Page(index) : Page(int(kReview) + int(m_shown->part()));
}

ErrorsWorkspace::Page ErrorsWorkspace::home() const {
  return m_shown->empty() ? kEmpty : kReview;
}

void ErrorsWorkspace::show(Page page) {
  if (page >= kReview && m_shown->empty()) page = kEmpty;
  if (page < kReview) {
    m_pages->setCurrentIndex(page);
  } else {
    m_pages->setCurrentWidget(m_shown);
    m_shown->showPart(ReviewPage::Part(int(page) - int(kReview)));
  }
  Q_EMIT changed();
}

void ErrorsWorkspace::activate() {
  if (!m_service->isOpen() || m_asked == m_service->path()) {
    if (page() == kReview) m_shown->showPart(ReviewPage::kReview);  // keys go to the list
    return;
  }
  m_asked = m_service->path();
  HandedOver handed = std::exchange(m_handed, {});
  if (handed.project == m_asked && handed.open) return opened(std::move(handed.open));
  m_parts.jobs->start<std::optional<ReviewSources>>(
      tr("Looking for the last predictions"), QLatin1String(kOpening),
      [project = toUtf8(m_asked)](Progress&, const StopToken&) { return rememberedReview(project); },
      [this](Result<std::optional<ReviewSources>> remembered) {
        if (!remembered.ok()) {
          m_parts.messages->showError(remembered.error(), QLatin1String(kOpening));
        } else if (page() == kOpen && *remembered) {
          m_asked.clear();  // somebody chooses files already: asked again when that page is left
        } else if (*remembered) {
          open(**remembered);
        }
      });
}

Workspace::Handing ErrorsWorkspace::handOver() {
  keep();
  HandedOver handed = std::exchange(m_handed, {});
  if (!m_shown->empty()) handed = {m_service->path(), m_shown->review()->release()};
  if (!handed.open) return {};
  return [handed](Workspace& next) { static_cast<ErrorsWorkspace&>(next).m_handed = handed; };
}

void ErrorsWorkspace::load(const std::string& kind, std::function<Result<ReviewSources>()> sources) {
  m_asked = m_service->path();
  m_shown->keep();
  m_progress->setProgress(tr("Opening predictions"), {});
  show(kLoading);
  m_parts.jobs->start<std::unique_ptr<OpenReview>>(
      tr("Opening predictions"), QLatin1String(kOpening),
      [project = toUtf8(m_service->path()), sources = std::move(sources)](
          Progress& progress, const StopToken& stop) -> Result<std::unique_ptr<OpenReview>> {
        FATHOM_TRY(const ReviewSources found, sources());
        return loadReview(project, found, progress, stop);
      },
      [this, kind](Result<std::unique_ptr<OpenReview>> result) {
        if (result.ok()) return opened(std::move(result).value());
        sayProblem(kind, result.error());
        show(kOpen);
        m_back = home();
      },
      [this](const ProgressUpdate& update) {
        m_progress->setProgress(update.phase.empty() ? tr("Opening predictions") : QString(), update);
      });
}

// The page of the files says it, beside the fields it is about. What somebody wrote there about another kind
// stays, and the problem is a message.
void ErrorsWorkspace::sayProblem(const std::string& kind, const Error& error) {
  const ReviewSources written = m_openPage->sources();
  const bool empty = written.gold.empty() && written.files.empty() && written.predictions.empty();
  if (written.kind != kind && !empty) return m_parts.messages->showError(error, QLatin1String(kOpening));
  if (written.kind != kind) m_openPage->setSources({kind, {}});
  m_openPage->setProblem(phraseText(error.phrase()));
}

void ErrorsWorkspace::openSample() {
  m_back = home();
  load(kSqlReviewId, [project = toUtf8(m_service->path())] { return sampleReviewSources(project); });
}

void ErrorsWorkspace::openRun(const RunItem& run) {
  // A run of another program names its kind itself, and is no SQL.
  const std::string id = run.origin.isEmpty() ? reviewKindOfRun(run) : firstOtherKind();
  const auto kind = findReviewKind(id);
  if (!kind.ok()) return ReviewMessages(m_parts.messages).report(kind.error());
  m_back = home();
  load(id, [run, project = toUtf8(m_service->path())] { return runReviewSources(run, project); });
}

void ErrorsWorkspace::showOpenPage(bool sql) {
  if (page() != kOpen) m_back = home();
  const auto isSql = [](const ReviewSources& sources) { return sources.kind == kSqlReviewId; };
  const bool other = isSql(m_openPage->sources()) != sql;
  const bool offered = !m_shown->empty() && isSql(m_shown->review()->review().sources) == sql;
  const ReviewSources kept = other ? std::exchange(m_otherForm, m_openPage->sources()) : ReviewSources();
  if (!kept.gold.empty() || !kept.predictions.empty()) {
    m_openPage->setSources(kept);
  } else if (offered && (other || m_openPage->files()->topLevelItemCount() == 0)) {
    m_openPage->setSources(m_shown->review()->review().sources);
  } else if (other) {
    m_openPage->setSources({sql ? kSqlReviewId : firstOtherKind(), {}});
  }
  show(kOpen);
}

void ErrorsWorkspace::open(const ReviewSources& sources) {
  const auto kind = findReviewKind(sources.kind);
  if (!kind.ok()) return ReviewMessages(m_parts.messages).report(kind.error());
  const Page back = page() == kOpen ? kOpen : home();
  m_openPage->setSources(sources);
  m_back = back;
  load(sources.kind, [sources]() -> Result<ReviewSources> { return sources; });
}

void ErrorsWorkspace::opened(std::shared_ptr<OpenReview> open) {
  m_openPage->setProblem({});
  m_shown->keep();  // what was typed while this one was read
  for (ReviewPage* each : m_sets) each->setReview(nullptr, {});
  m_shown = pageOf(*open->review.kind);
  m_pages->setCurrentWidget(m_shown);
  m_back = kReview;
  Json place = std::exchange(m_place, Json());
  // As sessions of before one review of all kinds wrote it of what was no SQL.
  if (place.is_object() && place.contains("kind")) place = Json(place["kind"]);
  m_shown->setReview(std::move(open), place);
  Q_EMIT changed();
}

void ErrorsWorkspace::reset() {
  m_parts.jobs->cancelOwner(QLatin1String(kOpening));
  m_shown->keep();
  m_asked.clear();
  for (ReviewPage* each : m_sets) each->setReview(nullptr, {});
  m_back = kEmpty;
  show(kEmpty);
}

// The page of the kind whose files are named, whatever is open.
void ErrorsWorkspace::showHelp() {
  const auto named = findReviewKind(m_openPage->sources().kind);
  HelpWindow::openAt(m_parts.window,
                     (page() == kOpen && named.ok() ? pageOf(**named) : m_shown)->helpPages());
}

// Out of sight nothing is undone.
bool ErrorsWorkspace::undo() {
  if (page() >= kReview) m_shown->undo();
  return true;
}

bool ErrorsWorkspace::redo() {
  if (page() >= kReview) m_shown->redo();
  return true;
}

bool ErrorsWorkspace::focusFilter() {
  if (m_shown->empty()) return true;
  show(kReview);
  m_shown->focusFilter();
  return true;
}

QList<QWidget*> ErrorsWorkspace::places() const {
  if (page() < kReview) return {m_pages};
  return m_shown->places();
}

// Before anything is open the place is still the one of the session before.
QByteArray ErrorsWorkspace::saveView() const {
  Json json = Json::object();
  for (const ReviewPage* each : m_sets) json.update(each->saveLayout());
  const Json place = m_shown->savePlace();
  json["place"] = place.is_null() ? m_place : place;
  return QByteArray::fromStdString(json.dump());
}

void ErrorsWorkspace::restoreView(const QByteArray& view) {
  const Json json = Json::parse(view.toStdString(), nullptr, false);
  if (!json.is_object()) return;
  for (ReviewPage* each : m_sets) each->restoreLayout(json);
  m_place = json.value("place", Json());
}

}  // namespace fathom
