// SPDX-License-Identifier: Apache-2.0
// ctest: engine
// Places by name: how they are written down, what is refused, and that nobody who works through a queue waits
// for one.
#include <sys/resource.h>

#include <QElapsedTimer>
#include <QProcess>
#include <QTest>
#include <algorithm>
#include <atomic>
#include <fstream>
#include <map>
#include <mutex>
#include <set>

#include "app/runner/place_journal.h"
#include "app/runner/place_notes.h"
#include "app/runner/place_questions.h"
#include "app/runner/places/place_form.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/process_identity.h"
#include "tests/process/support_project_fixture.h"
#include "tests/unit/support_waiting.h"

using namespace fathom;
using test::waitFor;

class PlacesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() {
    m_fixture = std::make_unique<ProjectFixture>();
    qunsetenv("FATHOM_PLACE_SECONDS");
  }
  void placesAreWrittenDown();
  void oneDeclarationMakesTheRecord();
  void aPlaceIsRemovedAndAddedAgain();
  void theJournalIsShort();
  void wrongFilesAreNamed_data();
  void wrongFilesAreNamed();
  void unknownPlacesAreRefused();
  void namedPlacesRun();
  void severalShareAGrid();
  void silenceIsNoChange();
  void questionsKeepTheirPace();
  void nobodyWaitsForAThousandJobs();
  void aFullSiteGetsWhatItTakes();

 private:
  // Commands of a Slurm, before those of the machine until the path is set back.
  void makePrograms(const std::map<std::string, std::string>& texts) const {
    const std::string bin = m_fixture->file("bin").toStdString();
    QVERIFY(QDir().mkpath(QString::fromStdString(bin)));
    for (const auto& [name, text] : texts) {
      std::ofstream(bin + "/" + name) << "#!/bin/bash\n" << text;
      QFile::setPermissions(QString::fromStdString(bin + "/" + name),
                            QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
    qputenv("PATH", QByteArray::fromStdString(bin) + ":" + qgetenv("PATH"));
  }
  std::vector<JobRequest> requests(std::size_t count) const {
    std::vector<JobRequest> all(count);
    for (std::size_t i = 0; i < count; ++i) {
      all[i].enginePath = "/bin/true";
      all[i].uuid = "run" + std::to_string(i);
      all[i].runPath = m_fixture->path() + "/runs/" + all[i].uuid;
    }
    return all;
  }
  ShellResult ask(QStringList words) const {
    return m_fixture->fathom(words << QStringLiteral("--project")
                                   << QString::fromStdString(m_fixture->path()));
  }
  std::unique_ptr<ProjectFixture> m_fixture;
};

void PlacesTest::placesAreWrittenDown() {
  const ShellResult added =
      ask({"add-place", "cluster", "--set", "partition=main", "--set", "time=4:00:00", "--limit", "running=8",
           "--before", "module load it", "--head", "#SBATCH --exclude=n7", "--json"});
  QVERIFY2(added.exitCode == 0, qPrintable(added.err));
  QCOMPARE(ask({"add-place", "cluster", "--set", "partition=other", "--user"}).exitCode, 0);
  QCOMPARE(ask({"add-place", "mine", "--user"}).exitCode, 0);
  const Json json = ask({"places", "--json"}).json();
  std::map<std::string, Json> places;
  for (const Json& place : json["places"]) places[place["id"].get<std::string>()] = place;
  QCOMPARE(places.size(), std::size_t{5});  // and local, slurm and ssh with their defaults
  QCOMPARE(places["cluster"]["resources"]["partition"].get<std::string>(), std::string("main"));
  QCOMPARE(places["cluster"]["limits"]["running"].get<int>(), 8);
  QCOMPARE(places["cluster"]["before"][0].get<std::string>(), std::string("module load it"));
  QCOMPARE(places["mine"]["file"].get<std::string>(), userPlacesFile());
  QVERIFY(places.contains("local") && places.contains("slurm"));
  QVERIFY(ask({"places"}).out.contains("time=4:00:00"));
}

// What `add-place` has as key=value has a field of its own in a window, and comes to the same record.
void PlacesTest::oneDeclarationMakesTheRecord() {
  const std::string file = placesFile(m_fixture->path());
  OptionValues values(placeSchema());
  for (const char* said : {"name=box", "launcher=ssh", "ssh.host=box", "ssh.running=2", "root=/data"})
    QVERIFY2(values.setText(said).ok(), said);
  const auto record = placeFromValues(values, file);
  QVERIFY2(record.ok(), record.ok() ? "" : record.error().text().c_str());
  QCOMPARE(ask({"add-place", "box", "--launcher", "ssh", "--set", "host=box", "--limit", "running=2",
                "--root", "/data"})
               .exitCode,
           0);
  const PlaceRecord added = findPlace(m_fixture->path(), "box").value();
  QCOMPARE(placeToJson(*record), placeToJson(added));
  QCOMPARE(placeValues(added).effective(), values.effective());
  // Faults have the key of their field.
  const auto faultAt = [&](const char* said) {
    OptionValues wrong = values;
    if (!wrong.setText(said).ok()) return std::string("refused before");
    const auto made = placeFromValues(wrong, file);
    return made.ok() ? std::string() : made.error().key;
  };
  QCOMPARE(faultAt("name=a b"), std::string("name"));
  QCOMPARE(faultAt("name=local"), std::string("name"));
  QCOMPARE(faultAt("ssh.host=two words"), std::string("ssh.host"));
  QCOMPARE(faultAt("ssh.host="), std::string("ssh.host"));
  values.setText("launcher=slurm").value();
  values.setText("root=").value();
  QCOMPARE(faultAt("slurm.time=soon"), std::string("slurm.time"));
  QCOMPARE(faultAt("slurm.partition=a b"), std::string("slurm.partition"));
  // One that goes is gone, and nobody else.
  QCOMPARE(ask({"add-place", "cluster"}).exitCode, 0);
  QVERIFY(removePlace(file, "box").ok());
  QVERIFY(!removePlace(file, "box").ok());
  QVERIFY(findPlace(m_fixture->path(), "cluster").ok() && !findPlace(m_fixture->path(), "box").ok());
}

// The command that is said makes the very record again, whatever signs are in it.
void PlacesTest::aPlaceIsRemovedAndAddedAgain() {
  QCOMPARE(ask({"add-place", "box", "--launcher", "slurm", "--set", "host=box", "--set",
                "options=-p 2222 -J gate", "--limit", "running=2", "--root", "/a b/it's", "--head",
                "#SBATCH --exclude=n[1,2]", "--before", "export X='1 2' Y=\"$Z\""})
               .exitCode,
           0);
  QCOMPARE(ask({"add-place", "box", "--set", "partition=mine", "--user"}).exitCode, 0);
  const Json written = placeToJson(findPlace(m_fixture->path(), "box").value());
  QueueEntry waits;
  waits.place = "box";
  QVERIFY(m_fixture->queue().add(waits).ok());
  const ShellResult removed = ask({"remove-place", "box", "--json"});
  QVERIFY2(removed.exitCode == 0, qPrintable(removed.err));
  QCOMPARE(removed.json()["place"]["runs"].get<int>(), 1);
  QVERIFY2(removed.err.isEmpty(), qPrintable(removed.err));  // the user's place has the name, too
  QCOMPARE(findPlace(m_fixture->path(), "box")->file, userPlacesFile());
  const ShellResult other = ask({"remove-place", "box"});
  QCOMPARE(other.exitCode, 2);
  QVERIFY2(other.err.contains("give --user"), qPrintable(other.err));
  const ShellResult gone = ask({"remove-place", "box", "--user"});
  QVERIFY2(gone.exitCode == 0 && gone.err.contains("1 runs are trained or wait there"), qPrintable(gone.err));
  QVERIFY(!findPlace(m_fixture->path(), "box").ok());
  QCOMPARE(m_fixture->queue().entries()->size(), std::size_t{1});
  const QString again = QString::fromStdString(removed.json()["add_again"].get<std::string>());
  QProcess shell;
  shell.start("/bin/sh",
              {"-c", "fathom() { \"$PROGRAM\" \"$@\"; }; PROGRAM='" FATHOM_BIN_DIR "/fathom'; " + again});
  QVERIFY(shell.waitForFinished(60000));
  QVERIFY2(shell.exitCode() == 0, shell.readAllStandardError().constData());
  QCOMPARE(placeToJson(findPlace(m_fixture->path(), "box").value()), written);
  QCOMPARE(ask({"remove-place", "nowhere"}).exitCode, 30);
  const ShellResult always = ask({"remove-place", "slurm"});
  QVERIFY2(always.exitCode == 2 && always.err.contains("written down by nobody"), qPrintable(always.err));
}

// It says nothing twice in a row, keeps the newer half of what is too much, and its time to the second.
void PlacesTest::theJournalIsShort() {
  PlaceJournal journal(m_fixture->path(), "box");
  QVERIFY(journal.lines(10).empty());
  QCOMPARE(journal.heardAt(), 0.0);
  for (int i = 0; i < 3; ++i) journal.say(Phrase::words("squeue"), Phrase::words("2 lines"));
  journal.say(Phrase::words("sbatch"), Phrase::words("a \"quoted\"\nname"), true);
  const auto lines = journal.lines(10);
  QCOMPARE(lines.size(), std::size_t{2});
  QCOMPARE(lines[1].answer, std::string("a \"quoted\"\nname"));
  QVERIFY(lines[1].trouble && !lines[0].trouble && lines[0].at > 1e9);
  const std::string file = m_fixture->queue().path() + "/journal/box.log";
  // A trouble keeps what it is made of, so that the window says it in its language.
  const Phrase lost = Phrase::tr("the connection to %1 is lost")("box");
  journal.say(Phrase::tr("hello"), unavailableError(lost));
  QCOMPARE(journal.lines(1).front().answer, lost.english());
  QCOMPARE(journal.lines(1).front().words.text, std::string("the connection to %1 is lost"));
  QVERIFY(journal.lines(1).front().trouble);
  QVERIFY(journal.lines(1).front().question == Phrase(Phrase::tr("hello")));
  // So do the words of a run that waits there.
  const JobStatus told{.kind = JobStatus::Kind::Waiting, .reason = Phrase::tr("sending %1: %2 %")("a b", 40)};
  QVERIFY(writePlaceNote(m_fixture->path(), "u", placeNote("box", told)).ok());
  const PlaceNote note = placeNotes(m_fixture->path()).at("u");
  QCOMPARE(note.reason, std::string("sending a b: 40 %"));
  QVERIFY(note.words == told.reason && note == placeNote("box", told));
  for (int i = 0; i < 2000; ++i) journal.say("question " + std::to_string(i), std::string(100, 'x'));
  QVERIFY2(fileBytes(file) < 70000, std::to_string(fileBytes(file)).c_str());
  QCOMPARE(journal.lines(1).front().asked, std::string("question 1999"));
  std::ofstream(file, std::ios::app) << "{\"asked\": \"cut";
  QCOMPARE(journal.lines(1).front().asked, std::string("question 1999"));
  journal.heard(100);
  const double at = journal.heardAt();
  QVERIFY(at > 1e9);
  journal.heard();
  QVERIFY2(journal.heardAt() > at + 90, std::to_string(journal.heardAt() - at).c_str());
}

void PlacesTest::wrongFilesAreNamed_data() {
  QTest::addColumn<QString>("record");
  QTest::addColumn<QStringList>("named");
  const auto row = [](const char* name, const char* record, const QStringList& named) {
    QTest::newRow(name) << QString::fromUtf8(record) << named;
  };
  row("launcher", R"({"launcher": "slrum"})", {"x", "slrum", "local, slurm"});
  row("key", R"({"launcher": "slurm", "password": "secret"})", {"password", "resources"});
  row("type", R"({"launcher": 5})", {"launcher", "5"});
  row("object", R"(7)", {"7"});
  row("resource", R"({"launcher": "slurm", "resources": {"partitoin": "main"}})", {"partitoin", "partition"});
  row("value", R"({"launcher": "slurm", "resources": {"cpus": 0}})", {"cpus", "0"});
  row("word", R"({"launcher": "slurm", "resources": {"partition": "a b"}})", {"partition", "a b"});
  row("time", R"({"launcher": "slurm", "resources": {"time": "soon"}})", {"time", "soon", "4:00:00"});
  row("short", R"({"launcher": "slurm", "resources": {"time": "2"}})", {"time", "120 s"});
  row("limit", R"({"launcher": "slurm", "limits": {"running": -1}})", {"running", "-1"});
  row("transport", R"({"launcher": "slurm", "transport": "pigeon"})", {"transport", "pigeon", "here"});
  row("root", R"({"launcher": "slurm", "root": "/scratch"})", {"root", "/scratch", "host"});
  row("host", R"({"launcher": "slurm", "resources": {"host": "-J gate"}})", {"host", "-J gate"});
  row("head", R"({"launcher": "slurm", "head": ["#SBATCH --open-mode=truncate"]})", {"--open-mode"});
  row("signal", R"({"launcher": "slurm", "head": ["#SBATCH  --signal=USR1@5"]})", {"--signal"});
  row("short form", R"({"launcher": "slurm", "head": ["#SBATCH -a0-3"]})", {"-a0-3"});
  row("no head", R"({"launcher": "slurm", "head": ["module load it"]})", {"module load it", "before"});
  row("lines", R"({"launcher": "slurm", "before": ["a\nb"]})", {"before"});
  row("no list", R"({"launcher": "slurm", "before": "a"})", {"before"});
  row("local script", R"({"before": ["a"]})", {"local"});
}

void PlacesTest::wrongFilesAreNamed() {
  QFETCH(QString, record);
  QFETCH(QStringList, named);
  const std::string file = placesFile(m_fixture->path());
  std::ofstream(file) << "{\"format\": 1, \"places\": {\"x\": " << record.toStdString() << "}}";
  const ShellResult result = ask({"places"});
  QCOMPARE(result.exitCode, 30);
  for (const QString& word : named << QString::fromStdString(file) << QStringLiteral("'x'"))
    QVERIFY2(result.err.contains(word), qPrintable(word + QStringLiteral(" not in: ") + result.err));
}

void PlacesTest::unknownPlacesAreRefused() {
  const ShellResult result = ask({"train", "--place", "nowhere", "--set", "fake.steps=3"});
  QCOMPARE(result.exitCode, 30);
  QVERIFY2(result.err.contains("there is no place 'nowhere'") && result.err.contains("local"),
           qPrintable(result.err));
  QVERIFY(m_fixture->queue().entries()->empty());
  QCOMPARE(ask({"add-place", "local"}).exitCode, 30);
  QCOMPARE(ask({"add-place", "a b"}).exitCode, 30);
  QVERIFY(!QFile::exists(QString::fromStdString(placesFile(m_fixture->path()))));
}

void PlacesTest::namedPlacesRun() {
  QCOMPARE(ask({"add-place", "desk", "--launcher", "local"}).exitCode, 0);
  const ShellResult result =
      ask({"train", "--place", "desk", "--set", "fake.steps=3", "--name", "there", "--wait", "--json"});
  QVERIFY2(result.exitCode == 0, qPrintable(result.err));
  QCOMPARE(result.json()["state"].get<std::string>(), std::string("finished"));
  const Json place = ask({"show", "there", "--json"}).json()["attempts"][0]["place"];
  QCOMPARE(place["id"].get<std::string>(), std::string("desk"));
  QCOMPARE(place["host"].get<std::string>(), hostName());
  QVERIFY(place["job"].get<std::string>().starts_with("process "));
  QVERIFY2(ask({"show", "there"}).out.contains("desk process"), qPrintable(ask({"show", "there"}).out));
  // A place that is gone meanwhile keeps its runs.
  QVERIFY(m_fixture->queue().setSettings({.paused = true}).ok());
  QCOMPARE(ask({"train", "--place", "desk", "--set", "fake.steps=3"}).exitCode, 0);
  QFile::remove(QString::fromStdString(placesFile(m_fixture->path())));
  QVERIFY(m_fixture->queue().setSettings({}).ok());
  const ShellResult worked = ask({"run-queue"});
  QVERIFY2(worked.err.contains("there is no place 'desk'"), qPrintable(worked.err));
  QCOMPARE(m_fixture->queue().entries()->size(), std::size_t{1});
  QVERIFY2(ask({"runs"}).out.contains("queued for desk"), qPrintable(ask({"runs"}).out));
}

void PlacesTest::severalShareAGrid() {
  QCOMPARE(ask({"add-place", "desk", "--launcher", "local"}).exitCode, 0);
  const ShellResult first = ask({"train", "--set", "fake.steps=3", "--name", "first", "--wait"});
  QVERIFY2(first.exitCode == 0, qPrintable(first.err));
  QVERIFY(m_fixture->queue().setSettings({.paused = true}).ok());
  const auto placed = [this] {
    std::map<std::string, int> places;
    for (const QueueEntry& entry : *m_fixture->queue().entries()) ++places[entry.place];
    return places;
  };
  const QStringList four = {"--over", "fake.steps=1,2,3,4", "--json"};
  QCOMPARE(ask(QStringList{"grid", "--place", "local,nowhere"} + four).exitCode, 30);
  QVERIFY(placed().empty());
  const ShellResult grid = ask(QStringList{"grid", "--place", "local, desk"} + four);
  QVERIFY2(grid.exitCode == 0, qPrintable(grid.err));
  QCOMPARE(placed(), (std::map<std::string, int>{{"desk", 2}, {"local", 2}}));
  for (const QueueEntry& entry : *m_fixture->queue().entries())
    QCOMPARE(grid.json()["places"][entry.uuid].get<std::string>(), entry.place);
  QCOMPARE(ask(QStringList{"grid", "--place", "desk", "--place", "desk"} + four).exitCode, 0);
  QCOMPARE(placed(), (std::map<std::string, int>{{"desk", 6}, {"local", 2}}));
  QCOMPARE(ask({"retry", "first", "--place", "nowhere"}).exitCode, 30);
  const ShellResult again = ask({"retry", "first", "--place", "desk"});
  QVERIFY2(again.exitCode == 0, qPrintable(again.err));
  QCOMPARE(placed()["desk"], 7);
}

void PlacesTest::silenceIsNoChange() {
  std::atomic<bool> away{false};
  std::atomic<int> heard{0};
  PlaceQuestions questions(
      [&](const StopToken&) -> Result<PlaceQuestions::Answers> {
        if (away) return unavailableError(Phrase::words("Socket timed out"));
        return PlaceQuestions::Answers{{"17", {.reason = Phrase::words("Priority")}}};
      },
      [&](const PlaceQuestions::Answers&) { ++heard; }, {0.02, 0.08});
  QCOMPARE(questions.asked(), 0);  // nobody wants to know yet
  questions.setWanted(true);
  QVERIFY(waitFor([&] { return heard > 1; }));
  QVERIFY(questions.silentSeconds() == 0 && questions.silentReason().empty());
  away = true;
  QVERIFY(waitFor([&] { return questions.silentSeconds() > 0.1; }));
  const int before = heard;
  QVERIFY2(questions.silentReason().english().find("Socket timed out") != std::string::npos,
           questions.silentReason().english().c_str());
  away = false;
  QVERIFY(waitFor([&] { return questions.silentSeconds() == 0; }));
  QVERIFY(heard > before);
}

void PlacesTest::questionsKeepTheirPace() {
  QCOMPARE(questionPace().first, 15.0);  // four a minute
  QCOMPARE(questionPace().most, 60.0);
  std::vector<double> at;
  QElapsedTimer timer;
  timer.start();
  std::atomic<int> work{0};
  std::mutex guard;
  PlaceQuestions questions(
      [&](const StopToken&) -> Result<PlaceQuestions::Answers> {
        const std::lock_guard lock(guard);
        at.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e9);
        // The third answer is another one than the second.
        return PlaceQuestions::Answers{
            {"1", {.reason = Phrase::words(at.size() < 6 ? "Priority" : "Resources")}}};
      },
      [](const PlaceQuestions::Answers&) {}, {0.2, 0.8});
  questions.setWanted(true);
  for (int i = 0; i < 100; ++i) questions.post([&](const StopToken&) { ++work; });
  QVERIFY(waitFor([&] { return questions.asked() >= 8; }));
  QCOMPARE(work.load(), 100);
  const std::lock_guard lock(guard);
  for (std::size_t i = 1; i < at.size(); ++i) QVERIFY(at[i] - at[i - 1] > 0.15);
  QVERIFY2(at[4] - at[3] > 0.6, "the same answer again and again is asked for more and more seldom");
}

// Slow commands, a thousand jobs: submitting and asking come back at once all the same.
void PlacesTest::nobodyWaitsForAThousandJobs() {
  const QByteArray path = qgetenv("PATH");
  makePrograms({{"sbatch", "sleep 0.5  # as a busy controller\necho 7\n"},
                {"squeue",
                 "sleep 0.5  # as a busy controller\n"
                 "[ -z \"$SQUEUE_FORMAT\" ] || exit 1\n"
                 "for i in {0..999}; do echo \"7|$i|PENDING|Priority||N/A|N/A|x\"; done\n"}});
  qputenv("FATHOM_PLACE_SECONDS", "0.2");
  qputenv("SQUEUE_FORMAT", "%i");
  const auto place = openPlace(m_fixture->path(), "slurm");
  QVERIFY2(place.ok(), place.ok() ? "" : place.error().text().c_str());
  const std::vector<JobRequest> thousand = requests(1000);
  // A loop that took longer counts where it waited: another program's turn on a busy machine does not. That
  // the thread which holds a lock for microseconds loses its turn just then cannot be told from waiting: one
  // loop in fifty may have met it, and none may have waited for a command, which takes half a second.
  int waited = 0, loops = 0, commands = 0;
  double longest = 0;
  const auto timed = [&](const auto& work) {
    rusage before{}, after{};
    QElapsedTimer timer;
    timer.start();
    ::getrusage(RUSAGE_THREAD, &before);
    work();
    ::getrusage(RUSAGE_THREAD, &after);
    const double milliseconds = static_cast<double>(timer.nsecsElapsed()) / 1e6;
    longest = std::max(longest, milliseconds);
    ++loops;
    if (milliseconds > 20 && after.ru_nvcsw > before.ru_nvcsw) ++waited;
    commands += milliseconds > 400 && after.ru_nvcsw > before.ru_nvcsw ? 1 : 0;
  };
  std::vector<std::unique_ptr<Job>> jobs;
  timed([&] { jobs = (*place)->submit(thousand).value(); });
  QCOMPARE(jobs.size(), thousand.size());
  std::size_t known = 0;
  const bool all = waitFor([&] {
    known = 0;
    timed([&] {
      for (const auto& job : jobs) {
        const JobStatus status = job->status();
        known += status.reason.english() == "Priority" && status.kind == JobStatus::Kind::Waiting;
      }
    });
    return known == jobs.size();
  });
  qInfo("%d loops over 1,000 jobs, the longest %.2f ms", loops, longest);
  qputenv("PATH", path);
  qunsetenv("SQUEUE_FORMAT");
  QVERIFY2(all, std::to_string(known).c_str());
  QVERIFY2(waited * 50 <= loops && commands == 0, std::to_string(waited).c_str());
  QCOMPARE(jobs[999]->status().job, std::string("7_999"));
  timed([&] { jobs.clear(); });
  QCOMPARE(commands, 0);
}

// It takes three jobs of one grid, and six at all: the others wait here, with its words, until there is room.
void PlacesTest::aFullSiteGetsWhatItTakes() {
  const QByteArray path = qgetenv("PATH");
  const std::string log = m_fixture->file("log").toStdString();
  makePrograms({{"sbatch",
                 "n=1; for word; do case $word in --array=0-*) n=$((${word#--array=0-} + 1));; esac; done\n"
                 "have=$(cat '" +
                     log +
                     "' 2>/dev/null | wc -l)\n"
                     "if [ $n -gt 3 ] || { [ $have -ge 6 ] && [ ! -e '" +
                     log +
                     ".room' ]; }; then\n"
                     "  echo 'sbatch: error: QOSMaxSubmitJobPerUserLimit' >&2; exit 1\nfi\n"
                     "for ((i = 0; i < n; i++)); do echo x >>'" +
                     log + "'; done\necho $((100 + have))\n"},
                {"squeue", "true\n"}});
  qputenv("FATHOM_PLACE_SECONDS", "0.05");
  const auto place = openPlace(m_fixture->path(), "slurm");
  const auto jobs = (*place)->submit(requests(9)).value();
  std::set<std::string> names;
  const auto taken = [&] {
    names.clear();
    for (const auto& job : jobs)
      if (const std::string name = job->status().job; !name.empty()) names.insert(name);
    return names.size();
  };
  QVERIFY(waitFor([&] { return taken() >= 6; }));
  const std::size_t before = names.size();
  QVERIFY(before < jobs.size());
  const JobStatus last = jobs.back()->status();
  QVERIFY2(last.reason.english().find("QOSMaxSubmitJobPerUserLimit") != std::string::npos,
           last.reason.english().c_str());
  QVERIFY(last.kind == JobStatus::Kind::Waiting);
  std::ofstream(log + ".room") << "\n";
  const bool all = waitFor([&] { return taken() == jobs.size(); });
  qputenv("PATH", path);
  QVERIFY2(all, std::to_string(names.size()).c_str());
}

QTEST_GUILESS_MAIN(PlacesTest)
#include "tst_places.moc"
