// SPDX-License-Identifier: Apache-2.0
// What happens to sources while they are followed: they vanish and come back, are renamed, cut, closed to us,
// lie among links that lead in circles, and are wanted by two followers. What was read stays, once, and what
// comes to them later is read.
#include <sys/stat.h>
#include <unistd.h>

#include <QTest>
#include <memory>

#include "core/base/files/atomic_file.h"
#include "core/imports/formats/event_file_writer.h"
#include "tests/all_tests.h"
#include "tests/unit/support_following.h"

using namespace fathom;
namespace fs = std::filesystem;

namespace {

constexpr const char* kWandbFile = "/wandb/offline-run-20251009_085000-lindenr/run-lindenr.wandb";

std::string eventsUpTo(int last) {
  EventFileWriter file(1700000000);
  for (int step = 1; step <= last; ++step)
    file.scalar("loss", step, 1700000000.0 + step, static_cast<float>(step));
  return file.content();
}

std::string tableUpTo(int last) {
  return "step,loss\n" + followedRows(1, last, ",1\n");
}

std::string wandbBytes() {
  return readFile(std::string(FATHOM_SOURCE_DIR "/tests/fixtures/runs/wandb_resumed") + kWandbFile).value();
}

}  // namespace

class FollowTroublesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { m_files = std::make_unique<Following>(); }
  void itVanishesAndComesBack_data();
  void itVanishesAndComesBack();
  void anEventFileIsRenamed();
  void aRunOfWandbIsRenamed();
  void itIsCut_data();
  void itIsCut();
  void itIsClosedToUs();
  void linksThatLoop();
  void twoFollowersOfOneSource();
  void veryManyMetrics();
  void veryManyFolders();

 private:
  // The contents of a source of that kind with `last` points, as it lies under `name`.
  std::string contents(const std::string& name, int last) const;
  std::unique_ptr<Following> m_files;
};

std::string FollowTroublesTest::contents(const std::string& name, int last) const {
  if (name.ends_with(".csv")) return tableUpTo(last);
  if (name.ends_with(".jsonl")) return jsonLines(1, last);
  return eventsUpTo(last);
}

void FollowTroublesTest::itVanishesAndComesBack_data() {
  QTest::addColumn<QString>("source");
  QTest::addColumn<QString>("file");
  QTest::newRow("table") << "log.csv"
                         << "log.csv";
  QTest::newRow("lines") << "log.jsonl"
                         << "log.jsonl";
  QTest::newRow("events") << "log"
                          << "log/run/events.out.tfevents.1700000000.host";
}

// With its folder, as a disk that is taken away: each look either finds nothing new or names the place.
void FollowTroublesTest::itVanishesAndComesBack() {
  QFETCH(QString, source);
  QFETCH(QString, file);
  const std::string followed = source.toStdString(), name = file.toStdString();
  m_files->append(name, contents(name, 4));
  const auto follower = m_files->open(followed).value();
  QVERIFY(follower->poll(StopToken()).ok());
  fs::rename(m_files->path(followed), m_files->path("away"));
  for (int look = 0; look < 3; ++look) {
    const auto grown = follower->poll(StopToken());
    QVERIFY2(grown.ok() ? grown->points == 0
                        : grown.error().text().find(m_files->path(followed)) != std::string::npos,
             grown.ok() ? "points of nothing" : grown.error().text().c_str());
    QCOMPARE(m_files->steps(), Following::upTo(4));
  }
  fs::rename(m_files->path("away"), m_files->path(followed));
  m_files->append(name, contents(name, 7).substr(contents(name, 4).size()));
  const auto grown = follower->poll(StopToken());
  QVERIFY2(grown.ok(), grown.ok() ? "" : grown.error().text().c_str());
  QCOMPARE(m_files->steps(), Following::upTo(7));
  QCOMPARE(m_files->runs().size(), std::size_t{1});
  QCOMPARE(Following::attempts(m_files->runs().front()), std::size_t{1});
}

// By the follower at work, and by one that finds it so.
void FollowTroublesTest::anEventFileIsRenamed() {
  const std::string names[] = {"log/events.out.tfevents.1", "log/events.out.tfevents.1.old",
                               "log/kept.tfevents"};
  m_files->append(names[0], eventsUpTo(4));
  auto follower = m_files->open("log").value();
  QVERIFY(follower->poll(StopToken()).ok());
  for (int i = 1; i < 3; ++i) {
    fs::rename(m_files->path(names[i - 1]), m_files->path(names[i]));
    if (i == 2) {
      follower.reset();
      follower = m_files->open("log").value();
    }
    QCOMPARE(follower->poll(StopToken())->points, std::int64_t{0});
    m_files->append(names[i], eventsUpTo(4 + 3 * i).substr(eventsUpTo(1 + 3 * i).size()));
    QVERIFY(follower->poll(StopToken()).ok());
    QCOMPARE(m_files->steps(), Following::upTo(4 + 3 * i));
    QCOMPARE(Following::attempts(m_files->runs().front()), std::size_t{1});
  }
  QCOMPARE(m_files->runs().size(), std::size_t{1});
}

