// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/errors/phrase.h"
#include "core/library/records/project_library.h"
#include "core/review/review_kind.h"

namespace fathom {

// Which files a review is of, kept in the project under a name: the window opens it again, a figure's recipe
// names it as its data. The files themselves stay where they are.
struct StoredReview {
  std::string uuid;
  std::string name;
  ReviewSources sources;
  // What was in the files when it was stored; empty when nobody opened them.
  std::string dataset;
  std::vector<std::string> identities;  // per prediction file, see ReviewModel::identity
  // Of SQL as it was written before there were other kinds, so that every Fathom reads it.
  Json toJson() const;
};
// Reads both forms: that of SQL alone, and that of any kind.
Result<StoredReview> storedReviewFromJson(const Json& json);

StoredReview storedReviewOf(const Review& review, const std::string& name);
// What is in the files now and was not when it was stored, in sentences; nothing when all is as it was.
std::vector<Phrase> changedSince(const StoredReview& stored, const Review& review);
// Whether both are of the same files with the same options.
bool ofSameFiles(const StoredReview& first, const StoredReview& second);

// By name. Documents that cannot be read are left out.
Result<std::vector<StoredReview>> storedReviews(ProjectLibrary& library);
// By UUID or, failing that, by name; usage error with the nearest name when there is none.
Result<StoredReview> storedReview(ProjectLibrary& library, const std::string& uuidOrName);
// Stores or replaces by UUID (made when empty); returns the UUID.
Result<std::string> saveReview(ProjectLibrary& library, StoredReview review);

}  // namespace fathom
