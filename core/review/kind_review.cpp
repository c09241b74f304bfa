// SPDX-License-Identifier: Apache-2.0
#include "core/review/kind_review.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "core/base/files/hash.h"
#include "core/base/json/json_members.h"
#include "core/base/options/entry_table.h"
#include "core/base/text/number_text.h"
#include "core/base/text/utf8.h"
#include "core/base/threads/thread_ranges.h"
#include "core/review/foreign_predictions.h"
#include "core/spider/judgement/spider_review.h"

namespace fathom {

namespace {

Status checkKindSources(const KindSources& sources, const ReviewKind& kind) {
  if (sources.gold.empty())
    return usageError(Phrase::tr("no gold file is given"),
                      Phrase::tr("name the file with the right answers"));
  for (const KindFile& file : kind.files) {
    const auto given = sources.files.find(file.key);
    if (file.required && (given == sources.files.end() || given->second.empty()))
      return usageError(Phrase::tr("a review of the kind \"%1\" needs the file \"%2\"")(kind.id, file.key));
  }
  if (sources.predictions.empty())
    return usageError(Phrase::tr("no prediction file is given"), Phrase::tr("name at least one"));
  for (std::size_t i = 0; i < sources.predictions.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const KindPredictions &a = sources.predictions[k], &b = sources.predictions[i];
      if (a.name == b.name)
        return usageError(
            Phrase::tr("two prediction files are called \"%1\": %2 and %3")(a.name, a.path, b.path),
            Phrase::tr("give them names: name=path"));
    }
  }
  return {};
}

// Where a record belongs.
class ExamplePlaces {
 public:
  explicit ExamplePlaces(const KindGold& gold) : m_count(gold.examples.size()) {
    for (std::size_t i = 0; i < m_count; ++i) m_byId.emplace(gold.examples[i].id, i);
  }
  std::optional<std::size_t> of(const ForeignPrediction& record) const {
    if (record.index) return inRange(*record.index);
    if (const auto found = m_byId.find(record.id); found != m_byId.end()) return found->second;
    const auto number = numberFrom<std::int64_t>(record.id);
    return number ? inRange(*number) : std::nullopt;
  }

