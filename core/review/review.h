// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/review/review_kind.h"

namespace fathom {

// A file of predictions as a person names it: "name=path", or a path whose file gives the name.
ReviewPredictions reviewPredictions(const std::string& word);
// What ReviewSources::toJson wrote. Errors name the member.
Result<ReviewSources> reviewSourcesFromJson(const Json& json);

// Reads, judges and scores. An answer that is missing counts as wrong; ids that the gold file does not have
// are counted and said, most of them are an error. Errors name file, line and value: a file that cannot be
// read or does not fit, an example that is answered twice, two systems of one name; interrupted.
Result<Review> openReview(const ReviewSources& sources, int threads, Progress& progress,
                          const StopToken& stop = {});

// Judges, scores and finds facets of a document whose gold and outputs are there.
Status judgeReview(Review& review, int threads, const StopToken& stop = {});
// Data set, keys and identities of such a document.
Status identifyReview(Review& review, int threads = 1);

bool isWrongInAll(const Review& review, std::size_t example);
bool isWrongInAny(const Review& review, std::size_t example);
// Examples that `first` has right and `second` wrong.
std::vector<std::size_t> onlyFirstRight(const Review& review, std::size_t first, std::size_t second);

// All pairs, first < second, by the kind's test; of ten models on 10,000 examples in about a second, so off
// the GUI thread. Examples are resampled once for all pairs. Interrupted when `stop` asks.
Result<std::vector<ReviewPair>> comparePairs(const Review& review, const StopToken& stop = {});

// The text two spellings of one answer share: white space collapsed.
std::string collapsedText(std::string_view text);

// The text that says most about an example in one line.
const std::string& headlineOf(const ReviewExample& example);

}  // namespace fathom
