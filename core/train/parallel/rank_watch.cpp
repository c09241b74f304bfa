// SPDX-License-Identifier: Apache-2.0
#include "core/train/parallel/rank_watch.h"

#include <c10/util/Exception.h>

#include <algorithm>
#include <thread>

#include "core/base/text/lines_of.h"
#include "core/base/threads/error_boundary.h"

namespace fathom {

namespace {

constexpr RankWatch::Milliseconds kMostBeat{500}, kMostBrief{1500};
constexpr RankWatch::Milliseconds kSeldom{5000};  // between two feels of all hearts, at most
constexpr int kBeatsATimeout = 16;                // at least
constexpr int kBeatsToFind = 3, kBeatsToEnd = 2;
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
  if (rank.empty()) throwLost(end.error.messagePhrase(), end.error);
  endWith(rank, end);
}

RankWatch::Milliseconds RankWatch::beat(Milliseconds timeout) {
  return std::min(kMostBeat, timeout / kBeatsATimeout);
}

RankWatch::Milliseconds RankWatch::quiet(Milliseconds timeout) {
  return timeout - (kBeatsToFind + kBeatsToEnd) * beat(timeout);
}

RankWatch::Milliseconds RankWatch::brief(Milliseconds timeout) {
  return std::min(kMostBrief, timeout / 4);
}

RankWatch::RankWatch(StoreThread& store, StarterWatch starter, const Ranks& ranks, Milliseconds timeout)
    : m_store(store),
      m_starter(std::move(starter)),
      m_rank(ranks.rank),
      m_size(ranks.size),
      m_timeout(timeout),
      m_beat(beat(timeout)),
      m_quiet(quiet(timeout)),
      m_brief(brief(timeout)) {}

std::string RankWatch::nameOf(int rank) const {
  const auto at = static_cast<std::size_t>(rank);
  const std::string name = "rank " + std::to_string(rank);
  return at < m_machines.size() ? name + " on " + m_machines[at] : name;
}

void RankWatch::leave(const RankEnd& end) {
  if (m_storeGone) return;
  (void)thrownBy([&] {
    m_store.set(leftKey(m_rank), rankEndText(end), m_brief);
    m_store.set(kLeft, std::to_string(m_rank), m_brief);
  });
}

void RankWatch::awaitOthers() {
  const auto until = Clock::now() + kMostBrief;
  (void)thrownBy([&] {
    for (int i = 0; i < m_size; ++i)
      while (i != m_rank && !m_store.has(leftKey(i), m_brief) && beatsOf(i, m_brief) > 0 && !starterSays() &&
             Clock::now() < until)
        std::this_thread::sleep_for(m_beat / 10);  // a store can only be asked
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

std::optional<std::string> RankWatch::starterSays() {
  const std::lock_guard lock(m_starterMutex);
  return m_starter.ended();
}

std::optional<GoneRank> RankWatch::gone(Milliseconds patience) {
  if (auto known = left(patience)) return known;
  const std::optional<std::string> words = starterSays();
  if (!words) return std::nullopt;
  if (auto known = left(patience)) return known;  // it may have come meanwhile
  return lostFor(Phrase::words(*words));
}

std::optional<GoneRank> RankWatch::goneOrSilent() {
  std::optional<GoneRank> known;
  const std::string words = thrownBy([&] { known = gone(m_quiet); });
  return words.empty() ? known : lostFor(Phrase::words(nameOf(0) + ": " + words));
}

std::int64_t RankWatch::beatsOf(int rank, Milliseconds patience) {
  return m_store.count(heartKey(rank), patience);
}

Phrase RankWatch::silence(int rank) const {
  return Phrase::tr("%1 has been silent for %2 s")(nameOf(rank),
                                                   static_cast<std::int64_t>(m_timeout.count() / 1000));
}

// Which one: it has said why, its starter knows, or its heart has stopped.
void RankWatch::findLost(const std::string& words, const Phrase& apart) {
  std::string which;
  std::optional<GoneRank> known;
  const std::string storeGone = thrownBy([&] {
    std::vector<std::int64_t> before;
    for (int i = 0; i < m_size; ++i) before.push_back(beatsOf(i, m_brief));
    const auto until = Clock::now() + kBeatsToFind * m_beat;
    while (!known && Clock::now() < until) {
      known = gone(m_brief);
      std::this_thread::sleep_for(m_beat / 10);  // the next beats are awaited
    }
    for (int i = 0; i < m_size && !known && which.empty(); ++i)
      if (i != m_rank && beatsOf(i, m_brief) == before[static_cast<std::size_t>(i)]) which = nameOf(i);
  });
  if (known) known->raise();
  m_storeGone = !storeGone.empty();
  if (m_storeGone) which = nameOf(0);
  const Phrase what =
      which.empty() ? Phrase::tr("a rank was lost: %1")(words) : Phrase::tr("%1 was lost: %2")(which, words);
  // Rank 0 may have gone since it did not find this one.
  const bool unmet = !apart.empty() && (which.empty() || m_storeGone);
  if (!unmet) throw RankLost(what);
  throw RankLost(
      Phrase::tr("the ranks did not find each other: %1")(m_storeGone ? what : Phrase::words(words)), apart);
}

bool RankWatch::look() {
  if (m_isFound) return true;
  const auto now = Clock::now();
  if (now - m_looked < m_beat) return false;
  m_looked = now;
  m_gone = found(now);
  m_isFound = m_gone.has_value();
  return m_isFound;
}

std::optional<GoneRank> RankWatch::found(Clock::time_point now) {
  std::optional<GoneRank> known;
  const std::string words = thrownBy([&] {
    known = gone(m_brief);
    if (!known && now - m_felt >= seldom()) known = silentOne(now);
  });
  if (words.empty()) return known;
  if (m_store.silence() < m_quiet) return std::nullopt;
  return lostFor(Phrase::tr("%1 was lost: %2")(nameOf(0), words));
}

RankWatch::Milliseconds RankWatch::seldom() const {
  return std::min(m_timeout / kBeatsATimeout, kSeldom);
}

// Looks that lie far apart begin anew. A beat may be as old as the look before the one that has found it, and
// the next look comes as late.
std::optional<GoneRank> RankWatch::silentOne(Clock::time_point now) {
  const bool anew = m_hearts.empty() || now - m_felt > m_quiet;
  m_felt = now;
  m_hearts.resize(static_cast<std::size_t>(m_size));
  for (int i = 0; i < m_size; ++i) {
    if (i == m_rank) continue;
    Heart& heart = m_hearts[static_cast<std::size_t>(i)];
    const std::int64_t beats = beatsOf(i, m_brief);
    if (anew || beats != heart.beats) heart = {beats, now};
    if (now - heart.heard > m_quiet - 2 * seldom()) return lostFor(silence(i));
  }
  return std::nullopt;
}

void RankWatch::raiseFound() const {
  if (m_isFound) m_gone->raise();
}

}  // namespace fathom
