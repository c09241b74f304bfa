// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/made_reading.h"

#include <unordered_set>

#include "core/base/files/atomic_file.h"
#include "core/tasks/task.h"

namespace fathom {

namespace {

std::string partFile(const MadeReading& maker, const std::string& folder, const std::string& part) {
  return folder + "/" + part + maker.ending;
}

}  // namespace

Json madeReadingFiles(const MadeReading& maker, const std::string& folder) {
  Json files = MadePieces::files(folder);
  for (const auto& split : kDataSplits)
    files[std::string("data.") + split.word] = partFile(maker, folder, split.word);
  return files;
}

Result<MadeData> writeMadeReading(const MadeReading& maker, const std::string& folder, std::uint64_t seed,
                                  MadeDataSize size) {
  const MadeReading::Sizes& sizes = size == MadeDataSize::Check ? maker.check : maker.training;
  RandomStream random(streamSeed(seed, maker.stream));
  MadePieces pieces;
  std::unordered_set<std::string> seen;
  FATHOM_CHECK(makeFolders(folder));
  for (const auto& [split, count] :
       {std::pair{DataSplit::Train, sizes.train}, std::pair{DataSplit::Validation, sizes.validation},
        std::pair{DataSplit::Test, sizes.test}}) {
    const std::string part = dataSplitName(split);
    std::vector<Json> examples;
    while (examples.size() < count) {
      Json example = maker.draw(random, pieces);
      if (seen.insert(example.dump()).second) examples.push_back(std::move(example));
    }
    FATHOM_CHECK(writeFileAtomically(partFile(maker, folder, part), maker.fileText(part, examples)));
  }
  FATHOM_CHECK(pieces.write(folder));
  MadeData made;
  made.pieces = pieces.size();
  made.options = maker.options;
  made.options.update(MadePieces::options(folder));
  made.options.update(madeReadingFiles(maker, folder));
  return made;
}

}  // namespace fathom
