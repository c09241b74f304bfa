// SPDX-License-Identifier: Apache-2.0
// The shell's table of a grid and the window's mark the same cells, whatever the metric.
#include <QFont>
#include <QTest>
#include <set>

#include "app/command.h"
#include "app/window/jobs/project_service.h"
#include "core/base/files/hash.h"
#include "core/library/records/project_library.h"
#include "core/library/runs/metric_catalogue.h"
#include "tests/gui/support_window_fixture.h"
#include "views/look/engine_text.h"
#include "views/panels/train/grid_panel.h"
#include "views/tables/grid_table_model.h"

namespace fathom {

using test::waitUntil;

class GridBestTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void sameForEveryMetric_data();
  void sameForEveryMetric();
  void latexIsTheSame();

 private:
  // Ids whose values were compared by one of the former two rules only, and what nobody knows.
  const std::vector<std::string> m_others = {"valid.em",    "valid.precision", "valid.recall",
                                             "valid.score", "valid.match",     "valid.what"};
  static constexpr int kSettings = 5;
  std::vector<std::string> metrics() const;
  Json shell(const std::string& metric, bool latex = false) const;
  GridTableModel* window() const { return m_panel->model(); }
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<GridPanel> m_panel;
};

std::vector<std::string> GridBestTest::metrics() const {
  std::vector<std::string> ids = m_others;
  for (const Metric& metric : programMetrics()) ids.push_back(metric.id);
  return ids;
}

// Two seeds of five settings; the value of a metric depends on its name, so that every column has its own
// order.
void GridBestTest::initTestCase() {
  m_fixture = std::make_unique<test::WindowFixture>();
  GridRecord grid;
  grid.uuid = makeUuid();
  grid.name = "g";
  grid.created = isoTimeNow();
  grid.axes = Json::array({{{"key", "fake.steps"}, {"values", {"1", "2", "3", "4", "5"}}},
                           {{"key", "seed"}, {"values", {1, 2}}}});
  for (int run = 0; run < 2 * kSettings; ++run) {
    std::string path;
    const auto log = m_fixture->beginRun("run " + std::to_string(run), &path);
    Json values = Json::object();
    for (const std::string& id : metrics())
      values[id] =
          1 + std::stoi(sha256Hex(id + std::to_string(run / 2)).substr(0, 4), nullptr, 16) % 97 + run % 2;
    log->append("validation", Json{{"step", 10}, {"epoch", 1}, {"m", values}}).value();
    RunOutcome outcome;
    outcome.state = run == 3 ? RunState::Diverged : RunState::Finished;
    outcome.step = 10;
    outcome.finishedAt = isoTimeNow();
    RunFolder(path).writeOutcome(1, outcome).value();
    grid.runs.push_back(RunFolder(path).identity()->uuid);
  }
  const auto library = ProjectLibrary::open(m_fixture->project().toStdString()).value();
  QVERIFY(library->setGrid(grid).ok());

  m_panel = std::make_unique<GridPanel>();
  ProjectService service;
  QVector<RunItem> runs;
  bool grids = false;
  connect(&service, &ProjectService::changed, this, [&](const ProjectChanges& changes) {
    runs += changes.runs;
    if (!changes.gridsChanged) return;
    m_panel->setGrids(changes.grids, {});
    grids = true;
  });
  service.open(m_fixture->project());
  QVERIFY(waitUntil([&] { return grids && runs.size() == 2 * kSettings; }));
  m_panel->setRuns(runs);
  QCOMPARE(window()->rowCount(), kSettings);
  QCOMPARE(window()->columnCount(), 1 + static_cast<int>(metrics().size()));
}

Json GridBestTest::shell(const std::string& metric, bool latex) const {
  const Command* command = findCommand("grid");
  CommandContext context;
  context.project = m_fixture->project().toStdString();
  context.options = OptionValues(OptionSchema(command->fields, {}));
  context.options.set("show", "g").value();
  context.options.set("metric", metric).value();
  context.options.set("latex", latex).value();
  context.json = true;
  Progress progress;
  return command->run(context, progress, {}).value().json;
}

void GridBestTest::sameForEveryMetric_data() {
  QTest::addColumn<QString>("metric");
  for (const std::string& id : metrics()) QTest::newRow(id.c_str()) << fromUtf8(id);
}

void GridBestTest::sameForEveryMetric() {
  QFETCH(QString, metric);
  int column = -1;
  for (int i = 1; i < window()->columnCount(); ++i)
    if (window()->headerData(i, Qt::Horizontal).toString() ==
        fromUtf8(MetricCatalogue().of(toUtf8(metric)).shortTitle))
      column = i;
  QVERIFY(column > 0);
  const Json lines = shell(toUtf8(metric)).at("table").at("lines");
  QCOMPARE(lines.size(), std::size_t{kSettings});
  int best = 0;
  for (int row = 0; row < kSettings; ++row) {
    const QVariant font = window()->data(window()->index(row, column), Qt::FontRole);
    const bool bold = font.isValid() && font.value<QFont>().bold();
    QCOMPARE(bold, lines[static_cast<std::size_t>(row)].at("best").get<bool>());
    best += bold ? 1 : 0;
  }
  const bool compared = MetricCatalogue().direction(toUtf8(metric)) != MetricDirection::None;
  QVERIFY(compared ? best >= 1 && best < kSettings : best == 0);
}

// Every column of the window's LaTeX is the shell's.
void GridBestTest::latexIsTheSame() {
  const QStringList own = window()->asLatex().split(QLatin1Char('\n'));
  for (const char* metric : {"valid.bleu", "valid.nll", "tokens_per_s"}) {
    const QStringList lines =
        fromUtf8(shell(metric, true).at("latex").get<std::string>()).split(QLatin1Char('\n'));
    QCOMPARE(own.size(), lines.size());
    int cells = 0;
    for (int i = 0; i < lines.size(); ++i) {
      if (!lines[i].endsWith(QLatin1String("\\\\"))) continue;
      QString cell = lines[i].section(QLatin1String(" & "), 1);
      cell.chop(3);
      QVERIFY2((own[i] + QLatin1Char('&')).contains(QLatin1String("& ") + cell + QLatin1String(" ")),
               qPrintable(lines[i] + QLatin1Char('\n') + own[i]));
      ++cells;
    }
    QCOMPARE(cells, 1 + kSettings);
  }
}

}  // namespace fathom

using fathom::GridBestTest;
QTEST_MAIN(GridBestTest)
#include "tst_grid_best.moc"
