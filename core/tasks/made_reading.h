// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/numbers/random_stream.h"
#include "core/tasks/made_pieces.h"
#include "core/tasks/task_facts.h"

namespace fathom {

// Parts of the made data of a task that reads texts; the rest of a DataMaker is the same for all.
struct MadeReading {
  struct Sizes {
    std::size_t train, validation, test;
  };
  const char* stream;  // name of its random numbers: "glue.sample"
  const char* ending;  // ".tsv"
  Sizes training, check;
  // One example; the words of its texts are added to the pieces.
  Json (*draw)(RandomStream& random, MadePieces& pieces) = nullptr;
  // The file of a part (the word of a DataSplit), which is numbered by the caller's order.
  std::string (*fileText)(const std::string& part, const std::vector<Json>& examples) = nullptr;
  Json options = Json::object();  // besides files and vocabulary
};

// DataMaker's functions. No example is in two parts, or twice in one.
Json madeReadingFiles(const MadeReading& maker, const std::string& folder);
Result<MadeData> writeMadeReading(const MadeReading& maker, const std::string& folder, std::uint64_t seed,
                                  MadeDataSize size);

}  // namespace fathom
