// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/squad/squad_decoding.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "core/base/text/text_list.h"
#include "core/text/answers/answer_text.h"
#include "core/text/moses_13a_tokenizer.h"

namespace fathom {

namespace {

std::vector<SquadCandidate> bestPlaces(std::span<const double> logits, std::int64_t count) {
  std::vector<std::int64_t> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  const auto kept = std::min<std::size_t>(static_cast<std::size_t>(count), order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(),
                    [&](std::int64_t a, std::int64_t b) {
                      const double first = logits[static_cast<std::size_t>(a)];
                      const double second = logits[static_cast<std::size_t>(b)];
                      return first > second || (first == second && a < b);
                    });
  std::vector<SquadCandidate> best;
  for (std::size_t i = 0; i < kept; ++i)
    best.push_back({order[i], logits[static_cast<std::size_t>(order[i])]});
  return best;
}

// A pair of places that may be an answer; pieces of the passage, -1 for none.
struct ScoredSpan {
  std::int64_t first = -1, last = -1;
  double start = 0, end = 0;
  double sum() const { return start + end; }
};

// Pieces as BERT joins them again.
std::string joinedPieces(const SquadPassage& passage, std::int64_t first, std::int64_t last,
                         const TextEncoding& encoding) {
  std::string text;
  for (std::int64_t i = first; i <= last; ++i) {
    if (i > first) text += ' ';
    text += encoding.piece(passage.pieces[static_cast<std::size_t>(i)]);
  }
  replaceAll(text, " ##", "");
  replaceAll(text, "##", "");
  std::vector<std::string_view> words;
  splitAtWhiteSpace(text, words);
  return joined(words, " ");
}

std::string textOfPair(const ScoredSpan& pair, const SquadPassage& passage, const TextEncoding& encoding) {
  const auto first = static_cast<std::size_t>(pair.first), last = static_cast<std::size_t>(pair.last);
  if (!encoding.wordPieces()) {
    const auto begin = static_cast<std::size_t>(passage.ranges[first].begin);
    return passage.text.substr(begin, static_cast<std::size_t>(passage.ranges[last].end) - begin);
  }
  return recoveredText(joinedPieces(passage, pair.first, pair.last, encoding),
                       passage.joinedWords(passage.wordOfPiece[first], passage.wordOfPiece[last]),
                       encoding.lowerCase());
}

std::vector<ScoredSpan> possiblePairs(const SquadRows& rows, const std::vector<SquadWindowScores>& scores,
                                      const std::vector<std::int32_t>& best, std::int64_t offset,
                                      std::int64_t maxAnswer) {
  std::vector<ScoredSpan> pairs;
  for (std::size_t w = 0; w < rows.windows.size(); ++w) {
    const SquadWindow& window = rows.windows[w];
    const auto inside = [&](std::int64_t place) { return place >= offset && place < offset + window.length; };
    for (const SquadCandidate& start : scores[w].starts) {
      if (!inside(start.place)) continue;
      const std::int64_t first = start.place - offset + window.start;
      if (best[static_cast<std::size_t>(first)] != static_cast<std::int32_t>(w)) continue;
      for (const SquadCandidate& end : scores[w].ends) {
        if (!inside(end.place) || end.place < start.place || end.place - start.place + 1 > maxAnswer)
          continue;
        pairs.push_back({first, end.place - offset + window.start, start.logit, end.logit});
      }
    }
  }
  return pairs;
}

// The null answer of the window where it is least likely.
ScoredSpan nullPair(const std::vector<SquadWindowScores>& scores) {
  ScoredSpan none;
  double least = std::numeric_limits<double>::infinity();
  for (const SquadWindowScores& window : scores) {
    if (!(window.nullStart + window.nullEnd < least)) continue;
    least = window.nullStart + window.nullEnd;
    none.start = window.nullStart;
    none.end = window.nullEnd;
  }
  return none;
}

void setProbabilities(std::vector<SquadGuess>& guesses) {
  if (guesses.empty()) return;
  double largest = -std::numeric_limits<double>::infinity(), sum = 0;
  for (const SquadGuess& guess : guesses) largest = std::max(largest, guess.startLogit + guess.endLogit);
  for (SquadGuess& guess : guesses)
    sum += guess.probability = std::exp(guess.startLogit + guess.endLogit - largest);
  for (SquadGuess& guess : guesses) guess.probability /= sum;
}

}  // namespace

SquadWindowScores squadWindowScores(std::span<const double> starts, std::span<const double> ends,
                                    std::int64_t nBest) {
  return {bestPlaces(starts, nBest), bestPlaces(ends, nBest), starts[0], ends[0]};
}

SquadDecoded decodeSquad(const SquadRows& rows, const std::vector<SquadWindowScores>& scores,
                         const SquadPassage& passage, const SquadDecoding& how,
                         const TextEncoding& encoding) {
  SquadDecoded decoded;
  const auto best = bestWindows(rows.windows, static_cast<std::int64_t>(passage.pieces.size()));
  std::vector<ScoredSpan> pairs =
      possiblePairs(rows, scores, best, squadOffset(rows, encoding), how.maxAnswer);
  const ScoredSpan none = nullPair(scores);
  decoded.nullScore = none.sum();
  if (how.version2) pairs.push_back(none);
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const ScoredSpan& a, const ScoredSpan& b) { return a.sum() > b.sum(); });
  std::set<std::string> seen;
  const auto add = [&](const ScoredSpan& pair, std::string text) {
    decoded.nBest.push_back({std::move(text), pair.start, pair.end});
  };
  for (const ScoredSpan& pair : pairs) {
    if (static_cast<std::int64_t>(decoded.nBest.size()) >= how.nBest) break;
    std::string text = pair.first < 0 ? std::string() : textOfPair(pair, passage, encoding);
    if (!seen.insert(text).second && pair.first >= 0) continue;
    add(pair, std::move(text));
  }
  if (how.version2 && !seen.contains("")) add(none, {});
  setProbabilities(decoded.nBest);
  for (std::size_t i = 0; i < decoded.nBest.size() && !decoded.best; ++i)
    if (!decoded.nBest[i].text.empty()) decoded.best = i;
  if (!how.version2) {
    if (!decoded.nBest.empty()) decoded.text = decoded.nBest.front().text;
    return decoded;
  }
  if (!decoded.best) return decoded;
  const SquadGuess& guess = decoded.nBest[*decoded.best];
  decoded.nullDifference = decoded.nullScore - guess.startLogit - guess.endLogit;
  if (!(*decoded.nullDifference > how.threshold)) decoded.text = guess.text;
  return decoded;
}

Json squadGuessesJson(const std::vector<SquadGuess>& guesses) {
  Json list = Json::array();
  for (const SquadGuess& guess : guesses)
    list.push_back({{"text", guess.text},
                    {"probability", jsonReal(guess.probability)},
                    {"start_logit", jsonReal(guess.startLogit)},
                    {"end_logit", jsonReal(guess.endLogit)}});
  return list;
}

}  // namespace fathom
