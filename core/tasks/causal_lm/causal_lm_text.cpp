// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/causal_lm/causal_lm_text.h"

#include "core/base/text/utf8.h"
#include "core/tasks/plain_text.h"

namespace fathom {

namespace {

class CausalDocumentBuilder {
 public:
  CausalDocumentBuilder(CausalDocuments documents, CausalText& text) : m_documents(documents), m_text(text) {}
  void add(std::string_view raw) {
    const std::string_view line = strip(raw);
    if (m_documents == CausalDocuments::WikiText ? isWikiTextTitle(line) : line.empty()) end();
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
  CausalText text;
  CausalDocumentBuilder builder(options.documents, text);
  FATHOM_TRY(PlainTextFile read, readPlainText(path, role, options, setup,
                                               [&builder](std::string_view line) { builder.add(line); }));
  builder.end();
  text.lines = read.lines;
  text.skippedLines = read.skipped;
  if (text.documents.size() == 0) return dataErrorAt(path, 0, Phrase::tr("no text in %1 lines")(text.lines));
  text.hashes.push_back(std::move(read.hash));
  return text;
}

}  // namespace fathom
