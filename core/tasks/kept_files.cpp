// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/kept_files.h"

#include <filesystem>

#include "core/base/errors/phrase.h"
#include "core/base/files/atomic_file.h"

namespace fathom {

namespace {

constexpr std::size_t kMostKeptBytes = std::size_t{256} << 20;

}  // namespace

Result<std::string> keptOr(const std::string& name, const TaskSetup& setup,
                           const std::function<Result<std::string>()>& make) {
  if (const auto kept = setup.artifacts.find(name); kept != setup.artifacts.end()) return kept->second;
  if (setup.inputOnly)
    return dataError(Phrase::tr("the run has no file %1")(name),
                     Phrase::tr("it is needed to read input; train again, or copy it into the run"));
  return make();
}

Result<std::string> keptFile(const std::string& name, const std::string& file, const TaskSetup& setup) {
  return keptOr(name, setup, [&file] { return readFile(file, kMostKeptBytes); });
}

Result<ByteBpeTokenizer> keptByteBpe(const std::string& vocabulary, const std::string& merges,
                                     const ByteBpeOptions& options, const std::vector<const char*>& needed,
                                     const TaskSetup& setup, std::map<std::string, std::string>& artifacts) {
  const std::string mergesFile =
      merges.empty() ? (std::filesystem::path(vocabulary).parent_path() / "merges.txt").string() : merges;
  std::string &json = artifacts["vocabulary.json"], &pairs = artifacts["merges.txt"];
  FATHOM_TRY(json, keptFile("vocabulary.json", vocabulary, setup));
  FATHOM_TRY(pairs, keptFile("merges.txt", mergesFile, setup));
  FATHOM_TRY(ByteBpeTokenizer made,
             ByteBpeTokenizer::fromFiles(json, vocabulary, pairs, mergesFile, options));
  for (const char* token : needed) {
    if (made.find(token) < 0)
      return dataError(Phrase::tr("%1: the vocabulary has no %2")(vocabulary, token),
                       Phrase::tr("a vocab.json of RoBERTa is expected"));
  }
  return made;
}

}  // namespace fathom
