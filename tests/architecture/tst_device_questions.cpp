// SPDX-License-Identifier: Apache-2.0
// Whether a pass runs here is one question, wayOf() of core/kernels/kernel_way.h: nobody else asks a tensor
// for the kind of its device, LibTorch for its mixed precision, or the processor for its vectors, but the
// files named here. Whether numbers are on the host is another one, isOnHost() of core/nn/on_host.h, asked in
// few places. Read from the source, comments left out.
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

namespace {

struct Exception {
  const char* file;
  const char* reason;
};
const QList<Exception> kAskers = {
    {"core/base/files/crc32c_bytes.cpp", "sums of files by the processor's own instruction, no tensors"},
    {"core/kernels/kernel_way.cpp", "the question itself"},
    {"core/kernels/vector_processor.h", "asks the processor, for the question"},
    {"core/kernels/device_address.cpp", "a stream of the device is LibTorch's by the device's kind"},
    {"core/nn/on_host.h", "the question where numbers are"},
    {"core/nn/device_upload.cpp", "streams and events are made for a kind of device"},
    {"core/nn/packed_matrix.cpp", "picks the wider of two kernels of the lanes"},
    {"core/probe/attention_rows.cpp", "sums over rows of arrays, which no tensor holds"},
    {"core/train/dry/dry_device.cpp", "free memory of a card is asked of its runtime"},
    {"core/train/dry/memory_meter.cpp", "counts what the allocator of one kind gives out"},
    {"core/train/parts/compute_device.cpp", "chooses the device of a run and prepares it"},
    {"core/train/parts/mixed_precision.cpp", "switches mixed precision on"},
};
constexpr int kMostHostQuestions = 20;  // goes down only

const QRegularExpression kAsked(QStringLiteral(
    "\\bis_(?:cpu|cuda|xpu|mps)\\b|\\bisCuda\\b|\\bdevice(?:\\(\\))?\\.type\\(\\)|\\bdevice_type\\(\\)|"
    "[!=]=\\s*(?:(?:torch|at|c10)::)?k(?:CPU|CUDA)\\b|\\bk(?:CPU|CUDA)\\s*[!=]=|"
    "\\bis_autocast_\\w*enabled\\b|\\bget_autocast_\\w*dtype\\b|"
    "\\bvectorLanesRun\\(|\\b__builtin_cpu_supports\\b"));

QStringList questionsIn(const QString& text) {
  static const QRegularExpression comment(QStringLiteral("//[^\n]*"));
  QStringList found;
  auto at = kAsked.globalMatch(QString(text).remove(comment));
  while (at.hasNext()) found << at.next().captured();
  return found;
}

}  // namespace

class DeviceQuestionsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void onlyTheseFilesAsk() {
    QStringList broken, unused;
    for (const Exception& one : kAskers) unused << QString::fromLatin1(one.file);
    int files = 0, hostQuestions = 0;
    const QString root = QStringLiteral(FATHOM_SOURCE_DIR) + '/';
    QDirIterator it(root + "core", {"*.h", "*.cpp"}, QDir::Files, QDirIterator::Subdirectories);
    while (it.hasNext()) {
      QFile file(it.next());
      QVERIFY(file.open(QIODevice::ReadOnly));
      ++files;
      const QString name = file.fileName().mid(root.size()), text = QString::fromUtf8(file.readAll());
      if (name != QLatin1String("core/nn/on_host.h"))
        hostQuestions += int(text.count(QLatin1String("isOnHost(")));
      const QStringList found = questionsIn(text);
      const bool named = std::any_of(kAskers.begin(), kAskers.end(),
                                     [&](const Exception& one) { return name == QLatin1String(one.file); });
      if (found.isEmpty()) continue;
      unused.removeAll(name);
      if (!named) broken << name + ": " + found.join(", ") + "; ask wayOf() or isOnHost()";
    }
    QVERIFY2(files > 500, qPrintable(QString::number(files)));
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join('\n')));
    QVERIFY2(unused.isEmpty(), qPrintable("ask nothing any more: " + unused.join(' ')));
    QVERIFY2(
        hostQuestions > 0 && hostQuestions <= kMostHostQuestions,
        qPrintable(
            QString("isOnHost() is asked %1 times, at most %2").arg(hostQuestions).arg(kMostHostQuestions)));
  }

  void theRuleSeesItsCases() {
    for (const char* bad :
         {"if (x.device().is_cpu())", "return !x.is_cuda();", "device.type() == torch::kCUDA",
          "tensors.device().type()", "if (kind != at::kCPU)", "at::autocast::is_autocast_enabled(at::kCUDA)",
          "if (vectorLanesRun())"})
      QVERIFY2(!questionsIn(QString::fromLatin1(bad)).isEmpty(), bad);
    for (const char* good : {"wayOf(kNormJoin, x) == KernelWay::Lanes", "torch::Device device = torch::kCPU;",
                             "x.to(torch::kCPU)", "// device.is_cpu()", "isOnHost(x)"})
      QVERIFY2(questionsIn(QString::fromLatin1(good)).isEmpty(), good);
  }
};

QTEST_APPLESS_MAIN(DeviceQuestionsTest)
#include "tst_device_questions.moc"