void FollowTroublesTest::aRunOfWandbIsRenamed() {
  const std::string bytes = wandbBytes(),
                    first = "wandb/offline-run-20251009_085000-lindenr/run-lindenr.wandb",
                    second = "wandb/offline-run-20251009_085000-lindenr/run-linden-old.wandb";
  m_files->append("whole.wandb", bytes);
  const std::size_t points = [&] {
    std::size_t all = 0;
    for (const RunImport& run : m_files->import("whole.wandb")) all += static_cast<std::size_t>(run.points);
    return all;
  }();
  QVERIFY(points > 10);
  m_files->append(first, bytes.substr(0, bytes.size() / 2));
  const auto follower = m_files->open("wandb").value();
  auto grown = follower->poll(StopToken());
  QVERIFY2(grown.ok(), grown.ok() ? "" : grown.error().text().c_str());
  auto all = static_cast<std::size_t>(grown->points);
  fs::rename(m_files->path(first), m_files->path(second));
  QCOMPARE(follower->poll(StopToken())->points, std::int64_t{0});
  m_files->append(second, bytes.substr(bytes.size() / 2));
  grown = follower->poll(StopToken());
  QVERIFY(grown.ok());
  all += static_cast<std::size_t>(grown->points);
  QCOMPARE(all, points);
  QCOMPARE(m_files->runs().size(), std::size_t{1});
  QCOMPARE(Following::attempts(m_files->runs().front()), std::size_t{1});
}

void FollowTroublesTest::itIsCut_data() {
  QTest::addColumn<QString>("source");
  QTest::addColumn<QString>("file");
  QTest::newRow("table") << "log.csv"
                         << "log.csv";
  QTest::newRow("lines") << "log.jsonl"
                         << "log.jsonl";
  QTest::newRow("events") << "log"
                          << "log/events.out.tfevents.1700000000.host";
}

// To a half and to nothing: what was read stays until the same is there again, which is nothing new.
void FollowTroublesTest::itIsCut() {
  QFETCH(QString, source);
  QFETCH(QString, file);
  const std::string followed = source.toStdString(), name = file.toStdString(), whole = contents(name, 6);
  m_files->append(name, whole);
  const auto follower = m_files->open(followed).value();
  QVERIFY(follower->poll(StopToken()).ok());
  for (const std::size_t left : {whole.size() / 2, std::size_t{0}}) {
    fs::resize_file(m_files->path(name), left);
    (void)follower->poll(StopToken());
    const std::vector<double> steps = m_files->steps(), kept = Following::upTo(2);
    QVERIFY2(std::includes(steps.begin(), steps.end(), kept.begin(), kept.end()),
             qPrintable(QStringLiteral("%1 bytes").arg(left)));
    fs::resize_file(m_files->path(name), 0);
    m_files->append(name, whole);
    const auto grown = follower->poll(StopToken());
    QVERIFY2(grown.ok(), grown.ok() ? "" : grown.error().text().c_str());
    QCOMPARE(m_files->steps(), Following::upTo(6));
  }
  QCOMPARE(m_files->runs().size(), std::size_t{1});
}

// Nobody may read it for a while; it is named, and read on later.
void FollowTroublesTest::itIsClosedToUs() {
  const uid_t user = ::geteuid();  // root reads what is closed to everybody
  m_files->append("log.jsonl", jsonLines(1, 3));
  const auto follower = m_files->open("log.jsonl").value();
  QVERIFY(follower->poll(StopToken()).ok());
  m_files->append("log.jsonl", jsonLines(4, 5));
  QCOMPARE(::chmod(m_files->path("log.jsonl").c_str(), 0), 0);
  QCOMPARE(::chmod(m_files->path("").c_str(), 0755), 0);
  if (user == 0) QCOMPARE(::seteuid(65534), 0);
  const auto refused = follower->poll(StopToken());
  QCOMPARE(::seteuid(user), 0);
  QVERIFY(!refused.ok() && refused.error().text().find("log.jsonl") != std::string::npos);
  QCOMPARE(::chmod(m_files->path("log.jsonl").c_str(), 0600), 0);
  QCOMPARE(follower->poll(StopToken())->points, std::int64_t{2});
  QCOMPARE(m_files->steps(), Following::upTo(5));
}

