// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVector>
#include <QWidget>

#include "views/look/qt_names.h"

namespace fathom {

class ConfigDiffModel;
class EmptyState;
class ExperimentDraft;
class FitBar;
class FoundDataView;
class GridEditor;
class OptionForm;
class PlaceChoice;
class PresetList;
class TrainabilityView;
struct PresetEntry;
struct GridAxis;

// The page of a new run: presets on the left, the form, below it what differs from the preset, and
// [Check trainability] [Grid over…] [Add to queue] [Train now]. The page collects; the application starts.
class NewRunPage : public QWidget {
  Q_OBJECT
 public:
  explicit NewRunPage(QWidget* parent = nullptr);
  // `draft` is borrowed; null (no engine described yet) shows `reason` instead of the form.
  void setDraft(ExperimentDraft* draft, const QString& reason = {});
  void setPresets(const QVector<PresetEntry>& presets);
  const QVector<PresetEntry>& presets() const { return m_entries; }
  // The same presets, of which more is known.
  void tellPresets(const QVector<PresetEntry>& presets);
  OptionForm* form() const { return m_form; }
  GridEditor* gridEditor() const { return m_grid; }
  // Verdict of the check of trainability; hidden until it is asked for.
  TrainabilityView* trainability() const { return m_trainability; }
  // The data set whose files were filled in; hidden until there is one.
  FoundDataView* foundData() const { return m_found; }
  // Parameters, memory, time and disk of what the form describes.
  FitBar* fit() const { return m_fit; }
  // Places that the run, or the grid, is started at.
  PlaceChoice* places() const { return m_places; }
  void focusName();
  // Clears the searches of options and of presets.
  void clearSearches();
  // Shows or hides the grid editor.
  void setGridShown(bool shown);
  bool gridShown() const;

 Q_SIGNALS:
  void presetChosen(const QString& id);
  void trainRequested();
  void queueRequested();
  void savePresetRequested();
  void trainabilityRequested();
  void trainabilityCancelled();
  void gridRequested(const std::vector<fathom::GridAxis>& axes);
  void browseRequested(const QString& key);
  void dataRequested();
  void dataSetRequested();
  // The page came into view, or another page is in view.
  void shown();
  void left();
  void gridToggled(bool shown);
  void closed();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void makeHead();
  void makeFoot();
  void refresh();
  void colourSummary();
  void placePresets();
  ExperimentDraft* m_draft = nullptr;
  QWidget* m_head;
  QLineEdit* m_name;
  QToolButton* m_choose;
  QToolButton* m_data;
  FoundDataView* m_found;
  QWidget* m_middle;
  PresetList* m_presets;
  OptionForm* m_form;
  EmptyState* m_noEngine;
  GridEditor* m_grid;
  TrainabilityView* m_trainability;
  FitBar* m_fit;
  PlaceChoice* m_places;
  QWidget* m_foot;
  QLabel* m_summary;
  QToolButton* m_showDiff;
  ConfigDiffModel* m_diffModel;
  QTableView* m_diff;
  QPushButton* m_train;
  QPushButton* m_queue;
  QPushButton* m_gridButton;
  QPushButton* m_check;
  QToolButton* m_savePreset;
  QVector<PresetEntry> m_entries;
};

}  // namespace fathom