 private:
  std::optional<std::size_t> inRange(std::int64_t index) const {
    if (index < 0 || static_cast<std::size_t>(index) >= m_count) return std::nullopt;
    return static_cast<std::size_t>(index);
  }
  std::size_t m_count;
  std::unordered_map<std::string, std::size_t> m_byId;
};

std::string nameOf(const ForeignPrediction& record) {
  return record.index ? std::to_string(*record.index) : record.id;
}

Status takeRecord(const ReviewKind& kind, KindGold& gold, std::size_t place, const ForeignPrediction& record,
                  KindOutput& output) {
  output.given = true;
  output.nullScore = record.nullScore;
  if (kind.take != nullptr) return kind.take(gold, gold.examples[place], record, output);
  if (!record.text) return dataError(Phrase::tr("a text is expected"));
  output.text = *record.text;
  return {};
}

// Notes about ids that do not fit; an error where most of them do not.
Status noteUnknown(const std::string& path, const ForeignFile& file, std::size_t unknown,
                   const ForeignPrediction& first, KindModel& model) {
  if (unknown == 0) return {};
  if (2 * unknown > file.records.size())
    return dataErrorAt(path, first.line,
                       Phrase::tr("the gold file has no example \"%1\", nor %2 others of %3 predictions")(
                           nameOf(first), unknown - 1, file.records.size()),
                       Phrase::tr("are they for another part of the data?"));
  model.notes.push_back(
      Phrase::tr("%1 predictions are for examples that the gold file does not have; the first is \"%2\", "
                 "line %3")(unknown, nameOf(first), first.line));
  return {};
}

Status placeRecords(const ReviewKind& kind, KindGold& gold, const ForeignFile& file, KindModel& model) {
  const std::size_t count = gold.examples.size();
  model.outputs.assign(count, {});
  if (!file.named && file.records.size() != count)
    return dataErrorAt(
        model.path, 0, Phrase::tr("%1 predictions for %2 examples")(file.records.size(), count),
        Phrase::tr("are they for another part of the data? Predictions that say their index or "
                   "id may be fewer"));
  const ExamplePlaces places(gold);
  std::size_t unknown = 0;
  ForeignPrediction firstUnknown;
  for (std::size_t r = 0; r < file.records.size(); ++r) {
    const ForeignPrediction& record = file.records[r];
    std::optional<std::size_t> place = r;
    if (file.named) place = places.of(record);
    if (!place) {
      if (unknown++ == 0) firstUnknown = record;
      continue;
    }
    KindOutput& output = model.outputs[*place];
    if (output.given)
      return dataErrorAt(model.path, record.line,
                         Phrase::tr("example \"%1\" is answered twice")(nameOf(record)));
    if (const Status taken = takeRecord(kind, gold, *place, record, output); !taken.ok())
      return dataErrorAt(model.path, record.line, taken.error().messagePhrase(), taken.error().hintPhrase());
  }
  FATHOM_CHECK(noteUnknown(model.path, file, unknown, firstUnknown, model));
  const auto missing = std::find_if(model.outputs.begin(), model.outputs.end(),
                                    [](const KindOutput& output) { return !output.given; });
  model.missing = static_cast<int>(
      std::count_if(missing, model.outputs.end(), [](const KindOutput& output) { return !output.given; }));
  if (model.missing > 0) {
    const auto first = static_cast<std::size_t>(missing - model.outputs.begin());
    model.notes.push_back(
        Phrase::tr("%1 examples have no prediction and count as wrong; the first is \"%2\"")(
            model.missing, gold.examples[first].id));
  }
  return {};
}

// From SQuAD's own file, where one is named.
Status addNullOdds(const KindGold& gold, const KindPredictions& source, KindModel& model) {
  if (source.nullOdds.empty()) return {};
  FATHOM_TRY(const auto odds, readNullOdds(source.nullOdds));
  for (std::size_t i = 0; i < gold.examples.size(); ++i)
    if (const auto found = odds.find(gold.examples[i].id); found != odds.end())
      model.outputs[i].nullScore = found->second;
  return {};
}

Result<KindModel> openKindModel(const ReviewKind& kind, KindGold& gold, const KindPredictions& source) {
  KindModel model;
  model.name = source.name;
  model.path = source.path;
  FATHOM_TRY(const std::string bytes, readUnpacked(source.path));
  model.fileHash = sha256Hex(bytes);
  FATHOM_TRY(const ForeignFile file, parseForeignPredictions(bytes, source.path, kind.linesAreTexts));
  model.notes = file.notes;
  FATHOM_CHECK(placeRecords(kind, gold, file, model));
  FATHOM_CHECK(addNullOdds(gold, source, model));
  return model;
}

Status checkGold(const KindGold& gold, const std::string& path) {
  if (gold.examples.empty()) return dataErrorAt(path, 0, Phrase::tr("the file holds no examples"));
  std::unordered_map<std::string_view, std::size_t> ids;
  for (std::size_t i = 0; i < gold.examples.size(); ++i) {
    const KindExample& example = gold.examples[i];
    if (!ids.emplace(example.id, i).second)
      return dataErrorAt(path, example.line, Phrase::tr("the id \"%1\" is there twice")(example.id));
  }
  return {};
}

std::string datasetHash(const KindGold& gold) {
  Sha256 hash;
  const auto add = [&hash](std::string_view text) {
    hash.update(text);
    hash.update(std::string_view("\0", 1));
  };
  for (const KindExample& example : gold.examples) {
    add(example.id);
    for (const auto* list : {&example.texts, &example.references, &example.options})
      for (const std::string& text : *list) add(text);
    add("\n");
  }
  return hash.hex();
}

}  // namespace

Result<const ReviewKind*> findReviewKind(const std::string& id) {
  if (const ReviewKind* kind = findEntry(reviewKinds(), id)) return kind;
  return usageError(Phrase::tr("there is no kind of review \"%1\"")(id),
                    Phrase::tr("known: %1")(knownIds(reviewKinds())));
}

std::optional<std::size_t> categoryIndex(const ReviewKind& kind, std::string_view id) {
  for (std::size_t i = 0; i < kind.categories.size(); ++i)
    if (kind.categories[i].id == id) return i;
  return std::nullopt;
}

KindPredictions kindPredictions(const std::string& word) {
  const ReviewPrediction named = reviewPrediction(word);
  return {named.name, named.path};
}

