// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/train/run_comparer.h"

#include <QEvent>
#include <algorithm>
#include <utility>

#include "app/recipes/figure_builder.h"
#include "app/runs/compared_runs.h"
#include "app/window/jobs/job_center.h"
#include "app/window/jobs/project_service.h"
#include "core/library/runs/short_names.h"
#include "views/figures/figure_entry.h"
#include "views/look/engine_text.h"
#include "views/look/theme.h"
#include "views/tables/run_groups.h"
#include "views/tables/run_names.h"
#include "views/tables/run_table_model.h"

namespace fathom {

namespace {

const QString kFigureOwner = QStringLiteral("compare figure");
const QString kTestOwner = QStringLiteral("compare test");

RunFacts comparedFacts(const RunItem& run, const QString& name) {
  RunFacts facts = factsOf(run);
  facts.name = toUtf8(name);
  facts.options = run.config.toJson();
  for (auto best = run.best.cbegin(); best != run.best.cend(); ++best)
    facts.best[toUtf8(best.key())] = best.value();
  return facts;
}

bool anyTogether(const std::vector<std::string>& groups) {
  for (std::size_t i = 0; i < groups.size(); ++i)
    if (!groups[i].empty() && std::count(groups.begin(), groups.end(), groups[i]) > 1) return true;
  return false;
}

// How predictions of a run came about where it was not by its usual options.
QString decodingNote(const QString& name, const Json& decoding) {
  QStringList parts;
  for (const auto& [key, value] : decoding.items()) parts.append(fromUtf8(key + "=" + value.dump()));
  return parts.isEmpty() ? QString() : RunComparer::tr("%1: %2").arg(name, parts.join(QLatin1Char(' ')));
}

}  // namespace

RunComparer::RunComparer(ComparePage* page, RunTableModel* runs, ProjectService* service, JobCenter* jobs,
                         QObject* parent)
    : QObject(parent), m_page(page), m_runs(runs), m_service(service), m_jobs(jobs) {
  for (auto [timer, rest] : {std::pair(&m_soon, kRestMs), std::pair(&m_figureSoon, kFigureMs)}) {
    timer->setSingleShot(true);
    timer->setInterval(rest);
  }
  m_page->installEventFilter(this);
  connect(&m_soon, &QTimer::timeout, this, &RunComparer::show);
  connect(&m_figureSoon, &QTimer::timeout, this, [this] {
    if (m_page->isVisible()) return drawFigure();
    m_stale = true;
    m_drawn.clear();
  });
  connect(m_page, &ComparePage::chosen, this, &RunComparer::show);
  connect(m_page, &ComparePage::testRequested, this, &RunComparer::test);
  connect(m_page, &ComparePage::testCancelled, this, [this] {
    forgetTest();
    m_page->showTestNote(tr("The test was cancelled."));
  });
}

void RunComparer::compare(const QStringList& uuids) {
  const QStringList compared = uuids.mid(0, kMostCompared);
  if (compared != m_uuids) forgetTest();
  m_uuids = compared;
  m_left = uuids.size() - compared.size();
  show();
}

void RunComparer::takeRuns() {
  if (m_uuids.isEmpty() || m_soon.isActive()) return;
  m_stale = !m_page->isVisible();
  if (!m_stale) m_soon.start();
}

bool RunComparer::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_page && event->type() == QEvent::Show && m_stale) m_soon.start();
  return QObject::eventFilter(watched, event);
}

void RunComparer::reset() {
  m_jobs->cancelOwner(kFigureOwner);
  compare({});
}

QVector<RunItem> RunComparer::items() const {
  QVector<RunItem> items;
  for (const QString& uuid : m_uuids)
    if (const RunItem* run = m_runs->run(uuid)) items.append(*run);
  return items;
}

