// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/form/option_completer.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QLineEdit>
#include <QStringListModel>
#include <utility>

namespace fathom {

OptionCompleter::OptionCompleter(QComboBox* box, Finder find)
    : QCompleter(box), m_find(std::move(find)), m_titles(new QStringListModel(this)) {
  setModel(m_titles);
  setCompletionMode(QCompleter::PopupCompletion);
  popup()->setObjectName(QStringLiteral("optionNames"));
  popup()->setAccessibleName(tr("Options that fit"));
  // Before the line asks for completions.
  connect(box->lineEdit(), &QLineEdit::textEdited, this,
          [this](const QString& typed) { m_titles->setStringList(m_find(typed)); });
  box->setCompleter(this);
}

QStringList OptionCompleter::splitPath(const QString& /*typed*/) const {
  return {QString()};
}

}  // namespace fathom
