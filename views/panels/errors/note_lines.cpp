// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/errors/note_lines.h"

#include <QLineEdit>
#include <utility>

#include "views/look/engine_text.h"
#include "views/panels/widgets/boxes.h"
#include "views/tables/reviewed_predictions.h"

namespace fathom {

NoteLines::NoteLines(ReviewedPredictions* review, QWidget* parent)
    : QWidget(parent), m_review(review), m_note(new QLineEdit(this)), m_tags(new QLineEdit(this)) {
  m_note->setPlaceholderText(tr("Note on this example"));
  m_note->setToolTip(m_note->placeholderText());
  m_note->setAccessibleName(tr("Note on this example"));
  m_tags->setPlaceholderText(tr("Tags, separated by commas"));
  m_tags->setToolTip(m_tags->placeholderText());
  m_tags->setAccessibleName(tr("Tags of this example"));
  makeRow(this, {{m_note, 3}, {m_tags, 2}});
  connect(m_note, &QLineEdit::editingFinished, this, &NoteLines::keep);
  connect(m_tags, &QLineEdit::editingFinished, this, &NoteLines::keep);
  connect(review, &ReviewedPredictions::reviewChanged, this, [this] { m_example = -1; });
  connect(review, &ReviewedPredictions::currentChanged, this, [this] {
    if (m_example != m_review->currentExample()) keep();
    show();
  });
  connect(review, &ReviewedPredictions::exampleChanged, this, [this](int example) {
    if (example == m_example) show();
  });
}

bool NoteLines::changes() const {
  return m_example >= 0 && !m_review->empty() && m_review->canBeChanged();
}

void NoteLines::show() {
  const int before = std::exchange(m_example, m_review->empty() ? -1 : m_review->currentExample());
  if (m_example < 0) return;
  m_note->setReadOnly(!m_review->canBeChanged());
  m_tags->setReadOnly(!m_review->canBeChanged());
  const Judgements& said = m_review->judgements();
  const QString note = fromUtf8(said.note(std::size_t(m_example)));
  if (!m_note->hasFocus() || m_note->text() != note) m_note->setText(note);
  QStringList tags;
  for (const std::string& tag : said.tags(std::size_t(m_example))) tags.append(fromUtf8(tag));
  // Who types goes on typing, but never into another example.
  if (m_example != before || !m_tags->hasFocus()) m_tags->setText(tags.join(QStringLiteral(", ")));
}

QString NoteLines::note() const {
  return m_note->text();
}

void NoteLines::edit() {
  m_note->setFocus(Qt::ShortcutFocusReason);
  m_note->selectAll();
}

void NoteLines::keep() {
  if (!changes()) return;
  if (m_note->text() != fromUtf8(m_review->judgements().note(std::size_t(m_example))))
    report(m_review->setNote(m_example, m_note->text()));
  keepTags();
}

void NoteLines::keepTags() {
  QStringList tags, before;
  for (const std::string& tag : m_review->judgements().tags(std::size_t(m_example)))
    before.append(fromUtf8(tag));
  for (const QString& tag : m_tags->text().split(QLatin1Char(','), Qt::SkipEmptyParts))
    if (!tag.trimmed().isEmpty()) tags.append(tag.trimmed());
  if (tags != before) report(m_review->setTags(m_example, tags));
}

void NoteLines::report(const Status& status) {
  if (!status.ok()) Q_EMIT failed(status.error());
}

}  // namespace fathom
