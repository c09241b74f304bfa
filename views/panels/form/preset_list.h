// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
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
};

// The presets to start from, as a list with title and description.
class PresetList : public QWidget {
  Q_OBJECT
 public:
  explicit PresetList(QWidget* parent = nullptr);
  void setPresets(const QVector<PresetEntry>& presets);
  // Marks the preset the draft started from; no signal.
  void setCurrent(const QString& id);
  QString current() const;

 Q_SIGNALS:
  // At once, also while the arrow keys go through the list.
  void chosen(const QString& id);

 private:
  QListWidget* m_list;
};

}  // namespace fathom