void RunComparer::show() {
  m_stale = false;
  const QVector<RunItem> runs = items();
  if (runs.size() < m_uuids.size()) forgetTest();
  m_uuids.removeIf([this](const QString& uuid) { return m_runs->run(uuid) == nullptr; });
  m_names = shortRunNames(runs);
  QVector<QPair<QString, QString>> named;
  std::vector<RunFacts> facts;
  for (qsizetype i = 0; i < runs.size(); ++i) {
    named.append({runs[i].uuid, m_names[i]});
    facts.push_back(comparedFacts(runs[i], m_names[i]));
  }
  m_page->setRuns(named, m_page->choice().base);
  m_page->setLeft(m_left);
  const MetricCatalogue catalogue = metricsOf(runs);
  const auto groups = seedGroupsOf(runs);
  m_page->setSeedsPossible(anyTogether(groups));
  const CompareChoice& choice = m_page->choice();
  CompareRequest request{.base = std::size_t(qMax<qsizetype>(0, m_uuids.indexOf(choice.base))),
                         .best = choice.best};
  if (choice.seedsTogether) request.groups = groups;
  if (!m_testedAgainst.isEmpty() && (choice.seedsTogether || choice.base != m_testedAgainst)) forgetTest();
  const RunComparison comparison = compareRuns(facts, comparedMetrics(facts, catalogue), request);
  QVector<QColor> colours;
  const Theme& theme = Theme::of(m_page->palette());
  for (const ComparedColumn& column : comparison.columns)
    colours.append(theme.run(runs[qsizetype(column.runs.front())].colour));
  m_page->showComparison(comparison, *optionTitles(), colours);
  fillMetrics(facts, catalogue);
  fillOptions(comparison);
  const std::string wanted = toUtf8(choice.base) + recipe().toJson().dump();
  std::string came;
  for (const RunItem& run : runs) came += std::to_string(run.step) + ' ';
  if (wanted != m_drawn) {
    m_drawn = wanted;
    drawFigure();
  } else if (came != m_came && !m_figureSoon.isActive()) {
    m_figureSoon.start();
  }
  m_came = came;
}

void RunComparer::fillMetrics(const std::vector<RunFacts>& facts, const MetricCatalogue& catalogue) {
  QVector<QPair<QString, QString>> metrics;
  for (const Metric& metric : comparedMetrics(facts, catalogue)) {
    const bool all = std::all_of(facts.begin(), facts.end(), [&](const RunFacts& run) {
      return run.last.contains(metric.id) || run.best.contains(metric.id);
    });
    if (all) metrics.append({fromUtf8(metric.id), metricTitle(metric)});
  }
  m_page->setMetrics(metrics);
}

void RunComparer::fillOptions(const RunComparison& comparison) {
  QVector<QPair<QString, QString>> options;
  for (const ComparedOption& option : comparison.options) {
    const OptionField* field = optionTitles()->find(option.key);
    if (option.deciding)
      options.append(
          {fromUtf8(option.key), field != nullptr ? engineText(field->title) : fromUtf8(option.key)});
  }
  m_page->setOptions(options);
}

FigureRecipe RunComparer::recipe() const {
  const CompareChoice& choice = m_page->choice();
  FigureRecipe recipe;
  recipe.figure = toUtf8(choice.figure);
  for (const QString& uuid : m_uuids) recipe.runs.push_back(toUtf8(uuid));
  const auto entry = findFigure(recipe.figure);
  if (!entry.ok()) return recipe;
  OptionValues values{OptionSchema(entry->fields, {})};
  const auto set = [&values](const char* key, const QString& value) {
    if (values.schema().find(key) == nullptr) return;
    const Status done = values.set(key, toUtf8(value));
    Q_ASSERT(done.ok());
  };
  set("metric", choice.metric);
  set("option", choice.option);
  set("score", choice.best ? QStringLiteral("best") : QStringLiteral("last"));
  if (!m_uuids.isEmpty() && choice.base != m_uuids.first()) set("base", choice.base);
  if (choice.seedsTogether && values.schema().find("group_seeds") != nullptr)
    Q_UNUSED(values.set("group_seeds", true));
  recipe.options = values.minimal();
  return recipe;
}

