// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/plain_text.h"

#include <utility>

#include "core/base/files/atomic_file.h"
#include "core/base/lines/line_reader.h"
#include "core/tasks/line_errors.h"
#include "core/tasks/made_sentences.h"
#include "core/tasks/part_phase.h"

namespace fathom {

Result<PlainTextFile> readPlainText(const std::string& path, const std::string& role, const DataFiles& files,
                                    const TaskSetup& setup,
                                    const std::function<void(std::string_view)>& take) {
  FATHOM_TRY(LineReader reader, LineReader::open(path, files.maxLineBytes));
  if (setup.progress != nullptr)
    setup.progress->begin(partPhase(role, Phrase::tr("reading train text"),
                                    Phrase::tr("reading validation text"), Phrase::tr("reading test text")),
                          Phrase::tr("bytes").english, static_cast<double>(reader.fileBytes()));
  PlainTextFile read;
  LineReader::Line line;
  while (true) {
    FATHOM_TRY(const bool more, reader.next(line));
    if (!more) break;
    read.lines = line.number;
    if (const auto bad = lineError(reader, line)) {
      if (!files.skipBadLines) return *bad;
      ++read.skipped;
      continue;
    }
    take(line.text);
    if ((line.number & 0x3FF) != 0) continue;
    if (setup.stop.stopRequested()) return interruptedError();
    if (setup.progress != nullptr) setup.progress->report(static_cast<double>(reader.readBytes()));
  }
  read.hash = {role, path, reader.sha256(), reader.fileBytes()};
  return read;
}

bool isWikiTextTitle(std::string_view line) {
  return line.size() > 4 && line.starts_with("= ") && line.ends_with(" =") && !line.starts_with("= =");
}

Json madeTextFiles(const std::string& folder) {
  Json files = Json::object();
  for (const auto& split : kDataSplits)
    files[std::string("data.") + split.word] = folder + "/" + split.word + ".txt";
  return files;
}

Result<MadeData> writeMadeText(const std::string& folder, std::uint64_t seed, MadeDataSize size,
                               Json options) {
  constexpr std::size_t kSentencesOfDocument = 25;
  FATHOM_TRY(const MadeSentences made,
             makeSentences(
                 seed, size == MadeDataSize::Check ? MadeSentenceCounts{600, 60, 60} : MadeSentenceCounts{}));
  MadeData data;
  data.pieces = kMadeTextPieces;
  data.options = std::move(options);
  const std::pair<DataSplit, const MadeSentences::Pairs*> parts[] = {
      {DataSplit::Train, &made.train},
      {DataSplit::Validation, &made.validation},
      {DataSplit::Test, &made.test}};
  const Json files = madeTextFiles(folder);
  FATHOM_CHECK(makeFolders(folder));
  for (const auto& [part, pairs] : parts) {
    std::string text;
    std::size_t sentences = 0;
    for (const auto& [german, english] : *pairs)
      text += english + (++sentences % kSentencesOfDocument == 0 ? "\n\n" : "\n");
    FATHOM_CHECK(
        writeFileAtomically(files[std::string("data.") + dataSplitName(part)].get<std::string>(), text));
  }
  data.options.update(files);
  return data;
}

}  // namespace fathom