// A folder that holds itself, a link to itself, one to nowhere: each run is found once, and the walk ends.
void FollowTroublesTest::linksThatLoop() {
  m_files->append("log/a/events.out.tfevents.1", eventsUpTo(3));
  m_files->append("log/a/trainer_state.json", "{\"log_history\": [{\"eval_loss\": 7, \"step\": 1}]}");
  fs::create_directory_symlink(m_files->path("log"), m_files->path("log/a/again"));
  fs::create_symlink("self", m_files->path("log/self"));
  fs::create_symlink("nowhere", m_files->path("log/latest-run.wandb"));
  const auto runs = m_files->import("log");
  QCOMPARE(runs.size(), std::size_t{1});
  const auto follower = m_files->open("log").value();
  QVERIFY(follower->poll(StopToken()).ok());
  m_files->append("log/a/events.out.tfevents.1", eventsUpTo(5).substr(eventsUpTo(3).size()));
  QVERIFY(follower->poll(StopToken()).ok());
  QCOMPARE(m_files->runs().size(), std::size_t{1});
  QCOMPARE(m_files->steps(), Following::upTo(5));
}

// However the second writes the path: it hears who has it, and takes over when the first has gone.
void FollowTroublesTest::twoFollowersOfOneSource() {
  m_files->append("logs/log.jsonl", jsonLines(1, 3));
  auto first = m_files->open("logs/log.jsonl").value();
  QVERIFY(first->poll(StopToken()).ok());
  for (const std::string name : {"logs/log.jsonl", "logs/../logs/./log.jsonl"}) {
    const auto second = m_files->open(name);
    QVERIFY(!second.ok());
    QVERIFY2(second.error().text().find("is being followed by another process") != std::string::npos,
             second.error().text().c_str());
  }
  m_files->append("logs/log.jsonl", jsonLines(4, 5));
  QVERIFY(first->poll(StopToken()).ok());
  first.reset();
  m_files->append("logs/log.jsonl", jsonLines(6, 6));
  QCOMPARE(m_files->look("logs/../logs/log.jsonl")->points, std::int64_t{1});
  QCOMPARE(m_files->steps(), Following::upTo(6));
  QCOMPARE(m_files->runs().size(), std::size_t{1});
}

// In two looks: every one is there with its value. 100,000 of them with FATHOM_ALL_TESTS.
void FollowTroublesTest::veryManyMetrics() {
  constexpr int kAtATime = 1000;
  const int metrics = test::allTests() ? 100'000 : 10'000;
  const auto row = [metrics](int step) {
    std::string text;
    for (int from = 0; from < metrics; from += kAtATime) {
      text += "{\"step\": " + std::to_string(step);
      for (int i = from; i < from + kAtATime; ++i)
        text += ", \"m" + std::to_string(i) + "\": " + std::to_string(i + step);
      text += "}\n";
    }
    return text;
  };
  m_files->append("log.jsonl", row(1));
  const auto follower = m_files->open("log.jsonl").value();
  QCOMPARE(follower->poll(StopToken())->points, std::int64_t{metrics});
  m_files->append("log.jsonl", row(2));
  QCOMPARE(follower->poll(StopToken())->points, std::int64_t{metrics});
  const auto curves = readRunScalars(m_files->runs().front()).value();
  QCOMPARE(curves.size(), static_cast<std::size_t>(metrics));
  for (const ScalarSeries& curve : curves) {
    const double number = std::stod(curve.metric.substr(1));
    QCOMPARE(curve.value, (std::vector<double>{number + 1, number + 2}));
  }
}

// The sub-folders that a search leaves (10,000 with FATHOM_ALL_TESTS): those without a log are passed over,
// one that grows is found.
void FollowTroublesTest::veryManyFolders() {
  const int folders = test::allTests() ? 10'000 : 1'000;
  for (int i = 0; i < folders; ++i) fs::create_directories(m_files->path("log/t" + std::to_string(i)));
  const auto file = [](int folder) { return "log/t" + std::to_string(folder) + "/events.out.tfevents.1"; };
  for (const int folder : {0, 17, folders - 1}) m_files->append(file(folder), eventsUpTo(2));
  const auto follower = m_files->open("log").value();
  QCOMPARE(follower->poll(StopToken())->fresh.size(), std::size_t{3});
  m_files->append(file(17), eventsUpTo(5).substr(eventsUpTo(2).size()));
  m_files->append(file(400), eventsUpTo(1));
  const auto grown = follower->poll(StopToken());
  QCOMPARE(grown->points, std::int64_t{4});
  QCOMPARE(grown->fresh.size(), std::size_t{1});
}

QTEST_APPLESS_MAIN(FollowTroublesTest)
#include "tst_follow_troubles.moc"
