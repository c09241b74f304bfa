// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/long_text/made_pages.h"

#include <set>

#include "core/base/files/atomic_file.h"
#include "core/tasks/task.h"
#include "core/text/lower_case.h"

namespace fathom {

namespace {

// Words as WordPiece cuts them: letters and digits together, any other sign by itself.
void addWords(const std::string& text, std::set<std::string>& words) {
  std::string word;
  const auto end = [&] {
    if (!word.empty()) words.insert(toLowerCase(word));
    word.clear();
  };
  for (const char c : text) {
    const bool inside = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (inside) {
      word += c;
      continue;
    }
    end();
    if (c != ' ' && c != '\n') words.insert(std::string(1, c));
  }
  end();
}

std::string linesOf(const std::vector<Json>& records) {
  std::string text;
  for (const Json& one : records) text += one.dump() + "\n";
  return text;
}

}  // namespace

std::vector<std::string> madeNames(std::size_t count) {
  constexpr const char* kFirst[] = {"vel", "tar", "mor", "kes", "lin", "dor", "fen", "gar", "hal", "jor",
                                    "ker", "lum", "nor", "pel", "ros", "sel", "tul", "ver", "wen", "zan",
                                    "bra", "cal", "dun", "els", "fal", "gil", "hur", "ist", "kal", "lor"};
  constexpr const char* kLast[] = {"mora", "kesh", "dale", "wick",  "stad", "ford",  "holm",  "burg",
                                   "mere", "tis",  "ano",  "ella",  "aria", "osk",   "und",   "ith",
                                   "ora",  "ene",  "ival", "ux",    "amar", "brook", "crest", "dun",
                                   "eth",  "fold", "gate", "hurst", "isle", "keep"};
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count && i < 900; ++i)
    names.push_back(std::string(kFirst[i % 30]) + kLast[(i / 30 + i) % 30]);
  return names;
}

Json madePageFiles(const std::string& folder) {
  Json files = Json::object();
  for (const auto& split : kDataSplits)
    files[std::string("data.") + split.word] = folder + "/" + split.word + ".jsonl";
  files["text.vocabulary.file"] = folder + "/vocab.txt";
  return files;
}

Result<MadeData> writeMadePages(const std::string& folder, const MadePages& pages, Json options) {
  std::set<std::string> words;
  for (const std::string& text : pages.texts) addWords(text, words);
  std::string vocabulary = "[PAD]\n";
  MadeData made;
  made.pieces = 1;
  constexpr int kUnused = 5;
  for (int i = 0; i < kUnused; ++i, ++made.pieces) vocabulary += "[unused" + std::to_string(i) + "]\n";
  for (const char* mark : {"[UNK]", "[CLS]", "[SEP]", "[MASK]"}) {
    vocabulary += std::string(mark) + "\n";
    ++made.pieces;
  }
  for (const std::string& word : words) vocabulary += word + "\n";
  made.pieces += static_cast<int>(words.size());
  const Json files = madePageFiles(folder);
  FATHOM_CHECK(makeFolders(folder));
  const auto write = [&](const char* key, const std::string& text) {
    return writeFileAtomically(files.at(key).get<std::string>(), text);
  };
  FATHOM_CHECK(write("data.train", linesOf(pages.train)));
  FATHOM_CHECK(write("data.validation", linesOf(pages.validation)));
  FATHOM_CHECK(write("data.test", linesOf(pages.test)));
  FATHOM_CHECK(write("text.vocabulary.file", vocabulary));
  made.options = std::move(options);
  made.options["text.vocabulary.kind"] = "wordpiece";
  made.options["text.vocabulary.lower_case"] = true;
  made.options.update(files);
  return made;
}

}  // namespace fathom
