// SPDX-License-Identifier: Apache-2.0
// Ranks on their way to each other by Gloo: the one that gives up first tells the others why, and each ends
// with a sentence of ours, in whatever order they end.
#include <QElapsedTimer>
#include <QTest>
#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <thread>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "core/base/files/process_identity.h"
#include "core/train/parallel/gloo_exchange.h"
#include "tests/unit/support_waiting.h"

namespace fathom::test {

namespace {

constexpr const char* kHere = "127.0.0.1";
constexpr double kLong = 30, kShort = 4;  // timeouts in seconds
constexpr qint64 kSoon = 10'000;          // ms, far below the long one

struct EndOfMeeting {
  bool met = false, lost = false;
  Error error;
};

EndOfMeeting meetAs(int rank, int port, const std::string& interface, double timeout,
                    const StarterWatch& watch) {
  Ranks ranks;
  ranks.starter = Ranks::Starter::Ourselves;
  ranks.rank = ranks.localRank = rank;
  ranks.size = ranks.localSize = 2;
  ranks.address = kHere;
  ranks.port = port;
  ParallelSettings settings;
  settings.interface = interface;
  settings.timeout = timeout;
  EndOfMeeting end;
  try {
    joinByGloo(ranks, settings, watch);
    end.met = true;
  } catch (const RankLost& lost) {
    end.lost = true;
    end.error = lost.error();
  } catch (const Failure& failure) {
    end.error = failure.error();
  }
  return end;
}

// One of two ranks as the other sees it in the store where they meet: it has come, and never makes a group.
class Ghost {
 public:
  Ghost(int rank, int port) : m_rank(std::to_string(rank)) {
    c10d::TCPStoreOptions options;
    options.port = static_cast<std::uint16_t>(port);
    options.isServer = rank == 0;
    options.waitWorkers = false;
    const auto store = c10::make_intrusive<c10d::TCPStore>(kHere, options);
    m_port = store->getPort();
    m_store = c10::make_intrusive<c10d::PrefixStore>("fathom/0", store);
    m_store->add("beat/" + m_rank, 1);
    set("all/0/" + m_rank, hostName());
    set("all/1/" + m_rank, kHere);
  }
  int port() const { return m_port; }
  void leave(const RankEnd& end) {
    set("left/" + m_rank, rankEndText(end));
    set("left", m_rank);
  }

 private:
  void set(const std::string& key, const std::string& text) {
    std::vector<std::uint8_t> bytes{'='};
    bytes.insert(bytes.end(), text.begin(), text.end());
    m_store->set(key, bytes);
  }
  std::string m_rank;
  int m_port = 0;
  c10::intrusive_ptr<c10d::Store> m_store;
};

bool says(const Error& error, const std::string& words) {
  return error.text().find(words) != std::string::npos;
}

}  // namespace

class RankMeetingTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void anErrorOnTheWayIsThatOfAll_data();
  void anErrorOnTheWayIsThatOfAll();
  void whoGivesUpFirstTellsTheOther();
  void aStoreThatEndsIsNoOtherStory();
};

void RankMeetingTest::initTestCase() {
  if (!hasGloo()) QSKIP("SKIPPED-ALL this program was built without Gloo's headers");
}

void RankMeetingTest::anErrorOnTheWayIsThatOfAll_data() {
  QTest::addColumn<int>("failing");
  QTest::newRow("the first's") << 0;
  QTest::newRow("another's") << 1;
}

// An interface that one machine lacks. The first rank begins once the other one waits for it.
void RankMeetingTest::anErrorOnTheWayIsThatOfAll() {
  QFETCH(int, failing);
  std::array<EndOfMeeting, 2> ends;
  std::atomic<bool> waits = false;
  std::thread second;
  const auto interfaceOf = [&](int rank) { return rank == failing ? "nosuch0" : "lo"; };
  StarterWatch first;
  first.serving = [&](int port) {
    second = std::thread([&, port] {
      StarterWatch watch;
      watch.ended = [&waits] {
        waits = true;
        return std::optional<std::string>();
      };
      ends[1] = meetAs(1, port, interfaceOf(1), kShort, watch);
      waits = true;
    });
    waitFor([&] { return waits.load(); });
  };
  ends[0] = meetAs(0, 0, interfaceOf(0), kShort, first);
  second.join();
  for (const EndOfMeeting& end : ends) {
    QVERIFY2(!end.met && !end.lost && says(end.error, "there is no network interface 'nosuch0'"),
             end.error.text().c_str());
    QVERIFY(end.error.resource == ResourceKind::Unavailable && end.error.key == "parallel.interface");
  }
  const std::string whose = "rank " + std::to_string(failing) + ": ";
  QCOMPARE(ends[static_cast<std::size_t>(1 - failing)].error.message.substr(0, whose.size()), whose);
}

// While Gloo waits for its peer.
void RankMeetingTest::whoGivesUpFirstTellsTheOther() {
  std::unique_ptr<Ghost> other;
  StarterWatch watch;
  watch.serving = [&](int port) {
    other = std::make_unique<Ghost>(1, port);
    other->leave(
        {unavailableError("the ranks did not find each other: refused", "name it: parallel.interface"),
         true});
  };
  QElapsedTimer clock;
  clock.start();
  const EndOfMeeting end = meetAs(0, 0, "lo", kLong, watch);
  QVERIFY2(clock.elapsed() < kSoon, qPrintable(QString::number(clock.elapsed())));
  QVERIFY(end.lost);
  QCOMPARE(end.error.message, "rank 1 on " + hostName() + ": the ranks did not find each other: refused");
  QCOMPARE(end.error.hint, std::string("name it: parallel.interface"));
}

// The first rank goes without a word, and the store with it.
void RankMeetingTest::aStoreThatEndsIsNoOtherStory() {
  auto first = std::make_unique<Ghost>(0, 0);
  std::atomic<bool> waits = false;
  StarterWatch watch;
  watch.ended = [&waits] {
    waits = true;
    return std::optional<std::string>();
  };
  EndOfMeeting end;
  std::thread second([&, port = first->port()] { end = meetAs(1, port, "lo", kLong, watch); });
  const bool seen = waitFor([&] { return waits.load(); });
  QElapsedTimer clock;
  clock.start();
  first.reset();
  second.join();
  QVERIFY(seen && end.lost);
  QVERIFY2(clock.elapsed() < kSoon, qPrintable(QString::number(clock.elapsed())));
  QVERIFY2(says(end.error, "the ranks did not find each other: rank 0 on " + hostName() + " was lost: ") &&
               says(end.error, "parallel.interface"),
           end.error.text().c_str());
  QVERIFY(!says(end.error, "frame #") && !says(end.error, "\n"));
}

}  // namespace fathom::test

using fathom::test::RankMeetingTest;
QTEST_GUILESS_MAIN(RankMeetingTest)
#include "tst_rank_meeting.moc"
