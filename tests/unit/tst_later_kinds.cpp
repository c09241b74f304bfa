// SPDX-License-Identifier: Apache-2.0
// Kinds that come later into a folder that is followed: found, and none twice.
#include <QTest>
#include <algorithm>
#include <memory>
#include <set>

#include "core/imports/formats/event_file_writer.h"
#include "core/imports/later_kinds.h"
#include "core/imports/preview/source_places.h"
#include "tests/unit/support_following.h"
#include "tests/unit/support_wandb_records.h"

using namespace fathom;

namespace {

std::string rowOfWandb(int step) {
  return test::wandbChunk(
      test::wandbField(2, test::wandbField(1, test::wandbItem("acc", std::to_string(step))) +
                              test::wandbField(2, test::wandbField(1, std::uint64_t(step)))));
}
std::string beginOfWandb(const std::string& id) {
  return test::kWandbHead +
         test::wandbChunk(test::wandbField(17, test::wandbField(1, id) + test::wandbField(8, id)));
}

std::string trainerState(int last) {
  std::string log;
  for (int step = 1; step <= last; ++step)
    log +=
        (step > 1 ? ", " : "") + ("{\"step\": " + std::to_string(step)) + ", \"loss\": 2, \"grad_norm\": 1}";
  return "{\"global_step\": " + std::to_string(last) +
         ", \"trial_params\": {\"lr\": 0.1}, \"log_history\": [" + log + "]}";
}

constexpr const char* kEvents = "/events.out.tfevents.1700000000.host.1.0";
constexpr const char* kWandb = "all/wandb/offline-run-20251009_085000-w/run-w.wandb";

}  // namespace

class LaterKindsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() {
    m_files = std::make_unique<Following>();
    m_events = std::make_unique<EventFileWriter>(1.7e9);
    m_written = 0;
  }
  void aRunOfAnotherProgram();
  void whileItIsFollowed();
  void stateOfTheTrainer();
  void stateBeforeTheEvents();
  void besideSeveralKinds();
  void anyOfSeveralLooks();
  void tablesAndLogsAlone();
  void oneThatCannotBeRead();
  void onlyWhatWasAskedFor();

 private:
  // Points [first, last] of a run below "all".
  void writeEvents(const std::string& folder, int first, int last) {
    for (int step = first; step <= last; ++step) m_events->scalar("loss", step, 1.7e9 + step, 1);
    m_files->append("all/" + folder + kEvents, m_events->content().substr(m_written));
    m_written = m_events->content().size();
  }
  // As whoever imports and follows begins, and goes on after a restart.
  Result<std::unique_ptr<SourceFollower>> open(const SourcePlace& place) const {
    ImportOptions options;
    options.format = place.format;
    options.name = place.name;
    options.around = place.around;
    options.placesIn = [](const std::string& folder, const StopToken& stop) {
      return placesIn(folder, stop);
    };
    return m_files->open(place.path.substr(m_files->path("").size()), options);
  }
  std::vector<SourcePlace> places() const { return placesIn(m_files->path("all"), StopToken()).value(); }
  // One look at each, by followers of their own; how many points came.
  std::int64_t look(const std::vector<SourcePlace>& places) const {
    std::int64_t points = 0;
    for (const SourcePlace& place : places) points += open(place).value()->poll(StopToken()).value().points;
    return points;
  }
  std::set<std::string> names() const {
    std::set<std::string> all;
    for (const std::string& run : m_files->runs()) all.insert(RunFolder(run).identity()->name);
    return all;
  }
  std::map<std::string, std::size_t> curves() const {
    std::map<std::string, std::size_t> all;
    for (const std::string& run : m_files->runs())
      for (const ScalarSeries& curve : readRunScalars(run).value()) all[curve.metric] += curve.step.size();
    return all;
  }
  std::string said() const {
    std::string all;
    for (const std::string& run : m_files->runs()) all += RunFolder(run).identity()->provenance.dump();
    return all;
  }
  std::unique_ptr<Following> m_files;
  std::unique_ptr<EventFileWriter> m_events;
  std::size_t m_written = 0;
};

using Curves = std::map<std::string, std::size_t>;

