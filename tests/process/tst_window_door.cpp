// SPDX-License-Identifier: Apache-2.0
// One window program for a project: who starts a second one gets the first one's window.
#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "tests/process/support_project_fixture.h"

using namespace fathom;

class WindowDoorTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void aSecondProgramHandsOver();
  void whatAKilledProgramLeftIsTakenOver();
  void anotherProjectHasAnotherWindow();

 private:
  using Program = std::unique_ptr<QProcess>;
  static Program start(const QString& project) {
    auto program = std::make_unique<QProcess>();
    program->start(QStringLiteral(FATHOM_BIN_DIR "/fathom"), {project});
    return program;
  }
  // Sockets of windows in the runtime folder of this process.
  static QStringList doors() {
    const QDir folder(QString::fromLocal8Bit(qgetenv("XDG_RUNTIME_DIR")));
    return folder.entryList({QStringLiteral("fathom-window-*")}, QDir::System | QDir::AllEntries);
  }
  static bool ended(QProcess& program) {
    return program.state() == QProcess::NotRunning || program.waitForFinished(20000);
  }
  std::unique_ptr<QTemporaryDir> m_state;
  static void leave(QProcess& program) {
    program.terminate();
    QVERIFY(ended(program));
  }
};

// Windows of other tests keep their last project, too.
void WindowDoorTest::init() {
  m_state = std::make_unique<QTemporaryDir>();
  qputenv("XDG_STATE_HOME", m_state->path().toLocal8Bit());
}

void WindowDoorTest::aSecondProgramHandsOver() {
  const ProjectFixture project;
  const QString path = QString::fromStdString(project.path());
  const Program first = start(path);
  QTRY_COMPARE_WITH_TIMEOUT(doors().size(), 1, 20000);
  // By another way to the same folder.
  const Program second = start(path + QStringLiteral("/../") + path.section(QLatin1Char('/'), -1));
  QVERIFY(ended(*second));
  QCOMPARE(second->exitCode(), 0);
  const QString said = QString::fromUtf8(second->readAllStandardOutput());
  QVERIFY2(said.contains(QStringLiteral("has a window already")), qPrintable(said));
  QCOMPARE(first->state(), QProcess::Running);
  // Without a word it is the project of last time.
  const auto handsOver = [] {  // half a second after the window opened it is written down
    QProcess third;
    third.start(QStringLiteral(FATHOM_BIN_DIR "/fathom"), QStringList());
    const bool over = third.waitForFinished(4000) && third.exitCode() == 0;
    third.kill();
    return third.state() == QProcess::NotRunning || third.waitForFinished() ? over : false;
  };
  QTRY_VERIFY_WITH_TIMEOUT(handsOver(), 20000);
  leave(*first);
  QCOMPARE(doors().size(), 0);
}

void WindowDoorTest::whatAKilledProgramLeftIsTakenOver() {
  const ProjectFixture project;
  const QString path = QString::fromStdString(project.path());
  const Program first = start(path);
  QTRY_COMPARE_WITH_TIMEOUT(doors().size(), 1, 20000);
  first->kill();
  QVERIFY(ended(*first));
  QCOMPARE(doors().size(), 1);
  const Program second = start(path);
  QVERIFY(!second->waitForFinished(2000));
  Program third;
  QTRY_VERIFY_WITH_TIMEOUT((third = start(path), third->waitForFinished(4000)), 20000);
  QCOMPARE(third->exitCode(), 0);
  QCOMPARE(second->state(), QProcess::Running);
  third.reset();
  leave(*second);
}

void WindowDoorTest::anotherProjectHasAnotherWindow() {
  const ProjectFixture project;
  const QString path = QString::fromStdString(project.path());
  QCOMPARE(
      project.fathom({QStringLiteral("new-project"), QStringLiteral("--out"), project.file("other.fathom")})
          .exitCode,
      0);
  const Program first = start(path);
  QTRY_COMPARE_WITH_TIMEOUT(doors().size(), 1, 20000);
  const Program other = start(project.file("other.fathom"));
  QTRY_COMPARE_WITH_TIMEOUT(doors().size(), 2, 20000);
  leave(*first);
  QCOMPARE(doors().size(), 1);
  leave(*other);
}

QTEST_GUILESS_MAIN(WindowDoorTest)
#include "tst_window_door.moc"
