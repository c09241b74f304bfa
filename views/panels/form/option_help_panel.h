// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVector>

#include "views/panels/widgets/help_text.h"

namespace fathom {

class ExperimentDraft;
struct PresetEntry;

// Meaning of one option: sentence, unit, range, default, paper, and the value in each preset ("what the paper
// did").
class OptionHelpPanel : public HelpText {
  Q_OBJECT
 public:
  explicit OptionHelpPanel(QWidget* parent = nullptr);
  void setPresets(const QVector<PresetEntry>& presets);
  // Empty key: about the preset the draft started from, or how to get help.
  void show(const ExperimentDraft* draft, const QString& key);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  QString presetHtml(const ExperimentDraft& draft) const;
  QString optionHtml(const ExperimentDraft& draft) const;
  QString presetRows(const ExperimentDraft& draft) const;
  QVector<PresetEntry> m_presets;
  const ExperimentDraft* m_draft = nullptr;
  QString m_key;
};

}  // namespace fathom
