// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>
#include <QWidget>

#include "core/record/runs/run_config.h"
#include "views/look/qt_names.h"

namespace fathom {

// A preset as the window shows it.
struct PresetEntry {
  QString id;
  QString title;
  QString description;  // one or two sentences
  QString reference;    // "Admin §4.3", "" = ours
  QString paper;        // what the paper did, in sentences, may be empty
  RunConfig config;
  QString group = {};       // "Quick", "Admin": entries of a group stand together
  QString sentence = {};    // the first one of the description
  QStringList badges = {};  // "20 min", "needs data"
  QString time = {};        // the first of them where it is one of time
  QString timeTip = {};     // where it comes from, a sentence
};

// The presets to start from in their groups, whole titles with badges and a sentence, and a line that filters
// them.
class PresetList : public QWidget {
  Q_OBJECT
 public:
  explicit PresetList(QWidget* parent = nullptr);
  void setPresets(const QVector<PresetEntry>& presets);
  // The same presets, of which more is known: badges and tool tips.
  void tellPresets(const QVector<PresetEntry>& presets);
  // Marks the preset the draft started from; no signal.
  void setCurrent(const QString& id);
  QString current() const;
  void clearFilter();

 Q_SIGNALS:
  // At once, also while the arrow keys go through the list.
  void chosen(const QString& id);

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void applyFilter();
  QLineEdit* m_filter;
  QListWidget* m_list;
};

}  // namespace fathom
