// SPDX-License-Identifier: Apache-2.0
#include "core/spider/judgement/spider_review.h"
#include "core/base/files/path_facts.h"

#include <algorithm>
#include <filesystem>

#include "core/base/errors/phrase.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/json/json_members.h"
#include "core/base/threads/thread_ranges.h"
#include "core/spider/data/spider_dataset.h"
#include "core/spider/data/text_lines.h"

namespace fathom {

namespace {

constexpr std::size_t kMaxPredictionBytes = std::size_t{256} << 20;

std::string datasetIdentity(const std::vector<GoldLine>& gold) {
  Sha256 hash;
  for (const auto& line : gold) {
    // Stored verdicts are of this identity, in which a line break is a blank.
    std::string sql = line.sql;
    for (char& c : sql)
      if (c == '\t' || c == '\r' || c == '\n') c = ' ';
    hash.update(sql);
    hash.update("\t");
    hash.update(line.dbId);
    hash.update("\n");
  }
  return hash.hex();
}

Result<std::vector<std::string>> readQuestions(const SpiderSources& sources, std::size_t count) {
  if (sources.questions.empty()) return std::vector<std::string>();
  FATHOM_TRY(const SpiderDataset dataset, readSpiderDataset(sources.questions));
  if (dataset.examples.size() != count) {
    return dataErrorAt(sources.questions, 0,
                       Phrase::tr("%1 questions for %2 gold queries")(dataset.examples.size(), count),
                       Phrase::tr("give the JSON file of the same split as the gold file"));
  }
  std::vector<std::string> questions;
  for (const auto& example : dataset.examples) questions.push_back(example.question);
  return questions;
}

Status readFeatures(SpiderReview& review, int threads) {
  review.features.resize(review.examples());
  return forRanges(review.examples(), threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const bool again = i > first && review.gold[i].sql == review.gold[i - 1].sql &&
                         review.gold[i].dbId == review.gold[i - 1].dbId;
      if (again) {
        review.features[i] = review.features[i - 1];
        continue;
      }
      const SpiderSchema* schema = findSchema(review.schemas, review.gold[i].dbId);
      if (!schema) continue;
      const PreparedSql gold = prepareSql(review.gold[i].sql, *schema);
      if (gold.ok()) review.features[i] = sqlFeatures(gold.canon);
    }
  });
}

Status identify(const SpiderReview& review, SpiderModel& model, int threads) {
  model.normalised.resize(model.pairs.size());
  FATHOM_CHECK(forRanges(model.pairs.size(), threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) model.normalised[i] = normalisedSql(model.pairs[i].predicted);
  }));
  Sha256 hash;
  hash.update(review.dataset);
  for (const auto& sql : model.normalised) {
    hash.update("\n");
    hash.update(sql);
  }
  model.identity = hash.hex();
  return {};
}

Result<SpiderModel> readModel(const SpiderReview& review, const SpiderPredictions& source) {
  SpiderModel model;
  model.name = source.name;
  model.path = source.path;
  FATHOM_TRY(const std::string bytes, readFile(source.path, kMaxPredictionBytes));
  model.fileHash = sha256Hex(bytes);
  SpiderDatabaseIds known;
  for (const auto& [id, schema] : review.schemas) known.insert(id);
  FATHOM_TRY(PairedPredictions paired, parsePredictions(bytes, source.path, source.options, review.gold,
                                                        known, PredictionPairing::Careful));
  model.pairs = std::move(paired.pairs);
  model.numbers = std::move(paired.numbers);
  model.notes = std::move(paired.notes);
  return model;
}

template <class T>
void keepWhere(const std::vector<bool>& kept, std::vector<T>& items) {
  std::size_t to = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!kept[i]) continue;
    if (to != i) items[to] = std::move(items[i]);
    ++to;
  }
  items.resize(to);
}

