// SPDX-License-Identifier: Apache-2.0
// packaging/pre-commit refuses what is staged and wrong, and looks at nothing else: not at what lies in the
// folder, not at files that the commit does not take.
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

class PreCommitTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() {
    m_place = std::make_unique<QTemporaryDir>();
    QVERIFY(m_place->isValid());
    QVERIFY(git({"init", "-q"}));
    QVERIFY(QFile::copy(QStringLiteral(FATHOM_SOURCE_DIR "/.clang-format"),
                        m_place->filePath(QStringLiteral(".clang-format"))));
  }

  void refusesWhatIsStaged_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("said");  // empty: it is taken
    const QByteArray licence = "// SPDX-License-Identifier: Apache-2.0\n";
    QTest::newRow("right") << "a.cpp" << licence + "int one() {\n  return 1;\n}\n" << QByteArray();
    QTest::newRow("format") << "a.cpp" << licence + "int one(){return 1;}\n" << QByteArray("a.cpp:2:");
    QTest::newRow("licence") << "a.h" << QByteArray("int one();\n")
                             << QByteArray("a.h:1: the first line names no licence");
    QTest::newRow("merge") << "docs/a.md" << QByteArray("x\n<<<<<<< HEAD\ny\n")
                           << QByteArray("docs/a.md: a merge was left");
    QTest::newRow("carriage return") << "a.md" << QByteArray("x\r\ny\r\n")
                                     << QByteArray("a.md:1: the line ends");
    QTest::newRow("blanks") << "a.sh" << QByteArray("echo\necho  \n") << QByteArray("a.sh:2: blanks");
    QTest::newRow("shell") << "a.sh" << QByteArray("if true; then\n") << QByteArray("a.sh: line ");
    QTest::newRow("python") << "a.py" << QByteArray("def f(:\n  pass\n") << QByteArray("a.py");
    QTest::newRow("json") << "resources/a.json" << QByteArray("{\"a\": }\n")
                          << QByteArray("resources/a.json: ");
    QTest::newRow("other") << "data.txt" << QByteArray("anything \t\n") << QByteArray();
  }

  void refusesWhatIsStaged() {
    QFETCH(QString, file);
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, said);
    write(file, text);
    QVERIFY(git({"add", file}));
    QByteArray all;
    QCOMPARE(run(&all), said.isEmpty() ? 0 : 1);
    QVERIFY2(all.contains(said), all.constData());
  }

  // What is staged is judged, whatever lies in the folder, and the reverse.
  void looksAtNothingElse() {
    const QByteArray right = "// SPDX-License-Identifier: Apache-2.0\nint one();\n", wrong = "int  one( );\n";
    write(QStringLiteral("staged.h"), right);
    QVERIFY(git({"add", "staged.h"}));
    write(QStringLiteral("staged.h"), wrong);
    write(QStringLiteral("not staged.h"), wrong);
    QByteArray all;
    QVERIFY2(run(&all) == 0, all.constData());
    QVERIFY(git({"add", "staged.h"}));
    write(QStringLiteral("staged.h"), right);
    QCOMPARE(run(&all), 1);
    QVERIFY2(all.contains("staged.h:1:"), all.constData());
  }

  // A name with blanks, and a file that is taken away.
  void anyName() {
    write(QStringLiteral("a name.h"), "int one();\n");
    QVERIFY(git({"add", "a name.h"}));
    QByteArray all;
    QCOMPARE(run(&all), 1);
    QVERIFY2(all.contains("a name.h:1:"), all.constData());
    QVERIFY(git({"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "x"}));
    QVERIFY(git({"rm", "-q", "a name.h"}));
    QVERIFY2(run(&all) == 0, all.constData());
  }

 private:
  void write(const QString& name, const QByteArray& text) const {
    const QString path = m_place->filePath(name);
    QVERIFY(QDir().mkpath(QFileInfo(path).path()));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(text), text.size());
  }
  // In the folder of the test, without settings of the person.
  int start(const QString& program, const QStringList& words, QByteArray* said) const {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("GIT_CONFIG_GLOBAL"), QStringLiteral("/dev/null"));
    environment.insert(QStringLiteral("GIT_CONFIG_NOSYSTEM"), QStringLiteral("1"));
    for (const char* name : {"GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"})
      environment.remove(QLatin1String(name));
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(m_place->path());
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(program, words);
    if (!process.waitForFinished(60000)) return -1;
    *said = process.readAll();
    return process.exitCode();
  }
  bool git(const QStringList& words) const {
    QByteArray said;
    return start(QStringLiteral("git"), words, &said) == 0;
  }
  int run(QByteArray* said) const {
    return start(QStringLiteral(FATHOM_SOURCE_DIR "/packaging/pre-commit"), {}, said);
  }
  std::unique_ptr<QTemporaryDir> m_place;
};

QTEST_GUILESS_MAIN(PreCommitTest)
#include "tst_pre_commit.moc"
