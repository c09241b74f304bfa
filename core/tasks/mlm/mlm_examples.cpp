// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/mlm/mlm_examples.h"

#include "core/base/errors/phrase.h"

#include <algorithm>
#include <cmath>

namespace fathom {

namespace {

using Tokens = std::vector<std::int32_t>;

// Uniform in [low, high], both included.
std::int64_t between(RandomStream& random, std::int64_t low, std::int64_t high) {
  return low + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(high - low + 1)));
}

void append(Tokens& to, std::span<const std::int32_t> from) {
  to.insert(to.end(), from.begin(), from.end());
}

// Shortens the longer of the two (the second when equal) by one token, from front or back, until both fit.
void truncatePair(Tokens& first, Tokens& second, std::int64_t most, RandomStream& random) {
  std::size_t firstFront = 0, secondFront = 0, firstEnd = first.size(), secondEnd = second.size();
  while (static_cast<std::int64_t>(firstEnd - firstFront + secondEnd - secondFront) > most) {
    const bool cutFirst = firstEnd - firstFront > secondEnd - secondFront;
    const bool front = random.uniform() < 0.5;
    if (front)
      ++(cutFirst ? firstFront : secondFront);
    else
      --(cutFirst ? firstEnd : secondEnd);
  }
  const auto keep = [](Tokens& tokens, std::size_t from, std::size_t to) {
    tokens = Tokens(tokens.begin() + static_cast<std::ptrdiff_t>(from),
                    tokens.begin() + static_cast<std::ptrdiff_t>(to));
  };
  keep(first, firstFront, firstEnd);
  keep(second, secondFront, secondEnd);
}

// Sentences from a random place of a document other than `own` (10 tries) until `wanted` tokens are there.
Tokens randomSecond(const MlmDocumentTokens& documents, std::int64_t own, std::int64_t wanted,
                    RandomStream& random) {
  std::int64_t other = own;
  for (int attempt = 0; attempt < 10 && other == own; ++attempt)
    other = between(random, 0, documents.count() - 1);
  const std::int64_t begin = documents.begins[static_cast<std::size_t>(other)];
  const std::int64_t count = documents.sentenceCount(other);
  Tokens tokens;
  for (std::int64_t i = between(random, 0, count - 1); i < count; ++i) {
    append(tokens, documents.sentences[begin + i]);
    if (static_cast<std::int64_t>(tokens.size()) >= wanted) break;
  }
  return tokens;
}

MlmExample assemble(const Tokens& first, const Tokens& second, bool randomNext,
                    const MlmVocabulary& vocabulary) {
  MlmExample example;
  example.randomNext = randomNext;
  example.tokens.push_back(static_cast<std::int32_t>(vocabulary.cls));
  append(example.tokens, first);
  example.tokens.push_back(static_cast<std::int32_t>(vocabulary.sep));
  example.firstLength = static_cast<std::int32_t>(example.tokens.size());
  if (second.empty()) return example;
  for (std::int64_t i = 1; i < vocabulary.separators; ++i)
    example.tokens.push_back(static_cast<std::int32_t>(vocabulary.sep));
  append(example.tokens, second);
  example.tokens.push_back(static_cast<std::int32_t>(vocabulary.sep));
  return example;
}

// Tokens of both parts: `most` without [CLS] and [SEP].
std::int64_t drawTarget(std::int64_t most, const MlmExampleOptions& options, RandomStream& random) {
  return random.uniform() < options.shortShare ? between(random, 2, most) : most;
}

// Positions that are masked together: single ones, or words.
std::vector<std::vector<std::int32_t>> candidates(const MlmExample& example, const MlmVocabulary& vocabulary,
                                                  bool wholeWords) {
  std::vector<std::vector<std::int32_t>> groups;
  for (std::size_t i = 0; i < example.tokens.size(); ++i) {
    const std::int32_t token = example.tokens[i];
    if (token == vocabulary.cls || token == vocabulary.sep) continue;
    const auto position = static_cast<std::int32_t>(i);
    const bool joins = wholeWords && !groups.empty() && groups.back().back() == position - 1 &&
                       vocabulary.continues[static_cast<std::size_t>(token)];
    if (joins)
      groups.back().push_back(position);
    else
      groups.push_back({position});
  }
  return groups;
}

std::int32_t replacement(std::int32_t token, const MlmVocabulary& vocabulary, RandomStream& random) {
  if (random.uniform() < 0.8) return static_cast<std::int32_t>(vocabulary.mask);
  if (random.uniform() < 0.5) return token;
  return static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(vocabulary.size)));
}

}  // namespace

