// SPDX-License-Identifier: Apache-2.0
// Run folders that another program writes (resources/help/run_folder.md): lines with zlib's checksum, names
// with escapes, who wrote the run, what fills the library, runs of other machines.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>

#include "core/analysis/statistics/seed_groups.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/process_identity.h"
#include "core/library/runs/curve_index.h"
#include "core/library/runs/metric_catalogue.h"
#include "core/library/runs/run_listing.h"
#include "core/record/events/event_log.h"
#include "core/record/events/event_reader.h"
#include "core/record/events/system_samples.h"
#include "core/record/import/foreign_run.h"
#include "core/record/results/prediction_set.h"
#include "core/record/runs/run_lock.h"

using namespace fathom;
namespace fs = std::filesystem;

namespace {

// As a writer in another language closes a line.
std::string zlibLine(const std::string& body) {
  const auto sum = ::crc32_z(0, reinterpret_cast<const Bytef*>(body.data()), body.size());
  return body + ",\"crc32\":" + std::to_string(sum) + "}\n";
}

// The last write of a file, so many seconds ago.
void makeOld(const std::string& path, long seconds) {
  timespec times[2];
  ::clock_gettime(CLOCK_REALTIME, &times[0]);
  times[0].tv_sec -= seconds;
  times[1] = times[0];
  QCOMPARE(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
}

// Blocks between fences, each with the last name in backticks of the paragraph before it.
std::vector<std::pair<std::string, std::string>> fencedBlocks(const std::string& page) {
  std::vector<std::pair<std::string, std::string>> blocks;
  std::ifstream file(page);
  std::string line, name;
  bool inside = false;
  while (std::getline(file, line)) {
    if (line.starts_with("```")) {
      inside = !inside;
      if (inside) blocks.emplace_back(name, "");
      name.clear();
    } else if (inside) {
      blocks.back().second += line + "\n";
    } else if (line.starts_with('`')) {
      name = line.substr(1, line.find('`', 1) - 1);
    } else if (!line.empty()) {
      name.clear();
    }
  }
  return blocks;
}

const ScalarSeries* foreignSeries(const std::vector<ScalarSeries>& all, const std::string& name) {
  for (const auto& series : all)
    if (series.metric == name) return &series;
  return nullptr;
}

}  // namespace

class ForeignWriterTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() {
    m_dir = std::make_unique<QTemporaryDir>();
    fs::create_directories(path("p.fathom/runs"));
  }
  void secondChecksum();
  void escapesAndBlanks();
  void stepsAndRowsThatAreNone();
  void whoWroteIt();
  void groupsBesideOurs();
  void broughtNotesFillOnce();
  void readOnlyLibraryShowsThem();
  void otherMachineWithHeartbeat();
  void folderOfRunsIsAProject();
  void recordedRuns_data();
  void recordedRuns();
  void examplesOfTheHelpPage();

 private:
  std::string path(const std::string& name) const { return m_dir->path().toStdString() + "/" + name; }
  void write(const std::string& name, const std::string& bytes) const {
    fs::create_directories(fs::path(path(name)).parent_path());
    std::ofstream(path(name), std::ios::trunc) << bytes;
  }
  // A run of a writer, `more`: members of its run.json.
  std::string written(const std::string& name, const std::string& more, const std::string& options,
                      const std::string& events) const {
    const std::string run = "p.fathom/runs/" + name;
    write(run + "/attempts/0001/config.json", "{\"format\":1,\"options\":" + options + "}");
    write(run + "/attempts/0001/events.jsonl", events);
    write(run + "/run.json", "{\"uuid\":\"uuid-" + name + "\",\"format\":1,\"name\":\"" + name +
                                 "\",\"created\":\"2026-01-0" + std::to_string(++m_day) +
                                 "T00:00:00.000Z\",\"writer\":{\"program\":\"other\",\"version\":\"2.1\"}" +
                                 more + "}");
    return path(run);
  }
  static std::string row(int seq, int step, const std::string& metrics, const char* kind = "step",
                         std::int64_t time = 0) {
    return zlibLine("{\"v\":1,\"seq\":" + std::to_string(seq) +
                    ",\"t\":" + std::to_string(time > 0 ? time : 100 + seq) + ",\"k\":\"" + kind +
                    "\",\"step\":" + std::to_string(step) + ",\"epoch\":\"NaN\",\"tokens\":\"NaN\",\"m\":{" +
                    metrics + "}");
  }
  std::unique_ptr<QTemporaryDir> m_dir;
  mutable int m_day = 0;
};

