// SPDX-License-Identifier: Apache-2.0
// Histograms that TensorBoard and W&B logged: from their files to what a figure draws.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <memory>

#include "core/base/files/atomic_file.h"
#include "core/imports/formats/event_file_writer.h"
#include "core/record/runs/logged_histogram.h"
#include "tests/unit/support_following.h"
#include "tests/unit/support_wandb_records.h"

using namespace fathom;

using Reals = std::vector<double>;

namespace {

// An item of an object, as W&B has it: each member stands alone.
std::string memberOf(const std::string& object, const std::string& name, const std::string& json) {
  return test::wandbField(
      1, test::wandbField(2, object) + test::wandbField(2, name) + test::wandbField(16, json));
}
std::string wandbRow(int step, const std::string& items) {
  return test::wandbChunk(
      test::wandbField(2, test::wandbField(1, test::wandbItem("loss", "1")) + items +
                              test::wandbField(2, test::wandbField(1, std::uint64_t(step)))));
}
std::string spreadItems(const std::string& tag, const std::string& bins, const std::string& values) {
  return memberOf(tag, "_type", "\"histogram\"") + memberOf(tag, "bins", bins) +
         memberOf(tag, "values", values);
}

}  // namespace

class LoggedHistogramTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void narrowBucketsAreJoined();
  void init() { m_files = std::make_unique<Following>(); }
  void importedHistogramsAreRead();
  void followedOnesComeOnce();
  void histogramsOfWandb();
  void quantiles();
  void densities();
  void damageIsCounted();
  void noneIsNoError();

 private:
  void write(const std::string& lines) const { m_files->append("run/artifacts/histograms.jsonl", lines); }
  LoggedHistograms read(const std::string& tag = {}) const {
    return loggedHistograms(m_files->path("run"), tag).value();
  }
  std::unique_ptr<Following> m_files;
};

// The last limit of older writers is the largest number there is, the least value may stand above the first.
void LoggedHistogramTest::importedHistogramsAreRead() {
  EventFileWriter events(1.7e9);
  events.scalar("loss", 1, 1.7e9, 1);
  for (const int step : {1, 2, 2}) {
    events.histogram("weight", step, 1.7e9 + step, -1, {0, 1, std::numeric_limits<double>::max()}, {1, 2, 1});
    events.histogram("bias", step, 1.7e9 + step, 0.5, {0.25, 1}, {0, double(step)});
  }
  m_files->append("tb/events.out.tfevents.1700000000.host.1.0", events.content());
  const auto runs = m_files->import("tb");
  const LoggedHistograms first = loggedHistograms(runs.front().runPath, {}).value();
  QCOMPARE(first.tags, (std::vector<std::string>{"weight", "bias"}));
  QCOMPARE(first.tag, std::string("weight"));
  QCOMPARE(first.badLines, std::int64_t{0});
  QCOMPARE(first.states.size(), std::size_t{2});
  QCOMPARE(first.states[0].edges, (Reals{-1, 0, 1, 1}));
  QCOMPARE(first.states[0].counts, (Reals{1, 2, 1}));
  QCOMPARE(first.states[1].step, 2.0);
  const LoggedHistograms bias = loggedHistograms(runs.front().runPath, "bias").value();
  QCOMPARE(bias.states[1].edges, (Reals{0.25, 0.25, 1}));
  QCOMPARE(bias.states[1].counts, (Reals{0, 2}));
  QVERIFY(loggedHistograms(runs.front().runPath, "none")->states.empty());
}

void LoggedHistogramTest::followedOnesComeOnce() {
  EventFileWriter events(1.7e9);
  events.scalar("loss", 1, 1.7e9, 1);
  events.histogram("weight", 1, 1.7e9, 0, {1}, {3});
  const std::string begin = events.content();
  events.histogram("weight", 2, 1.7e9 + 1, 0, {2}, {4});
  const std::string file = "tb/events.out.tfevents.1700000000.host.1.0";
  m_files->append(file, begin);
  QVERIFY(m_files->look("tb").ok());
  m_files->append(file, events.content().substr(begin.size()));
  for (int i = 0; i < 2; ++i) QVERIFY(m_files->look("tb").ok());
  const LoggedHistograms found = loggedHistograms(m_files->runs().front(), "weight").value();
  QCOMPARE(found.states.size(), std::size_t{2});
  QCOMPARE(found.states[1].edges, (Reals{0, 2}));
}

