// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/places/place_lines.h"

#include <QEvent>
#include <QFontDatabase>
#include <QLabel>
#include <QPlainTextEdit>
#include <QTextBlock>

#include "views/look/engine_text.h"
#include "views/look/theme.h"
#include "views/panels/form/experiment_draft.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"

namespace fathom {

namespace {

constexpr int kShownLines = 3;
constexpr double kSmallHelp = 0.9;

// Empty lines say nothing.
Json writtenLines(const QPlainTextEdit* editor) {
  Json lines = Json::array();
  for (QTextBlock block = editor->document()->begin(); block.isValid(); block = block.next())
    if (!block.text().trimmed().isEmpty()) lines.push_back(toUtf8(block.text()));
  return lines;
}

}  // namespace

PlaceLines::PlaceLines(const OptionField& field, ExperimentDraft* draft, QWidget* parent)
    : QWidget(parent),
      m_field(field),
      m_draft(draft),
      m_key(fromUtf8(field.key)),
      m_title(new QLabel(engineText(field.title), this)),
      m_editor(new QPlainTextEdit(this)),
      m_help(wrappedLabel(this)),
      m_problem(wrappedLabel(this, QStringLiteral("problem:") + m_key)) {
  m_editor->setObjectName(m_key);
  m_editor->setAccessibleName(m_title->text());
  m_editor->setAccessibleDescription(engineText(field.help));
  m_editor->setTabChangesFocus(true);
  m_editor->setLineWrapMode(QPlainTextEdit::NoWrap);
  m_editor->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  m_editor->setFixedHeight((kShownLines + 1) * m_editor->fontMetrics().lineSpacing() + 2 * metrics::kGrid);
  m_title->setBuddy(m_editor);
  m_help->setTextFormat(Qt::PlainText);
  m_help->setText(engineText(field.help));
  setTextShare(m_help, font(), kSmallHelp);
  m_problem->hide();
  makeColumn(this, {m_title, m_editor, m_help, m_problem}, 2, {metrics::kMargin, 0, metrics::kMargin, 0});
  connect(m_editor, &QPlainTextEdit::textChanged, this, [this] {
    const Json lines = writtenLines(m_editor);
    if (lines != m_draft->values().value(m_field.key)) m_draft->setValue(m_key, lines);
  });
  refresh();
}

void PlaceLines::refresh() {
  const Json& value = m_draft->values().value(m_field.key);
  if (writtenLines(m_editor) != value) {
    QStringList lines;
    for (const Json& line : value) lines.append(fromUtf8(line.get<std::string>()));
    m_editor->setPlainText(lines.join(QLatin1Char('\n')));
  }
  showText(m_problem, m_draft->reasons(m_key).join(QLatin1Char('\n')));
  colour();
}

void PlaceLines::colour() {
  const Theme& theme = Theme::of(palette());
  setTextColour(m_help, theme.secondary);
  setTextColour(m_problem, theme.failed);
}

void PlaceLines::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) colour();
  if (event->type() == QEvent::FontChange) setTextShare(m_help, font(), kSmallHelp);
}

}  // namespace fathom
