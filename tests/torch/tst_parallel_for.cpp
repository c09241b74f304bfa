// SPDX-License-Identifier: Apache-2.0
// Loops over threads: every item once, really at the same time, and failures reach the caller.
#include "core/nn/parallel_for.h"

#include <ATen/Parallel.h>

#include <QTest>
#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "core/base/errors/error.h"

using namespace fathom;

class ParallelForTest : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() { at::set_num_threads(2); }
  void cleanupTestCase() { at::set_num_threads(1); }

  void everyItemOnce_data() {
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("grain");
    for (const int count : {0, 1, 2, 7, 1000})
      for (const int grain : {0, 1, 3, 5000}) QTest::addRow("%d by %d", count, grain) << count << grain;
  }
  void everyItemOnce() {
    QFETCH(const int, count);
    QFETCH(const int, grain);
    std::vector<std::atomic<int>> seen(static_cast<std::size_t>(count));
    parallelFor(10, 10 + count, grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) ++seen[static_cast<std::size_t>(i - 10)];
    });
    for (const auto& times : seen) QCOMPARE(times.load(), 1);
  }

  // Each half waits until the other has begun: on one thread the first would wait in vain.
  void partsRunAtTheSameTime() {
    std::atomic<int> begun{0}, met{0};
    parallelFor(0, 2, 1, [&](std::int64_t, std::int64_t) {
      ++begun;
      const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
      while (begun < 2 && std::chrono::steady_clock::now() < limit) std::this_thread::yield();
      if (begun == 2) ++met;
    });
    QCOMPARE(met.load(), 2);
  }

  void aLoopWithinALoopStaysOnItsThread() {
    std::mutex lock;
    std::set<std::thread::id> inner;
    parallelFor(0, 2, 1, [&](std::int64_t begin, std::int64_t end) {
      if (begin > 0) return;
      parallelFor(0, 100, 1, [&](std::int64_t, std::int64_t) {
        const std::scoped_lock held(lock);
        inner.insert(std::this_thread::get_id());
      });
      QVERIFY(end > begin);
    });
    QCOMPARE(inner.size(), std::size_t{1});
  }

  void whatAPartThrowsIsThrownAgain() {
    QVERIFY_THROWS_EXCEPTION(Failure, parallelFor(0, 2, 1, [](std::int64_t begin, std::int64_t) {
                               if (begin == 1) throw Failure(usageError("the second part"));
                             }));
  }
};

QTEST_GUILESS_MAIN(ParallelForTest)
#include "tst_parallel_for.moc"
