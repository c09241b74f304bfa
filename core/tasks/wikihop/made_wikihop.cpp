// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/wikihop/made_wikihop.h"

#include "core/tasks/wikihop/made_long.h"

namespace fathom {

Json madeWikihopFiles(const std::string& folder) {
  return {{"data.train", folder + "/train.json"},
          {"data.validation", folder + "/validation.json"},
          {"data.test", folder + "/test.json"},
          {"text.vocabulary.file", folder + "/vocab.txt"}};
}

Result<MadeData> writeMadeWikihop(const std::string& folder, std::uint64_t seed, MadeDataSize size) {
  MadeLongSizes sizes;
  if (size == MadeDataSize::Check) sizes.train = 40, sizes.validation = sizes.test = 10;
  FATHOM_CHECK(writeMadeLong(folder, seed, sizes));
  FATHOM_TRY(const MadeLong words, makeLongData(seed, {.train = 1, .validation = 1, .test = 1}));
  MadeData made;
  made.pieces = static_cast<int>(words.vocabulary.size());
  made.options = {{"text.vocabulary.kind", "wordpiece"}, {"text.vocabulary.lower_case", true}};
  made.options.update(madeWikihopFiles(folder));
  return made;
}

}  // namespace fathom
