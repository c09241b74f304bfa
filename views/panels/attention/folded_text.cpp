// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/attention/folded_text.h"

#include <QEvent>
#include <QToolButton>
#include <utility>

#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"
#include "views/panels/widgets/help_text.h"
#include "views/panels/widgets/markdown_text.h"

namespace fathom {

FoldedText::FoldedText(QWidget* parent)
    : QWidget(parent), m_text(new HelpText(this)), m_more(flatTextButton(this, {}, {})) {
  m_text->document()->setDocumentMargin(metrics::kMargin);
  m_more->setObjectName(QStringLiteral("more"));
  connect(m_more, &QToolButton::clicked, this, [this] { setFolded(!m_folded); });
  makeColumn(this, {{m_text, 1}, {m_more, 0, Qt::AlignLeft}}, 0);
  setFolded(true);
}

void FoldedText::setWords(const QString& markdown) {
  m_words = markdown;
  setMarkdownText(m_text->document(), markdown, m_text->font());
  fit();
}

void FoldedText::setFolded(bool folded) {
  m_folded = folded;
  m_more->setText(folded ? tr("More") : tr("Less"));
  m_more->setToolTip(folded ? tr("The whole text") : tr("Three lines of it"));
  m_more->setAccessibleName(m_more->toolTip());
  m_text->setVerticalScrollBarPolicy(folded ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
  if (folded) m_text->moveCursor(QTextCursor::Start);
  fit();
}

// A text that fits anyway has nothing to unfold.
void FoldedText::fit() {
  const int lines =
      kLines * m_text->fontMetrics().lineSpacing() + 2 * metrics::kMargin + 2 * m_text->frameWidth();
  const bool longer = m_text->document()->size().height() > lines;
  m_more->setVisible(longer || !m_folded);
  constexpr double kMostShare = 0.4;  // of what it stands in
  const int room = parentWidget() == nullptr ? lines : int(kMostShare * parentWidget()->height());
  const int whole = int(m_text->document()->size().height()) + 2 * m_text->frameWidth();
  m_text->setFixedHeight(m_folded ? qMin(lines, whole) : qBound(lines, whole, qMax(lines, room)));
}

void FoldedText::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::FontChange) return;
  m_oldFont = !isVisible();
  if (!m_oldFont) setWords(m_words);
}

void FoldedText::showEvent(QShowEvent* event) {
  if (std::exchange(m_oldFont, false)) setWords(m_words);
  QWidget::showEvent(event);
}

void FoldedText::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (event->oldSize().width() != event->size().width()) fit();
}

}  // namespace fathom
