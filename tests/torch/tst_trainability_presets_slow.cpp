// SPDX-License-Identifier: Apache-2.0
// ctest: two_cores
// The trainability check answers for every preset without data of one's own: at its full depth with the width
// cut to 64, and for the 18-layer translation models and SQL-SP on RoBERTa-large at their full width. Two
// processes share the narrow ones; presets whose options are the same to the check are measured once.
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QCoreApplication>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <ctime>
#include <map>
#include <memory>

#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/json/json_text.h"
#include "tests/torch/support_trainability_presets.h"
#include "tests/unit/support_waiting.h"

using namespace fathom;
using namespace fathom::test;

namespace {

constexpr double kMostSeconds = 120;  // of the processor: a minute on two cores
constexpr double kMostNarrow = 360;   // of the processor, all narrow ones: three minutes on two cores
constexpr int kWorkers = 2;

double processorSeconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

// Two processes take one preset after another and leave {"report"} or {"error"} of each, with its seconds.
class NarrowReports {
 public:
  explicit NarrowReports(const QStringList& presets) {
    for (const QString& preset : presets) {
      const auto [first, fresh] = m_firstOf.try_emplace(readByTheCheck(preset), preset);
      if (fresh) m_measured.push_back(preset);
      m_from[preset] = first->second;
      m_sharers[first->second].push_back(preset);
    }
    for (const QString& preset : m_measured)
      if (m_sharers[preset].size() > 1)
        qInfo("the same to the check: %s", qPrintable(m_sharers[preset].join(", ")));
    qInfo("%d presets, %d of them measured", int(m_from.size()), int(m_measured.size()));
    for (int i = 0; i < kWorkers; ++i) {
      const pid_t worker = ::fork();
      if (worker == 0) work();
      if (worker > 0) m_workers.push_back(worker);
    }
  }
  ~NarrowReports() {
    for (const pid_t worker : m_workers) ::kill(worker, SIGKILL);
    while (!m_workers.empty()) reap(0);
  }

  // Waits for it.
  Result<Json> of(const QString& preset) {
    const std::string path = fileFor(m_from.at(preset));
    waitFor(
        [&] {
          reap(WNOHANG);
          return fileExists(path) || m_workers.empty();
        },
        1200);
    if (!fileExists(path)) return internalError("nothing was reported of it");
    FATHOM_TRY(Json done, readJsonFile(path));
    if (done.contains("error")) return internalError(done["error"].get<std::string>());
    return std::move(done["report"]);
  }

  // Where the time went, the dearest first; seconds of the processor in all.
  double tell() {
    while (!m_workers.empty()) reap(0);
    std::vector<std::pair<double, QString>> costs;
    double seconds = 0;
    for (const QString& preset : m_measured) {
      const auto done = readJsonFile(fileFor(preset));
      costs.emplace_back(done.ok() ? done->value("seconds", 0.0) : 0.0, preset);
      seconds += costs.back().first;
    }
    std::sort(costs.rbegin(), costs.rend());
    for (const auto& [each, preset] : costs) qInfo("%6.2f s  %s", each, qPrintable(preset));
    qInfo("%.1f s of the processor in all", seconds);
    return seconds;
  }