void ForeignWriterTest::secondChecksum() {
  const std::string good = row(0, 1, "\"loss\":2.5");
  std::string line = good.substr(0, good.size() - 1);
  QVERIFY(!checkedEventBody(line).empty());
  // One bit, another sum under the right name, the right sum under the other's name.
  std::string changed = line;
  changed[changed.find("2.5")] = '3';
  QVERIFY(checkedEventBody(changed).empty());
  std::string ours = line.substr(0, line.find(",\"crc32\""));
  closeEventLine(ours);
  ours.pop_back();
  QVERIFY(!checkedEventBody(ours).empty());
  std::string swapped = ours;
  swapped.replace(swapped.find("\"crc\""), 5, "\"crc32\"");
  QVERIFY(checkedEventBody(swapped).empty());
  QVERIFY(checkedEventBody("{\"v\":1,\"crc33\":0}").empty() &&
          checkedEventBody("{\"v\":1,\"crc32\":}").empty());
  // Members called so before the last one are members.
  std::string twice = zlibLine("{\"v\":1,\"crc\":5,\"crc32\":6");
  twice.pop_back();
  QVERIFY(!checkedEventBody(twice).empty());
  write("events.jsonl", good + changed + "\n" + row(2, 2, "\"loss\":1.5"));
  EventReader reader(path("events.jsonl"));
  const auto events = reader.poll();
  QCOMPARE(events->size(), std::size_t{2});
  QCOMPARE(reader.badLines(), std::int64_t{1});
  QCOMPARE(events->back().scalars.front().second, 1.5);
}

void ForeignWriterTest::escapesAndBlanks() {
  const std::string names = R"("acc/\u00fc": 0.5, "a\"b": 1, "tab\t": 2, "\ud83d\ude00": "NaN", "plain": 3)";
  const auto spaced = [&](int seq, int step, const char* kind) {
    return zlibLine("{\"v\": 1, \"seq\": " + std::to_string(seq) + ", \"t\": " + std::to_string(100 + seq) +
                    ".5, \"k\": \"" + kind + "\", \"step\": " + std::to_string(step) +
                    ", \"epoch\": 0.5, \"tokens\": 10, \"note\": {\"a\": [1, 2]}, \"m\": {" + names + "}");
  };
  const std::string announced =
      R"({"v": 1, "seq": 0, "t": 99, "k": "progress", "phase": "training", "unit": "updates", "done": 0, "total": 9)";
  const std::string run = written("escapes", "", "{\"lr\":1}",
                                  zlibLine(announced) + spaced(1, 1, "step") + spaced(2, 2, "validation") +
                                      spaced(3, 3, "validation") + spaced(4, 4, "step"));
  const std::vector<std::string> decoded = {"acc/ü", "a\"b", "tab\t", "😀", "plain"};
  const auto series = readRunScalars(run).value();
  QCOMPARE(series.size(), decoded.size());
  for (const std::string& name : decoded) {
    const ScalarSeries* found = foreignSeries(series, name);
    QVERIFY2(found != nullptr, name.c_str());
    QCOMPARE(found->step, (std::vector<double>{1, 2, 3, 4}));
  }
  QVERIFY(std::isnan(foreignSeries(series, "😀")->value[0]) && foreignSeries(series, "plain")->value[0] == 3);
  const auto live = EventReader(RunFolder(run).eventsPath(1)).poll().value();
  QCOMPARE(live.size(), std::size_t{5});
  for (std::size_t i = 0; i < decoded.size(); ++i) QCOMPARE(live[1].scalars[i].first, decoded[i]);
  const RunRow summary = readRunRow(run).value();
  QCOMPARE(summary.totalUpdates, std::int64_t{9});
  QCOMPARE(summary.best.at("acc/ü"), 0.5);
  QCOMPARE(summary.bestStep.at("acc/ü"), std::int64_t{2});
  QVERIFY(summary.last.contains("a\"b"));
  // A name that is no JSON text makes the line none.
  write("bad.jsonl", row(0, 1, R"("a\x":1)"));
  EventReader bad(path("bad.jsonl"));
  QVERIFY(bad.poll()->empty() && bad.badLines() == 1);
}