void RunComparer::drawFigure() {
  if (m_uuids.size() < 2 || m_page->choice().metric.isEmpty()) {
    m_jobs->cancelOwner(kFigureOwner);
    return m_page->showFigureNote(m_uuids.size() < 2 ? QString()
                                                     : tr("The runs have no metric in common yet."));
  }
  m_jobs->start<FigureSpec>(
      tr("Drawing the comparison"), kFigureOwner,
      [recipe = recipe(), project = toUtf8(m_service->path())](Progress& progress,
                                                               const StopToken& stop) -> Result<FigureSpec> {
        FATHOM_TRY(const auto builder, FigureBuilder::open(project));
        return builder->build(recipe, progress, stop);
      },
      [this](const Result<FigureSpec>& spec) {
        if (spec.ok()) {
          m_page->showFigure(*spec);
        } else {
          m_page->showFigureNote(phraseText(spec.error().phrase()));
        }
      });
}

void RunComparer::forgetTest() {
  m_jobs->cancelOwner(kTestOwner);
  m_testedAgainst.clear();
  m_page->showTest(std::nullopt);
  m_page->showTestNote({});
}

// The base comes first, as `fathom compare` takes it.
void RunComparer::test(const QString& split) {
  QStringList uuids = m_uuids;
  uuids.removeOne(m_page->choice().base);
  uuids.prepend(m_page->choice().base);
  m_testedAgainst = uuids.first();
  std::vector<TestedRun> runs;
  for (const QString& uuid : std::as_const(uuids)) {
    const RunItem* run = m_runs->run(uuid);
    if (run == nullptr) return;
    if (run->folder.isEmpty())
      return m_page->showTestNote(tr("“%1” waits in the queue: it has no predictions.").arg(run->name));
    runs.push_back({toUtf8(uuid), toUtf8(m_names[m_uuids.indexOf(uuid)]), toUtf8(run->folder),
                    run->config.toJson(), !run->origin.isEmpty()});
  }
  m_page->showTesting({});
  const RunTestRequest request{toUtf8(split)};
  m_jobs->start<RunTest>(
      tr("Testing predictions"), kTestOwner,
      [project = toUtf8(m_service->path()), runs, request](Progress& progress, const StopToken& stop) {
        return testRuns(project, runs, request, {}, progress, stop);
      },
      [this, uuids](const Result<RunTest>& test) { takeTest(test, uuids); },
      [this](const ProgressUpdate& update) { m_page->showTesting(update); });
}

void RunComparer::takeTest(const Result<RunTest>& test, const QStringList& uuids) {
  if (!test.ok()) {
    m_page->showTest(std::nullopt);
    return m_page->showTestNote(phraseText(test.error().phrase()));
  }
  ComparisonTest shown;
  shown.title =
      test->split == "test" ? tr("Predictions of the test part") : tr("Predictions of the validation part");
  shown.compared = test->compared;
  shown.exact = test->kind == "mcnemar";
  shown.columns.resize(std::size_t(m_uuids.size()));
  for (const RunTestPair& pair : test->pairs) {
    const qsizetype column = m_uuids.indexOf(uuids[qsizetype(pair.second)]);
    if (column < 0) continue;
    shown.columns[std::size_t(column)] = ComparedPredictions{
        pair.difference, pair.low, pair.high, pair.p, pair.scores[1], pair.onlyFirst, pair.onlySecond};
    shown.baseScore = pair.scores[0];
  }
  QStringList notes;
  for (std::size_t i = 0; i < test->decodings.size(); ++i) {
    const QString note =
        decodingNote(m_names.value(m_uuids.indexOf(uuids[qsizetype(i)])), test->decodings[i]);
    if (!note.isEmpty()) notes.append(note);
  }
  m_page->showTest(shown);
  m_page->showTestNote(notes.isEmpty() ? QString()
                                       : tr("Decoded with %1").arg(notes.join(QStringLiteral(" · "))));
}

}  // namespace fathom
