// SPDX-License-Identifier: Apache-2.0
// What is thrown becomes the right kind of error, and so the right exit code.
#include <c10/util/Exception.h>
#include <torch/torch.h>

#include <QTest>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <new>
#include <system_error>

#include "core/record/runs/exit_code.h"
#include "core/train/parts/exception_error.h"

using namespace fathom;

class ExceptionErrorTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void whatIsThrown_data();
  void whatIsThrown();
  void processorMemory();
  void acceleratorCodes_data();
  void acceleratorCodes();
};

namespace {

using Throw = std::function<void()>;

int codeOf(const Throw& work) {
  try {
    work();
  } catch (...) {
    return static_cast<int>(exitCodeFor(currentExceptionError()));
  }
  return -1;
}

[[noreturn]] void torchError(const char* text) {
  throw c10::Error({__func__, __FILE__, __LINE__}, text);
}

}  // namespace

Q_DECLARE_METATYPE(Throw)

void ExceptionErrorTest::whatIsThrown_data() {
  QTest::addColumn<Throw>("work");
  QTest::addColumn<int>("code");
  const auto row = [](const char* name, int code, const Throw& work) { QTest::newRow(name) << work << code; };
  const c10::SourceLocation here{__func__, __FILE__, __LINE__};
  row("failure", 50, [] { throw Failure(diskError("CUDA error: memory")); });
  row("no memory", 40, [] { throw std::bad_alloc(); });
  row("no thread", 40, [] { throw std::system_error(EAGAIN, std::generic_category(), "thread"); });
  row("disk", 50, [] {
    throw std::filesystem::filesystem_error("x", "/a", std::error_code(ENOSPC, std::generic_category()));
  });
  row("absent", 30, [] {
    throw std::filesystem::filesystem_error("x", "/memory", std::error_code(ENOENT, std::generic_category()));
  });
  row("device memory", 41, [=] { throw c10::OutOfMemoryError(here, "CUDA out of memory."); });
  row("device fault", 75, [=] { throw c10::AcceleratorError(here, 719, "launch failure"); });
  row("device memory by code", 41, [=] { throw c10::AcceleratorError(here, 2, "out of memory"); });
  row("device that is not there", 30, [=] { throw c10::AcceleratorError(here, 100, "no device"); });
  row("assertion on the device", 1, [=] { throw c10::AcceleratorError(here, 710, "device-side assert"); });
  // Their words are those of a CUDA error; they are none.
  row("wrong shape", 1, [] { torchError("a tensor named 'CUDA error' has a wrong shape"); });
  row("index", 1, [=] { throw c10::IndexError(here, "out of memory is no index"); });
  // Of these LibTorch has no type.
  row("cuBLAS memory", 41,
      [] { torchError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate`"); });
  row("cuBLAS fault", 75,
      [] { torchError("CUDA error: CUBLAS_STATUS_EXECUTION_FAILED when calling `cublasGemmEx`"); });
  row("cuBLAS refusal", 1,
      [] { torchError("CUDA error: CUBLAS_STATUS_NOT_SUPPORTED when calling `cublasGemmEx`"); });
  row("cuDNN fault", 75, [] { torchError("cuDNN error: CUDNN_STATUS_INTERNAL_ERROR"); });
  row("no exception", 1, [] { throw 7; });
}

void ExceptionErrorTest::whatIsThrown() {
  QFETCH(Throw, work);
  QFETCH(int, code);
  QCOMPARE(codeOf(work), code);
}

// LibTorch's own words for it, from LibTorch.
void ExceptionErrorTest::processorMemory() {
  QCOMPARE(codeOf([] { torch::empty({std::int64_t{1} << 55}, torch::kUInt8); }), 40);
}

void ExceptionErrorTest::acceleratorCodes_data() {
  QTest::addColumn<int>("number");
  QTest::addColumn<int>("code");
  const auto row = [](const char* name, int number, int code) { QTest::newRow(name) << number << code; };
  row("memory", 2, 41);
  for (const int unusable : {34, 35, 36, 46, 100, 101, 200, 209, 218, 222, 802, 803, 804})
    row(("unusable " + std::to_string(unusable)).c_str(), unusable, 30);
  for (const int fault : {214, 220, 700, 702, 714, 715, 716, 717, 718, 719, 999})
    row(("fault " + std::to_string(fault)).c_str(), fault, 75);
  // A mistake comes again however often one starts.
  for (const int mistake : {1, 9, 98, 400, 710, 801})
    row(("mistake " + std::to_string(mistake)).c_str(), mistake, 1);
}

void ExceptionErrorTest::acceleratorCodes() {
  QFETCH(int, number);
  QFETCH(int, code);
  const Error error = acceleratorError(number, "CUDA error: out of memory");
  QCOMPARE(static_cast<int>(exitCodeFor(error)), code);
  QVERIFY(error.message.find("CUDA error: out of memory") != std::string::npos);
}

QTEST_APPLESS_MAIN(ExceptionErrorTest)
#include "tst_exception_error.moc"
