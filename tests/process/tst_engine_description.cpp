// SPDX-License-Identifier: Apache-2.0
#include <QElapsedTimer>
#include <QFile>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include "app/runner/engine_description.h"

using namespace fathom;

namespace {
const std::string kFake = std::string(FATHOM_BIN_DIR) + "/../tests/fake_engine";
}

class EngineDescriptionTest : public QObject {
  Q_OBJECT
 private:
  QTemporaryDir m_folder;
  Result<EngineDescription> ask(const char* how, double seconds = 20) {
    qputenv("FATHOM_FAKE_DESCRIBE", how);
    DescribeOptions options;
    options.refresh = true;
    options.seconds = seconds;
    return describeEngine(kFake, options);
  }
  void expectError(const char* how, const char* inMessage, double seconds = 20) {
    const auto result = ask(how, seconds);
    QVERIFY(!result.ok());
    QVERIFY2(result.error().message.find(inMessage) != std::string::npos, result.error().text().c_str());
    QVERIFY2(!result.error().hint.empty(), result.error().text().c_str());
  }

 private Q_SLOTS:
  void init() {
    qputenv("XDG_CACHE_HOME", m_folder.path().toUtf8());
    qputenv("XDG_CONFIG_HOME", m_folder.path().toUtf8());
    qunsetenv("FATHOM_ENGINE");
  }

  void goodEngineIsUnderstoodAndCached() {
    const auto asked = ask("good");
    QVERIFY2(asked.ok(), asked.ok() ? "" : asked.error().text().c_str());
    QCOMPARE(asked->version, std::string(FATHOM_VERSION));
    QVERIFY(asked->options.find("fake.steps"));
    QCOMPARE(asked->devices.size(), std::size_t{1});
    // From now on the engine would crash; the cache answers.
    qputenv("FATHOM_FAKE_DESCRIBE", "crash");
    QVERIFY(describeEngine(kFake).ok());
  }

  void replacedBinaryIsAskedAgain() {
    const QString copy = m_folder.filePath("engine_copy");
    QVERIFY(QFile::copy(QString::fromStdString(kFake), copy));
    qputenv("FATHOM_FAKE_DESCRIBE", "good");
    QVERIFY(describeEngine(copy.toStdString()).ok());
    QTest::qSleep(20);  // another time of change, also where the clock of files is coarse
    QFile file(copy);
    QVERIFY(file.open(QIODevice::Append));
    file.write("\n");
    file.close();
    qputenv("FATHOM_FAKE_DESCRIBE", "exit3");
    QVERIFY(!describeEngine(copy.toStdString()).ok());
  }

  void damagedCacheIsIgnored() {
    QVERIFY(ask("good").ok());
    QDir cache(m_folder.filePath("fathom"));
    for (const QString& name : cache.entryList({"engine-*.json"})) {
      QFile file(cache.filePath(name));
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write("{\"stamp\":");
    }
    qputenv("FATHOM_FAKE_DESCRIBE", "good");
    QVERIFY(describeEngine(kFake).ok());
  }

  void crashAtStart() { expectError("crash", "was ended by signal 6"); }
  void exitCodeAndLastWords() { expectError("exit3", "cannot load libfoo.so"); }
  void halfAnAnswer() { expectError("half", "not complete JSON"); }
  void noJson() { expectError("garbage", "not complete JSON"); }
  void wrongVersion() { expectError("wrong_version", "is version 0.0.9"); }

  void hangingEngineIsGivenUp() {
    QElapsedTimer timer;
    timer.start();
    expectError("hang", "did not answer within", 1);
    QVERIFY(timer.elapsed() < 5000);
  }

  void stopRequestIsInstant() {
    qputenv("FATHOM_FAKE_DESCRIBE", "hang");
    StopToken stop;
    stop.requestStop();
    QElapsedTimer timer;
    timer.start();
    DescribeOptions options;
    options.refresh = true;
    const auto result = describeEngine(kFake, options, stop);
    QVERIFY(!result.ok());
    QCOMPARE(int(result.error().kind), int(ErrorKind::Interrupted));
    QVERIFY(timer.elapsed() < 5000);
  }

  void missingEngine() {
    const auto result = describeEngine("/nowhere/fathom-engine");
    QVERIFY(!result.ok());
    QVERIFY(result.error().text().find("/nowhere/fathom-engine") != std::string::npos);
    QVERIFY(!result.error().hint.empty());
  }

  void notExecutable() {
    const QString path = m_folder.filePath("plain");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("text");
    file.close();
    const auto result = describeEngine(path.toStdString());
    QVERIFY(!result.ok());
    QVERIFY(result.error().message.find("not an executable") != std::string::npos);
  }

  void environmentComesBeforeSetting() {
    QSettings settings(QSettings::IniFormat, QSettings::UserScope, "fathom", "fathom");
    settings.setValue("engine/path", "/from/setting");
    settings.sync();
    QCOMPARE(findEngine().value(), std::string("/from/setting"));
    qputenv("FATHOM_ENGINE", "/from/environment");
    QCOMPARE(findEngine().value(), std::string("/from/environment"));
    settings.remove("engine/path");
  }
};

QTEST_GUILESS_MAIN(EngineDescriptionTest)
#include "tst_engine_description.moc"