// Steps that are no place on an axis and rows that hold no numbers are bad lines: left out and counted, by
// all readers alike, and no curve reaches into nowhere.
void ForeignWriterTest::stepsAndRowsThatAreNone() {
  std::string log = row(0, 1, "\"loss\":2") + row(1, 2, "\"loss\":null") + row(2, 3, "\"loss\":{}");
  int seq = 3;
  for (const char* step : {"-4", "1e300", "\"Infinity\"", "\"NaN\"", "9007199254740994"})
    for (const char* kind : {"step", "validation"}) {
      std::string line = row(seq++, 77, "\"loss\":9", kind);
      line = line.substr(0, line.find(",\"crc32\""));
      line.replace(line.find("77"), 2, step);
      log += zlibLine(line);
    }
  log += row(seq, 4, "\"loss\":1") + row(seq + 1, 5, "\"valid/acc\":0.5", "validation");
  const std::string run = written("odd", "", "{\"lr\":0.1}", log);
  EventReader reader(RunFolder(run).eventsPath(1));
  const auto events = reader.poll().value();
  QCOMPARE(events.size(), std::size_t{3});
  QCOMPARE(reader.badLines(), std::int64_t{12});
  QCOMPARE(foreignSeries(readRunScalars(run).value(), "loss")->step, (std::vector<double>{1, 4}));
  const RunRow summary = readRunRow(run).value();
  QCOMPARE(summary.step, std::int64_t{5});
  QCOMPARE(summary.last.at("loss"), 1.0);
  QVERIFY(!summary.best.contains("loss"));
}

void ForeignWriterTest::whoWroteIt() {
  const std::string command =
      R"(,"provenance":{"command":["python3","my train.py","--lr","0.1"],"folder":"/home/ada/x y"})";
  const std::string run =
      written("one", command, "{\"lr\":0.1}", row(0, 1, "\"loss\":2,\"my_accuracy\":1", "validation"));
  const Json provenance = RunFolder(run).identity()->provenance;
  QCOMPARE(runWriter(provenance), std::string("other 2.1"));
  QCOMPARE(importOrigin(provenance), std::string("other"));
  QCOMPARE(recordedCommand(provenance), std::string("cd '/home/ada/x y' && python3 'my train.py' --lr 0.1"));
  QCOMPARE(recordedCommand(provenance, "/runs/a"), recordedCommand(provenance));  // another program's way
  Json module = provenance;
  module["writer"]["program"] = "fathom.py";
  QCOMPARE(recordedCommand(module, "/runs/a b"),
           std::string("cd '/home/ada/x y' && FATHOM_RUN_DIR='/runs/a b' python3 'my train.py' --lr 0.1"));
  // What its names tell, where it declares nothing.
  const RunRow summary = readRunRow(run).value();
  QVERIFY(MetricCatalogue(summary.identity.metrics).direction("my_accuracy") == MetricDirection::Higher);
  // What lies in the index says the same.
  QCOMPARE(runWriter(runRowFromJson(runRowToJson(summary)).identity.provenance), std::string("other 2.1"));
  QVERIFY(runWriter(Json{{"program", "fathom-engine"}}).empty() && recordedCommand(Json::object()).empty());
  // Nonsense where an object, a list or a text belongs is as if it were not said.
  const std::string odd =
      written("odd", R"(,"tags":"x","notes":5,"group":["g"],"provenance":[1])", "{\"lr\":0.1}", "");
  const Json strange = RunFolder(odd).identity()->provenance;
  QVERIFY(broughtNotes(strange).allTags().empty() && broughtNotes(strange).notes.empty());
  QCOMPARE(importOrigin(strange), std::string("other"));
}

// Runs of one configuration are a group whatever their seed; never with ours, which have other options.
void ForeignWriterTest::groupsBesideOurs() {
  const Json first = {{"lr", 0.1}, {"seed", 1}}, second = {{"lr", 0.1}, {"seed", 2}},
             third = {{"lr", 0.2}, {"seed", 1}};
  const std::string origin = importOrigin(Json{{"writer", {{"program", "other"}}}});
  const auto words = seedGroups({&first, &second, &third, &first}, {origin, origin, origin, ""});
  QCOMPARE(words[0], words[1]);
  QVERIFY(words[0] != words[2] && words[0] != words[3]);
  // With nothing but a seed the group that the writer names decides.
  const Json seed = {{"seed", 1}}, other = {{"seed", 2}};
  const auto named = [](const char* group) {
    return importOrigin(Json{{"writer", {{"program", "other"}}}, {"group", group}});
  };
  const auto alone = seedGroups({&seed, &other, &seed}, {named("a"), named("a"), named("b")});
  QVERIFY(alone[0] == alone[1] && alone[0] != alone[2]);
}

