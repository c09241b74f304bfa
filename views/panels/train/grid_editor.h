// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QVector>
#include <QWidget>

#include "core/analysis/training/run_grid.h"
#include "core/base/options/option_field.h"
#include "views/look/qt_names.h"
#include "views/panels/form/option_search.h"

namespace fathom {

class ExperimentDraft;
class TickButton;

// "Grid over…": options with several values each, times seeds. Says how many runs that makes and which
// combinations the rules forbid, before anything is queued.
class GridEditor : public QWidget {
  Q_OBJECT
 public:
  explicit GridEditor(QWidget* parent = nullptr);
  ~GridEditor() override;
  // `draft` is borrowed; null empties the editor.
  void setDraft(ExperimentDraft* draft);
  // Options that the form has on its first screen: they stand first in the list, too.
  void setEssentials(const QStringList& keys) { m_essentials = keys; }
  // Adds a row for this option (empty = the first one that has no row) and puts the focus there; what is
  // typed replaces the option or its values.
  void addAxis(const QString& key = {}, const QString& values = {});
  // The rows as they stand there, whether or not they can be read.
  struct RowText {
    QString key, values;
    bool operator==(const RowText&) const = default;
  };
  QVector<RowText> rows() const;
  void setRows(const QVector<RowText>& rows);
  // The axes of the preset that the draft starts from. Those of settings can be chosen like options, by the
  // names of the settings; rows of former ones go.
  void setPresetAxes(const std::vector<GridAxis>& axes);
  // As setRows, with the axes of the preset; without any, with the seeds alone.
  void startFromPresetAxes();
  // The axes; the seed is one of them. Empty when a row has no values or a wrong one.
  std::vector<GridAxis> axes() const;
  int combinations() const;

 Q_SIGNALS:
  void launchRequested();
  void judged();  // rows, or what is wrong with them, may have moved

 protected:
  void changeEvent(QEvent* event) override;

 private:
  struct Row {
    QWidget* widget = nullptr;
    QComboBox* key = nullptr;
    QLineEdit* values = nullptr;
    TickButton* ticks = nullptr;
    QLabel* problem = nullptr;
    bool left = false;  // nobody is told what is wrong with a row that was not written yet
  };
  QString freeKey() const;
  // The preset's axis, with settings as values; null for an option.
  const GridAxis* settingsOf(const QString& key) const;
  bool parseSettings(const GridAxis& of, const QString& text, GridAxis* axis, QString* problem) const;
  void connectRow(const Row& row);
  void tellOf(const QWidget* widget);
  void showPossibleValues(const Row& row);
  void offerTicks(const Row& row);
  // An entry of the list of options.
  struct Offer {
    QString title, key;
    OptionWords words;
  };
  QVector<Offer> offers() const;
  // Titles of the offers that a search finds, in the order of the form.
  QStringList found(const QVector<Offer>& offers, const QString& typed) const;
  void addOptions(QComboBox* box) const;
  void sayCount(int runs);
  bool parseRow(const Row& row, GridAxis* axis, QString* problem) const;
  void removeRow(QWidget* widget);
  void judge();
  // Sentences for combinations that break a rule, each reason once with its count.
  QStringList forbidden(const std::vector<GridAxis>& axes) const;
  ExperimentDraft* m_draft = nullptr;
  std::vector<GridAxis> m_presetAxes;
  QStringList m_essentials;
  QVector<Row> m_rows;
  QVBoxLayout* m_rowLayout;
  QLabel* m_summary;
  QPushButton* m_add;
  QPushButton* m_launch;
};

// Key of the random seed among a schema's fields: "seed" or the one that ends in ".seed"; empty when there is
// none.
QString seedKey(const OptionSchema& schema);

}  // namespace fathom
