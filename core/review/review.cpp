// SPDX-License-Identifier: Apache-2.0
#include "core/review/review.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "core/base/files/hash.h"
#include "core/base/files/path_facts.h"
#include "core/base/json/json_members.h"
#include "core/base/options/entry_table.h"
#include "core/base/text/number_text.h"
#include "core/base/text/shown_value.h"
#include "core/base/text/utf8.h"
#include "core/base/threads/thread_ranges.h"
#include "core/review/gold_options.h"
#include "core/review/imported_predictions.h"
#include "core/spider/judgement/spider_review.h"

namespace fathom {

namespace {

Status checkReviewSources(const ReviewSources& sources, const ReviewKind& kind) {
  FATHOM_CHECK(checkGoldOptions(sources));
  if (sources.gold.empty())
    return usageError(Phrase::tr("no gold file is given"),
                      Phrase::tr("name the file with the right answers"));
  for (const ReviewFile& file : kind.files) {
    const auto given = sources.files.find(file.key);
    if (file.required && (given == sources.files.end() || given->second.empty()))
      return usageError(Phrase::tr("a review of the kind \"%1\" needs the file \"%2\"")(kind.id, file.key));
  }
  if (sources.predictions.empty())
    return usageError(Phrase::tr("no prediction file is given"), Phrase::tr("name at least one"));
  for (std::size_t i = 0; i < sources.predictions.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const ReviewPredictions &a = sources.predictions[k], &b = sources.predictions[i];
      if (a.name == b.name)
        return usageError(
            Phrase::tr("two prediction files are called \"%1\": %2 and %3")(a.name, a.path, b.path),
            Phrase::tr("give them names: name=path"));
    }
  }
  return {};
}

constexpr int kLetters = 26;  // more options are called otherwise

// The example that a record belongs to: by the file's own id, else by its place among the examples of the
// file.
class ExamplePlaces {
 public:
  explicit ExamplePlaces(const ReviewGold& gold) {
    for (std::size_t i = 0; i < gold.examples.size(); ++i) {
      const ReviewExample& example = gold.examples[i];
      m_byId.emplace(example.id, i);
      m_byPlace.emplace(example.place >= 0 ? example.place : static_cast<std::int64_t>(i), i);
    }
  }
  // True if what a file calls ids are places: QQP's pairs have numbers of their own, its predictions count
  // rows, and many a row's number is the id of another pair.
  bool areCountedBy(const ImportedFile& file) const {
    std::size_t ids = 0, places = 0;
    for (const ImportedPrediction& record : file.records) {
      if (record.id.empty() || record.index) continue;
      ids += m_byId.contains(record.id);
      places += atPlace(numberFrom<std::int64_t>(record.id)).has_value();
    }
    return places > ids;
  }
  std::optional<std::size_t> of(const ImportedPrediction& record, bool counted) const {
    if (record.id.empty()) return atPlace(record.row ? record.row : record.index);
    if (counted && !record.index) return atPlace(numberFrom<std::int64_t>(record.id));
    const auto found = m_byId.find(record.id);
    return found == m_byId.end() ? std::nullopt : std::optional(found->second);
  }
  std::optional<std::size_t> atPlace(std::optional<std::int64_t> place) const {
    const auto found = place ? m_byPlace.find(*place) : m_byPlace.end();
    return found == m_byPlace.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  std::unordered_map<std::string, std::size_t> m_byId;
  std::unordered_map<std::int64_t, std::size_t> m_byPlace;
};

std::string nameOf(const ImportedPrediction& record) {
  return record.id.empty() && record.index ? std::to_string(*record.index) : record.id;
}

// True if a set that numbers its examples was told the answer that the gold file has there.
bool saysTheSame(const ReviewExample& example, const std::string& told) {
  if (example.references.empty()) return true;
  const std::string collapsed = collapsedText(told);
  for (const std::string& reference : example.references)
    if (collapsedText(reference) == collapsed) return true;
  if (!std::isnan(example.value)) return numberFrom<double>(told) == example.value;
  if (example.options.empty()) return false;
  return example.label >= kLetters || (told.size() == 1 && told[0] - 'A' == example.label);
}

Status takeRecord(const ReviewKind& kind, ReviewGold& gold, std::size_t place,
                  const ImportedPrediction& record, ReviewOutput& output) {
  output.given = true;
  output.nullScore = record.nullScore;
  if (kind.take != nullptr) return kind.take(gold, gold.examples[place], record, output);
  if (!record.text) return dataError(Phrase::tr("a text is expected"));
  output.text = *record.text;
  return {};
}

// Notes about ids that do not fit; an error where most of them do not.
Status noteUnknown(const std::string& path, const ImportedFile& file, std::size_t unknown,
                   const ImportedPrediction& first, ReviewModel& model) {
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

Status placeRecords(const ReviewKind& kind, ReviewGold& gold, const ExamplePlaces& places,
                    const ImportedFile& file, ReviewModel& model) {
  const std::size_t count = gold.examples.size();
  model.outputs.assign(count, {});
  // Nothing but the order tells: one of each example, or one of each record of the file, left out or not.
  const bool ofRecords = !file.named && file.records.size() != count &&
                         file.records.size() == static_cast<std::size_t>(gold.records);
  if (!file.named && !ofRecords && file.records.size() != count)
    return dataErrorAt(
        model.path, 0, Phrase::tr("%1 predictions for %2 examples")(file.records.size(), count),
        Phrase::tr("are they for another part of the data? Predictions that say their index or "
                   "id may be fewer"));
  std::size_t unknown = 0;
  ImportedPrediction firstUnknown;
  const bool counted = file.named && places.areCountedBy(file);
  for (std::size_t r = 0; r < file.records.size(); ++r) {
    const ImportedPrediction& record = file.records[r];
    std::optional<std::size_t> place = r;
    if (file.named) place = places.of(record, counted);
    if (ofRecords) place = places.atPlace(static_cast<std::int64_t>(r));
    if (!place && ofRecords) continue;
    if (!place) {
      if (unknown++ == 0) firstUnknown = record;
      continue;
    }
    ReviewOutput& output = model.outputs[*place];
    if (output.given)
      return dataErrorAt(model.path, record.line,
                         Phrase::tr("example \"%1\" is answered twice")(nameOf(record)));
    const ReviewExample& example = gold.examples[*place];
    if (record.id.empty() && record.reference && !saysTheSame(example, *record.reference))
      return dataErrorAt(
          model.path, record.line,
          Phrase::tr("the right answer to example %1 was \"%2\"; the gold file says \"%3\" there")(
              nameOf(record), shownValue(*record.reference), shownValue(example.references.front())),
          kind.setIsGold
              ? Phrase::tr("it is not the file that the run read; the set itself can be the gold file, too")
              : Phrase::tr("it is not the file that the run read: give that as the gold file"));
    if (const Status taken = takeRecord(kind, gold, *place, record, output); !taken.ok()) {
      const Phrase what = taken.error().messagePhrase();
      return dataErrorAt(model.path, record.line,
                         record.id.empty() ? what : Phrase::tr("answer to %1: %2")(record.id, what),
                         taken.error().hintPhrase());
    }
  }
  return noteUnknown(model.path, file, unknown, firstUnknown, model);
}

void countMissing(const ReviewGold& gold, ReviewModel& model) {
  std::string first;
  for (std::size_t i = 0; i < gold.examples.size(); ++i) {
    const ReviewExample& example = gold.examples[i];
    if (model.outputs[i].given || !example.scored) continue;
    if (model.missing++ == 0) first = example.id;
  }
  if (model.missing == 0) return;
  model.notes.push_back(Phrase::tr("%1 examples have no prediction and count as wrong; the first is \"%2\"")(
      model.missing, first));
}

// The file of null odds that stands beside predictions: predictions.json has null_odds.json, as BERT's script
// and ours write them, eval_predictions.json eval_null_odds.json; any other name.json has
// name.null_odds.json, else null_odds.json unless that belongs to a predictions.json. "" = none.
std::string nullOddsBeside(const std::string& predictions) {
  constexpr std::string_view kUsual = "predictions.json", kOdds = "null_odds.json", kJson = ".json";
  const std::size_t slash = predictions.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : predictions.substr(0, slash + 1);
  std::string name = predictions.substr(folder.size());
  const auto found = [](const std::string& path) { return fileExists(path) ? path : std::string(); };
  if (name.ends_with(kUsual))
    return found(folder + name.substr(0, name.size() - kUsual.size()) + std::string(kOdds));
  if (name.ends_with(kJson)) name.resize(name.size() - kJson.size());
  const std::string own = found(folder + name + "." + std::string(kOdds));
  if (!own.empty() || fileExists(folder + std::string(kUsual))) return own;
  return found(folder + std::string(kOdds));
}

// From SQuAD's own file: the one that is named, else, where questions may have no answer and the predictions
// do not say it themselves, the one beside them.
Status addNullOdds(const ReviewGold& gold, const ReviewPredictions& source, ReviewModel& model) {
  std::string path = source.nullOdds;
  if (path.empty() && gold.unanswerable &&
      std::none_of(model.outputs.begin(), model.outputs.end(),
                   [](const ReviewOutput& output) { return !std::isnan(output.nullScore); })) {
    path = nullOddsBeside(source.path);
    if (!path.empty()) model.notes.push_back(Phrase::tr("null odds are read from %1")(path));
  }
  if (path.empty()) return {};
  FATHOM_TRY(const auto odds, readNullOdds(path));
  std::size_t known = 0;
  for (std::size_t i = 0; i < gold.examples.size(); ++i) {
    const auto found = odds.find(gold.examples[i].id);
    if (found == odds.end()) continue;
    model.outputs[i].nullScore = found->second;
    ++known;
  }
  if (known == 0 && !source.nullOdds.empty())
    return dataErrorAt(path, 0, Phrase::tr("the gold file has none of the %1 questions")(odds.size()),
                       Phrase::tr("are they for another part of the data?"));
  if (known < odds.size())
    model.notes.push_back(
        Phrase::tr("%1 null odds are for questions that the gold file does not have")(odds.size() - known));
  if (known < gold.examples.size())
    model.notes.push_back(Phrase::tr("%1 questions have no null odds")(gold.examples.size() - known));
  return {};
}

// A prediction file as it was read; what belongs to which example is not known yet.
struct ReadModel {
  ReviewModel model;
  ImportedFile file;
};

Result<ReadModel> readReviewModel(const ReviewKind& kind, const ReviewPredictions& source) {
  ReadModel read;
  read.model.name = source.name;
  read.model.path = source.path;
  FATHOM_TRY(const std::string bytes, readUnpacked(source.path));
  read.model.fileHash = sha256Hex(bytes);
  FATHOM_TRY(read.file, parseImportedPredictions(bytes, source.path, kind.linesAreTexts));
  read.model.notes = read.file.notes;
  return read;
}

// Reading takes most of the time of opening: several files at once. Where there are labels they are put to
// their examples in their order, because an answer may add one.
Status openReviewModels(Review& review, int threads, Progress& progress, const StopToken& stop) {
  const ReviewKind& kind = *review.kind;
  const auto& sources = review.sources.predictions;
  const ExamplePlaces places(review.gold);
  const auto atOnce = static_cast<std::size_t>(std::max(threads, 1));
  const bool inOrder = !review.gold.labels.empty();
  const auto place = [&](ReadModel& each, const ReviewPredictions& source) -> Status {
    FATHOM_CHECK(placeRecords(kind, review.gold, places, each.file, each.model));
    return addNullOdds(review.gold, source, each.model);
  };
  for (std::size_t begin = 0; begin < sources.size(); begin += atOnce) {
    if (stop.stopRequested()) return interruptedError();
    const std::size_t count = std::min(atOnce, sources.size() - begin);
    std::vector<std::optional<Result<ReadModel>>> read(count);
    FATHOM_CHECK(forRanges(count, threads, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        read[i].emplace(readReviewModel(kind, sources[begin + i]));
        if (inOrder || !read[i]->ok()) continue;
        if (const Status placed = place(read[i]->value(), sources[begin + i]); !placed.ok())
          read[i].emplace(placed.error());
      }
    }));
    for (std::size_t i = 0; i < count; ++i) {
      if (!read[i]->ok()) return read[i]->error();
      ReadModel& each = read[i]->value();
      if (inOrder) FATHOM_CHECK(place(each, sources[begin + i]));
      review.models.push_back(std::move(each.model));
      progress.report(static_cast<double>(review.models.size()));
    }
  }
  return {};
}

// The set of a run as the gold file, of a kind whose right answers are more than it holds: spans and options
// of their own, several answers.
Status refuseSetAsGold(const ReviewKind& kind, const std::string& path) {
  if (kind.setIsGold || !fileExists(path)) return {};
  const auto head = readHead(path);
  if (!head.ok() || !isPredictionSet(*head)) return {};
  return dataErrorAt(
      path, 1, Phrase::tr("a prediction set holds not all that gold of the kind \"%1\" says")(kind.id),
      Phrase::tr("give the file that the run read: data.validation or data.test of its options, "
                 "with examples=predicted where it is the training file"));
}

Status checkGold(const ReviewGold& gold, const std::string& path) {
  if (gold.examples.empty()) return dataErrorAt(path, 0, Phrase::tr("the file holds no examples"));
  std::unordered_map<std::string_view, std::size_t> ids;
  for (std::size_t i = 0; i < gold.examples.size(); ++i) {
    const ReviewExample& example = gold.examples[i];
    if (!ids.emplace(example.id, i).second)
      return dataErrorAt(path, example.line, Phrase::tr("the id \"%1\" is there twice")(example.id));
  }
  return {};
}

std::string datasetHash(const ReviewGold& gold) {
  Sha256 hash;
  const auto add = [&hash](std::string_view text) {
    hash.update(text);
    hash.update(std::string_view("\0", 1));
  };
  for (const ReviewExample& example : gold.examples) {
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

ReviewPredictions reviewPredictions(const std::string& word) {
  const SpiderPredictions named = spiderPredictions(word);
  ReviewPredictions out;
  out.name = named.name;
  out.path = named.path;
  return out;
}

Json ReviewSources::toJson() const {
  Json list = Json::array();
  for (const ReviewPredictions& each : predictions) {
    Json entry = {{"name", each.name}, {"path", each.path}};
    if (!each.nullOdds.empty()) entry["null_odds"] = each.nullOdds;
    if (!each.column.empty()) entry["column"] = each.column;
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

Result<ReviewSources> reviewSourcesFromJson(const Json& json) {
  if (!json.is_object()) return dataError(Phrase::tr("the sources of a review must be a JSON object"));
  ReviewSources sources;
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
    ReviewPredictions each = reviewPredictions(memberText(entry, "path"));
    if (const std::string name = memberText(entry, "name"); !name.empty()) each.name = name;
    each.nullOdds = memberText(entry, "null_odds");
    each.column = memberText(entry, "column");
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

const std::string& headlineOf(const ReviewExample& example) {
  // Of a passage, and where there are options, the question says more.
  const bool questionSaysMore =
      example.texts.size() > 1 && (!example.marks.empty() || !example.options.empty());
  if (questionSaysMore) return example.texts[1];
  if (!example.texts.empty() && !example.texts.front().empty()) return example.texts.front();
  return example.references.empty() ? example.id : example.references.front();
}

Status identifyReview(Review& review, int threads) {
  if (review.dataset.empty()) review.dataset = datasetHash(review.gold);
  return forRanges(review.models.size(), threads, [&review](std::size_t first, std::size_t last) {
    for (std::size_t m = first; m < last; ++m) {
      Sha256 hash;
      hash.update(review.dataset);
      for (ReviewOutput& output : review.models[m].outputs) {
        if (output.key.empty()) output.key = collapsedText(output.text);
        hash.update("\n");
        hash.update(output.key);
      }
      if (review.models[m].identity.empty()) review.models[m].identity = hash.hex();
    }
  });
}

Status judgeReview(Review& review, int threads, const StopToken& stop) {
  constexpr std::size_t kBetweenStops = 256;  // examples
  const ReviewKind& kind = *review.kind;
  const std::size_t width = kind.counts;
  for (ReviewModel& model : review.models) {
    model.verdicts.assign(review.examples(), {});
    model.counts.assign(review.examples() * width, 0);
  }
  // All models' answers to an example in turn: what a kind makes of its references serves all of them.
  FATHOM_CHECK(forRanges(review.examples(), threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      if (i % kBetweenStops == 0 && stop.stopRequested()) return;
      for (ReviewModel& model : review.models)
        kind.judge(review.gold, review.gold.examples[i], model.outputs[i], model.verdicts[i],
                   std::span(model.counts).subspan(i * width, width));
    }
  }));
  if (stop.stopRequested()) return interruptedError();
  FATHOM_CHECK(forRanges(review.models.size(), threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t m = first; m < last; ++m)
      review.models[m].scores = kind.scores(review.gold, review.models[m]);
  }));
  if (review.kind->facets != nullptr) review.facets = review.kind->facets(review);
  return {};
}

Result<Review> openReview(const ReviewSources& sources, int threads, Progress& progress,
                          const StopToken& stop) {
  FATHOM_TRY(const ReviewKind* kind, findReviewKind(sources.kind));
  FATHOM_CHECK(checkReviewSources(sources, *kind));
  if (kind->open != nullptr) return kind->open(sources, threads, progress, stop);
  Review review;
  review.kind = kind;
  review.sources = sources;
  progress.begin(Phrase::tr("reading predictions").english, Phrase::tr("files").english,
                 static_cast<double>(sources.predictions.size()));
  FATHOM_CHECK(refuseSetAsGold(*kind, sources.gold));
  FATHOM_TRY(review.gold, kind->readGold(sources));
  FATHOM_CHECK(checkGold(review.gold, sources.gold));
  review.dataset = datasetHash(review.gold);  // of the whole file, whichever of it is shown
  FATHOM_CHECK(openReviewModels(review, threads, progress, stop));
  if (onlyPredicted(sources)) keepPredicted(review);
  for (ReviewModel& model : review.models) countMissing(review.gold, model);
  FATHOM_CHECK(identifyReview(review, threads));
  FATHOM_CHECK(judgeReview(review, threads, stop));
  progress.finish();
  return review;
}

}  // namespace fathom
