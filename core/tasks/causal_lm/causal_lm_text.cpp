// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/causal_lm/causal_lm_text.h"

#include "core/base/lines/line_reader.h"
#include "core/base/text/utf8.h"
#include "core/tasks/line_errors.h"
#include "core/tasks/part_phase.h"

namespace fathom {

namespace {

// " = Title = " of WikiText, not " = = Section = = ".
bool beginsArticle(std::string_view line) {
  return line.size() > 4 && line.starts_with("= ") && line.ends_with(" =") && !line.starts_with("= =");
}

class CausalDocumentBuilder {
 public:
  CausalDocumentBuilder(CausalDocuments documents, CausalText& text) : m_documents(documents), m_text(text) {}
  void add(std::string_view raw) {
    const std::string_view line = strip(raw);
    if (m_documents == CausalDocuments::WikiText ? beginsArticle(line) : line.empty()) end();
    if (line.empty()) return;
    if (!m_open.empty()) m_open += '\n';
    m_open += line;
    if (m_documents == CausalDocuments::Line) end();
  }
  void end() {
    if (!m_open.empty()) m_text.documents.add(m_open);
    m_open.clear();
  }

 private:
  CausalDocuments m_documents;
  CausalText& m_text;
  std::string m_open;
};

}  // namespace

Result<CausalText> readCausalText(const std::string& path, const std::string& role,
                                  const CausalLmOptions& options, const TaskSetup& setup) {
  FATHOM_TRY(LineReader reader, LineReader::open(path, options.maxLineBytes));
  if (setup.progress != nullptr)
    setup.progress->begin(partPhase(role, Phrase::tr("reading train text"),
                                    Phrase::tr("reading validation text"), Phrase::tr("reading test text")),
                          Phrase::tr("bytes").english, static_cast<double>(reader.fileBytes()));
  CausalText text;
  CausalDocumentBuilder builder(options.documents, text);
  LineReader::Line line;
  while (true) {
    FATHOM_TRY(const bool more, reader.next(line));
    if (!more) break;
    text.lines = line.number;
    if (const auto bad = lineError(reader, line)) {
      if (!options.skipBadLines) return *bad;
      ++text.skippedLines;
      continue;
    }
    builder.add(line.text);
    if ((line.number & 0x3FF) != 0) continue;
    if (setup.stop.stopRequested()) return interruptedError();
    if (setup.progress != nullptr) setup.progress->report(static_cast<double>(reader.readBytes()));
  }
  builder.end();
  if (text.documents.size() == 0) return dataErrorAt(path, 0, Phrase::tr("no text in %1 lines")(text.lines));
  text.hashes.push_back({role, path, reader.sha256(), reader.fileBytes()});
  return text;
}

}  // namespace fathom
