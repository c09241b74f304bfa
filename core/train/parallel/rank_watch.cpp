// SPDX-License-Identifier: Apache-2.0
#include "core/train/parallel/rank_watch.h"

#include <c10/util/Exception.h>

#include <algorithm>
#include <thread>

#include "core/base/text/lines_of.h"
#include "core/base/threads/error_boundary.h"

namespace fathom {

namespace {

constexpr RankWatch::Milliseconds kSeldom{5000};  // between two feels of all hearts, at most
constexpr const char* kLeft = "left";

std::string leftKey(int rank) {
  return std::string(kLeft) + "/" + std::to_string(rank);
}

GoneRank lostFor(const Phrase& words) {
  return {{}, {unavailableError(Phrase(words)), true}};
}

}  // namespace

std::string firstLineOf(const std::string& text) {
  std::string_view line;
  LinesOf(text).next(line);
  return std::string(line);
}

std::string thrownBy(const std::function<void()>& work) {
  try {
    work();
  } catch (const c10::Error& error) {
    return firstLineOf(error.what_without_backtrace());
  } catch (...) {
    return firstLineOf(errorThrownBy([] { throw; })->text());
  }
  return {};
}

void GoneRank::raise() const {
  if (rank.empty()) throw RankLost(end.error.messagePhrase());
  endWith(rank, end);
}

RankWatch::RankWatch(StoreThread& store, StarterWatch starter, const Ranks& ranks, Milliseconds patience)
    : m_store(store),
      m_starter(std::move(starter)),
      m_rank(ranks.rank),
      m_size(ranks.size),
      m_patience(patience) {}

std::string RankWatch::nameOf(int rank) const {
  const auto at = static_cast<std::size_t>(rank);
  const std::string name = "rank " + std::to_string(rank);
  return at < m_machines.size() ? name + " on " + m_machines[at] : name;
}

void RankWatch::leave(const RankEnd& end) {
  if (m_storeGone) return;
  (void)thrownBy([&] {
    m_store.set(leftKey(m_rank), rankEndText(end), kDetective);
    m_store.set(kLeft, std::to_string(m_rank), kDetective);
  });
}

// One with an error of its own comes before those that only lost it.
std::optional<GoneRank> RankWatch::left(Milliseconds patience) {
  std::optional<GoneRank> lost;
  if (!m_store.has(kLeft, patience)) return lost;
  for (int i = 0; i < m_size; ++i) {
    if (i == m_rank || !m_store.has(leftKey(i), patience)) continue;
    GoneRank gone{nameOf(i), rankEndFrom(m_store.get(leftKey(i), patience))};
    if (!gone.end.lost) return gone;
    if (!lost) lost = std::move(gone);
  }
  return lost;
}

std::optional<GoneRank> RankWatch::gone(Milliseconds patience) {
  if (auto known = left(patience)) return known;
  std::optional<std::string> words;
  {
    const std::lock_guard lock(m_starterMutex);
    words = m_starter.ended();
  }
  if (!words) return std::nullopt;
  if (auto known = left(patience)) return known;  // it may have come meanwhile
  return lostFor(Phrase::words(*words));
}

std::optional<GoneRank> RankWatch::goneOrSilent() {
  std::optional<GoneRank> known;
  const std::string words = thrownBy([&] { known = gone(m_patience); });
  return words.empty() ? known : lostFor(Phrase::words(nameOf(0) + ": " + words));
}

std::int64_t RankWatch::beatsOf(int rank, Milliseconds patience) {
  return m_store.count(heartKey(rank), patience);
}

Phrase RankWatch::silence(int rank) const {
  return Phrase::tr("%1 has been silent for %2 s")(nameOf(rank),
                                                   static_cast<std::int64_t>(m_patience.count() / 1000));
}

// Which one: it has said why, its starter knows, or its heart has stopped.
void RankWatch::findLost(const std::string& words, const Phrase& apart) {
  std::string which;
  std::optional<GoneRank> known;
  const std::string storeGone = thrownBy([&] {
    std::vector<std::int64_t> before;
    for (int i = 0; i < m_size; ++i) before.push_back(beatsOf(i, kDetective));
    const auto until = Clock::now() + 3 * kBeat;
    while (!known && Clock::now() < until) {
      known = gone(kDetective);
      std::this_thread::sleep_for(kBeat / 10);  // the next beats are awaited
    }
    for (int i = 0; i < m_size && !known && which.empty(); ++i)
      if (i != m_rank && beatsOf(i, kDetective) == before[static_cast<std::size_t>(i)]) which = nameOf(i);
  });
  if (known) known->raise();
  m_storeGone = !storeGone.empty();
  if (m_storeGone) which = nameOf(0);
  if (which.empty() && !apart.empty())
    throw RankLost(Phrase::tr("the ranks did not find each other: %1")(words), apart);
  if (which.empty()) throw RankLost(Phrase::tr("a rank was lost: %1")(words));
  throw RankLost(Phrase::tr("%1 was lost: %2")(which, words));
}

bool RankWatch::look() {
  if (m_isFound) return true;
  const auto now = Clock::now();
  if (now - m_looked < kBeat) return false;
  m_looked = now;
  m_gone = found(now);
  m_isFound = m_gone.has_value();
  return m_isFound;
}

std::optional<GoneRank> RankWatch::found(Clock::time_point now) {
  const Milliseconds brief = std::min(m_patience, kDetective);
  std::optional<GoneRank> known;
  const std::string words = thrownBy([&] {
    known = gone(brief);
    if (!known && now - m_felt >= std::min(m_patience / 4, kSeldom)) known = silentOne(now, brief);
  });
  if (words.empty()) return known;
  if (m_store.silence() < m_patience) return std::nullopt;
  return lostFor(Phrase::tr("%1 was lost: %2")(nameOf(0), words));
}

// Looks that lie far apart begin anew.
std::optional<GoneRank> RankWatch::silentOne(Clock::time_point now, Milliseconds patience) {
  const bool anew = m_hearts.empty() || now - m_felt > m_patience;
  m_felt = now;
  m_hearts.resize(static_cast<std::size_t>(m_size));
  for (int i = 0; i < m_size; ++i) {
    if (i == m_rank) continue;
    Heart& heart = m_hearts[static_cast<std::size_t>(i)];
    const std::int64_t beats = beatsOf(i, patience);
    if (anew || beats != heart.beats) heart = {beats, now};
    if (now - heart.heard > m_patience) return lostFor(silence(i));
  }
  return std::nullopt;
}

void RankWatch::raiseFound() const {
  if (m_isFound) m_gone->raise();
}

}  // namespace fathom