void ForeignWriterTest::broughtNotesFillOnce() {
  const std::string brought =
      R"(,"group":"base line","job_type":"train","tags":["b","a","a"],"notes":"first try")";
  (void)written("one", brought, "{\"lr\":0.1}", row(0, 1, "\"loss\":2"));
  (void)written("two", "", "{\"lr\":0.1}", row(0, 1, "\"loss\":2"));
  auto library = ProjectLibrary::open(path("p.fathom")).value();
  QVERIFY(library->setRunNotes("uuid-unseen", {}).ok());
  const auto rows = listRuns(*library).value();
  QCOMPARE(rows.size(), std::size_t{2});
  const std::vector<std::string> tags = {"a", "b", "group:base line", "job:train"};
  QCOMPARE(rows[0].notes.tags, tags);
  QCOMPARE(rows[0].notes.notes, std::string("first try"));
  QVERIFY(rows[1].notes == RunNotes());
  QCOMPARE(library->allRunNotes()->at("uuid-one").tags, tags);
  // A person's later edit wins, also where everything was taken away and the index is made anew.
  QVERIFY(library->setRunNotes("uuid-one", {}).ok());
  for (const char* file : {"index.sqlite", "index.sqlite-wal", "index.sqlite-shm"})
    fs::remove(path(std::string("p.fathom/") + file));
  const auto later = listRuns(*library).value();
  QVERIFY(later[0].notes == RunNotes());
}

void ForeignWriterTest::readOnlyLibraryShowsThem() {
  (void)written("one", R"(,"tags":["a"])", "{\"lr\":0.1}", row(0, 1, "\"loss\":2"));
  (void)ProjectLibrary::open(path("p.fathom")).value();
  fs::permissions(m_dir->path().toStdString(), fs::perms(0755));
  fs::permissions(path("p.fathom"), fs::perms(0555));
  const uid_t user = ::geteuid();  // root may write everywhere
  QVERIFY2(user != 0 || ::setresuid(65534, 65534, 0) == 0, "root's rights cannot be given up here");
  const auto library = ProjectLibrary::open(path("p.fathom"));
  const bool closed = library.ok() && (*library)->readOnly();
  std::vector<std::string> tags;
  if (closed)
    if (const auto rows = listRuns(**library); rows.ok() && !rows->empty()) tags = rows->front().notes.tags;
  if (user == 0) QCOMPARE(::setresuid(0, 0, 0), 0);
  fs::permissions(path("p.fathom"), fs::perms::owner_all);
  QVERIFY(closed);
  QCOMPARE(tags, std::vector<std::string>{"a"});
}

// Where a file system carries no locks between machines the heartbeat says that a run lives.
void ForeignWriterTest::otherMachineWithHeartbeat() {
  const std::string run =
      written("far", "", "{\"lr\":0.1}", row(0, 1, "\"loss\":2", "step", std::time(nullptr) - 600));
  const std::string events = RunFolder(run).eventsPath(1);
  write("p.fathom/runs/far/lock", R"({"pid":1,"host":"lab-3","boot_id":"b","start_time":"1","socket":""})");
  QVERIFY(RunFolder(run).state() == RunState::Running);
  QVERIFY(runLockHolder(run)->foreign && runLockHolder(run)->host == "lab-3");
  QVERIFY(sendControl(run, "stop").error().text().find("lab-3") != std::string::npos);
  makeOld(events, 40);
  QVERIFY(RunFolder(run).state() == RunState::Running);
  makeOld(events, 90);
  QVERIFY(RunFolder(run).state() == RunState::Crashed && !runLockHolder(run));
  // A copy of a run that was cut off long ago has the time of copying, and its last line an old one.
  write("p.fathom/runs/far/attempts/0001/events.jsonl", row(0, 1, "\"loss\":2"));
  QVERIFY(RunFolder(run).state() == RunState::Crashed && !runLockHolder(run));
  // On this machine the lock itself tells, however fresh the file is.
  write("p.fathom/runs/far/attempts/0001/events.jsonl", row(0, 1, "\"loss\":2", "step", std::time(nullptr)));
  write("p.fathom/runs/far/lock", "{\"pid\":1,\"host\":\"" + hostName() + "\"}");
  QVERIFY(RunFolder(run).state() == RunState::Crashed);
  // One that has ended is not gone on with by a fresh file.
  write("p.fathom/runs/far/lock", R"({"pid":1,"host":"lab-3"})");
  RunOutcome outcome;
  outcome.state = RunState::Finished;
  QVERIFY(RunFolder(run).writeOutcome(1, outcome).ok());
  QVERIFY(RunFolder(run).state() == RunState::Finished && !runLockHolder(run));
}

