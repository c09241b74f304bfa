// SPDX-License-Identifier: Apache-2.0
// Which device a rank has, what the ranks compare of them, and the way of gradients on cards through a
// plug-in whose cards are memory of this process.
#include <ATen/Functions.h>

#include <QTest>
#include <chrono>
#include <future>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "core/base/threads/error_boundary.h"
#include "core/train/parallel/device_sum.h"
#include "core/train/parallel/gloo_exchange.h"
#include "core/train/parallel/rank_devices.h"
#include "tests/torch/support_thread_ranks.h"

namespace fathom::test {

namespace {

// A plug-in for the ranks of one process that adds on the processor, the last rank first.
struct MadeGroup {
  int rank = 0, size = 1;
  struct Begun {
    torch::Tensor mine, all;  // `all` undefined: a sum
    std::size_t round = 0;
  };
  std::vector<Begun> begun;
  std::size_t rounds = 0;
};
struct MadeSums {
  std::mutex mutex;
  std::map<std::size_t, std::map<int, torch::Tensor>> rounds;  // by rank
  std::set<std::string> left;                                  // "rank 0 well"
  bool fails = false;
};
MadeSums& madeSums() {
  static MadeSums sums;
  return sums;
}

int beginMade(void* group, const torch::Tensor* mine, const torch::Tensor& all) {
  auto* made = static_cast<MadeGroup*>(group);
  const std::lock_guard lock(madeSums().mutex);
  madeSums().rounds[made->rounds][made->rank] = mine->clone();
  made->begun.push_back({*mine, all, made->rounds++});
  return 0;
}
int followMade(void* group) {
  auto* made = static_cast<MadeGroup*>(group);
  const std::lock_guard lock(madeSums().mutex);
  for (MadeGroup::Begun& one : made->begun) {
    auto& theirs = madeSums().rounds.at(one.round);
    if (!one.all.defined()) one.mine.zero_();
    for (int rank = made->size - 1; rank >= 0; --rank) {
      const std::int64_t count = one.mine.numel();
      if (one.all.defined())
        one.all.narrow(0, rank * count, count).copy_(theirs.at(rank));
      else
        one.mine.add_(theirs.at(rank));
    }
  }
  made->begun.clear();
  return 0;
}
int madeAreDone(void* group) {
  const auto* made = static_cast<const MadeGroup*>(group);
  const std::lock_guard lock(madeSums().mutex);
  if (madeSums().fails) return -1;
  for (const MadeGroup::Begun& one : made->begun)
    if (static_cast<int>(madeSums().rounds.at(one.round).size()) < made->size) return 0;
  return 1;
}
void leaveMade(void* group, int broken) {
  const std::unique_ptr<MadeGroup> made(static_cast<MadeGroup*>(group));
  const std::lock_guard lock(madeSums().mutex);
  madeSums().left.insert("rank " + std::to_string(made->rank) + (broken != 0 ? " broken" : " well"));
}

const NcclTable& madeTable() {
  static const NcclTable table = [] {
    NcclTable made;
    made.failure = [] { return "no such thing"; };
    made.join = [](const NcclPlace* place) -> void* {
      return place->device < 0 ? nullptr : new MadeGroup{place->rank, place->size, {}, 0};
    };
    made.add = [](void* group, const torch::Tensor* flat) { return beginMade(group, flat, {}); };
    made.collect = [](void* group, const torch::Tensor* mine, const torch::Tensor* all) {
      return beginMade(group, mine, *all);
    };
    made.done = madeAreDone;
    made.follow = followMade;
    made.leave = leaveMade;
    return made;
  }();
  return table;
}

void forgetMade() {
  madeSums().rounds.clear();
  madeSums().left.clear();
  madeSums().fails = false;
}

// Three numbers of float32 whose sum is 1 in this order, and 0 in the other.
const std::vector<float> kShares = {1e8F, -1e8F, 1.0F};

std::string textOfThrown(const std::function<void()>& work) {
  const auto error = errorThrownBy(work);
  return error ? error->text() : std::string();
}

}  // namespace

class RankDevicesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void eachRankHasItsOwn_data();
  void eachRankHasItsOwn();
  void cardsAreCompared_data();
  void cardsAreCompared();
  void sumsGoThroughThePlugin_data();
  void sumsGoThroughThePlugin();
  void whatFailsIsThrown();
  void glooAddsOnTheProcessorAlone();
};

