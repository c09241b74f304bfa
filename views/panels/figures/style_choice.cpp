// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/figures/style_choice.h"

#include <QComboBox>
#include <QInputDialog>
#include <QMenu>
#include <QToolButton>
#include <utility>

#include "views/look/engine_text.h"
#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"

namespace fathom {

namespace {

constexpr int kStyleCharacters = 8;
constexpr int kSheetRole = Qt::UserRole + 1;  // number of a sheet; none for a venue

}  // namespace

StyleChoice::StyleChoice(QWidget* parent)
    : QWidget(parent),
      m_box(narrowChoice(this, tr("Style of the page"), kStyleCharacters)),
      m_more(flatButton(this, QStringLiteral("more"), tr("Style sheets of your own"))) {
  m_box->setObjectName(QStringLiteral("pageStyle"));
  m_more->setObjectName(QStringLiteral("styleSheets"));
  m_more->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(m_more);
  m_more->setMenu(menu);
  makeRow(this, {{m_box, 1}, m_more}, metrics::kGrid);
  setFocusProxy(m_box);
  connect(m_box, &QComboBox::activated, this, &StyleChoice::choose);
  connect(menu, &QMenu::aboutToShow, this, &StyleChoice::fillMenu);
  fill();
}

void StyleChoice::fill() {
  m_box->clear();
  addStyles(m_box);
  if (!m_sheets.empty()) m_box->insertSeparator(m_box->count());
  for (std::size_t i = 0; i < m_sheets.size(); ++i) {
    m_box->addItem(fromUtf8(m_sheets[i].name), fromUtf8(m_sheets[i].uuid));
    m_box->setItemData(m_box->count() - 1, int(i), kSheetRole);
  }
}

void StyleChoice::setSheets(const std::vector<StyleSheet>& sheets) {
  m_sheets = sheets;
  fill();
  setPage(std::exchange(m_page, {}));
}

const StyleSheet* StyleChoice::shownSheet() const {
  const QVariant sheet = m_box->currentData(kSheetRole);
  return sheet.isValid() ? &m_sheets[std::size_t(sheet.toInt())] : nullptr;
}

void StyleChoice::setPage(const FigureComposition& page) {
  m_page = page;
  for (const StyleSheet& sheet : m_sheets)
    if (looksLike(page, sheet)) return m_box->setCurrentIndex(m_box->findData(fromUtf8(sheet.uuid)));
  m_box->setCurrentIndex(m_box->findData(fromUtf8(page.style)));
}

void StyleChoice::setReadOnly(bool readOnly) {
  m_readOnly = readOnly;
}

void StyleChoice::choose(int index) {
  const QVariant sheet = m_box->itemData(index, kSheetRole);
  if (sheet.isValid()) {
    Q_EMIT sheetChosen(m_sheets[std::size_t(sheet.toInt())]);
  } else {
    Q_EMIT styleChosen(m_box->itemData(index).toString());
  }
}

void StyleChoice::fillMenu() {
  QMenu* menu = m_more->menu();
  menu->clear();
  QAction* keep = menu->addAction(tr("&Keep this look as a style sheet…"), this, &StyleChoice::askName);
  keep->setEnabled(!m_readOnly);
  const StyleSheet* shown = shownSheet();
  QAction* remove = menu->addAction(
      shown != nullptr ? tr("&Delete “%1”").arg(fromUtf8(shown->name)) : tr("&Delete the style sheet"), this,
      [this] {
        if (const StyleSheet* sheet = shownSheet()) Q_EMIT removeRequested(StyleSheet(*sheet));
      });
  remove->setEnabled(!m_readOnly && shown != nullptr);
}

void StyleChoice::askName() {
  auto* dialog = new QInputDialog(this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(tr("Style sheet"));
  dialog->setLabelText(tr("Name of the look: style, width, typeface, size of text, letters, dashes"));
  const StyleSheet* shown = shownSheet();
  dialog->setTextValue(shown != nullptr ? fromUtf8(shown->name) : QString());
  connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& text) {
    const QString name = text.simplified();
    if (!name.isEmpty()) Q_EMIT keepRequested(name);
  });
  dialog->open();
}

}  // namespace fathom
