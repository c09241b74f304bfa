// SPDX-License-Identifier: Apache-2.0
// Several tasks and models in one table: RealFormer Table 3 comes out of runs with its scores, the best
// setting of a search stands in a cell, and what is missing is said.
#include <QTest>
#include <cmath>

#include "app/runs/task_table.h"
#include "views/files/latex_table.h"

using namespace fathom;

namespace {

RunRow runOf(Json options, std::map<std::string, double> last, RunState state = RunState::Finished) {
  RunRow row;
  row.name = "run";
  row.options = std::move(options);
  row.last = std::move(last);
  row.state = state;
  return row;
}

RunRow glueRun(const char* task, std::map<std::string, double> last) {
  return runOf({{"task", "glue"}, {"glue.task", task}, {"seed", 1}}, std::move(last));
}

// RealFormer Table 3, without deviations.
TaskTableColumn column(const char* name, const std::vector<double>& s) {
  return {name,
          {glueRun("rte", {{"valid.accuracy", s[11]}}),
           glueRun("mnli", {{"valid.accuracy", s[0]}, {"valid.accuracy_mm", s[1]}}),
           glueRun("qqp", {{"valid.accuracy", s[2]}, {"valid.f1", s[3]}}),
           glueRun("qnli", {{"valid.accuracy", s[4]}}), glueRun("sst2", {{"valid.accuracy", s[5]}}),
           glueRun("cola", {{"valid.matthews", s[6]}}),
           glueRun("stsb", {{"valid.pearson", s[7]}, {"valid.spearman", s[8]}}),
           glueRun("mrpc", {{"valid.accuracy", s[9]}, {"valid.f1", s[10]}})}};
}

const std::vector<double> kPostLn = {85.96, 85.98, 91.29, 88.34, 92.26, 92.89,
                                     58.85, 90.08, 89.77, 87.50, 91.16, 71.12};
const std::vector<double> kRealFormer = {86.28, 86.34, 91.34, 88.28, 91.89, 94.04,
                                         59.83, 90.11, 89.88, 87.01, 90.91, 73.65};

RunRow searched(double rate, int seed, double accuracy, RunState state = RunState::Finished) {
  return runOf({{"task", "reclor"}, {"seed", seed}, {"lr_schedule.rate", rate}},
               {{"valid.accuracy", accuracy}}, state);
}

}  // namespace

class TaskTableTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void asPrinted() {
    const TaskTable table =
        taskTable({column("Post-LN", kPostLn), column("RealFormer", kRealFormer)}, SettingChoice::BestMedian)
            .value();
    std::vector<std::string> titles;
    for (const TaskTableLine& line : table.lines) titles.push_back(line.title);
    QCOMPARE(titles,
             (std::vector<std::string>{"MNLI-m", "MNLI-nm", "QQP acc", "QQP F1", "QNLI", "SST-2", "CoLA MC",
                                       "STS-B PC", "STS-B SC", "MRPC acc", "MRPC F1", "RTE"}));
    for (std::size_t i = 0; i < titles.size(); ++i)
      QCOMPARE(table.lines[i].cells[1].summary.mean, kRealFormer[i]);
    QCOMPARE(table.averages.size(), std::size_t{1});
    QCOMPARE(std::round(100 * *table.averages[0].values[0]), 8401.0);
    QCOMPARE(std::round(100 * *table.averages[0].values[1]), 8453.0);
    const std::string latex = latexTable(taskPaperTable(table, false)).value();
    QVERIFY2(latex.find("QQP F1 & 88.34 & 88.28") != std::string::npos, latex.c_str());
    QVERIFY2(latex.find("Overall & 84.01 & 84.53") != std::string::npos, latex.c_str());
    // Models below each other, as in DT-Fixup Table 4.
    const PaperTable down = taskPaperTable(table, true);
    QCOMPARE(down.rows.size(), std::size_t{2});
    QCOMPARE(down.columns.size(), std::size_t{14});
  }

  void missingEntriesHaveNoAverage() {
    TaskTableColumn some = column("some", kPostLn);
    some.runs.pop_back();
    const TaskTable table = taskTable({some, column("all", kPostLn)}, SettingChoice::BestMedian).value();
    QVERIFY(!table.averages[0].values[0] && table.averages[0].values[1]);
    const TaskTableLine& mrpc = table.lines[9];
    QCOMPARE(mrpc.title, std::string("MRPC acc"));
    QCOMPARE(mrpc.cells[0].settings, 0);
  }

  // Of two rates the one with the better median over three seeds; a failed run counts as such.
  void bestSetting() {
    const TaskTableColumn search = {
        "DT-Fixup",
        {searched(1e-4, 1, 30), searched(1e-4, 2, 40), searched(1e-4, 3, 60), searched(3e-4, 1, 45),
         searched(3e-4, 2, 44), searched(3e-4, 3, 0, RunState::Diverged)}};
    const TaskTable median = taskTable({search}, SettingChoice::BestMedian).value();
    QCOMPARE(median.lines.size(), std::size_t{1});  // EASY and HARD were not measured
    const TaskTableCell& cell = median.lines[0].cells[0];
    QCOMPARE(cell.summary.mean, 44.5);
    QCOMPARE(cell.summary.failed(), 1);
    QCOMPARE(cell.settings, 2);
    QCOMPARE(cell.chosen.dump(), Json({{"lr_schedule.rate", 3e-4}}).dump());
    QCOMPARE(taskTable({search}, SettingChoice::BestMean).value().lines[0].cells[0].settings, 2);
    TaskTableColumn other = search;
    other.name = "Standard";
    other.runs.resize(3);
    const TaskTable both = taskTable({other, search}, SettingChoice::BestMean).value();
    QCOMPARE(both.pairings.size(), std::size_t{1});
    QVERIFY(std::abs(both.pairings[0].comparison.difference - (44.5 - 130.0 / 3)) < 1e-9);
  }

  void otherDataAreOtherLines() {
    RunRow first = glueRun("cola", {{"valid.matthews", 10}}), second = first;
    first.options["data.train"] = "a/train.tsv";
    second.options["data.train"] = "b/train.tsv";
    const TaskTable table = taskTable({{"m", {first, second}}}, SettingChoice::BestMedian).value();
    QCOMPARE(table.lines.size(), std::size_t{2});
    QCOMPARE(table.lines[1].title, std::string("CoLA MC (b/train.tsv)"));
  }

  void unknownTask() {
    const auto table = taskTable({{"m", {runOf({{"task", "nothing"}}, {})}}}, SettingChoice::BestMedian);
    QVERIFY(!table.ok() && table.error().text().find("no task") != std::string::npos);
  }
};

QTEST_APPLESS_MAIN(TaskTableTest)
#include "tst_task_table.moc"
