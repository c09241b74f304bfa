// SPDX-License-Identifier: Apache-2.0
// ctest: engine
// The ten commands of README.md run in their order on a machine that has never seen the program, and leave
// what they say. The training is cut short where not all tests are asked for.
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>

#include "tests/all_tests.h"

namespace {

constexpr int kCommands = 10;
constexpr qsizetype kMostLines = 90, kMostLetters = 120;
constexpr QLatin1String kCutLength("200u");
constexpr int kPatience = 300'000;  // milliseconds for a training of a minute

QString readme() {
  QFile file(QStringLiteral(FATHOM_SOURCE_DIR "/README.md"));
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

// The indented lines below the heading, those that end with a backslash joined to the next.
QStringList commandsBelow(const QString& text, const QString& heading) {
  const QString section = text.section("\n## " + heading + "\n", 1).section(QStringLiteral("\n## "), 0, 0);
  QStringList found;
  bool goesOn = false;
  for (const QString& line : section.split(u'\n')) {
    if (!line.startsWith(QLatin1String("    "))) continue;
    QString words = line.trimmed();
    const bool open = words.endsWith(u'\\');
    if (open) words.chop(1);
    if (goesOn)
      found.last() += words;
    else
      found.append(words);
    goesOn = open;
  }
  return found;
}

}  // namespace

class ReadmeCommands : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void isShortAndNarrow() {
    const QStringList lines = readme().split(u'\n');
    QVERIFY(lines.size() > 20);
    QVERIFY2(lines.size() <= kMostLines + 1, qPrintable(QString::number(lines.size())));
    for (const QString& line : lines) QVERIFY2(line.size() <= kMostLetters, qPrintable(line));
  }

  void runInTheirOrder() {
    const QStringList commands = commandsBelow(readme(), QStringLiteral("Ten commands"));
    QCOMPARE(commands.size(), kCommands);
    const QTemporaryDir home, folder;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name :
         {"FATHOM_ENGINE", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"})
      environment.remove(QLatin1String(name));
    environment.insert(QStringLiteral("HOME"), home.path());
    environment.insert(QStringLiteral("PATH"),
                       QStringLiteral(FATHOM_BIN_DIR ":") + environment.value(QStringLiteral("PATH")));
    for (QString command : commands) {
      if (command.contains(QLatin1String(" --wait")) && !fathom::test::allTests())
        command += QStringLiteral(" --set training.length=") + kCutLength;
      QProcess shell;
      shell.setProcessEnvironment(environment);
      shell.setWorkingDirectory(folder.path());
      shell.setProcessChannelMode(QProcess::MergedChannels);
      shell.start(QStringLiteral("sh"), {QStringLiteral("-c"), command});
      QVERIFY2(shell.waitForFinished(kPatience), qPrintable(command));
      const QString said = QString::fromUtf8(shell.readAll());
      QVERIFY2(shell.exitStatus() == QProcess::NormalExit && shell.exitCode() == 0,
               qPrintable(command + u'\n' + said));
      QVERIFY2(!said.trimmed().isEmpty(), qPrintable(command));
    }
    for (const char* file : {"curve.pdf", "entropy.pdf", "errors.csv", "spider/dev_gold.sql"})
      QVERIFY2(QFile(folder.filePath(QLatin1String(file))).size() > 500, file);
  }
};

QTEST_GUILESS_MAIN(ReadmeCommands)
#include "tst_readme_commands.moc"
