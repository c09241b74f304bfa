// SPDX-License-Identifier: Apache-2.0
#include "core/review/stored_review.h"

#include <algorithm>

#include "core/base/files/hash.h"
#include "core/base/json/json_members.h"
#include "core/library/records/saved_documents.h"
#include "core/review/review.h"
#include "core/review/reviewed_sql.h"

namespace fathom {

namespace {

constexpr const char* kKind = "review";
constexpr int kReviewFormat = 1;

bool isSql(const ReviewSources& sources) {
  return sources.kind == kSqlReviewId;
}

// Which of the two members holds the files, and what.
Json filesOf(const StoredReview& review) {
  if (!isSql(review.sources)) return {{"kind", review.sources.toJson()}};
  const std::string& usual = categoryPresets().front().id;
  return {{"sources", spiderSourcesOf(review.sources).toJson()},
          {"preset", memberText(review.sources.options, "preset", usual)}};
}

}  // namespace

Json StoredReview::toJson() const {
  Json json = {{"format", kReviewFormat}, {"uuid", uuid}, {"name", name}};
  json.update(filesOf(*this));
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
  if (const auto kind = json.find("kind"); kind != json.end()) {
    FATHOM_TRY(review.sources, reviewSourcesFromJson(*kind));
  } else {
    const auto sources = json.find("sources");
    if (sources == json.end()) return dataError(Phrase::tr("a review needs the member \"sources\""));
    FATHOM_TRY(const SpiderSources spider, spiderSourcesFromJson(*sources));
    review.sources = reviewSourcesOf(spider, memberText(json, "preset", categoryPresets().front().id));
  }
  for (const Json& identity : memberList(json, "prediction_sets")) {
    if (!identity.is_string()) return dataError(Phrase::tr("\"prediction_sets\" of a review must be texts"));
    review.identities.push_back(identity.get<std::string>());
  }
  return review;
}

StoredReview storedReviewOf(const Review& review, const std::string& name) {
  StoredReview stored;
  stored.name = name;
  stored.sources = review.sources;
  stored.dataset = review.dataset;
  for (const auto& model : review.models) stored.identities.push_back(model.identity);
  return stored;
}

std::vector<Phrase> changedSince(const StoredReview& stored, const Review& review) {
  std::vector<Phrase> notes;
  const std::string& gold = stored.sources.gold;
  if (!stored.dataset.empty() && stored.dataset != review.dataset)
    notes.push_back(isSql(stored.sources)
                        ? Phrase::tr("%1 holds other gold queries than when the review was stored")(gold)
                        : Phrase::tr("%1 holds other examples than when the review was stored")(gold));
  for (std::size_t m = 0; m < std::min(stored.identities.size(), review.models.size()); ++m)
    if (stored.identities[m] != review.models[m].identity)
      notes.push_back(
          Phrase::tr("%1 holds other predictions than when the review was stored")(review.models[m].path));
  return notes;
}

bool ofSameFiles(const StoredReview& first, const StoredReview& second) {
  return filesOf(first) == filesOf(second);
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