 private:
  std::string fileFor(const QString& preset) const {
    return m_folder.filePath(preset).toStdString() + ".json";
  }
  void reap(int flags) {
    std::erase_if(m_workers, [flags](pid_t worker) { return ::waitpid(worker, nullptr, flags) == worker; });
  }
  [[noreturn]] void work() const {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // not left behind by a test that is killed
    for (const QString& preset : m_measured) {
      const std::string taken = m_folder.filePath(preset).toStdString() + ".taken";
      const int fd = ::open(taken.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
      if (fd < 0) continue;  // the other one's
      ::close(fd);
      Json done;
      const double begin = processorSeconds();
      try {
        done["report"] = trainabilityReport(narrowVerb(preset));
      } catch (const std::exception& error) {
        done["error"] = error.what();
      }
      done["seconds"] = processorSeconds() - begin;
      if (!writeFileAtomically(fileFor(preset), jsonText(done)).ok()) ::_exit(1);
    }
    ::_exit(0);
  }

  QTemporaryDir m_folder;
  std::map<std::string, QString> m_firstOf;
  std::map<QString, QString> m_from;
  std::map<QString, QStringList> m_sharers;
  QStringList m_measured;
  std::vector<pid_t> m_workers;
};

}  // namespace

class TestTrainabilityPresets : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    // Before anything has been computed: what libraries start threads for comes after the fork.
    const QStringList asked = QCoreApplication::arguments().mid(1);
    const bool some = std::any_of(asked.begin(), asked.end(), [](const QString& word) {
      return word.contains(':') || word == QStringLiteral("wide") ||
             word == QStringLiteral("unreadOptionsDoNotAct");
    });
    if (!some) m_reports = std::make_unique<NarrowReports>(presetNames(QString()));
  }
  void narrow_data() {
    QTest::addColumn<QString>("preset");
    for (const QString& name : presetNames(QString())) QTest::newRow(qPrintable(name)) << name;
  }
  void narrow() {
    QFETCH(QString, preset);
    const TrainabilityVerb verb = narrowVerb(preset);
    if (!m_reports) return checkTrainabilityReport(trainabilityReport(verb), verb);
    const Result<Json> report = m_reports->of(preset);
    QVERIFY2(report.ok(), report.ok() ? "" : report.error().text().c_str());
    checkTrainabilityReport(*report, verb);
  }
  // What makes two presets share a report.
  void unreadOptionsDoNotAct() {
    TrainabilityVerb verb = narrowVerb(QStringLiteral("nmt_quick"));
    Json before = trainabilityReport(verb);
    for (const char* assignment :
         {"checkpoint.interval=7u", "validation.interval=11u", "divergence.not_learning_after=5"})
      verb.assignments.emplace_back(assignment);
    Json after = trainabilityReport(verb);
    for (Json* report : {&before, &after}) report->erase("seconds");
    QCOMPARE(jsonText(after), jsonText(before));
  }
  void narrowTogether() {
    if (!m_reports) QSKIP("only some are asked for");
    const double seconds = m_reports->tell();
    m_reports.reset();
#ifdef __OPTIMIZE__  // our own code is a small part of it only where it is optimised
    QVERIFY2(seconds < kMostNarrow, qPrintable(QString::number(seconds)));
#else
    QVERIFY(seconds > 0);
#endif
  }

  void wide_data() {
    QTest::addColumn<QString>("preset");
    for (const QString& name :
         presetNames(QStringLiteral("wmt14_en_de_base_18_")) + presetNames(QStringLiteral("sql_sp_paper")))
      QTest::newRow(qPrintable(name)) << name;
  }
  void wide() {
    QFETCH(QString, preset);
    TrainabilityVerb verb;
    verb.json = true;
    verb.config = presetFile(preset);
    verb.assignments = {"device=cpu", "threads=2"};
    const double begin = processorSeconds();
    const Json report = trainabilityReport(verb);
    checkTrainabilityReport(report, verb);
    const double seconds = processorSeconds() - begin;
    QVERIFY2(seconds < kMostSeconds, qPrintable(QString::number(seconds)));
    if (!preset.startsWith(QStringLiteral("sql_sp"))) return;
    // µ of a part of the batches, and an encoder that nobody trained: both are said.
    const Json& mu = report.at("mu_sample");
    QVERIFY2(mu.at("batches") < mu.at("of") && mu.at("chosen") == "random", mu.dump().c_str());
    const std::string note = report.at("note").get<std::string>();
    QVERIFY(note.find("training batches, drawn at random") != std::string::npos);
    QVERIFY(note.find("No pre-trained weights are named") != std::string::npos);
    QCOMPARE(report.at("stacks").at(0).at("rate_share").get<double>(), 0.008);
    QCOMPARE(report.at("stacks").at(1).at("rate_share").get<double>(), 1.0);
  }

 private:
  std::unique_ptr<NarrowReports> m_reports;
};

QTEST_GUILESS_MAIN(TestTrainabilityPresets)
#include "tst_trainability_presets_slow.moc"