void RankDevicesTest::eachRankHasItsOwn_data() {
  QTest::addColumn<QString>("wanted");
  QTest::addColumn<int>("rank");
  QTest::addColumn<int>("size");
  QTest::addColumn<int>("cards");
  QTest::addColumn<bool>("slurm");
  QTest::addColumn<QString>("device");  // or the words of the error
  const auto row = [](const char* wanted, int rank, int size, int cards, const char* device,
                      bool slurm = false) {
    QTest::addRow("%s, rank %d of %d, %d cards%s", wanted, rank, size, cards, slurm ? ", Slurm" : "")
        << QString(wanted) << rank << size << cards << slurm << QString(device);
  };
  row("auto", 0, 2, 2, "cuda:0");
  row("auto", 1, 2, 2, "cuda:1");
  row("auto", 1, 2, 0, "auto");
  row("cuda", 3, 4, 8, "cuda:3");
  row("cuda:4", 3, 4, 8, "cuda:7");
  row("cuda:5", 0, 4, 8, "4 ranks of this machine need a CUDA device each, from cuda:5 on; there are 3");
  row("cuda:9", 0, 2, 8, "from cuda:9 on; there are 0");
  row("auto", 2, 4, 2, "there are 2 (take parallel.ranks=2 at the most, or device=cpu)");
  row("cpu", 1, 2, 8, "cpu");
  row("cuda:1", 0, 1, 8, "cuda:1");
  row("cuda:x", 1, 2, 8, "cuda:x");  // is refused as that
  row("cuda:1", 1, 2, 0, "cuda:1");
  row("auto", 1, 2, 1, "cuda:0", true);
  row("auto", 1, 2, 1, "2 ranks of this machine");
  row("auto", 3, 4, 2, "there are 2", true);
}

void RankDevicesTest::eachRankHasItsOwn() {
  QFETCH(QString, wanted);
  QFETCH(int, rank);
  QFETCH(int, size);
  QFETCH(int, cards);
  QFETCH(bool, slurm);
  QFETCH(QString, device);
  Ranks ranks;
  ranks.starter = slurm ? Ranks::Starter::Slurm : Ranks::Starter::Torchrun;
  ranks.rank = ranks.localRank = rank;
  ranks.size = ranks.localSize = size;
  const auto found = deviceOfRank(wanted.toStdString(), ranks, cards);
  if (!device.contains(' ')) {
    QVERIFY2(found.ok(), found.ok() ? "" : found.error().text().c_str());
    QCOMPARE(QString::fromStdString(*found), device);
    return;
  }
  QVERIFY(!found.ok() && found.error().key == "device");
  QVERIFY2(QString::fromStdString(found.error().text()).contains(device), found.error().text().c_str());
}

void RankDevicesTest::cardsAreCompared_data() {
  QTest::addColumn<QStringList>("cards");
  QTest::addColumn<QString>("said");
  QTest::newRow("each its own") << QStringList{"a 1", "a 2", "b 1"} << QString();
  QTest::newRow("all on the processor") << QStringList{"", "", ""} << QString();
  QTest::newRow("the same") << QStringList{"a 1", "a 2", "a 1"}
                            << "rank 0 of threads and rank 2 of threads have the same card, a 1";
  QTest::newRow("one on the processor")
      << QStringList{"a 1", "", "a 2"} << "rank 1 of threads computes on the processor, rank 0 on a card";
  QTest::newRow("one on a card") << QStringList{"", "", "a 2"}
                                 << "rank 2 of threads computes on a card, rank 0 on the processor";
}

void RankDevicesTest::cardsAreCompared() {
  QFETCH(QStringList, cards);
  QFETCH(QString, said);
  std::vector<std::string> all(3);
  ThreadRanks ranks(3);
  ranks.together([&](GradientExchange& exchange) {
    const std::string own = cards.at(exchange.rank()).toStdString();
    all[static_cast<std::size_t>(exchange.rank())] = textOfThrown([&] { compareCards(exchange, own); });
  });
  for (const std::string& words : all)
    QVERIFY2(said.isEmpty() ? words.empty() : QString::fromStdString(words).contains(said), words.c_str());
}

