// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"
#include "core/tasks/task_facts.h"

namespace fathom {

// What samples of tasks on pages share: made names, files of JSON lines, a vocabulary of all their words.

// "velmora", "tarkesh", …: made of syllables, each once. At most 900.
std::vector<std::string> madeNames(std::size_t count);

// data.train, data.validation, data.test as JSON lines in the folder, and the vocabulary.
Json madePageFiles(const std::string& folder);

// Records by part; the texts in which the words of the vocabulary stand.
struct MadePages {
  std::vector<Json> train, validation, test;
  std::vector<std::string> texts;
};
// Writes the three parts and vocab.txt (BERT's marks and unused pieces first), each atomically; the folder is
// made if it is missing. `options` are those of the task besides the files.
Result<MadeData> writeMadePages(const std::string& folder, const MadePages& pages, Json options);

}  // namespace fathom
