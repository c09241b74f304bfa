// SPDX-License-Identifier: Apache-2.0
// The fixture tests on a second index: other folders, another order, fewer cases. A test that knows a
// folder's name, a number of cases or their order by heart fails here; tests of other cases of the same
// format run unchanged.
#include <QDir>
#include <QDirIterator>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <map>

#include "core/base/files/atomic_file.h"
#include "support_fixtures.h"

using namespace fathom;

namespace {

// The last part of a case's name and the names of its files are its format: they say what the case is.
QString roleOf(const std::string& name) {
  return QString::fromStdString(name).section('/', -1);
}

// Writes `<out>/index.json` over links to the files of the small copy.
void writeVariant(const QString& source, const QString& out) {
  Json cases = fixtures::readJson((source + "/index.json").toStdString()).at("cases");
  std::reverse(cases.begin(), cases.end());
  std::map<std::string, int> seen;
  Json kept = Json::array();
  for (Json& one : cases) {
    const std::string area = one.at("area").get<std::string>();
    // Of every area the second, fifth, eighth … case is left out, but cases that others read are not.
    const bool shared = area == "tokenizers" || area == "encoders" || area == "attention_statistics";
    if (seen[area]++ % 3 == 1 && !shared) continue;
    const QString folder = QStringLiteral("elsewhere/%1").arg(QString::fromStdString(area));
    for (Json& file : one["files"]) {
      const QString path = QString::fromStdString(file.get<std::string>());
      // Folders inside a case's own folder stay: bert_tiny/config.json.
      const QString inside = path.section('/', 0, -2).endsWith('/' + roleOf(one.at("case")))
                                 ? roleOf(one.at("case")) + '/' + path.section('/', -1)
                                 : path.section('/', -1);
      const QString target = out + '/' + folder + '/' + inside;
      QVERIFY(QDir().mkpath(QFileInfo(target).path()));
      if (!QFile::exists(target)) QVERIFY(QFile::link(source + '/' + path, target));
      file = (folder + '/' + inside).toStdString();
    }
    one["case"] = (folder + '/' + roleOf(one.at("case"))).toStdString();
    kept.push_back(one);
  }
  QVERIFY(kept.size() < cases.size());
  writeFileAtomically((out + "/index.json").toStdString(), Json{{"format", 1}, {"cases", kept}}.dump())
      .value();
}

}  // namespace

class FixtureVariantTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    QVERIFY(m_place.isValid());
    writeVariant(QStringLiteral(FATHOM_SOURCE_DIR "/tests/fixtures"), m_place.path());
  }

  void everyFixtureTest_data() {
    QTest::addColumn<QString>("program");
    QDirIterator programs(QCoreApplication::applicationDirPath(), {QStringLiteral("tst_fixtures_*")},
                          QDir::Files);
    while (programs.hasNext()) {
      const QString program = programs.next();
      QTest::newRow(QFileInfo(program).fileName().toUtf8().constData()) << program;
    }
  }

  void everyFixtureTest() {
    QFETCH(QString, program);
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("FATHOM_FIXTURES"), m_place.path());
    process.setProcessEnvironment(environment);
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(program, QStringList());
    QVERIFY(process.waitForFinished(300000));
    const QByteArray said = process.readAll();
    QVERIFY2(process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0,
             said.right(900).constData());
  }

 private:
  QTemporaryDir m_place;
};

QTEST_GUILESS_MAIN(FixtureVariantTest)
#include "tst_fixture_variant.moc"
