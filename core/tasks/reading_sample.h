// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/numbers/random_stream.h"
#include "core/tasks/sample_pieces.h"
#include "core/tasks/task_facts.h"

namespace fathom {

// Parts of the generated sample of a task that reads texts; the rest of a SampleMaker is the same for all.
struct ReadingSample {
  struct Sizes {
    std::size_t train, validation, test;
  };
  const char* stream;  // name of its random numbers: "glue.sample"
  const char* ending;  // ".tsv"
  Sizes training, check;
  // One example; the words of its texts are added to the pieces.
  Json (*draw)(RandomStream& random, SamplePieces& pieces) = nullptr;
  // The file of a part (the word of a DataSplit), which is numbered by the caller's order.
  std::string (*fileText)(const std::string& part, const std::vector<Json>& examples) = nullptr;
  Json options = Json::object();  // besides files and vocabulary
};

// SampleMaker's functions. No example is in two parts, or twice in one.
Json readingSampleFiles(const ReadingSample& maker, const std::string& folder);
Result<TaskSample> writeReadingSample(const ReadingSample& maker, const std::string& folder,
                                      std::uint64_t seed, SampleSize size);

}  // namespace fathom