// Drops what no file has a prediction for, and notes how much that is.
void keepPredicted(SpiderReview& review) {
  std::vector<bool> kept(review.examples(), false);
  for (const SpiderModel& model : review.models)
    for (std::size_t i = 0; i < kept.size(); ++i) kept[i] = kept[i] || model.numbers[i] >= 0;
  const auto dropped = std::count(kept.begin(), kept.end(), false);
  if (dropped == 0) return;
  review.notes.push_back(
      Phrase::tr("%1 examples of the gold file have no prediction and are left out")(dropped));
  keepWhere(kept, review.gold);
  if (!review.questions.empty()) keepWhere(kept, review.questions);
  for (SpiderModel& model : review.models) {
    keepWhere(kept, model.pairs);
    const auto missing = [&model] { return std::count(model.numbers.begin(), model.numbers.end(), -1); };
    std::erase(model.notes, missingNote(missing(), kept.size()));
    keepWhere(kept, model.numbers);
    if (missing() > 0) model.notes.push_back(missingNote(missing(), review.examples()));
  }
}

Status judge(const SpiderReview& review, SpiderModel& model, const SpiderReviewOptions& options,
             const StopToken& stop) {
  FATHOM_CHECK(identify(review, model, options.threads));
  FATHOM_TRY(model.evaluation,
             evaluateSpider(model.pairs, review.schemas, {options.rules, options.threads}, stop));
  FATHOM_TRY(model.verdicts, categoriseAll(model.pairs, model.evaluation, review.schemas,
                                           {options.preset, options.threads, {}}, stop));
  return {};
}

Status checkNames(const SpiderSources& sources) {
  if (sources.predictions.empty())
    return usageError(Phrase::tr("no prediction file is given"), Phrase::tr("name at least one"));
  for (std::size_t i = 0; i < sources.predictions.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const SpiderPredictions &a = sources.predictions[k], &b = sources.predictions[i];
      if (a.name != b.name) continue;
      return usageError(
          Phrase::tr("two prediction files are called \"%1\": %2 and %3")(a.name, a.path, b.path),
          Phrase::tr("give them names: name=path"));
    }
  }
  return {};
}

}  // namespace

SpiderPredictions spiderPredictions(const std::string& word) {
  namespace fs = std::filesystem;
  SpiderPredictions out;
  const auto equals = word.find('=');
  if (equals != std::string::npos && equals > 0 && !fileExists(word)) {
    out.name = word.substr(0, equals);
    out.path = word.substr(equals + 1);
    return out;
  }
  out.path = word;
  const fs::path path(word);
  out.name = path.stem().string();
  if (out.name == "pred" && path.has_parent_path()) out.name = path.parent_path().filename().string();
  return out;
}

Json SpiderSources::toJson() const {
  Json list = Json::array();
  for (const auto& prediction : predictions) {
    Json entry = {{"name", prediction.name}, {"path", prediction.path}};
    if (!prediction.options.sqlColumn.empty()) entry["column"] = prediction.options.sqlColumn;
    list.push_back(std::move(entry));
  }
  Json json = {{"gold", gold},
               {"tables", tables},
               {"questions", questions},
               {"databases", databases},
               {"predictions", std::move(list)}};
  if (onlyPredicted) json["examples"] = "predicted";
  return json;
}

Result<SpiderSources> spiderSourcesFromJson(const Json& json) {
  if (!json.is_object()) return dataError(Phrase::tr("the sources of a review must be a JSON object"));
  SpiderSources sources;
  sources.gold = memberText(json, "gold");
  sources.tables = memberText(json, "tables");
  sources.questions = memberText(json, "questions");
  sources.databases = memberText(json, "databases");
  sources.onlyPredicted = memberText(json, "examples") == "predicted";
  for (const auto& [key, value] : {std::pair{"gold", &sources.gold}, std::pair{"tables", &sources.tables}}) {
    if (value->empty()) return dataError(Phrase::tr("the sources of a review need \"%1\"")(key));
  }
  const auto list = json.find("predictions");
  if (list == json.end() || !list->is_array())
    return dataError(Phrase::tr("the sources of a review need the list \"predictions\""));
  for (const Json& entry : *list) {
    if (!entry.is_object() || memberText(entry, "path").empty())
      return dataError(
          Phrase::tr("\"predictions\" of a review must hold objects with \"name\" and \"path\""));
    SpiderPredictions prediction = spiderPredictions(memberText(entry, "path"));
    if (const std::string name = memberText(entry, "name"); !name.empty()) prediction.name = name;
    prediction.options.sqlColumn = memberText(entry, "column");
    sources.predictions.push_back(std::move(prediction));
  }
  return sources;
}