// What a writer makes where there is no project becomes one when it is opened.
void ForeignWriterTest::folderOfRunsIsAProject() {
  QVERIFY(!ProjectLibrary::open(path("p.fathom")).ok());  // no run in it yet
  (void)written("one", "", "{\"lr\":0.1}", row(0, 1, "\"loss\":2"));
  write("p.fathom/letter.txt", "mine");
  QVERIFY(!ProjectLibrary::open(path("p.fathom")).ok());  // somebody's folder
  QVERIFY(!fs::exists(path("p.fathom/library.sqlite")) && !fs::exists(path("p.fathom/queue")));
  fs::remove(path("p.fathom/letter.txt"));
  auto library = ProjectLibrary::open(path("p.fathom"));
  QVERIFY2(library.ok(), library.ok() ? "" : library.error().text().c_str());
  QCOMPARE(listRuns(**library)->size(), std::size_t{1});
  QVERIFY(fs::exists(path("p.fathom/library.sqlite")) && fs::exists(path("p.fathom/queue")));
}

void ForeignWriterTest::recordedRuns_data() {
  QTest::addColumn<QString>("folder");
  QTest::addColumn<QString>("state");
  QTest::addColumn<int>("rows");
  QTest::addColumn<int>("attempts");
  QTest::newRow("values") << "values"
                          << "finished" << 20 << 1;
  QTest::newRow("exit") << "exit7"
                        << "failed" << 20 << 1;
  QTest::newRow("killed") << "os_exit"
                          << "crashed" << 20 << 1;
  QTest::newRow("resumed") << "resumed"
                           << "finished" << 30 << 2;
}

// Folders that fathom.py wrote (tests/process/written_run.py), read without Python.
void ForeignWriterTest::recordedRuns() {
  QFETCH(QString, folder);
  QFETCH(QString, state);
  QFETCH(int, rows);
  QFETCH(int, attempts);
  const std::string run = path("p.fathom/runs/recorded");
  fs::copy(std::string(FATHOM_SOURCE_DIR "/tests/fixtures/foreign_writer/") + folder.toStdString(), run,
           fs::copy_options::recursive);
  for (int attempt = 1; attempt <= attempts; ++attempt) makeOld(RunFolder(run).eventsPath(attempt), 3600);
  const RunRow summary = readRunRow(run).value();
  QCOMPARE(runStateName(summary.state), state.toStdString().c_str());
  QCOMPARE(summary.attempts, attempts);
  QCOMPARE(summary.options["lr"].get<double>(), 0.1);
  const auto series = readRunScalars(run).value();
  const ScalarSeries* loss = foreignSeries(series, "loss");
  QVERIFY(loss != nullptr);
  QCOMPARE(int(loss->step.size()), rows);
  for (int i = 1; i <= rows; ++i) {
    QCOMPARE(loss->step[std::size_t(i - 1)], double(i));
    QCOMPARE(loss->value[std::size_t(i - 1)], 1.0 / i);
  }
  QCOMPARE(foreignSeries(series, "valid/acc")->value.back(), rows / 10 * 10 / 1000.0);
  for (int attempt = 1; attempt <= attempts; ++attempt) {
    EventReader reader(RunFolder(run).eventsPath(attempt));
    QVERIFY(reader.poll().ok());
    QVERIFY(reader.badLines() == 0 && reader.missingEvents() == 0);
  }
  if (folder == "values") {
    for (const char* name :
         {"acc/ü", "a\"b", "nested.deep.x", "flag", "nan", "inf", "big", "m0000", "m4999", "half", "other"})
      QVERIFY2(foreignSeries(series, name) != nullptr, name);
    QCOMPARE(summary.last.at("valid/acc"), 0.9);
    const auto sets = predictionSets(run).value();
    QCOMPARE(sets.size(), std::size_t{1});
    QCOMPARE(sets[0].task, std::string("class"));
    QCOMPARE(readPredictedTexts(sets[0])->references.size(), std::size_t{30});
  }
}