Json KindSources::toJson() const {
  Json list = Json::array();
  for (const KindPredictions& each : predictions) {
    Json entry = {{"name", each.name}, {"path", each.path}};
    if (!each.nullOdds.empty()) entry["null_odds"] = each.nullOdds;
    list.push_back(std::move(entry));
  }
  Json named = Json::object();
  for (const auto& [key, path] : files)
    if (!path.empty()) named[key] = path;
  return {{"kind", kind},
          {"gold", gold},
          {"files", std::move(named)},
          {"options", options},
          {"predictions", std::move(list)}};
}

Result<KindSources> kindSourcesFromJson(const Json& json) {
  if (!json.is_object()) return dataError(Phrase::tr("the sources of a review must be a JSON object"));
  KindSources sources;
  sources.kind = memberText(json, "kind");
  sources.gold = memberText(json, "gold");
  for (const auto& [key, value] : {std::pair{"kind", &sources.kind}, std::pair{"gold", &sources.gold}})
    if (value->empty()) return dataError(Phrase::tr("the sources of a review need \"%1\"")(key));
  for (const auto& [key, path] : memberObject(json, "files").items())
    if (path.is_string()) sources.files[key] = path.get<std::string>();
  sources.options = memberObject(json, "options");
  for (const Json& entry : memberList(json, "predictions")) {
    if (!entry.is_object() || memberText(entry, "path").empty())
      return dataError(
          Phrase::tr("\"predictions\" of a review must hold objects with \"name\" and \"path\""));
    KindPredictions each = kindPredictions(memberText(entry, "path"));
    if (const std::string name = memberText(entry, "name"); !name.empty()) each.name = name;
    each.nullOdds = memberText(entry, "null_odds");
    sources.predictions.push_back(std::move(each));
  }
  return sources;
}

std::string collapsedText(std::string_view text) {
  std::string result;
  bool space = false;
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t length = unicodeSpaceLength(text, at); length > 0) {
      space = true;
      at += length;
      continue;
    }
    if (space && !result.empty()) result += ' ';
    space = false;
    result += text[at++];
  }
  return result;
}

void identifyReview(KindReview& review) {
  if (review.dataset.empty()) review.dataset = datasetHash(review.gold);
  for (KindModel& model : review.models) {
    Sha256 hash;
    hash.update(review.dataset);
    for (KindOutput& output : model.outputs) {
      if (output.key.empty()) output.key = collapsedText(output.text);
      hash.update("\n");
      hash.update(output.key);
    }
    if (model.identity.empty()) model.identity = hash.hex();
  }
}

Status judgeReview(KindReview& review, int threads, const StopToken& stop) {
  for (KindModel& model : review.models) {
    if (stop.stopRequested()) return interruptedError();
    const std::size_t width = review.kind->counts;
    model.verdicts.assign(review.examples(), {});
    model.counts.assign(review.examples() * width, 0);
    FATHOM_CHECK(forRanges(review.examples(), threads, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i)
        review.kind->judge(review.gold, review.gold.examples[i], model.outputs[i], model.verdicts[i],
                           std::span(model.counts).subspan(i * width, width));
    }));
    model.scores = review.kind->scores(review.gold, model);
  }
  if (review.kind->facets != nullptr) review.facets = review.kind->facets(review);
  return {};
}

Result<KindReview> openKindReview(const KindSources& sources, int threads, Progress& progress,
                                  const StopToken& stop) {
  FATHOM_TRY(const ReviewKind* kind, findReviewKind(sources.kind));
  FATHOM_CHECK(checkKindSources(sources, *kind));
  if (kind->open != nullptr) return kind->open(sources, threads, progress, stop);
  KindReview review;
  review.kind = kind;
  review.sources = sources;
  progress.begin(Phrase::tr("reading predictions").english, Phrase::tr("files").english,
                 static_cast<double>(sources.predictions.size()));
  FATHOM_TRY(review.gold, kind->readGold(sources));
  FATHOM_CHECK(checkGold(review.gold, sources.gold));
  for (const KindPredictions& source : sources.predictions) {
    if (stop.stopRequested()) return interruptedError();
    FATHOM_TRY(KindModel model, openKindModel(*kind, review.gold, source));
    review.models.push_back(std::move(model));
    progress.report(static_cast<double>(review.models.size()));
  }
  identifyReview(review);
  FATHOM_CHECK(judgeReview(review, threads, stop));
  progress.finish();
  return review;
}

}  // namespace fathom
