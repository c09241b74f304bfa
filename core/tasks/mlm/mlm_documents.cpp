// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/mlm/mlm_documents.h"

#include "core/base/text/utf8.h"
#include "core/tasks/plain_text.h"

namespace fathom {

namespace {

class DocumentBuilder {
 public:
  DocumentBuilder(const MlmOptions& options, MlmText& text) : m_options(options), m_text(text) {}

  void add(std::string_view line) {
    line = strip(line);
    const bool wiki = m_options.documents == MlmDocuments::WikiText;
    if (wiki ? isWikiTextTitle(line) : line.empty()) m_open = false;
    if (line.empty()) return;
    if (!m_open) m_text.documents.push_back(m_text.sentences.size());
    m_open = true;
    if (m_options.sentences == MlmSentences::Line) {
      m_text.sentences.add(line);
    } else {
      for (const std::string_view sentence : cutAtFullStops(line)) m_text.sentences.add(sentence);
    }
  }

 private:
  const MlmOptions& m_options;
  MlmText& m_text;
  bool m_open = false;
};

}  // namespace

std::int64_t MlmText::documentEnd(std::int64_t document) const {
  const auto next = static_cast<std::size_t>(document) + 1;
  return next < documents.size() ? documents[next] : sentences.size();
}

std::vector<std::string_view> cutAtFullStops(std::string_view line) {
  std::vector<std::string_view> sentences;
  std::size_t start = 0;
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    const bool stop = line[i] == '.' || line[i] == '!' || line[i] == '?';
    if (!stop || line[i + 1] != ' ') continue;
    sentences.push_back(line.substr(start, i + 1 - start));
    start = i + 2;
  }
  const std::string_view rest = strip(line.substr(std::min(start, line.size())));
  if (!rest.empty()) sentences.push_back(rest);
  return sentences;
}

Result<MlmText> readDocuments(const std::string& path, const std::string& role, const MlmOptions& options,
                              const TaskSetup& setup) {
  MlmText text;
  DocumentBuilder builder(options, text);
  FATHOM_TRY(PlainTextFile read, readPlainText(path, role, options, setup,
                                               [&builder](std::string_view line) { builder.add(line); }));
  text.lines = read.lines;
  text.skippedLines = read.skipped;
  if (text.sentences.size() == 0) return dataErrorAt(path, 0, Phrase::tr("no text in %1 lines")(text.lines));
  text.hashes.push_back(std::move(read.hash));
  return text;
}

}  // namespace fathom
