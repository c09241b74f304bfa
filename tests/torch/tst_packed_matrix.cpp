// SPDX-License-Identifier: Apache-2.0
// Products with a matrix that is laid out once: the numbers of at::mm, whatever the sizes, strides and
// threads.
#include "core/nn/packed_matrix.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>

#include <QTest>

#include "core/base/errors/error.h"

using namespace fathom;

namespace {

torch::Tensor normalNumbers(std::vector<std::int64_t> shape, std::uint64_t seed, torch::Dtype type) {
  return at::empty(shape, torch::TensorOptions(type))
      .normal_(0, 1, at::make_generator<at::CPUGeneratorImpl>(seed));
}

double gapOf(const torch::Tensor& a, const torch::Tensor& b) {
  return (a.to(torch::kFloat64) - b.to(torch::kFloat64)).abs().max().item<double>();
}

}  // namespace

class PackedMatrixTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void cleanup() { at::set_num_threads(1); }

  void asPlainProducts_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("inner");
    QTest::addColumn<int>("columns");
    for (const int rows : {0, 1, 2, 3, 4, 5, 6, 7, 11, 12, 16, 33})
      for (const auto& [inner, columns] :
           {std::pair{1, 1}, {8, 16}, {17, 5}, {40, 49}, {9, 33}, {64, 128}, {0, 16}})
        QTest::addRow("%d x %d x %d", rows, inner, columns) << rows << inner << columns;
  }
  void asPlainProducts() {
    QFETCH(const int, rows);
    QFETCH(const int, inner);
    QFETCH(const int, columns);
    for (const auto type : {torch::kFloat32, torch::kFloat64}) {
      const torch::Tensor wide = normalNumbers({rows, inner + 3}, 1, type);
      const torch::Tensor x = wide.narrow(1, 2, inner);
      const double tolerance = type == torch::kFloat32 ? 2e-5 : 1e-13;
      // Rows side by side, and columns side by side.
      for (const torch::Tensor& matrix :
           {normalNumbers({inner, columns}, 2, type), normalNumbers({columns, inner}, 2, type).t()}) {
        const PackedMatrix packed(matrix);
        QCOMPARE(packed.inner(), std::int64_t{inner});
        QCOMPARE(packed.columns(), std::int64_t{columns});
        const torch::Tensor expected = at::mm(x.to(torch::kFloat64), matrix.to(torch::kFloat64));
        QVERIFY(rows == 0 || gapOf(packed.times(x), expected) < tolerance);
        const torch::Tensor target = normalNumbers({rows, columns + 5}, 3, type), before = target.clone();
        const torch::Tensor out = target.narrow(1, 1, columns);
        packed.addProduct(x, out);
        QVERIFY(rows == 0 || gapOf(out, before.narrow(1, 1, columns) + expected) < tolerance);
        packed.multiply(x, out);
        QVERIFY(rows == 0 || gapOf(out, expected) < tolerance);
        // What lies beside it is left alone.
        QVERIFY(target.narrow(1, 0, 1).equal(before.narrow(1, 0, 1)));
        QVERIFY(target.narrow(1, columns + 1, 4).equal(before.narrow(1, columns + 1, 4)));
      }
    }
  }

  void threadsChangeNoBit() {
    const torch::Tensor x = normalNumbers({16, 300}, 1, torch::kFloat32);
    const torch::Tensor matrix = normalNumbers({300, 1000}, 2, torch::kFloat32);
    at::set_num_threads(1);
    const torch::Tensor one = PackedMatrix(matrix).times(x);
    for (const int threads : {2, 3, 5}) {
      at::set_num_threads(threads);
      QVERIFY(PackedMatrix(matrix).times(x).equal(one));
    }
  }

  void whatDoesNotFitIsRefused() {
    const PackedMatrix packed(normalNumbers({8, 16}, 1, torch::kFloat32));
    QVERIFY_THROWS_EXCEPTION(std::exception, packed.times(normalNumbers({2, 9}, 1, torch::kFloat32)));
  }
};

QTEST_APPLESS_MAIN(PackedMatrixTest)
#include "tst_packed_matrix.moc"