SpiderHardness SpiderReview::hardness(std::size_t example) const {
  return models.empty() ? SpiderHardness::Easy : models.front().evaluation.verdicts.at(example).hardness;
}

std::string SpiderReview::presetKey() const {
  return preset.id + "/" + std::to_string(kCategoryPresetVersion);
}

std::vector<std::vector<ErrorCategory>> SpiderReview::categories() const {
  std::vector<std::vector<ErrorCategory>> out;
  for (const auto& model : models) {
    out.emplace_back();
    for (const auto& verdict : model.verdicts) out.back().push_back(verdict.category);
  }
  return out;
}

Result<SpiderReview> openSpiderReview(const SpiderSources& sources, const SpiderReviewOptions& options,
                                      Progress& progress, const StopToken& stop) {
  FATHOM_CHECK(checkNames(sources));
  SpiderReview review;
  review.preset = options.preset;
  review.rules = options.rules;
  FATHOM_TRY(review.schemas, readSpiderTables(sources.tables));
  FATHOM_TRY(review.gold, readGoldFile(sources.gold));
  FATHOM_TRY(review.questions, readQuestions(sources, review.examples()));
  for (const auto& source : sources.predictions) {
    FATHOM_TRY(SpiderModel model, readModel(review, source));
    review.models.push_back(std::move(model));
  }
  if (sources.onlyPredicted) keepPredicted(review);
  review.dataset = datasetIdentity(review.gold);
  FATHOM_CHECK(readFeatures(review, options.threads));
  progress.begin(Phrase::tr("scoring predictions").english, Phrase::tr("files").english,
                 static_cast<double>(sources.predictions.size()));
  for (std::size_t m = 0; m < review.models.size(); ++m) {
    FATHOM_CHECK(judge(review, review.models[m], options, stop));
    progress.report(static_cast<double>(m + 1));
  }
  progress.finish();
  for (const auto& error : review.models.front().evaluation.goldErrors)
    review.notes.push_back(Phrase::tr("gold is refused, not scored: %1")(error));
  return review;
}

Status recategorise(SpiderReview& review, const CategoryPreset& preset,
                    const std::vector<std::vector<std::optional<ExecutionEvidence>>>& execution, int threads,
                    const StopToken& stop) {
  std::vector<std::vector<CategoryVerdict>> all;
  for (std::size_t m = 0; m < review.models.size(); ++m) {
    const SpiderModel& model = review.models[m];
    CategoriseOptions options{preset, threads, {}};
    if (m < execution.size()) options.execution = execution[m];
    FATHOM_TRY(auto verdicts, categoriseAll(model.pairs, model.evaluation, review.schemas, options, stop));
    all.push_back(std::move(verdicts));
  }
  review.preset = preset;
  for (std::size_t m = 0; m < review.models.size(); ++m) review.models[m].verdicts = std::move(all[m]);
  return {};
}

JudgedSql judgeSql(const SpiderReview& review, const SpiderPair& pair,
                   const std::optional<ExecutionEvidence>& execution) {
  JudgedSql out;
  auto evaluation = evaluateSpider({pair}, review.schemas, {review.rules, 1});
  if (!evaluation) return out;
  out.match = std::move(evaluation->verdicts.front());
  const SpiderSchema& schema = *findSchema(review.schemas, pair.dbId);
  out.category = categorise(prepareSql(pair.gold, schema), prepareSql(pair.predicted, schema),
                            out.match.match, schema, review.preset, execution);
  return out;
}

std::string normalisedSql(std::string_view sql) {
  std::string error, out;
  std::uint32_t errorAt = 0;
  const auto tokens = lexSql(sql, error, errorAt);
  if (!error.empty()) return oneLine(sql);
  for (const auto& token : tokens) {
    if (token.kind == SqlToken::Kind::End) break;
    out += out.empty() ? "" : " ";
    const std::string_view raw = sql.substr(token.span.begin, token.span.end - token.span.begin);
    out += token.kind == SqlToken::Kind::Word ? asciiLower(raw) : std::string(raw);
  }
  while (out.ends_with(" ;") || out == ";") out.erase(out.size() < 2 ? 0 : out.size() - 2);
  return out;
}

}  // namespace fathom
