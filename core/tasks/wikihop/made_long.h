// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/tasks/wikihop/wikihop_layout.h"

namespace fathom {

// A made task that only a model with global tokens can solve. A record is one of WikiHop: each of its
// documents but one says what a person keeps ("anna keeps the lamp ."), one asks for the person who keeps one
// thing ("who keeps the lamp ."), and the candidates are the persons. Each person keeps one thing.
// It is learned in stages, each of which gains by itself: a question is for one of two things, of which both
// are kept in every record and the others never asked for (one of two instead of one of all candidates), and
// for the first of them 13 times in 20, before question and thing are brought together.
// Candidates, question and facts are contexts of their own, and padding stands on both sides of the question
// ("the old mill ."): no window of the long stream reaches from it to a fact. Chance is one in
// `documents` - 1. Every word is one piece of `vocabulary`.
struct MadeLongSizes {
  std::int64_t train = 6000, validation = 300, test = 300;
  std::int64_t documents = 5;  // of a record, the one with the question among them
  std::int64_t padding = 8;    // sentences of 4 pieces on each side of a question: etc_quick's radius is 32
};

struct MadeLong {
  std::vector<WikiHopRecord> train, validation, test;
  std::vector<std::string> vocabulary;  // WordPiece, special pieces first; unused ones for global tokens
};

// A function of seed and sizes. No two records are the same. Usage error for sizes that the words do not
// suffice for: 3 to 7 documents, at least 1 padding sentence.
Result<MadeLong> makeLongData(std::uint64_t seed, const MadeLongSizes& sizes = {});

// Writes train.json, validation.json and test.json in WikiHop's layout and vocab.txt, each atomically; the
// folder is made if it is missing.
Status writeMadeLong(const std::string& folder, std::uint64_t seed, const MadeLongSizes& sizes = {});

}  // namespace fathom