void RankDevicesTest::sumsGoThroughThePlugin_data() {
  QTest::addColumn<bool>("ordered");
  QTest::newRow("as it comes") << false;
  QTest::newRow("in order") << true;
}

void RankDevicesTest::sumsGoThroughThePlugin() {
  QFETCH(bool, ordered);
  forgetMade();
  std::vector<torch::Tensor> flats;
  {
    std::vector<std::unique_ptr<DeviceSum>> sums;
    const int size = static_cast<int>(kShares.size());
    for (int rank = 0; rank < size; ++rank) {
      NcclPlace place;
      place.rank = rank;
      place.size = size;
      sums.push_back(std::make_unique<DeviceSum>(madeTable(), place, ordered));
      flats.push_back(at::full({5}, kShares[static_cast<std::size_t>(rank)]));
    }
    for (std::size_t rank = 0; rank < sums.size(); ++rank) {
      QVERIFY(rank == 0 || !sums[0]->done());
      sums[rank]->add(flats[rank]);
    }
    for (auto& sum : sums) {
      QVERIFY(sum->done());
      sum->take();
    }
    sums.back()->breakOff();
  }
  for (const torch::Tensor& flat : flats) QVERIFY(flat.eq(ordered ? 1 : 0).all().item<bool>());
  QCOMPARE(madeSums().left, (std::set<std::string>{"rank 0 well", "rank 1 well", "rank 2 broken"}));
}

void RankDevicesTest::whatFailsIsThrown() {
  forgetMade();
  NcclPlace nowhere;
  nowhere.device = -1;
  QCOMPARE(textOfThrown([&] { DeviceSum(madeTable(), nowhere, false); }), std::string("no such thing"));
  {
    NcclPlace place;
    place.size = 2;
    DeviceSum sum(madeTable(), place, false);
    sum.add(torch::ones({3}));
    QVERIFY(!sum.done());
    madeSums().fails = true;
    QCOMPARE(textOfThrown([&] { sum.done(); }), std::string("no such thing"));
  }
  // What was begun and has not come is given up.
  QCOMPARE(madeSums().left, (std::set<std::string>{"rank 0 broken"}));
}

void RankDevicesTest::glooAddsOnTheProcessorAlone() {
  if (!hasGloo()) QSKIP("this build has no Gloo");
  std::promise<int> served;
  std::future<int> port = served.get_future();
  ParallelSettings settings;
  settings.timeout = 20;
  std::string said[2];
  const auto join = [&](int rank) {
    Ranks ranks;
    ranks.starter = Ranks::Starter::Ourselves;
    ranks.rank = rank;
    ranks.size = 2;
    ranks.address = "127.0.0.1";
    StarterWatch watch;
    watch.serving = [&](int at) { served.set_value(at); };
    if (rank > 0) {
      if (port.wait_for(std::chrono::seconds(20)) != std::future_status::ready)
        throw std::runtime_error("no port");
      ranks.port = port.get();
    }
    const auto exchange = joinByGloo(ranks, settings, watch);
    exchange->useDevice(torch::kCPU);
    said[rank] = textOfThrown([&] { exchange->launch(at::empty({4}, at::kMeta)); });
    const torch::Tensor flat = torch::ones({4});
    exchange->launch(flat);
    exchange->finish();
    if (!flat.eq(2).all().item<bool>()) said[rank] = "no sum";
  };
  std::optional<Error> failed[2];
  std::thread other([&] { failed[1] = errorThrownBy([&] { join(1); }); });
  failed[0] = errorThrownBy([&] { join(0); });
  other.join();
  for (const auto& failure : failed) QVERIFY2(!failure, failure ? failure->text().c_str() : "");
  for (const std::string& words : said) QCOMPARE(words, std::string("Gloo adds tensors of cpu, not of meta"));
}

}  // namespace fathom::test

using fathom::test::RankDevicesTest;
QTEST_GUILESS_MAIN(RankDevicesTest)
#include "tst_rank_devices.moc"