void LaterKindsTest::aRunOfAnotherProgram() {
  writeEvents("tb", 1, 3);
  const auto whole = places();
  QCOMPARE(whole.size(), std::size_t{1});
  QCOMPARE(look(whole), std::int64_t{3});
  m_files->append(kWandb, beginOfWandb("w") + rowOfWandb(1));
  QCOMPARE(look(whole), std::int64_t{1});
  QCOMPARE(look(whole), std::int64_t{0});
  m_files->append(kWandb, rowOfWandb(2) + rowOfWandb(3));
  writeEvents("tb", 4, 4);
  QCOMPARE(look(whole), std::int64_t{3});
  QCOMPARE(look(whole), std::int64_t{0});
  QCOMPARE(names(), (std::set<std::string>{"tb", "w"}));
  QCOMPARE(curves(), (Curves{{"loss", 4}, {"acc", 3}}));
  QVERIFY(said().find("while that was followed") != std::string::npos);
  for (const std::string& run : m_files->runs()) QCOMPARE(Following::attempts(run), std::size_t{1});
}

// By one follower, which looks around each second.
void LaterKindsTest::whileItIsFollowed() {
  writeEvents("tb", 1, 2);
  const auto follower = open(places().front()).value();
  QCOMPARE(follower->poll(StopToken())->points, std::int64_t{2});
  m_files->append(kWandb, beginOfWandb("w") + rowOfWandb(1));
  m_files->append("all/keras.csv", "epoch,val_loss\n0,3\n1,2\n");
  std::int64_t points = 0;
  QTRY_VERIFY_WITH_TIMEOUT((points += follower->poll(StopToken())->points) == 3, 10'000);
  QCOMPARE(names(), (std::set<std::string>{"keras", "tb", "w"}));
  QCOMPARE(follower->poll(StopToken())->points, std::int64_t{0});
}

// The metrics of both in one run; what both have is told apart.
void LaterKindsTest::stateOfTheTrainer() {
  writeEvents("out/runs/host", 1, 3);
  const auto whole = places();
  QCOMPARE(look(whole), std::int64_t{3});
  m_files->append("all/out/trainer_state.json", trainerState(2));
  QCOMPARE(look(whole), std::int64_t{4});
  QCOMPARE(m_files->runs().size(), std::size_t{1});
  QCOMPARE(curves(), (Curves{{"loss", 3}, {"hf_trainer/loss", 2}, {"grad_norm", 2}}));
  // Both grow, and a checkpoint comes beside.
  writeEvents("out/runs/host", 4, 4);
  m_files->replace("all/out/trainer_state.json", trainerState(3));
  m_files->append("all/out/checkpoint-3/trainer_state.json", trainerState(3));
  QCOMPARE(look(whole), std::int64_t{3});
  QCOMPARE(look(whole), std::int64_t{0});
  QCOMPARE(curves(), (Curves{{"loss", 4}, {"hf_trainer/loss", 3}, {"grad_norm", 3}}));
  QCOMPARE(names(), (std::set<std::string>{"out/runs/host"}));
  QVERIFY(said().find("it has the metrics of both") != std::string::npos);
  const RunFolder run(m_files->runs().front());
  QCOMPARE(run.attempts().size(), std::size_t{1});
  QVERIFY(run.config(1)->dump().find("\"lr\":0.1") != std::string::npos);
}

// An event file without a point is no run yet: its points join what came before them.
void LaterKindsTest::stateBeforeTheEvents() {
  writeEvents("tb", 1, 1);
  const auto whole = places();
  QCOMPARE(look(whole), std::int64_t{1});
  EventFileWriter other(1.7e9);
  m_files->append(std::string("all/out/runs/host") + kEvents, other.content());
  m_files->append("all/out/trainer_state.json", trainerState(2));
  QCOMPARE(look(whole), std::int64_t{4});
  const std::size_t begun = other.content().size();
  for (const int step : {1, 2, 3}) other.scalar("loss", step, 1.7e9 + step, 1);
  m_files->append(std::string("all/out/runs/host") + kEvents, other.content().substr(begun));
  QCOMPARE(look(whole), std::int64_t{3});
  QCOMPARE(names(), (std::set<std::string>{"out", "tb"}));
  QCOMPARE(curves(), (Curves{{"loss", 1 + 2}, {"tensorboard/loss", 3}, {"grad_norm", 2}}));
}

// What was there is followed by others.
void LaterKindsTest::besideSeveralKinds() {
  writeEvents("tb", 1, 2);
  m_files->append(kWandb, beginOfWandb("w") + rowOfWandb(1));
  const auto both = places();
  QCOMPARE(both.size(), std::size_t{2});
  QCOMPARE(look(both), std::int64_t{3});
  m_files->append("all/logs/live.jsonl", jsonLines(1, 2));
  m_files->append("all/wandb/offline-run-20251009_085100-v/run-v.wandb", beginOfWandb("v") + rowOfWandb(1));
  writeEvents("tb", 3, 3);
  QCOMPARE(look(both), std::int64_t{4});
  QCOMPARE(look(both), std::int64_t{0});
  QCOMPARE(names(), (std::set<std::string>{"live", "tb", "v", "w"}));
}

// Three kinds from the start. While the first is followed it looks, also where it was cut off between finding
// and reading; when it has gone, another one looks, and does not find again what the first had.
void LaterKindsTest::anyOfSeveralLooks() {
  writeEvents("tb", 1, 2);
  m_files->append(kWandb, beginOfWandb("w") + rowOfWandb(1));
  m_files->append("all/keras.csv", "epoch,val_loss\n0,3\n1,2\n");
  const auto three = places();
  QCOMPARE(three.size(), std::size_t{3});
  QCOMPARE(look(three), std::int64_t{5});
  m_files->append("all/late.jsonl", "{\"step\": 1, \"loss\": 1}");
  QCOMPARE(look(three), std::int64_t{0});
  m_files->append("all/late.jsonl", "\n");
  QCOMPARE(look(three), std::int64_t{1});
  const std::string project = m_files->path("");
  for (const SourcePlace& place : places())
    QCOMPARE(isReadBeside(project, place), place.path == m_files->path("all/late.jsonl"));
  std::filesystem::remove(m_files->record("all"));
  m_files->append("all/last.jsonl", jsonLines(1, 2));
  const std::vector<SourcePlace> left = {three[1], three[2]};
  std::int64_t points = 0;
  {
    const auto one = open(left[0]).value(), other = open(left[1]).value();
    const auto polled = [&] {
      for (const auto* follower : {&one, &other}) points += (*follower)->poll(StopToken())->points;
      return points;
    };
    QTRY_VERIFY_WITH_TIMEOUT(polled() > 0, 10'000);
  }
  QCOMPARE(points, std::int64_t{2});
  QCOMPARE(look(left), std::int64_t{0});
  QCOMPARE(names(), (std::set<std::string>{"keras", "last", "late", "tb", "w"}));
}

void LaterKindsTest::tablesAndLogsAlone() {
  m_files->append("all/keras.csv", "epoch,val_loss\n0,3\n1,2\n");
  m_files->append("all/live.jsonl", jsonLines(1, 2));
  const auto both = places();
  QCOMPARE(both.size(), std::size_t{2});
  QCOMPARE(look(both), std::int64_t{4});
  QCOMPARE(names(), (std::set<std::string>{"keras", "live"}));
  QCOMPARE(m_files->runs().size(), std::size_t{2});
}

void LaterKindsTest::oneThatCannotBeRead() {
  writeEvents("tb", 1, 2);
  const auto whole = places();
  QCOMPARE(look(whole), std::int64_t{2});
  m_files->append(kWandb, "this is nobody's file, and longer than a head");
  writeEvents("tb", 3, 3);
  QCOMPARE(look(whole), std::int64_t{1});
  m_files->replace(kWandb, beginOfWandb("w") + rowOfWandb(1));
  QCOMPARE(look(whole), std::int64_t{1});
  QCOMPARE(names(), (std::set<std::string>{"tb", "w"}));
}

void LaterKindsTest::onlyWhatWasAskedFor() {
  writeEvents("tb", 1, 2);
  const std::vector<SourcePlace> asked = {{.path = m_files->path("all"), .format = "tensorboard"}};
  QCOMPARE(look(asked), std::int64_t{2});
  m_files->append(kWandb, beginOfWandb("w") + rowOfWandb(1));
  QCOMPARE(look(asked), std::int64_t{0});
  QCOMPARE(names(), (std::set<std::string>{"tb"}));
}

QTEST_APPLESS_MAIN(LaterKindsTest)
#include "tst_later_kinds.moc"
