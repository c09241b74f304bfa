// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/errors/aligned_editors.h"

#include "views/panels/errors/sql_editor.h"

namespace fathom {

namespace {

void showSide(SqlEditor* editor, const SqlSide& side, const ScopedParse& parsed, const QVector<int>& tinted) {
  editor->showSql(QByteArray::fromStdString(side.text));
  editor->tintLines(tinted);
  for (const SourceSpan& span : side.differences)
    editor->mark(SqlEditor::Difference, int(side.textOffset(span.begin)), int(side.textOffset(span.end)));
  for (const SourceSpan& span : side.values)
    editor->mark(SqlEditor::Value, int(side.textOffset(span.begin)), int(side.textOffset(span.end)));
  const int trouble = int(side.textOffset(parsed.errorAt));
  if (!parsed.ok()) editor->mark(SqlEditor::Trouble, qMax(0, trouble - 1), trouble + 1);
}

}  // namespace

void levelWrapped(SqlEditor* first, SqlEditor* second) {
  for (SqlEditor* editor : {first, second}) editor->SendScintilla(QsciScintilla::SCI_ANNOTATIONCLEARALL);
  const auto rows = [](const SqlEditor* editor, int line) {
    return int(editor->SendScintilla(QsciScintilla::SCI_WRAPCOUNT, line));
  };
  for (int line = 0; line < qMin(first->lines(), second->lines()); ++line) {
    const int more = rows(first, line) - rows(second, line);
    if (more == 0) continue;
    const QByteArray blank(qAbs(more) - 1, '\n');
    (more > 0 ? second : first)
        ->SendScintilla(QsciScintilla::SCI_ANNOTATIONSETTEXT, line, (blank + ' ').constData());
  }
}

AlignedSql showAligned(const ShownQuery& first, const ShownQuery& second, const SpiderSchema* schema) {
  const auto parse = [schema](const std::string& sql) {
    return schema != nullptr ? parseScopedSql(sql, *schema) : parseSqlSyntax(sql);
  };
  const ScopedParse left = parse(first.sql), right = parse(second.sql);
  AlignedSql aligned = alignSql(first.sql, left, second.sql, right);
  QVector<int> tinted;
  for (std::size_t i = 0; i < aligned.lineDiffers.size(); ++i)
    if (aligned.lineDiffers[i]) tinted.append(int(i));
  showSide(first.editor, aligned.gold, left, tinted);
  showSide(second.editor, aligned.predicted, right, tinted);
  levelWrapped(first.editor, second.editor);
  return aligned;
}

}  // namespace fathom
