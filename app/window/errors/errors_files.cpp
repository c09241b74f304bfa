// SPDX-License-Identifier: GPL-3.0-or-later
// Files of the Errors workspace: predictions are opened (which files, their columns, the job that reads
// them, the place where they were left), figures and tables of the comparison are written.
#include "app/window/errors/errors_actions.h"
#include "app/window/errors/errors_workspace.h"

#include <QComboBox>
#include <QLineEdit>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QTreeWidget>
#include <utility>

#include "app/window/errors/kind_review_page.h"
#include "app/window/errors/prediction_tries.h"
#include "app/window/files/file_choice.h"
#include "app/window/jobs/job_center.h"
#include "app/window/jobs/project_service.h"
#include "core/base/json/json_members.h"
#include "views/look/engine_text.h"
#include "views/panels/errors/comparison_panel.h"
#include "views/panels/errors/example_panel.h"
#include "views/panels/errors/kind_open_page.h"
#include "views/panels/errors/open_predictions_page.h"
#include "views/panels/errors/prediction_panel.h"
#include "views/panels/widgets/message_bar.h"
#include "views/panels/widgets/natural_split.h"
#include "views/panels/widgets/progress_page.h"
#include "views/tables/sql_predictions.h"

namespace fathom {

namespace {

// Why the recipe is not kept; empty when it is.
Result<Phrase> keepRecipe(const ProjectService& service, FigureRecipe& recipe) {
  if (!service.isOpen()) return ReviewTalk::keepRecipe(nullptr, recipe);
  const auto library = ProjectLibrary::open(toUtf8(service.path()));
  return library.ok() ? ReviewTalk::keepRecipe(library->get(), recipe) : library.error().phrase();
}

// The file that was added last.
template <class Predictions>
QString lastOf(const Predictions& predictions) {
  return predictions.empty() ? QString() : fromUtf8(predictions.back().path);
}

QString openingText() {
  return ErrorsWorkspace::tr("Opening predictions");
}

bool hasSqlPanels(const ReviewKind& kind) {
  return kind.panels == kSqlReviewId;
}

}  // namespace

void ErrorsWorkspace::connectOpenPage() {
  connect(m_openPage, &OpenPredictionsPage::browseRequested, this, &ErrorsWorkspace::browse);
  connect(m_openPage, &OpenPredictionsPage::filesAdded, this, &ErrorsWorkspace::askColumns);
  connect(m_openPage, &OpenPredictionsPage::closed, this, [this] {
    show(m_back);
    activate();
  });
  connect(m_openPage, &OpenPredictionsPage::openRequested, this, [this] { open(m_openPage->sources()); });
  connect(m_openPage, &OpenPredictionsPage::goldChosen, this, [this](const QString& path) {
    ReviewSources sources{kSqlReviewId, toUtf8(path)};
    fillFromBeside(sources);
    for (const auto& [key, file] : sources.files) m_openPage->setPath(fromUtf8(key), fromUtf8(file), true);
  });
}

void ErrorsWorkspace::activate() {
  if (!m_service->isOpen() || m_asked == m_service->path()) {
    if (m_pages->currentIndex() == kReview) m_predictions->table()->setFocus(Qt::OtherFocusReason);
    return;
  }
  m_asked = m_service->path();
  HandedOver handed = std::exchange(m_handed, {});
  if (handed.project == m_asked && handed.open) return opened(std::move(handed.open));
  m_jobs->start<std::optional<ReviewSources>>(
      tr("Looking for the last predictions"), QLatin1String(kOpening),
      [project = toUtf8(m_asked)](Progress&, const StopToken&) { return rememberedReview(project); },
      [this](Result<std::optional<ReviewSources>> remembered) {
        const bool choosing = m_pages->currentIndex() == kOpen || m_pages->currentIndex() == kOpenKind;
        if (!remembered.ok()) {
          m_messages->showError(remembered.error(), QLatin1String(kOpening));
        } else if (choosing && *remembered) {
          m_asked.clear();  // somebody chooses files already: asked again when that page is left
        } else if (*remembered) {
          open(**remembered);
        }
      });
}

void ErrorsWorkspace::takeOver(ErrorsWorkspace& other) {
  other.keep();
  ReviewedPredictions* review = other.m_review->empty() ? other.m_kind->review() : other.m_review;
  m_handed = {other.m_service->path(), review->release()};
}

bool ErrorsWorkspace::loading() const {
  return m_pages->currentIndex() == kLoading;
}

void ErrorsWorkspace::load(const ReviewKind& kind, std::function<Result<ReviewSources>()> sources) {
  m_asked = m_service->path();
  m_example->keepEdits();
  m_kind->keep();
  showProgress({});
  show(kLoading);
  m_jobs->start<std::unique_ptr<OpenReview>>(
      openingText(), QLatin1String(kOpening),
      [project = toUtf8(m_service->path()), sources = std::move(sources)](
          Progress& progress, const StopToken& stop) -> Result<std::unique_ptr<OpenReview>> {
        FATHOM_TRY(const ReviewSources found, sources());
        return loadReview(project, found, progress, stop);
      },
      [this, &kind](Result<std::unique_ptr<OpenReview>> result) { taken(kind, std::move(result)); },
      [this](const ProgressUpdate& update) { showProgress(update); });
}

void ErrorsWorkspace::openSample() {
  m_back = home();
  load(*findReviewKind(kSqlReviewId).value(),
       [project = toUtf8(m_service->path())] { return sampleReviewSources(project); });
}

void ErrorsWorkspace::openRun(const RunItem& run) {
  // What another program logged names its kind itself, and is no SQL.
  const auto kind = findReviewKind(run.origin.isEmpty() ? reviewKindOfRun(run) : "class");
  if (!kind.ok()) return m_talk.report(kind.error());
  m_back = home();
  load(**kind, [run, project = toUtf8(m_service->path())] { return runReviewSources(run, project); });
}

void ErrorsWorkspace::showOpenPage() {
  if (m_pages->currentIndex() != kOpen) m_back = home();
  if (!m_review->empty() && m_openPage->files()->topLevelItemCount() == 0)
    m_openPage->setSources(m_review->review().sources);
  show(kOpen);
}

void ErrorsWorkspace::open(const ReviewSources& sources) {
  const auto kind = findReviewKind(sources.kind);
  if (!kind.ok()) return m_talk.report(kind.error());
  const Page page = hasSqlPanels(**kind) ? kOpen : kOpenKind;
  const Page back = m_pages->currentIndex() == page ? page : home();
  if (page == kOpen)
    m_openPage->setSources(sources);
  else
    m_openKind->setSources(sources);
  m_back = back;
  load(**kind, [sources]() -> Result<ReviewSources> { return sources; });
}

void ErrorsWorkspace::taken(const ReviewKind& kind, Result<std::unique_ptr<OpenReview>> result) {
  if (result.ok()) return opened(std::move(result).value());
  // The page of the files says it, beside the fields it is about.
  OpenPage* page = m_openKind;
  if (hasSqlPanels(kind)) page = m_openPage;
  page->setProblem(phraseText(result.error().phrase()));
  const Page before = home();
  show(hasSqlPanels(kind) ? kOpen : kOpenKind);
  m_back = before;
}

void ErrorsWorkspace::opened(std::shared_ptr<OpenReview> open) {
  const bool sql = hasSqlPanels(*open->review.kind);
  m_openPage->setProblem({});
  m_openKind->setProblem({});
  if (!sql) {
    m_review->setReview(nullptr);
    m_back = kKind;
    show(kKind);
    m_kind->setReview(std::move(open));
    const Json place = std::exchange(m_place, Json());
    if (place.is_object()) m_kind->returnTo(place.value("kind", Json()));
    Q_EMIT changed();
    return;
  }
  m_kind->setReview(nullptr);
  m_review->setReview(std::move(open));
  const Page page = returnToPlace();
  m_back = kReview;
  show(kReview);
  if (page == kTry && m_tries->canAsk(m_review->currentModel())) showTry(false);
  if (page == kCompare) show(kCompare);
  m_talk.showRemarks(m_review->review().gold.notes, m_review->review().models);
  if (!m_review->canBeChanged())
    m_messages->showNote(tr("The project cannot be written to: categories cannot be set."));
}

QByteArray ErrorsWorkspace::saveView() const {
  Json json;
  json["columns"] = m_columnsFit->saved().toBase64().toStdString();
  json["detail"] = m_detailFit->saved().toBase64().toStdString();
  json["above"] = m_above->saveState().toBase64().toStdString();
  json["predictions"] = m_predictions->saveLayout().toStdString();
  json["place"] = savePlace();
  json["style"] = toUtf8(m_comparison->exportStyle());
  return QByteArray::fromStdString(json.dump());
}

// Nothing is open yet: the place is still the one of the session before.
Json ErrorsWorkspace::savePlace() const {
  if (const Json kind = m_kind->savePlace(); !kind.is_null()) return {{"kind", kind}};
  const int model = m_review->currentModel();
  if (m_review->empty() || model < 0) return m_place;
  const int page = m_pages->currentIndex();
  return {{"model", toUtf8(m_review->modelName(model))},
          {"example", m_review->currentExample()},
          {"filter", m_predictions->saveFilter()},
          {"part", page >= kReview && page <= kTry ? page - kReview : 0},
          {"tab", m_example->tabs()->currentIndex()},
          {"figure", toUtf8(m_comparison->figureBox()->currentData().toString())}};
}

void ErrorsWorkspace::restoreView(const QByteArray& view) {
  const Json json = Json::parse(view.toStdString(), nullptr, false);
  if (!json.is_object()) return;
  const auto text = [&json](const char* key) { return QByteArray::fromStdString(memberText(json, key)); };
  m_columnsFit->restore(QByteArray::fromBase64(text("columns")));
  m_detailFit->restore(QByteArray::fromBase64(text("detail")));
  m_above->restoreState(QByteArray::fromBase64(text("above")));
  m_place = json.value("place", Json());
  m_comparison->setExportStyle(QString::fromUtf8(text("style")));
  m_predictions->restoreLayout(text("predictions"));
}

// The predictions of the last session open where they were left; others open at their beginning.
ErrorsWorkspace::Page ErrorsWorkspace::returnToPlace() {
  const Json place = std::exchange(m_place, Json());
  if (!place.is_object()) return kReview;
  const QString name = fromUtf8(place.value("model", std::string()));
  for (int model = 0; model < m_review->models(); ++model) {
    if (m_review->modelName(model) != name) continue;
    m_review->place(model, place.value("example", -1));
    m_predictions->restoreFilter(place.value("filter", Json()));
    m_example->tabs()->setCurrentIndex(place.value("tab", 0));
    m_comparison->chooseFigure(fromUtf8(place.value("figure", std::string())));
    return static_cast<Page>(kReview + qBound(0, place.value("part", 0), int(kTry) - int(kReview)));
  }
  return kReview;
}

void ErrorsWorkspace::showProgress(const ProgressUpdate& update) {
  m_progress->setProgress(update.phase.empty() ? openingText() : QString(), update);
}

void ErrorsWorkspace::browse(const QString& field) {
  if (field == QLatin1String("predictions")) {
    m_openPage->addPredictions(
        m_files->severalToRead(m_window, FileKind::Predictions, tr("Prediction files"),
                               tr("Predictions (*.sql *.txt *.json *.jsonl *.csv *.tsv);;All files (*)"),
                               lastOf(m_openPage->sources().predictions)));
    return;
  }
  const QString before = m_openPage->field(field)->text().trimmed();
  const QString path = field == QLatin1String("databases")
                           ? m_files->folder(m_window, FileKind::Data, tr("Folder of databases"), before)
                           : m_files->toRead(m_window, FileKind::Data, tr("Open a file"), before);
  if (path.isEmpty()) return;
  m_openPage->setPath(field, path);
  if (field == QLatin1String("gold")) Q_EMIT m_openPage->goldChosen(path);
}

void ErrorsWorkspace::askColumns(const QStringList& files) {
  for (const QString& file : files) {
    m_jobs->start<PredictionFile>(
        tr("Reading %1").arg(file), QLatin1String(kOpening) + QLatin1Char(':') + file,
        [path = toUtf8(file)](Progress&, const StopToken&) {
          PredictionOptions options;
          options.anyColumns = true;  // none of the usual names: one chooses
          return readPredictionFile(path, options);
        },
        [this, file](Result<PredictionFile> read) {
          if (!read.ok()) {
            m_openPage->setFileProblem(file, phraseText(read.error().phrase()));
            return;
          }
          QStringList columns;
          if (read->format != PredictionFormat::Lines)
            for (const std::string& column : read->columns) columns.append(fromUtf8(column));
          m_openPage->setColumns(file, columns, fromUtf8(read->sqlColumn));
        });
  }
}

void ErrorsWorkspace::exportFigure(const QString& file) {
  if (kindShown()) return m_kind->exportFigure(file);
  if (m_review->empty()) return;
  ReviewTalk::Figure figure;
  figure.recipe = m_comparison->recipe();
  figure.review = [this](const std::string& name) {
    return storedReviewOf(m_review->review(), name).toJson();
  };
  figure.keep = [this](FigureRecipe& recipe) { return keepRecipe(*m_service, recipe); };
  figure.write = [this](const FigureRecipe& recipe, const std::string& path) {
    return exportReviewRecipe(recipe, {m_review->review(), m_review->judgements().categories()}, path);
  };
  m_talk.exportFigure(std::move(figure), file);
}

void ErrorsWorkspace::exportTable(const QString& file) {
  if (kindShown()) return m_kind->exportTable(file);
  if (m_review->empty()) return;
  m_talk.exportTable([this] { return m_comparison->shownTable(); }, QStringLiteral("table.tex"), file);
}

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
  connect(m_openKind, &KindOpenPage::openRequested, this, [this] { open(m_openKind->sources()); });
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
    m_openKind->addPredictions(m_files->severalToRead(m_window, FileKind::Predictions, tr("Prediction files"),
                                                      tr("All files (*)"),
                                                      lastOf(m_openKind->sources().predictions)));
    return;
  }
  const QLineEdit* line = m_openKind->field(field);
  const QString path = m_files->toRead(m_window, FileKind::Data, tr("Open a file"),
                                       line == nullptr ? QString() : line->text().trimmed());
  if (!path.isEmpty()) m_openKind->setPath(field, path);
}

}  // namespace fathom
