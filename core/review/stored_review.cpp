// SPDX-License-Identifier: Apache-2.0
#include "core/review/stored_review.h"

#include <algorithm>

#include "core/base/files/hash.h"
#include "core/base/json/json_members.h"
#include "core/library/saved_documents.h"

namespace fathom {

namespace {

constexpr const char* kKind = "review";
constexpr int kReviewFormat = 1;

}  // namespace

Json StoredReview::toJson() const {
  return {{"format", kReviewFormat},      {"uuid", uuid},     {"name", name},
          {"sources", sources.toJson()},  {"preset", preset}, {"dataset", dataset},
          {"prediction_sets", identities}};
}

Result<StoredReview> storedReviewFromJson(const Json& json) {
  FATHOM_CHECK(checkDocument(json, Phrase::tr("review"), kReviewFormat));
  StoredReview review;
  review.uuid = memberText(json, "uuid");
  review.name = memberText(json, "name");
  review.dataset = memberText(json, "dataset");
  if (const std::string preset = memberText(json, "preset"); !preset.empty()) review.preset = preset;
  const auto sources = json.find("sources");
  if (sources == json.end()) return dataError(Phrase::tr("a review needs the member \"sources\""));
  FATHOM_TRY(review.sources, reviewSourcesFromJson(*sources));
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

std::vector<Phrase> changedSince(const StoredReview& stored, const SpiderReview& review) {
  std::vector<Phrase> notes;
  if (!stored.dataset.empty() && stored.dataset != review.dataset)
    notes.push_back(
        Phrase::tr("%1 holds other gold queries than when the review was stored")(stored.sources.gold));
  for (std::size_t m = 0; m < std::min(stored.identities.size(), review.models.size()); ++m) {
    if (stored.identities[m] == review.models[m].identity) continue;
    notes.push_back(
        Phrase::tr("%1 holds other predictions than when the review was stored")(review.models[m].path));
  }
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
