// SPDX-License-Identifier: Apache-2.0
#include "tests/torch/support_grammar_beam.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/decode/grammar_beam.h"
#include "core/decode/plain_grammar_scorer.h"
#include "core/spider/grammar/sql_tree.h"
#include "core/spider/spider_schema.h"

namespace fathom::fixtures {

std::vector<SearchedSchema> devExamples(std::size_t count) {
  const std::string dev = dataPath("spider/dev.json"), tables = dataPath("spider/tables.json");
  if (dev.empty() || tables.empty()) return {};
  const SpiderSchemas schemas = readSpiderTables(tables).value();
  const Json all = readJson(dev);
  const std::size_t stride = count == 0 ? 1 : std::max<std::size_t>(1, all.size() / count);
  std::vector<SearchedSchema> examples;
  for (std::size_t i = 0; i < all.size(); i += stride) {
    const SpiderSchema& schema = *findSchema(schemas, all[i].at("db_id").get<std::string>());
    const auto tokens = static_cast<std::int64_t>(all[i].at("question_toks").size());
    const int columns = expandedCount(schema);
    examples.push_back({tokens + columns + static_cast<std::int64_t>(schema.tables.size()) + 1, columns});
  }
  return examples;
}

GrammarDecoderSetup searchedDecoder() {
  GrammarDecoderSetup setup;
  setup.memory = 8;
  setup.heads = 2;
  setup.action = 5;
  setup.type = 4;
  setup.hidden = 8;
  setup.vector = 6;
  return setup;
}

DecoderMemory searchedMemory(const GrammarDecoder& decoder, const std::vector<SearchedSchema>& schemas,
                             std::uint64_t seed) {
  std::vector<std::int64_t> lengths, columns;
  std::int64_t rows = 0, columnRows = 0;
  for (const SearchedSchema& schema : schemas) {
    lengths.push_back(schema.memory);
    columns.push_back(schema.columns);
    rows += schema.memory;
    columnRows += schema.columns;
  }
  const at::NoGradGuard noGrad;
  const std::int64_t width = decoder.setup().memory;
  return decoder.prepare(randomRows(seed, rows, width), packingOf(lengths, torch::kCPU),
                         randomRows(seed + 1, columnRows, width), columns);
}

namespace {

std::string hypothesesDiffer(const GrammarSearchResult& own, const GrammarSearchResult& plain) {
  if (own.completed.size() != plain.completed.size())
    return std::to_string(own.completed.size()) + " completed instead of " +
           std::to_string(plain.completed.size());
  if (own.steps.size() != plain.steps.size()) return "another number of steps";
  for (std::size_t h = 0; h < own.completed.size(); ++h) {
    const GrammarHypothesis &a = own.completed[h], &b = plain.completed[h];
    if (a.actions != b.actions) return "hypothesis " + std::to_string(h) + " has other actions";
    if (std::abs(a.score - b.score) > 1e-9 * std::max(1.0, std::abs(b.score)))
      return "hypothesis " + std::to_string(h) + " has another score";
    for (std::size_t t = 0; t < a.logProbabilities.size(); ++t) {
      if (std::abs(a.logProbabilities[t] - b.logProbabilities[t]) > 1e-9)
        return "action " + std::to_string(t) + " of hypothesis " + std::to_string(h) + " has another score";
    }
  }
  return {};
}

}  // namespace

std::string searchDifference(std::uint64_t seed, const std::vector<SearchedSchema>& examples,
                             const GrammarSearchOptions& options, std::size_t batch) {
  RandomDecoder one(seed, searchedDecoder());
  std::size_t completed = 0;
  for (std::size_t first = 0; first < examples.size(); first += batch) {
    const std::size_t last = std::min(examples.size(), first + batch);
    const std::vector<SearchedSchema> part(examples.begin() + static_cast<std::ptrdiff_t>(first),
                                           examples.begin() + static_cast<std::ptrdiff_t>(last));
    const DecoderMemory memory = searchedMemory(one.decoder, part, seed + first);
    const std::vector<GrammarSearchResult> results = searchGrammarBatch(one.decoder, memory, options);
    for (std::size_t e = 0; e < part.size(); ++e) {
      PlainGrammarScorer scorer(one.decoder, memory.chosen(at::tensor({static_cast<std::int64_t>(e)})));
      const GrammarSearchResult plain = searchGrammar(part[e].columns, std::ref(scorer), options);
      completed += plain.completed.size();
      const std::string wrong = hypothesesDiffer(results[e], plain);
      if (!wrong.empty()) return "example " + std::to_string(first + e) + ": " + wrong;
    }
  }
  return completed > 0 ? "" : "no search completed anything";
}

}  // namespace fathom::fixtures
