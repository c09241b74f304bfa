// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main/preferences_dialog.h"

#include <QAction>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableWidget>

#include "app/window/main/folder_preferences.h"
#include "app/window/main/training_preferences.h"
#include "app/window/session/action_keys.h"
#include "app/window/session/appearance.h"
#include "views/look/engine_text.h"
#include "views/look/icons.h"
#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"

namespace fathom {

namespace {

constexpr int kActionRole = Qt::UserRole;

// A list of the actions of a group, by the words behind the dot of their ids; choosing one triggers it.
QComboBox* choiceOf(const char* group, const QStringList& words, const PreferencesDialog::Parts& parts) {
  auto* box = new QComboBox;
  for (const QString& word : words) {
    QAction* action = parts.action(QString::fromLatin1(group) + word);
    box->addItem(withoutMnemonic(action->text()), QVariant::fromValue(action));
    if (action->isChecked()) box->setCurrentIndex(box->count() - 1);
  }
  QObject::connect(box, &QComboBox::activated, box,
                   [box](int index) { box->itemData(index).value<QAction*>()->trigger(); });
  return box;
}

}  // namespace

PreferencesDialog::PreferencesDialog(Parts parts, QWidget* window)
    : QDialog(window), m_parts(std::move(parts)), m_window(window) {
  setObjectName(QStringLiteral("preferences"));
  setWindowTitle(tr("Preferences"));
  setAttribute(Qt::WA_DeleteOnClose);
  auto* tabs = new QTabWidget(this);
  tabs->addTab(makeAppearancePage(), tr("&Appearance"));
  auto* training = new TrainingPreferences({m_parts.files, m_parts.jobs}, this);
  connect(training, &TrainingPreferences::engineChanged, this, m_parts.engineChanged);
  tabs->addTab(training, tr("T&raining"));
  tabs->addTab(new FolderPreferences(m_parts.session, m_parts.files, this), tr("&Folders"));
  tabs->addTab(makeKeysPage(), tr("&Keys"));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  makeColumn(this, {{tabs, 1}, buttons}, metrics::kGrid,
             {metrics::kMargin, metrics::kMargin, metrics::kMargin, metrics::kMargin});
  resize(fontMetrics().averageCharWidth() * 90, fontMetrics().height() * 30);
}

// The window may be gone with its actions when the table tells that its rows are.
PreferencesDialog::~PreferencesDialog() {
  m_table->disconnect(this);
  m_edit->disconnect(this);
}

QWidget* PreferencesDialog::makeAppearancePage() {
  auto* page = new QWidget(this);
  auto* form = new QFormLayout(page);
  QStringList languages;
  for (const auto& [id, title] : Appearance::languages()) languages.append(id);
  QComboBox* language = choiceOf("language.", languages, m_parts);
  language->setObjectName(QStringLiteral("preferredLanguage"));
  form->addRow(tr("&Language"), language);
  QComboBox* theme = choiceOf(
      "theme.",
      {QStringLiteral("system"), QStringLiteral("light"), QStringLiteral("dark"), QStringLiteral("contrast")},
      m_parts);
  theme->setObjectName(QStringLiteral("preferredTheme"));
  form->addRow(tr("&Theme"), theme);
  auto* size = new QSpinBox(page);
  size->setObjectName(QStringLiteral("preferredTextSize"));
  size->setRange(70, 200);
  size->setSingleStep(10);
  size->setSuffix(QStringLiteral(" %"));
  size->setValue(m_parts.appearance->textPercent());
  size->setKeyboardTracking(false);  // a number in the middle of being typed is no size
  connect(size, &QSpinBox::valueChanged, this, m_parts.setTextPercent);
  form->addRow(tr("Text &size"), size);
  return page;
}

QWidget* PreferencesDialog::makeKeysPage() {
  auto* page = new QWidget(this);
  auto* search = new QLineEdit(page);
  search->setObjectName(QStringLiteral("preferredKeysSearch"));
  search->setPlaceholderText(tr("Command or key"));
  search->setClearButtonEnabled(true);
  search->addAction(icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
  m_table = new QTableWidget(0, 3, page);
  m_table->setHorizontalHeaderLabels({tr("Command"), tr("Menu"), tr("Keys")});
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_table->setAccessibleName(tr("Keys of commands"));
  m_table->verticalHeader()->hide();
  m_table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
  for (const auto& [path, action] : std::as_const(m_parts.commands)) {
    if (!m_parts.keys->actions().contains(action)) continue;
    const int row = m_table->rowCount();
    m_table->insertRow(row);
    auto* title = new QTableWidgetItem(withoutMnemonic(action->text()));
    title->setData(kActionRole, QVariant::fromValue(action));
    title->setToolTip(action->toolTip());
    m_table->setItem(row, 0, title);
    m_table->setItem(row, 1, new QTableWidgetItem(path));
    m_table->setItem(row, 2, new QTableWidgetItem);
    showRow(row);
  }
  m_table->resizeColumnToContents(1);
  m_table->setColumnWidth(2, fontMetrics().averageCharWidth() * 22);
  m_edit = new QKeySequenceEdit(page);
  m_edit->setAccessibleName(tr("New keys"));
  m_usual = new QPushButton(tr("&Usual keys"), page);
  m_verdict = new QLabel(page);
  m_verdict->setObjectName(QStringLiteral("preferredKeysVerdict"));
  m_verdict->setTextFormat(Qt::PlainText);
  m_verdict->setWordWrap(true);
  auto* label = new QLabel(tr("&New keys:"), page);
  label->setBuddy(m_edit);
  makeColumn(page, {search, {m_table, 1}, makeRow({label, {m_edit, 1}, m_usual}), m_verdict}, metrics::kGrid,
             {metrics::kMargin, metrics::kMargin, metrics::kMargin, metrics::kMargin});
  connect(search, &QLineEdit::textChanged, this, &PreferencesDialog::search);
  connect(m_table, &QTableWidget::currentCellChanged, this, &PreferencesDialog::showCurrent);
  connect(m_edit, &QKeySequenceEdit::editingFinished, this, &PreferencesDialog::choose);
  connect(m_usual, &QPushButton::clicked, this, &PreferencesDialog::reset);
  showCurrent();
  return page;
}

QAction* PreferencesDialog::current() const {
  const int row = m_table->currentRow();
  return row < 0 || m_table->isRowHidden(row) ? nullptr
                                              : m_table->item(row, 0)->data(kActionRole).value<QAction*>();
}

// Chosen keys are bold.
void PreferencesDialog::showRow(int row) {
  const auto* action = m_table->item(row, 0)->data(kActionRole).value<QAction*>();
  QTableWidgetItem* item = m_table->item(row, 2);
  item->setText(action->shortcut().toString(QKeySequence::NativeText));
  QFont font = m_table->font();
  font.setBold(m_parts.keys->isChosen(action));
  item->setFont(font);
}

void PreferencesDialog::showCurrent() {
  const QAction* action = current();
  m_edit->setEnabled(action != nullptr);
  m_edit->setKeySequence(action != nullptr ? action->shortcut() : QKeySequence());
  m_usual->setEnabled(action != nullptr && m_parts.keys->isChosen(action));
  m_verdict->setText(action == nullptr ? tr("Choose a command above, then press the keys that it shall have.")
                                       : QString());
}

void PreferencesDialog::search(const QString& text) {
  for (int row = 0; row < m_table->rowCount(); ++row) {
    bool found = false;
    for (int column = 0; column < m_table->columnCount(); ++column)
      found = found || m_table->item(row, column)->text().contains(text.trimmed(), Qt::CaseInsensitive);
    m_table->setRowHidden(row, !found);
  }
  showCurrent();
}

void PreferencesDialog::choose() {
  QAction* action = current();
  const QKeySequence keys = m_edit->keySequence();
  if (action == nullptr || keys == action->shortcut()) return;
  const QString name = keys.toString(QKeySequence::NativeText);
  if (const QAction* holder = ActionKeys::holderOf(keys, action, m_window)) {
    m_edit->setKeySequence(action->shortcut());
    m_verdict->setText(tr("%1 is taken by “%2”: give that one other keys first.")
                           .arg(name, withoutMnemonic(holder->text()).section(QLatin1Char('\t'), 0, 0)));
    return;
  }
  m_parts.keys->choose(action, keys);
  showRow(m_table->currentRow());
  m_usual->setEnabled(m_parts.keys->isChosen(action));
  m_verdict->setText(name.isEmpty() ? tr("“%1” has no keys now.").arg(withoutMnemonic(action->text()))
                                    : tr("%1 is “%2” now.").arg(name, withoutMnemonic(action->text())));
}

void PreferencesDialog::reset() {
  QAction* action = current();
  if (action == nullptr) return;
  if (const QAction* holder = ActionKeys::holderOf(m_parts.keys->usual(action), action, m_window)) {
    m_verdict->setText(tr("%1 is taken by “%2”: give that one other keys first.")
                           .arg(m_parts.keys->usual(action).toString(QKeySequence::NativeText),
                                withoutMnemonic(holder->text()).section(QLatin1Char('\t'), 0, 0)));
    return;
  }
  m_parts.keys->reset(action);
  showRow(m_table->currentRow());
  showCurrent();
}

}  // namespace fathom
