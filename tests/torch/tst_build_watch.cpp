// SPDX-License-Identifier: Apache-2.0
// Building in pieces: the same values, progress, and an end where somebody stops it.
#include <ATen/CPUGeneratorImpl.h>

#include <QTest>

#include "core/nn/build_watch.h"
#include "core/train/dry/memory_meter.h"

using namespace fathom;

namespace {

at::Generator generator() {
  return at::make_generator<at::CPUGeneratorImpl>(7);
}

}  // namespace

class TestBuildWatch : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // Random numbers do not depend on the pieces, whatever is left for the last one.
  void piecesAreTheWhole() {
    for (const std::int64_t count : {1, 15, 16, 64, 65, 79, 80, 129, 1000}) {
      const torch::Tensor whole = at::empty({count}, torch::kFloat32), uniform = at::empty_like(whole);
      at::Generator first = generator(), second = generator();
      whole.normal_(0, 1, first);
      uniform.uniform_(-1, 1, second);
      torch::Tensor pieces = at::empty({count}, torch::kFloat32);
      at::Generator normal = generator(), flat = generator();
      inPieces(
          pieces, [&](torch::Tensor piece) { piece.normal_(0, 1, normal); }, 32);
      QVERIFY2(at::equal(whole, pieces), qPrintable(QString::number(count)));
      inPieces(
          pieces, [&](torch::Tensor piece) { piece.uniform_(-1, 1, flat); }, 32);
      QVERIFY2(at::equal(uniform, pieces), qPrintable(QString::number(count)));
    }
  }

  void aFilledTensorIsFull() {
    const torch::Tensor made = filledTensor({3, 5, 7}, 2.5, torch::TensorOptions().dtype(torch::kFloat64));
    QVERIFY(at::equal(made, at::full({3, 5, 7}, 2.5, torch::kFloat64)));
    QVERIFY(filledTensor({1 << 20, 1 << 20}, 0, torch::TensorOptions().device(torch::kMeta)).is_meta());
    QCOMPARE(filledTensor({}, 3, {}).item<double>(), 3.0);
    QCOMPARE(filledTensor({0, 4}, 3, {}).numel(), std::int64_t{0});
  }

  void progressGoesToTheInnermost() {
    std::vector<std::string> phases;
    Progress outer([&](const ProgressUpdate& update) { phases.push_back(update.phase); });
    Progress inner([&](const ProgressUpdate& update) { phases.push_back("inner " + update.phase); });
    const BuildWatch all(&outer, {}, "all", 10);
    {
      const BuildWatch part(&inner, {}, "part", 5);
      BuildWatch::passed(3);
      QCOMPARE(inner.state().done, 3.0);
      QCOMPARE(outer.state().done, 0.0);
    }
    BuildWatch::passed(4);
    QCOMPARE(outer.state().done, 4.0);
    QCOMPARE(phases.front(), std::string("all"));
  }

  void aStopEndsIt() {
    StopToken stop;
    const BuildWatch watch(nullptr, stop, "all", -1);
    (void)filledTensor({4}, 1, {});
    stop.requestStop();
    QVERIFY_THROWS_EXCEPTION(Failure, (void)filledTensor({4}, 1, {}));
  }

  void withoutAWatchNothingHappens() { BuildWatch::passed(1 << 30); }

  void liveTensorsAreCounted() {
    MemoryMeter meter(torch::kCPU);
    {
      const torch::Tensor first = at::zeros({1000}, torch::kFloat32);
      QCOMPARE(meter.now(), std::int64_t{4000});
      {
        const torch::Tensor second = at::zeros({500}, torch::kFloat64);
        QCOMPARE(meter.most(), std::int64_t{8000});
      }
      QCOMPARE(meter.now(), std::int64_t{4000});
      QCOMPARE(meter.most(), std::int64_t{8000});
      meter.restart();
      QCOMPARE(meter.most(), std::int64_t{4000});
    }
    QCOMPARE(meter.now(), std::int64_t{0});
  }
};

QTEST_APPLESS_MAIN(TestBuildWatch)
#include "tst_build_watch.moc"
