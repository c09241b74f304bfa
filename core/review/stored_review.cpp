// SPDX-License-Identifier: Apache-2.0
#include "core/review/stored_review.h"

#include <algorithm>

#include "core/base/edit_distance.h"
#include "core/base/hash.h"

namespace fathom {

namespace {

constexpr const char* kKind = "review";
constexpr int kReviewFormat = 1;

std::string textOf(const Json& json, const char* key) {
  const auto it = json.find(key);
  return it != json.end() && it->is_string() ? it->get<std::string>() : std::string();
}

}  // namespace

Json StoredReview::toJson() const {
  return {{"format", kReviewFormat},      {"uuid", uuid},     {"name", name},
          {"sources", sources.toJson()},  {"preset", preset}, {"dataset", dataset},
          {"prediction_sets", identities}};
}

Result<StoredReview> storedReviewFromJson(const Json& json) {
  if (!json.is_object()) return dataError(Phrase::tr("a review must be a JSON object"));
  const auto format = json.find("format");
  if (format == json.end() || !format->is_number_integer())
    return dataError(Phrase::tr("a review needs the member \"format\""));
  if (format->get<int>() > kReviewFormat)
    return dataError(Phrase::tr("the review has a newer format"), Phrase::tr("open it with a newer Fathom"));
  StoredReview review;
  review.uuid = textOf(json, "uuid");
  review.name = textOf(json, "name");
  review.dataset = textOf(json, "dataset");
  if (const std::string preset = textOf(json, "preset"); !preset.empty()) review.preset = preset;
  const auto sources = json.find("sources");
  if (sources == json.end()) return dataError(Phrase::tr("a review needs the member \"sources\""));
  FATHOM_TRY(review.sources, reviewSourcesFromJson(*sources));
  if (const auto list = json.find("prediction_sets"); list != json.end() && list->is_array()) {
    for (const Json& identity : *list) {
      if (!identity.is_string())
        return dataError(Phrase::tr("\"prediction_sets\" of a review must be texts"));
      review.identities.push_back(identity.get<std::string>());
    }
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

std::vector<std::string> changedSince(const StoredReview& stored, const SpiderReview& review) {
  std::vector<std::string> notes;
  if (!stored.dataset.empty() && stored.dataset != review.dataset)
    notes.push_back(stored.sources.gold + " holds other gold queries than when the review was stored");
  for (std::size_t m = 0; m < std::min(stored.identities.size(), review.models.size()); ++m) {
    if (stored.identities[m] == review.models[m].identity) continue;
    notes.push_back(review.models[m].path + " holds other predictions than when the review was stored");
  }
  return notes;
}

Result<std::vector<StoredReview>> storedReviews(ProjectLibrary& library) {
  FATHOM_TRY(const auto documents, library.documents(kKind));
  std::vector<StoredReview> reviews;
  for (const SavedDocument& document : documents) {
    if (auto review = storedReviewFromJson(document.content); review.ok())
      reviews.push_back(std::move(*review));
  }
  return reviews;
}

Result<StoredReview> storedReview(ProjectLibrary& library, const std::string& uuidOrName) {
  FATHOM_TRY(const auto reviews, storedReviews(library));
  std::vector<std::string> names;
  for (const StoredReview& review : reviews) {
    if (review.uuid == uuidOrName || review.name == uuidOrName) return review;
    names.push_back(review.name);
  }
  const std::string near = nearestSpelling(uuidOrName, names);
  return usageError(Phrase::tr("there is no review \"%1\" in %2")(uuidOrName, library.path()),
                    near.empty() ? Phrase() : Phrase::tr("did you mean \"%1\"?")(near));
}

Result<std::string> saveReview(ProjectLibrary& library, StoredReview review) {
  if (review.uuid.empty()) review.uuid = makeUuid();
  FATHOM_TRY(const auto before, library.setDocument(kKind, {review.uuid, review.name, "", review.toJson()}));
  return review.uuid;
}

}  // namespace fathom
