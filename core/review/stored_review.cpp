// SPDX-License-Identifier: Apache-2.0
#include "core/review/stored_review.h"

#include <algorithm>

#include "core/base/files/hash.h"
#include "core/base/json/json_members.h"
#include "core/library/saved_documents.h"
#include "core/review/kind_review.h"

namespace fathom {

namespace {

constexpr const char* kKind = "review";
constexpr int kReviewFormat = 1;

Phrase otherGold(const std::string& path) {
  return Phrase::tr("%1 holds other gold queries than when the review was stored")(path);
}

template <typename Models>
std::vector<Phrase> otherPredictions(const StoredReview& stored, const Models& models) {
  std::vector<Phrase> notes;
  for (std::size_t m = 0; m < std::min(stored.identities.size(), models.size()); ++m)
    if (stored.identities[m] != models[m].identity)
      notes.push_back(
          Phrase::tr("%1 holds other predictions than when the review was stored")(models[m].path));
  return notes;
}

}  // namespace

Json StoredReview::toJson() const {
  Json json = {{"format", kReviewFormat}, {"uuid", uuid}, {"name", name}};
  if (ofKind()) {
    json["kind"] = kind.toJson();
  } else {
    json["sources"] = sources.toJson();
    json["preset"] = preset;
  }
  json["dataset"] = dataset;
  json["prediction_sets"] = identities;
  return json;
}

Result<StoredReview> storedReviewFromJson(const Json& json) {
  FATHOM_CHECK(checkDocument(json, Phrase::tr("review"), kReviewFormat));
  StoredReview review;
  review.uuid = memberText(json, "uuid");
  review.name = memberText(json, "name");
  review.dataset = memberText(json, "dataset");
  if (const std::string preset = memberText(json, "preset"); !preset.empty()) review.preset = preset;
  if (const auto kind = json.find("kind"); kind != json.end()) {
    FATHOM_TRY(review.kind, kindSourcesFromJson(*kind));
  } else {
    const auto sources = json.find("sources");
    if (sources == json.end()) return dataError(Phrase::tr("a review needs the member \"sources\""));
    FATHOM_TRY(review.sources, reviewSourcesFromJson(*sources));
  }
  for (const Json& identity : memberList(json, "prediction_sets")) {
    if (!identity.is_string()) return dataError(Phrase::tr("\"prediction_sets\" of a review must be texts"));
    review.identities.push_back(identity.get<std::string>());
  }
  return review;
}

StoredReview storedReviewOf(const SpiderReview& review, const ReviewSources& sources,
                            const std::string& name) {
  StoredReview stored;
  stored.name = name;
  stored.sources = sources;
  stored.preset = review.preset.id;
  stored.dataset = review.dataset;
  for (const auto& model : review.models) stored.identities.push_back(model.identity);
  return stored;
}

StoredReview storedReviewOf(const KindReview& review, const std::string& name) {
  StoredReview stored;
  stored.name = name;
  stored.kind = review.sources;
  stored.dataset = review.dataset;
  for (const auto& model : review.models) stored.identities.push_back(model.identity);
  return stored;
}

std::vector<Phrase> changedSince(const StoredReview& stored, const SpiderReview& review) {
  std::vector<Phrase> notes = otherPredictions(stored, review.models);
  if (!stored.dataset.empty() && stored.dataset != review.dataset)
    notes.insert(notes.begin(), otherGold(stored.sources.gold));
  return notes;
}

std::vector<Phrase> changedSince(const StoredReview& stored, const KindReview& review) {
  std::vector<Phrase> notes = otherPredictions(stored, review.models);
  if (!stored.dataset.empty() && stored.dataset != review.dataset)
    notes.insert(notes.begin(),
                 Phrase::tr("%1 holds other examples than when the review was stored")(stored.kind.gold));
  return notes;
}

Result<std::vector<StoredReview>> storedReviews(ProjectLibrary& library) {
  return readableDocuments(library, kKind, storedReviewFromJson);
}

Result<StoredReview> storedReview(ProjectLibrary& library, const std::string& uuidOrName) {
  FATHOM_TRY(const auto reviews, storedReviews(library));
  std::vector<std::string> names;
  for (const StoredReview& review : reviews) {
    if (review.uuid == uuidOrName || review.name == uuidOrName) return review;
    names.push_back(review.name);
  }
  return noSuchDocument(library, Phrase::tr("review"), uuidOrName, names);
}

Result<std::string> saveReview(ProjectLibrary& library, StoredReview review) {
  if (review.uuid.empty()) review.uuid = makeUuid();
  FATHOM_TRY(const auto before, library.setDocument(kKind, {review.uuid, review.name, "", review.toJson()}));
  return review.uuid;
}

}  // namespace fathom
