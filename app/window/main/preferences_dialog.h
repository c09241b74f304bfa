// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QPair>
#include <QVector>
#include <functional>

#include "views/look/qt_names.h"

class QKeySequenceEdit;
class QTableWidget;

namespace fathom {

class ActionKeys;
class Appearance;
class FileChoice;
class JobCenter;
class SessionStore;

// Language, theme, size of texts, engine and cores, folders, and the keys of every command. Each choice acts
// at once and is kept; "usual" takes keys back. Not modal.
class PreferencesDialog : public QDialog {
  Q_OBJECT
 public:
  struct Parts {
    Appearance* appearance;
    ActionKeys* keys;
    QVector<QPair<QString, QAction*>> commands;  // with the path of their menu
    std::function<QAction*(const QString&)> action;
    std::function<void(int)> setTextPercent;
    SessionStore* session;
    FileChoice* files;
    JobCenter* jobs;
    std::function<void()> engineChanged;
  };
  // All are borrowed; `window` is whose keys they are.
  PreferencesDialog(Parts parts, QWidget* window);
  ~PreferencesDialog() override;
  QTableWidget* table() const { return m_table; }
  QKeySequenceEdit* keysEdit() const { return m_edit; }

 private:
  QWidget* makeAppearancePage();
  QWidget* makeKeysPage();
  QAction* current() const;
  void showRow(int row);
  void showCurrent();
  void search(const QString& text);
  void choose();
  void reset();
  Parts m_parts;
  QWidget* m_window;
  QTableWidget* m_table = nullptr;
  QKeySequenceEdit* m_edit = nullptr;
  QPushButton* m_usual = nullptr;
  QLabel* m_verdict = nullptr;
};

}  // namespace fathom
