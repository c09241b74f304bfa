// SPDX-License-Identifier: Apache-2.0
// Dropout keeps the same entries wherever and however it is computed: by the processor's vector code and
// without it, by LibTorch's operations, on a device without our kernels and with them, in every number format
// (mask_lines of tests/kernels prints what is kept).
#include <QFile>
#include <QMap>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTest>
#include <bit>
#include <cmath>

#include "core/kernels/vector_processor.h"

namespace {

const QString kDeviceFolder = QStringLiteral(FATHOM_BIN_DIR "/../device/");

struct MaskLine {
  QByteArray way, bits;
};
using MaskLines = QMap<QByteArray, MaskLine>;  // by "site format"

MaskLines linesOf(bool onDevice, const QMap<QString, QString>& environment) {
  QProcessEnvironment surroundings = QProcessEnvironment::systemEnvironment();
  for (auto it = environment.begin(); it != environment.end(); ++it)
    surroundings.insert(it.key(), it.value());
  QProcess program;
  program.setProcessEnvironment(surroundings);
  program.start(QStringLiteral(FATHOM_BIN_DIR "/../kernels/mask_lines"),
                onDevice ? QStringList{kDeviceFolder + "libtorch_cuda.so"} : QStringList());
  MaskLines lines;
  if (!program.waitForFinished(60'000) || program.exitCode() != 0) {
    qWarning("%s", program.readAllStandardError().constData());
    return lines;
  }
  for (const QByteArray& line : program.readAllStandardOutput().trimmed().split('\n')) {
    const QByteArrayList words = line.split(' ');
    if (words.size() == 4) lines[words[0] + ' ' + words[1]] = {words[2], words[3]};
  }
  return lines;
}

}  // namespace

class DropoutMasksTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void everyWayKeepsTheSame_data();
  void everyWayKeepsTheSame();

 private:
  MaskLines m_processor;
};

// One mask for the sites that share seed and shape, of a plausible share, and one for all formats.
void DropoutMasksTest::initTestCase() {
  m_processor = linesOf(false, {});
  QCOMPARE(m_processor.size(), 7 * 4);
  const QByteArray bits = m_processor.value("dropout Float").bits;
  int kept = 0;
  for (const char digit : bits) kept += std::popcount(unsigned(QByteArray(1, digit).toInt(nullptr, 16)));
  QVERIFY2(std::abs(kept - 0.7 * 5 * 1003) < 150, bits.constData());
  for (const char* site : {"dropout", "dropout_gradient", "addition", "expression"})
    QCOMPARE(m_processor.value(QByteArray(site) + " Float").bits, bits);
  QVERIFY(m_processor.value("attention Float").bits != m_processor.value("feed_forward Float").bits);
  for (auto it = m_processor.begin(); it != m_processor.end(); ++it) {
    const QByteArray site = it.key().left(it.key().indexOf(' '));
    QVERIFY(it->bits.contains('f') && it->bits != QByteArray(it->bits.size(), 'f'));
    QVERIFY2(it->bits == m_processor.value(site + " Float").bits, it.key().constData());
  }
}

void DropoutMasksTest::everyWayKeepsTheSame_data() {
  QTest::addColumn<bool>("onDevice");
  QTest::addColumn<QString>("lanes");
  QTest::addColumn<QString>("kernels");
  QTest::addColumn<QByteArrayList>(
      "ways");  // that are taken for a dropout, of float32 to float16, and a join
  QTest::newRow("the processor") << false << ""
                                 << "off"
                                 << QByteArrayList{"lanes", "lanes", "aten", "aten",
                                                   fathom::vectorLanesRun() ? "lanes" : "aten"};
  QTest::newRow("a processor without vectors")
      << false << "off"
      << "off" << QByteArrayList{"lanes", "lanes", "aten", "aten", "aten"};
  QTest::newRow("a device without kernels")
      << true << ""
      << "off" << QByteArrayList{"aten", "aten", "aten", "aten", "aten"};
  QTest::newRow("a device with kernels") << true << "" << kDeviceFolder + "libfathom-kernels-executor.so"
                                         << QByteArrayList{"plugin", "plugin", "plugin", "aten", "plugin"};
}

void DropoutMasksTest::everyWayKeepsTheSame() {
  QFETCH(bool, onDevice);
  QFETCH(QString, lanes);
  QFETCH(QString, kernels);
  QFETCH(QByteArrayList, ways);
  if (onDevice)
    QVERIFY2(QFile::exists(kDeviceFolder + "libtorch_cuda.so"), "the stand-in device is not built");
  const MaskLines lines = linesOf(onDevice, {{"FATHOM_LANES", lanes}, {"FATHOM_KERNELS", kernels}});
  QCOMPARE(lines.keys(), m_processor.keys());
  const char* const asked[] = {"dropout Float", "dropout Double", "dropout BFloat16", "dropout Half",
                               "join Float"};
  for (int i = 0; i < 5; ++i) QCOMPARE(lines.value(asked[i]).way, ways[i]);
  for (auto it = lines.begin(); it != lines.end(); ++it)
    QVERIFY2(it->bits == m_processor.value(it.key()).bits, it.key().constData());
}

QTEST_GUILESS_MAIN(DropoutMasksTest)
#include "tst_dropout_masks.moc"
