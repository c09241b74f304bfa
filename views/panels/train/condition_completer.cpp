// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/train/condition_completer.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QKeyEvent>
#include <QLineEdit>
#include <QStringListModel>
#include <utility>

#include "core/library/runs/run_condition.h"
#include "views/look/engine_text.h"

namespace fathom {

ConditionCompleter::ConditionCompleter(QLineEdit* line, std::function<std::vector<std::string>()> names)
    : QObject(line),
      m_line(line),
      m_names(std::move(names)),
      m_list(new QStringListModel(this)),
      m_completer(new QCompleter(m_list, this)) {
  m_completer->setWidget(line);
  m_completer->setCaseSensitivity(Qt::CaseInsensitive);
  m_completer->setFilterMode(Qt::MatchContains);
  m_completer->setCompletionMode(QCompleter::PopupCompletion);
  m_completer->popup()->setObjectName(QStringLiteral("conditionNames"));
  m_completer->popup()->setAccessibleName(tr("Names for a condition"));
  line->installEventFilter(this);
  connect(m_completer, qOverload<const QString&>(&QCompleter::activated), this, &ConditionCompleter::take);
  connect(line, &QLineEdit::textEdited, this, [this](const QString& text) {
    constexpr int kFewest = 2;
    if (looksLikeCondition(toUtf8(text))) return offer(kFewest);
    m_completer->popup()->hide();
  });
}

qsizetype ConditionCompleter::wordStart() const {
  const QString text = m_line->text();
  qsizetype start = m_line->cursorPosition();
  while (start > 0 && !QStringLiteral(" \t<>=!~(),&|\"'`").contains(text[start - 1])) --start;
  return start;
}

void ConditionCompleter::offer(int fewestLetters) {
  const qsizetype start = wordStart(), end = m_line->cursorPosition();
  const QString word = m_line->text().mid(start, end - start);
  // The word behind a sign is a value.
  const QString before = m_line->text().left(start).trimmed();
  const bool value = !before.isEmpty() && QStringLiteral("<>=~").contains(before.back());
  if (value || word.size() < fewestLetters) return m_completer->popup()->hide();
  QStringList names;
  for (const std::string& name : m_names()) names.append(fromUtf8(name));
  for (const std::string& name : runFieldNames()) names.append(fromUtf8(name));
  m_list->setStringList(names);
  m_completer->setCompletionPrefix(word);
  const bool whole = m_completer->completionCount() == 1 && m_completer->currentCompletion() == word;
  if (m_completer->completionCount() == 0 || whole) return m_completer->popup()->hide();
  m_completer->complete();
}

void ConditionCompleter::take(const QString& name) {
  const qsizetype start = wordStart(), end = m_line->cursorPosition();
  m_line->setSelection(int(start), int(end - start));
  m_line->insert(name);
}

bool ConditionCompleter::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_line && event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Space && key->modifiers() == Qt::ControlModifier) {
      offer(0);
      return true;
    }
  }
  return QObject::eventFilter(watched, event);
}

}  // namespace fathom
