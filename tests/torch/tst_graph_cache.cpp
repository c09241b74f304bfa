// SPDX-License-Identifier: Apache-2.0
// Buckets of updates and which of their graphs are kept; what is compared before a pass is recorded.
#include "core/train/graphs/graph_cache.h"

#include <ATen/ops/tensor.h>

#include <QTest>
#include <string>

#include "core/base/errors/error.h"
#include "core/train/graphs/captured_pass.h"

using namespace fathom;

namespace {

using State = GraphBucket::State;

// One update as update_graphs treats it: watched the first time, recorded when it comes back and there is
// room. Whether it was launched.
bool update(GraphCache& cache, const std::string& key) {
  GraphBucket& bucket = cache.use(key);
  if (bucket.state == State::Captured) return true;
  if (bucket.state == State::New) {
    bucket.state = State::Watched;
  } else if (bucket.state == State::Watched && cache.makeRoom(bucket)) {
    cache.keep(bucket, nullptr);
    return true;
  }
  return false;
}

torch::Tensor whole(std::initializer_list<std::int64_t> numbers) {
  return at::tensor(std::vector<std::int64_t>(numbers), torch::kInt64);
}

}  // namespace

class TestGraphCache : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void aBucketIsRecordedWhenItComesBack() {
    GraphCache cache(2);
    QVERIFY(!update(cache, "a"));
    QVERIFY(!update(cache, "b"));
    QCOMPARE(cache.graphs(), std::size_t{0});
    QVERIFY(update(cache, "a"));
    QVERIFY(update(cache, "a"));
    QCOMPARE(cache.graphs(), std::size_t{1});
    QCOMPARE(cache.buckets(), std::size_t{2});
  }

  // Shapes that are no longer trained on make room for those that are.
  void whatIsUnusedGoes() {
    GraphCache cache(2);
    for (const char* key : {"a", "b", "a", "b", "b"}) update(cache, key);
    QCOMPARE(cache.graphs(), std::size_t{2});
    QVERIFY(!update(cache, "c"));
    QVERIFY(update(cache, "b"));
    QVERIFY(update(cache, "c"));  // for a, which was not used since c came
    QCOMPARE(cache.evictions(), std::int64_t{1});
    QCOMPARE(cache.graphs(), std::size_t{2});
    QVERIFY(update(cache, "b"));
    QVERIFY(!update(cache, "a"));  // begins anew
    QVERIFY(cache.use("a").state == State::Watched);
  }

  // More shapes than places, by turns: the first ones stay, the others are computed plainly.
  void turnsDoNotThrash() {
    GraphCache cache(3);
    int launched = 0;
    for (int epoch = 0; epoch < 10; ++epoch)
      for (int shape = 0; shape < 8; ++shape) launched += update(cache, std::to_string(shape)) ? 1 : 0;
    QCOMPARE(cache.evictions(), std::int64_t{0});
    QCOMPARE(launched, 9 * 3);
  }

  void whatIsRefusedStaysSo() {
    GraphCache cache(1);
    cache.refuse(cache.use("a"));
    QVERIFY(!update(cache, "a"));
    QVERIFY(!update(cache, "a"));
    QCOMPARE(cache.refusals(), std::size_t{1});
    QCOMPARE(cache.graphs(), std::size_t{0});
  }

  void bucketsAreForgotten() {
    GraphCache cache(1, 4);
    update(cache, "kept");
    update(cache, "kept");
    for (int shape = 0; shape < 100; ++shape) update(cache, std::to_string(shape));
    QCOMPARE(cache.buckets(), std::size_t{5});
    QVERIFY(update(cache, "kept"));
    QVERIFY(cache.use("99").state == State::Watched);
    QVERIFY(cache.use("3").state == State::New);
    cache.clear();
    QCOMPARE(cache.buckets() + cache.graphs(), std::size_t{0});
  }

  void whatIsSentMustHaveBeenSaid() {
    const std::vector<torch::Tensor> said = {whole({1, 2}), {}, whole({3})};
    UploadCheck right(said);
    QVERIFY_THROWS_EXCEPTION(Failure, right.end());
    QCOMPARE(right.next(whole({1, 2})), std::size_t{0});
    QCOMPARE(right.next(whole({3})), std::size_t{2});
    right.end();
    QVERIFY_THROWS_EXCEPTION(Failure, right.next(whole({3})));
    UploadCheck numbers(said), shape(said), format(said);
    QVERIFY_THROWS_EXCEPTION(Failure, numbers.next(whole({1, 3})));
    QVERIFY_THROWS_EXCEPTION(Failure, shape.next(whole({1})));
    QVERIFY_THROWS_EXCEPTION(Failure, format.next(whole({1, 2}).to(torch::kInt32)));
  }
};

QTEST_GUILESS_MAIN(TestGraphCache)
#include "tst_graph_cache.moc"