// In two pieces, by followers of their own, one of which is cut off before it keeps how far it came.
void LoggedHistogramTest::histogramsOfWandb() {
  const std::string run = test::wandbChunk(
      test::wandbField(17, test::wandbField(1, std::string("abc")) + test::wandbField(8, std::string("w"))));
  const std::string file = "run-abc.wandb";
  m_files->append(file, test::kWandbHead + run + wandbRow(1, spreadItems("grad/w", "[-1, 0, 2]", "[3, 5]")));
  QVERIFY(m_files->look(file).ok());
  const std::string kept = readFile(m_files->record(file)).value();
  m_files->append(file, wandbRow(2, spreadItems("grad/w", "[-2, 0, 2]", "[1, 7]") +
                                        spreadItems("odd", "[0, 1]", "[1, 2]") +
                                        test::wandbField(1, test::wandbItem("phase", "\"warm\"")) +
                                        test::wandbField(1, test::wandbItem("done", "true"))));
  for (int i = 0; i < 2; ++i) {
    QVERIFY(m_files->look(file).ok());
    QVERIFY(writeFileAtomically(m_files->record(file), kept).ok());
  }
  QVERIFY(m_files->look(file).ok());
  const std::string path = m_files->runs().front();
  const LoggedHistograms found = loggedHistograms(path, {}).value();
  QCOMPARE(found.tags, std::vector<std::string>{"grad/w"});
  QCOMPARE(found.states.size(), std::size_t{2});
  QCOMPARE(found.states[0].edges, (Reals{-1, 0, 2}));
  QCOMPARE(found.states[1].step, 2.0);
  QCOMPARE(found.states[1].counts, (Reals{1, 7}));
  QCOMPARE(m_files->steps(), (Reals{1, 2}));
  QCOMPARE(readRunScalars(path)->size(), std::size_t{1});  // no part of a histogram is a curve
  const std::string texts = readFile(path + "/artifacts/texts.jsonl").value();
  QCOMPARE(std::count(texts.begin(), texts.end(), '\n'), std::ptrdiff_t{1});
  QVERIFY(texts.find(R"("text":"warm")") != std::string::npos);
  const std::string told = RunFolder(path).identity()->provenance.dump();
  QVERIFY(told.find("3 texts and histograms lie in the folder artifacts") != std::string::npos);
  QVERIFY(told.find("2 tables, pictures and other values are no curves") != std::string::npos);
}

void LoggedHistogramTest::quantiles() {
  const LoggedHistogram even{0, {0, 1, 3, 4}, {1, 0, 3}};
  QCOMPARE(quantileOf(even, 0), 0.0);
  QCOMPARE(quantileOf(even, 0.125), 0.5);
  QCOMPARE(quantileOf(even, 0.25), 1.0);
  QCOMPARE(quantileOf(even, 0.5), 3 + 1.0 / 3);
  QCOMPARE(quantileOf(even, 1), 4.0);
  QCOMPARE(quantileOf(even, 7), 4.0);
  const LoggedHistogram lateStart{0, {0, 1, 2}, {0, 2}};
  QCOMPARE(quantileOf(lateStart, 0), 1.0);  // no value lies below
  QVERIFY(std::isnan(quantileOf({0, {0, 1}, {0}}, 0.5)));
}

void LoggedHistogramTest::densities() {
  const Reals density = densityOf({0, {0, 1, 3, 3}, {1, 2, 1}});
  QCOMPARE(density[0], 0.25);
  QCOMPARE(density[1], 0.25);
  QVERIFY(std::isnan(density[2]));
}

void LoggedHistogramTest::damageIsCounted() {
  write(R"({"tag": "a", "step": 3, "time": 1, "edges": [0, 1], "counts": [2]})"
        "\n"
        R"({"tag": "a", "step": 1, "time": 1, "edges": [0, 1], "counts": [1]})"
        "\n"
        R"({"tag": "a", "step": 4, "edges": [0, 1], "counts": [1, 2]})"
        "\n"
        R"({"tag": "a", "step": 5, "edges": [0, 2, 1], "counts": [1, 1]})"
        "\n"
        R"({"tag": "a", "step": 6, "edges": [0, 1], "counts": [-1]})"
        "\n"
        R"({"tag": "a", "step": "NaN", "edges": [0, 1], "counts": [1]})"
        "\n"
        "no JSON\n[]\n"
        R"({"tag": "a", "step": 9, "edges": [0, 1], "counts": [1]})");  // no end yet
  const LoggedHistograms found = read();
  QCOMPARE(found.badLines, std::int64_t{6});
  QCOMPARE(found.states.size(), std::size_t{2});
  QCOMPARE(found.states[0].step, 1.0);
  QCOMPARE(found.states[1].counts, Reals{2});
}

void LoggedHistogramTest::noneIsNoError() {
  QVERIFY(read().states.empty() && read().tags.empty());
  QVERIFY(read("x").states.empty());
}

void LoggedHistogramTest::narrowBucketsAreJoined() {
  // One of a hundred values in a bucket of 1e-9 beside 0 would be a density of ten millions.
  const LoggedHistogram logged = {7, {-1, -0.5, -1e-9, 0, 1e-9, 0.5, 1}, {20, 29, 1, 1, 29, 20}};
  const LoggedHistogram wide = withoutSlivers(logged, 1.0 / 60);
  QCOMPARE(wide.step, 7.0);
  QCOMPARE(wide.edges, (std::vector<double>{-1, -0.5, -1e-9, 0.5, 1}));
  QCOMPARE(wide.counts, (std::vector<double>{20, 29, 31, 20}));
  for (const double density : densityOf(wide)) QVERIFY(density < 1);
  // The narrow end goes to the bucket before it; even ones stay as they are.
  const LoggedHistogram end = withoutSlivers({0, {0, 1, 1.001}, {3, 4}}, 0.1);
  QCOMPARE(end.edges, (std::vector<double>{0, 1.001}));
  QCOMPARE(end.counts, (std::vector<double>{7}));
  const LoggedHistogram even = {0, {0, 1, 2, 3}, {1, 2, 3}};
  QCOMPARE(withoutSlivers(even, 1.0 / 60).counts, even.counts);
}

QTEST_APPLESS_MAIN(LoggedHistogramTest)
#include "tst_logged_histogram.moc"
