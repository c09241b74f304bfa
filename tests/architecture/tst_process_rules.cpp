// SPDX-License-Identifier: Apache-2.0
// Two habits of the source that other systems punish: a process known by its id alone, and a thread started
// where nobody answers for the system having no more of them.
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

namespace {

const QString kRoot = QStringLiteral(FATHOM_SOURCE_DIR);

// Lines of core, app and views that match, comments left out, but for those of the files that may.
QStringList linesWith(const QRegularExpression& pattern, const QStringList& allowed,
                      const QStringList& folders = {"core", "app", "views"}) {
  QStringList found;
  for (const QString& folder : folders) {
    QDirIterator it(kRoot + "/" + folder, {"*.h", "*.cpp"}, QDir::Files, QDirIterator::Subdirectories);
    while (it.hasNext()) {
      QFile file(it.next());
      const QString name = QDir(kRoot).relativeFilePath(file.fileName());
      if (allowed.contains(name) || !file.open(QIODevice::ReadOnly)) continue;
      int number = 0;
      for (const QString& line : QString::fromUtf8(file.readAll()).split('\n')) {
        ++number;
        if (line.left(line.indexOf("//") < 0 ? line.size() : line.indexOf("//")).contains(pattern))
          found << name + ":" + QString::number(number) + ": " + line.trimmed();
      }
    }
  }
  return found;
}

}  // namespace

class ProcessRulesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // After a restart another process has the number: core/base/files/process_identity.h.
  void processesHaveMoreThanANumber() {
    const QRegularExpression pattern(QStringLiteral("\\b(?:getpid|applicationPid)\\("));
    const QStringList broken = linesWith(pattern, {"core/base/files/process_identity.cpp",
                                                   "core/base/files/atomic_file.cpp" /* kills itself */});
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join('\n')));
    QVERIFY(!linesWith(pattern, {}).isEmpty());
  }

  // An engine may run on another machine: the runner knows its place and an id that it does not read.
  void enginesAreSignalledByTheirPlace() {
    const QRegularExpression pattern(
        QStringLiteral("::kill\\(|\\bwaitpid\\(|\\bpid\\(\\)|\\bsendControl\\("));
    const auto ofRunner =
        linesWith(pattern, {})
            .filter(QRegularExpression(QStringLiteral("^app/runner/(runner|device_slots)\\.")));
    QVERIFY2(ofRunner.isEmpty(), qPrintable(ofRunner.join('\n')));
    QVERIFY(!linesWith(pattern, {}).filter(QStringLiteral("app/runner/local_launcher.cpp")).isEmpty());
  }

  // A thread that cannot be had is an error with a sentence: core/base/threads/thread_start.h. In the unit
  // tests, too: it is how ctest finds one that uses threads and is not run under ThreadSanitizer.
  void threadsStartInOnePlace() {
    const QRegularExpression pattern(QStringLiteral(
        "std::thread\\(|std::thread [a-z]\\w*[({]|std::jthread|std::async|[tT]hread\\w*\\.detach\\(|"
        "(?:threads|helpers|others|workers)\\.emplace_back\\("));
    const QStringList broken =
        linesWith(pattern, {"core/base/threads/thread_start.h"}, {"core", "app", "views", "tests/unit"});
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join('\n')));
    QVERIFY(!linesWith(pattern, {}).isEmpty());
  }

  // Its clone() with shared memory is more than ThreadSanitizer survives: tests/unit/support_program.h.
  void threadTestsStartProgramsWithoutQt() {
    static const QRegularExpression kThreads(QStringLiteral("^// ctest:.*\\bthreads\\b"),
                                             QRegularExpression::MultilineOption);
    QStringList found;
    const QDir folder(kRoot + "/tests/unit");
    for (const QString& file : folder.entryList({QStringLiteral("tst_*.cpp")}, QDir::Files)) {
      QFile source(folder.filePath(file));
      QVERIFY2(source.open(QIODevice::ReadOnly), qPrintable(file));
      const QString text = QString::fromUtf8(source.readAll());
      if (!kThreads.match(text).hasMatch()) continue;
      found << file;
      QVERIFY2(!text.contains("QProcess"), qPrintable(file));
    }
    QVERIFY2(found.size() > 5 && found.contains("tst_sqlrun.cpp"), qPrintable(found.join(' ')));
  }
};

QTEST_APPLESS_MAIN(ProcessRulesTest)
#include "tst_process_rules.moc"