// The files that the page shows, together, are a run as the page says it is shown.
void ForeignWriterTest::examplesOfTheHelpPage() {
  const auto english = fencedBlocks(FATHOM_SOURCE_DIR "/resources/help/run_folder.md");
  const auto chinese = fencedBlocks(FATHOM_SOURCE_DIR "/resources/help/zh_CN/run_folder.md");
  const std::string set = "predictions/0b9f6a8e-7a0c-4d55-8a0e-5b1c2d3e4f50.jsonl";
  const std::set<std::string> files = {"run.json",
                                       "lock",
                                       "attempts/0001/config.json",
                                       "attempts/0001/events.jsonl",
                                       "attempts/0001/system.jsonl",
                                       "attempts/0001/outcome.json",
                                       set};
  std::set<std::string> shown;
  for (const auto& [file, text] : english) {
    if (!files.contains(file)) continue;
    QVERIFY2(shown.insert(file).second, file.c_str());
    write("p.fathom/runs/page/" + file, text);
  }
  QVERIFY(shown == files);
  QVERIFY(english.size() == chinese.size() && english.size() == files.size() + 3);
  for (std::size_t i = 0; i < english.size(); ++i)  // the drawing of the folder alone is in words
    if (english[i].second.find("<run>") == std::string::npos) QCOMPARE(chinese[i].second, english[i].second);

  const std::string run = path("p.fathom/runs/page");
  EventReader reader(RunFolder(run).eventsPath(1));
  const auto events = reader.poll().value();
  QVERIFY(events.size() == 7 && reader.badLines() == 0 && reader.missingEvents() == 0);
  const RunSystem system = readRunSystem(run);
  QVERIFY(system.badLines == 0 && system.machine.cores == 16 && system.machine.memory == 62.5);
  QCOMPARE(system.find("system/gpu0")->values, (std::vector<double>{88, 91}));
  QCOMPARE(system.find("system/gpu0")->seconds, (std::vector<double>{1, 11}));
  const RunRow summary = readRunRow(run).value();
  QVERIFY(summary.state == RunState::Finished && summary.name == "post_ln, seed 1");
  QCOMPARE(summary.step, std::int64_t{200});
  QCOMPARE(summary.totalUpdates, std::int64_t{200});
  QCOMPARE(summary.best.at("valid/bleu"), 21.5);
  QCOMPARE(summary.last.at("test/bleu"), 20.75);
  QCOMPARE(summary.options["encoder.layers"].get<int>(), 6);
  const MetricCatalogue metrics(summary.identity.metrics);
  QVERIFY(metrics.direction("valid/bleu") == MetricDirection::Higher &&
          metrics.of("valid/bleu").shortTitle == "BLEU");
  QVERIFY(metrics.direction("test/bleu") == MetricDirection::Higher);  // by its name
  QCOMPARE(metrics.stepMetrics(), std::vector<std::string>{"samples"});
  const auto series = readRunScalars(run).value();
  QCOMPARE(foreignSeries(series, "acc/ü")->value, std::vector<double>{0.125});
  QCOMPARE(foreignSeries(series, "lr")->value, (std::vector<double>{0.0005, 0.00025}));
  QCOMPARE(broughtNotes(summary.identity.provenance).allTags(),
           (std::vector<std::string>{"baseline", "group:post_ln", "job:train"}));
  QCOMPARE(recordedCommand(summary.identity.provenance),
           std::string("cd /home/ada/nmt && python3 train.py --seed 1"));
  const auto sets = predictionSets(run).value();
  QVERIFY(sets.size() == 1 && sets[0].task == "class" && sets[0].run == summary.identity.uuid);
  QCOMPARE(readPredictedTexts(sets[0])->predictions, (std::vector<std::string>{"yes", "yes"}));
  // The lock as it stands, while no outcome is there: another machine's, and fresh.
  fs::remove(RunFolder(run).outcomePath(1));
  std::ofstream(RunFolder(run).eventsPath(1), std::ios::app)
      << row(7, 200, "\"loss\":2", "step", std::time(nullptr));
  const auto holder = runLockHolder(run);
  QVERIFY(holder && holder->pid == 4242 && holder->host == "lab-3" && holder->startTime == "123456");
}

QTEST_GUILESS_MAIN(ForeignWriterTest)
#include "tst_foreign_writer.moc"
