// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/review_bench.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTimer>
#include <algorithm>
#include <ctime>

#include "app/bench/bench_clock.h"
#include "app/bench/made_predictions.h"
#include "app/window/errors/errors_workspace.h"
#include "app/window/errors/sql_review_page.h"
#include "app/window/errors/text_review_page.h"
#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "core/base/files/atomic_file.h"
#include "core/library/records/project_library.h"
#include "core/spider/data/made_spider.h"
#include "views/look/engine_text.h"
#include "views/panels/errors/comparison_panel.h"
#include "views/panels/errors/open_page.h"
#include "views/panels/errors/prediction_panel.h"
#include "views/tables/sql_predictions.h"

namespace fathom {

namespace {

constexpr int kJudgements = 50;
constexpr qint64 kPatienceMilliseconds = 120000;
constexpr int kLookMilliseconds = 2;

// Processor time of all threads of this program, in milliseconds.
double processorMilliseconds() {
  return 1000.0 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

// The same files under further names, until there are enough models.
ReviewSources enoughModels(ReviewSources sources, int models) {
  const std::size_t given = sources.predictions.size();
  for (std::size_t i = 0; sources.predictions.size() < std::size_t(models); ++i) {
    auto again = sources.predictions[i % given];
    again.name += " " + std::to_string(2 + i / given);
    sources.predictions.push_back(std::move(again));
  }
  return sources;
}

Result<ReviewSources> sampleFiles(const std::string& folder) {
  FATHOM_CHECK(writeMadeSpider(makeSpiderData(), folder));
  ReviewSources sources{kSqlReviewId, folder + "/dev_gold.sql"};
  sources.files = {{"tables", folder + "/tables.json"}, {"questions", folder + "/dev.json"}};
  for (const char* name : {"careful", "hasty"})
    sources.predictions.push_back(reviewPredictions(folder + "/predictions/" + name + ".sql"));
  return sources;
}

// Gold, questions and predictions of `review` so often that there are `rows` of them.
Result<ReviewSources> repeated(const SpiderReview& review, const std::string& tables, int rows,
                               const std::string& folder) {
  const std::size_t times = (std::size_t(rows) + review.examples() - 1) / review.examples();
  std::string gold;
  Json questions = Json::array();
  for (std::size_t t = 0; t < times; ++t) {
    for (std::size_t i = 0; i < review.examples(); ++i) {
      const GoldLine& line = review.gold[i];
      gold += line.sql + "\t" + line.dbId + "\n";
      const std::string question = i < review.questions.size() ? review.questions[i] : "";
      questions.push_back({{"db_id", line.dbId}, {"query", line.sql}, {"question", question}});
    }
  }
  ReviewSources sources{kSqlReviewId, folder + "/gold.sql"};
  sources.files["tables"] = tables;
  FATHOM_CHECK(writeFileAtomically(sources.gold, gold));
  if (!review.questions.empty()) {
    sources.files["questions"] = folder + "/questions.json";
    FATHOM_CHECK(writeFileAtomically(sources.files["questions"], questions.dump()));
  }
  for (const SpiderModel& model : review.models) {
    Json lines = Json::array();
    for (std::size_t t = 0; t < times; ++t)
      for (const SpiderPair& pair : model.pairs) lines.push_back(pair.predicted);
    const std::string path = folder + "/" + std::to_string(sources.predictions.size()) + ".json";
    FATHOM_CHECK(writeFileAtomically(path, lines.dump()));
    sources.predictions.push_back({model.name, path});
  }
  return sources;
}

class Window {
 public:
  // The project is made.
  Status open(const QTemporaryDir& folder) {
    const QString project = folder.filePath(QStringLiteral("bench.fathom"));
    const auto made = ProjectLibrary::openOrCreate(toUtf8(project));
    if (!made.ok()) return made.error();
    m_host = std::make_unique<WindowHost>(folder.filePath(QStringLiteral("session.json")));
    m_window = m_host->openWindow(project);
    m_window->resize(1280, 800);
    FATHOM_CHECK(wait([this] { return m_window->service()->isReady() && m_window->jobs()->count() == 0; }));
    m_window->showWorkspace(QStringLiteral("errors"));
    return wait([this] { return m_window->jobs()->count() == 0; });
  }
  ErrorsWorkspace* errors() const { return m_window->errors(); }

  struct Opened {
    double taken = 0, processor = 0;
    void addTo(ReviewTimes& times) const {
      times.open.push_back(taken);
      times.openProcessor.push_back(processor);
    }
  };
  // Until the review is painted.
  Result<Opened> openReview(const ReviewSources& sources) {
    errors()->reset();
    QElapsedTimer timer;
    timer.start();
    const double before = processorMilliseconds();
    errors()->open(sources);
    FATHOM_CHECK(wait([this] { return errors()->page() != ErrorsWorkspace::kLoading; }));
    (void)m_window->grab();
    const Opened opened{milliseconds(timer), processorMilliseconds() - before};
    FATHOM_CHECK(wait([this] { return m_window->jobs()->count() == 0; }));
    const auto* problem = errors()->openPage()->findChild<QLabel*>(QStringLiteral("openProblem"));
    if (!problem->text().isEmpty()) return dataError(toUtf8(problem->text()));
    return opened;
  }
  // Until the table of pairs is there.
  Result<double> comparePairs() {
    QElapsedTimer timer;
    timer.start();
    TextReviewPage* page = errors()->textPage();
    page->showPart(ReviewPage::kCompare);
    FATHOM_CHECK(wait([page] { return page->comparison()->hasPairs(); }));
    const double taken = milliseconds(timer);
    page->showPart(ReviewPage::kReview);
    return taken;
  }

 private:
  static Status wait(const std::function<bool()>& ready) {
    QElapsedTimer clock;
    clock.start();
    QTimer wake;  // the thread of the window sleeps meanwhile, as it does in use
    wake.start(kLookMilliseconds);
    while (!ready()) {
      if (clock.elapsed() > kPatienceMilliseconds)
        return unavailableError("the window did not answer in time");
      QApplication::processEvents(QEventLoop::WaitForMoreEvents | QEventLoop::AllEvents);
    }
    return {};
  }
  std::unique_ptr<WindowHost> m_host;
  MainWindow* m_window = nullptr;
};

Result<std::vector<double>> judge(ReviewedPredictions& review) {
  std::vector<double> times;
  const std::vector<int> categories = review.personCategories();
  QElapsedTimer timer;
  for (int example = 0; example < review.examples() && times.size() < kJudgements; ++example) {
    if (!review.isWrong(0, example)) continue;
    timer.start();
    FATHOM_CHECK(review.setCategory(0, example, categories[times.size() % categories.size()], {}));
    times.push_back(milliseconds(timer));
  }
  std::sort(times.begin(), times.end());
  return times;
}

class PaintCount : public QObject {
 public:
  explicit PaintCount(QWidget* of) : QObject(of) { of->installEventFilter(this); }
  bool eventFilter(QObject*, QEvent* event) override {
    m_paints += event->type() == QEvent::Paint;
    return false;
  }
  int paints() const { return m_paints; }

 private:
  int m_paints = 0;
};

// Typed and taken back letter by letter; a key is done when everything that it changed is painted.
Status type(PredictionPanel* panel, const QStringList& words, ReviewTimes& times) {
  QLineEdit* box = panel->filterBox();
  const PaintCount count(box);
  box->setFocus();
  double slowest = 0;
  const auto press = [&](int key, const QString& text) -> Status {
    QApplication::processEvents();
    const int before = count.paints();
    QElapsedTimer timer;
    timer.start();
    QKeyEvent event(QEvent::KeyPress, key, Qt::NoModifier, text);
    QApplication::sendEvent(box, &event);
    QApplication::sendPostedEvents();
    times.keystroke.push_back(milliseconds(timer));
    if (count.paints() == before) return internalError("a key of the filter was not painted");
    if (times.keystroke.back() <= slowest) return {};
    slowest = times.keystroke.back();
    times.slowest = toUtf8(box->text());
    return {};
  };
  for (const QString& word : words) {
    for (const QChar letter : word) FATHOM_CHECK(press(0, letter));
    for (qsizetype i = 0; i < word.size(); ++i) FATHOM_CHECK(press(Qt::Key_Backspace, {}));
  }
  std::sort(times.keystroke.begin(), times.keystroke.end());
  return {};
}

}  // namespace

Result<ReviewTimes> benchReview(const ReviewBench& bench, Progress& progress, const StopToken& stop) {
  const QTemporaryDir folder;
  ReviewSources given = bench.sources;
  if (given.gold.empty()) {
    FATHOM_TRY(given, sampleFiles(folder.path().toStdString() + "/sample"));
  }
  if (given.predictions.empty()) return usageError("review needs at least one prediction file");
  const ReviewSources sources = enoughModels(given, bench.models);
  Window window;
  FATHOM_CHECK(window.open(folder));
  ReviewTimes times;
  const auto open = [&](const ReviewSources& files) -> Status {
    progress.begin("opening", "rounds", bench.rounds + 1);
    for (int round = 0; round <= bench.rounds; ++round) {
      if (stop.stopRequested()) return interruptedError();
      FATHOM_TRY(const auto opened, window.openReview(files));
      if (round > 0) opened.addTo(times);  // the first reads cold files
      progress.report(round + 1);
    }
    times.examples = window.errors()->sqlPage()->review()->examples();
    return {};
  };
  ReviewedPredictions* review = window.errors()->sqlPage()->review();
  if (bench.openRows) {
    FATHOM_TRY(const auto cold, window.openReview(sources));
    (void)cold;
  } else {
    FATHOM_CHECK(open(sources));
  }
  times.models = review->models();
  FATHOM_TRY(times.judge, judge(*review));
  FATHOM_TRY(const ReviewSources many,
             repeated(sqlOf(*review), sources.files.at("tables"), bench.rows, folder.path().toStdString()));
  if (bench.openRows) {
    FATHOM_CHECK(open(many));
  } else {
    FATHOM_TRY(const auto taken, window.openReview(many));
    (void)taken;
  }
  times.rows = review->examples();
  FATHOM_CHECK(type(window.errors()->sqlPage()->predictions(),
                    {QStringLiteral("select count"), QStringLiteral("category:column join"),
                     QStringLiteral("group by"), QStringLiteral("/order by.*desc/")},
                    times));
  progress.finish();
  return times;
}

Result<ReviewTimes> benchKindReview(const KindBench& bench, Progress& progress, const StopToken& stop) {
  const QTemporaryDir folder;
  FATHOM_TRY(const ReviewSources sources,
             bench.sources.gold.empty()
                 ? makePredictions(bench.sources.kind, bench.rows, bench.models, folder.path().toStdString())
                 : enoughModels(bench.sources, bench.models));
  Window window;
  FATHOM_CHECK(window.open(folder));
  ReviewTimes times;
  progress.begin("opening", "rounds", bench.rounds + 1);
  for (int round = 0; round <= bench.rounds; ++round) {
    if (stop.stopRequested()) return interruptedError();
    FATHOM_TRY(const auto opened, window.openReview(sources));
    if (round > 0) opened.addTo(times);  // the first reads cold files
    progress.report(round + 1);
  }
  TextReviewPage* page = window.errors()->textPage();
  times.examples = times.rows = page->review()->examples();
  times.models = page->review()->models();
  FATHOM_CHECK(type(
      page->predictions(),
      {QStringLiteral("ka to mi"),
       QStringLiteral("category:%1 ne").arg(fromUtf8(page->review()->kind().categories[1].id)),
       QStringLiteral("is:unreviewed"), QStringLiteral("/kato.*ro/"), QStringLiteral("/(de|po)ha [a-z]+wi/")},
      times));
  FATHOM_TRY(times.judge, judge(*page->review()));
  if (times.models > 1) {
    FATHOM_TRY(times.pairs, window.comparePairs());
  }
  progress.finish();
  return times;
}

}  // namespace fathom