void maskTokens(MlmExample& example, const MlmVocabulary& vocabulary, const MlmExampleOptions& options,
                RandomStream& random) {
  const auto groups = candidates(example, vocabulary, options.wholeWords);
  const auto rounded = static_cast<std::int64_t>(
      std::nearbyint(static_cast<double>(example.tokens.size()) * options.maskedShare));
  const auto wanted =
      static_cast<std::size_t>(std::min(options.maxPredictions, std::max<std::int64_t>(1, rounded)));
  std::vector<std::int32_t> chosen;
  for (const std::int64_t group : random.permutation(static_cast<std::int64_t>(groups.size()))) {
    const auto& positions = groups[static_cast<std::size_t>(group)];
    if (chosen.size() >= wanted) break;
    if (chosen.size() + positions.size() > wanted) continue;
    chosen.insert(chosen.end(), positions.begin(), positions.end());
  }
  std::sort(chosen.begin(), chosen.end());
  for (const std::int32_t position : chosen) {
    std::int32_t& token = example.tokens[static_cast<std::size_t>(position)];
    example.positions.push_back(position);
    example.labels.push_back(token);
    token = replacement(token, vocabulary, random);
  }
}

std::vector<MlmExample> examplesOfDocument(const MlmDocumentTokens& documents, std::int64_t document,
                                           const MlmVocabulary& vocabulary, const MlmExampleOptions& options,
                                           RandomStream& random) {
  const std::int64_t most = options.maxLength - 2 - vocabulary.separators;
  const std::int64_t begin = documents.begins[static_cast<std::size_t>(document)];
  const std::int64_t count = documents.sentenceCount(document);
  const std::int64_t target = drawTarget(most, options, random);
  std::vector<MlmExample> examples;
  std::int64_t chunkBegin = 0, chunkLength = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    chunkLength += static_cast<std::int64_t>(documents.sentences[begin + i].size());
    if (i + 1 < count && chunkLength < target) continue;
    const std::int64_t sentences = i + 1 - chunkBegin;
    const std::int64_t firstCount = sentences >= 2 ? between(random, 1, sentences - 1) : 1;
    Tokens first, second;
    for (std::int64_t s = 0; s < firstCount; ++s) append(first, documents.sentences[begin + chunkBegin + s]);
    const bool randomNext =
        options.randomNext > 0 && (sentences == 1 || random.uniform() < options.randomNext);
    if (randomNext) {
      second = randomSecond(documents, document, target - static_cast<std::int64_t>(first.size()), random);
      i = chunkBegin + firstCount - 1;  // the sentences that were not used come again
    } else {
      for (std::int64_t s = firstCount; s < sentences; ++s)
        append(second, documents.sentences[begin + chunkBegin + s]);
    }
    truncatePair(first, second, most, random);
    examples.push_back(assemble(first, second, randomNext, vocabulary));
    maskTokens(examples.back(), vocabulary, options, random);
    chunkBegin = i + 1;
    chunkLength = 0;
  }
  return examples;
}

Result<std::vector<MlmExample>> makeMlmExamples(const MlmDocumentTokens& documents,
                                                const MlmVocabulary& vocabulary,
                                                const MlmExampleOptions& options, std::uint64_t seed,
                                                const TaskSetup& setup) {
  if (setup.progress != nullptr)
    setup.progress->begin(Phrase::tr("making examples").english, Phrase::tr("documents").english,
                          static_cast<double>(documents.count() * options.duplicates));
  std::vector<MlmExample> examples;
  for (std::int64_t duplicate = 0; duplicate < options.duplicates; ++duplicate) {
    for (std::int64_t document = 0; document < documents.count(); ++document) {
      if (setup.stop.stopRequested()) return interruptedError();
      RandomStream random(streamSeed(seed, "mlm.examples", {duplicate, document}));
      for (MlmExample& example : examplesOfDocument(documents, document, vocabulary, options, random))
        examples.push_back(std::move(example));
    }
    if (setup.progress != nullptr)
      setup.progress->report(static_cast<double>((duplicate + 1) * documents.count()));
  }
  std::vector<MlmExample> shuffled;
  shuffled.reserve(examples.size());
  RandomStream order(streamSeed(seed, "mlm.order"));
  for (const std::int64_t i : order.permutation(static_cast<std::int64_t>(examples.size())))
    shuffled.push_back(std::move(examples[static_cast<std::size_t>(i)]));
  return shuffled;
}

}  // namespace fathom
