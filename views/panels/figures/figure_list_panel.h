// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QImage>
#include <QVector>
#include <QWidget>
#include <optional>

#include "views/look/qt_names.h"

namespace fathom {

// Offers for a composer: the project's compositions, its stored figures, and the kinds of figures
// there are. A click opens a composition; Return or a double click puts a figure or kind on the page.
class FigureListPanel : public QWidget {
  Q_OBJECT
 public:
  enum class Kind { Composition, Stored, Figure };
  struct Entry {
    Kind kind = Kind::Figure;
    QString id;  // UUID, or id in figures.list
    QString title, hint;
  };
  explicit FigureListPanel(QWidget* parent = nullptr);
  // In the order given, each under its heading. The current entry stays.
  void setEntries(const QVector<Entry>& entries);
  void setPicture(const QString& id, const QImage& picture);
  // The composition that is open stands in bold.
  void setOpen(const QString& composition);
  // Buttons below the list and the context menu. Borrowed.
  void setActions(const QList<QAction*>& buttons, const QList<QAction*>& context);
  std::optional<Entry> current() const;
  // The one at a place in the viewport of the list.
  std::optional<Entry> entryAt(const QPoint& position) const;
  void setCurrent(const QString& id);
  QTreeWidget* tree() const { return m_tree; }
  QLineEdit* filterBox() const { return m_filter; }

 Q_SIGNALS:
  void activated(const fathom::FigureListPanel::Entry& entry);
  void currentChanged();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void fill();
  void applyFilter();
  QTreeWidgetItem* itemOf(const QString& id) const;
  std::optional<Entry> entryOf(const QTreeWidgetItem* item) const;
  QVector<Entry> m_entries;
  QHash<QString, QImage> m_pictures;
  QString m_open;
  QLineEdit* m_filter;
  QTreeWidget* m_tree;
  QHBoxLayout* m_buttons;
};

}  // namespace fathom
