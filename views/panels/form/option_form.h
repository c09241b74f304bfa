// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QVector>
#include <QWidget>
#include <cstddef>
#include <vector>

#include "views/look/qt_names.h"
#include "views/panels/form/option_search.h"

namespace fathom {

class ExperimentDraft;
class OptionHelpPanel;
class OptionRow;
struct PresetEntry;

// The experiment form: tree of option groups and a search box, all options in one scrolling column, and
// beside it what the option in focus means and what the papers used. Everything comes from the schema of the
// draft. Rows are made a few at a time from the event loop, so that the window never waits for the form.
class OptionForm : public QWidget {
  Q_OBJECT
 public:
  explicit OptionForm(QWidget* parent = nullptr);
  // `draft` is borrowed; null shows nothing.
  void setDraft(ExperimentDraft* draft);
  void setPresets(const QVector<PresetEntry>& presets);
  // Makes the rows that are still missing, at once.
  void finishBuilding();
  OptionRow* row(const QString& key) const { return m_rowsByKey.value(key); }
  QLineEdit* searchBox() const { return m_search; }
  // The options that stand alone on the first screen; all others come with "All options", a search, or when
  // something is wrong with them or changed in them. Empty: every option always.
  void setEssentials(const QStringList& keys);
  void setAllShown(bool all);
  bool allShown() const;
  // Which options are in sight, as somebody chose it.
  struct View {
    QString search;
    bool hideUnused = false, all = false;
  };
  View view() const;
  void setView(const View& view);
  // Shows the row of a key and gives it the focus.
  void reveal(const QString& key);

 Q_SIGNALS:
  void browseRequested(const QString& key);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  struct Section {
    QString path;  // "Model/Encoder"
    QLabel* header = nullptr;
    QVBoxLayout* layout = nullptr;
    QTreeWidgetItem* item = nullptr;
    QVector<OptionRow*> rows;         // in the order of the schema
    std::vector<std::size_t> places;  // of each in the schema
    int changed = -1;                 // what its item shows
    bool wrong = false;
  };
  void helpWith(const QString& key);
  void makeSections();
  QTreeWidgetItem* groupItem(const QString& path);
  void planBuilding();
  void buildSome();
  void orderTabs();
  void addRow(std::size_t index);
  void applyFilter();
  // What the search and the switches leave in sight.
  struct Sight {
    OptionSearch search;
    bool few;  // what decides what a run is, and what was changed or is wrong
  };
  Sight sight() const;
  bool shows(const OptionRow* row, const Sight& sight) const;
  bool isEssential(const QString& key) const;
  // The rows that a search finds, the best first, in a column of their own; without them all go back.
  void showRanked(const QVector<OptionRow*>& found);
  void showTree();
  OptionRow* heldRow() const;
  void keepInPlace(OptionRow* row);
  // `anew`: also items that show what they shall, in other colours.
  void refreshTree(bool anew = false);
  void showSection(QTreeWidgetItem* item);
  ExperimentDraft* m_draft = nullptr;
  QLineEdit* m_search;
  QCheckBox* m_hideUnused;
  QPushButton* m_all;
  QStringList m_essentials;
  QVBoxLayout* m_found = nullptr;
  bool m_ranked = false;
  QTreeWidget* m_tree;
  QScrollArea* m_scroll;
  QWidget* m_column = nullptr;
  QLabel* m_nothing;
  QSplitter* m_splitter;
  OptionHelpPanel* m_help;
  QTimer* m_builder;
  QTimer* m_rest;
  QString m_helpKey;
  std::vector<std::size_t> m_plan;  // places in the schema, in the order in which rows are made
  std::size_t m_built = 0;          // of the plan
  QVector<Section> m_sections;
  QHash<QString, int> m_sectionByPath;
  QHash<QString, QTreeWidgetItem*> m_itemByPath;
  QHash<QString, OptionRow*> m_rowsByKey;
  QString m_revealAfterBuild;
};

}  // namespace fathom
