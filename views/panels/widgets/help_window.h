// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "views/look/qt_names.h"

namespace fathom {

class HelpText;

// Help pages (resources/help) in a window of their own, which stays beside the work: all pages by name, found
// by typing words of them, and those that are read. Escape closes it.
class HelpWindow : public QDialog {
  Q_OBJECT
 public:
  explicit HelpWindow(QWidget* parent = nullptr);
  // The pages one after the other, without ids the first of the list; ids without a page are left out.
  void showPages(const QStringList& ids);
  // A text that is no page of the list: the keys, what is new.
  void showText(const QString& title, const QString& markdown);
  // The help window of the window that `asker` is in, made when it is first asked for.
  static HelpWindow* openAt(QWidget* asker, const QStringList& ids);
  HelpText* text() const { return m_text; }
  QListWidget* list() const { return m_list; }
  QLineEdit* searchBox() const { return m_search; }

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void colourHeads();
  void search(const QString& words);
  // Goes to the first page found that has the words in its title, else to the first found.
  void readFound();
  void read(const QStringList& ids);
  void showMarkdown(const QString& markdown);
  QLineEdit* m_search;
  QListWidget* m_list;
  HelpText* m_text;
  QStringList m_contents;  // of the pages in the order of the list, read when first searched
};

}  // namespace fathom
