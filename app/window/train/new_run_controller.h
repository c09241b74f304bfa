// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <memory>
#include <optional>

#include "app/runner/engine_description.h"
#include "views/panels/data/data_page.h"
#include "views/panels/form/experiment_draft.h"
#include "views/panels/form/option_form.h"
#include "views/panels/form/place_choice.h"
#include "views/panels/train/grid_editor.h"
#include "views/tables/run_item.h"

namespace fathom {

class DataGesture;
class FileChoice;
class JobCenter;
class MessageBar;
class NewRunPage;
class ProjectService;
class RunEstimates;
struct Preset;

// "mini · residual admin · seed 2": the seed at the end, where narrow columns show it. `parts`: key and value
// of each axis; the name of a setting stands alone, without a key.
QString gridRunName(const QString& grid, const QVector<QPair<QString, QString>>& parts);

// What the form of a window holds that no file keeps.
struct HandedForm {
  std::shared_ptr<const EngineDescription> engine;
  ExperimentDraft::State draft;
  QVector<GridEditor::RowText> grid;
  bool gridShown = false;
  OptionForm::View view;
  Json runOn;
};

// Behind the page of a new run and the data page: asks the engine for its options, keeps the draft, checks
// and queues what was asked for, reads the data off the GUI thread.
class NewRunController : public QObject {
  Q_OBJECT
 public:
  NewRunController(NewRunPage* page, DataPage* data, ProjectService* service, JobCenter* jobs,
                   MessageBar* messages, FileChoice* files, QObject* parent = nullptr);
  // Asks the engine (or its cache) in a job; the page shows the form when the answer is there.
  void askEngine(bool refresh = false);
  void setEngine(const EngineDescription& engine);
  void setEngine(std::shared_ptr<const EngineDescription> engine);
  // For the controller of another window; null without an engine.
  std::shared_ptr<const HandedForm> handOver() const;
  void takeOver(const HandedForm& handed);
  // The page is empty; nobody asks for anything any more.
  void dropForm();
  const EngineDescription* engine() const { return m_engine.get(); }
  ExperimentDraft* draft() { return m_draft.get(); }
  // Estimates of memory and time for the form.
  RunEstimates* estimates() { return m_estimates; }

  void startFromPreset(const QString& id);
  // A preset with these options over it, which belong to it: a data set.
  void startWith(const QString& preset, const Json& options);
  // Files of data sets that are chosen or dropped.
  DataGesture* dataGesture() { return m_gesture; }
  // The configuration of a run as changes over its preset.
  void cloneRun(const RunItem& run);
  // The draft that a session keeps, and what it is to be once the engine is known.
  Json draftState() const;
  void restoreDraft(const Json& state);
  // Places of the project that is open, for "Run on", and what a session keeps of the choice.
  void setPlaces(const QVector<PlaceView>& places, const QString& problem);
  // What presets take as far as it was measured: by these runs of the project, by dry runs of this machine.
  void tellPresetTimes(const QVector<RunItem>& runs);
  Json runOn() const;
  void restoreRunOn(const Json& state);
  void savePreset();
  void readData();
  // Writes the links with what was changed on the data page into the project; the draft reads them.
  void keepLinks();
  // Asks the engine whether the draft will learn; the page shows progress and answer.
  void checkTrainability();

 Q_SIGNALS:
  void engineKnown();
  // Presets are listed anew, or one of them was timed: tellPresetTimes().
  void presetsListed();
  // Something was handed to the queue; the page can be left.
  void launched(bool atFront);

 private:
  static constexpr const char* kStarting = "start";  // origin of errors
  // `origin` as for MessageBar: the action that failed.
  void refuse(const Error& error, const QString& origin);
  // While there is no engine to ask; draft and grid are kept.
  void emptyPage(const QString& reason = {});
  // The work of a former draft, over the options that this engine has.
  void goOnWith(const ExperimentDraft::State& former, const QVector<GridEditor::RowText>& grid,
                bool sameOptions);
  // Edits that a new start took away can be brought back.
  // `edited`: what is gone by it can be had back.
  void restart(const RunConfig& config, const Json& edits, bool edited, const QString& title);
  void offerFormerDraft(const QString& text, int index);
  std::string project() const;
  void followProject();
  void followPresetGrid();
  void followTask();
  void takeWanted();
  void keepPresetTime(const QString& id, double seconds);
  void beginAnother();
  Json keptFiles(const Preset& preset) const;
  Json changedValues() const;
  Json draftText() const;
  Json madeData(const Preset& preset) const;
  bool placesRefuse();
  void showShares();
  void launch(bool atFront);
  void launchGrid(const std::vector<GridAxis>& axes);
  // One configuration, or those of the grid that the page shows.
  std::vector<RunConfig> draftRuns() const;
  Result<std::vector<RunConfig>> gridRuns(const std::vector<GridAxis>& axes) const;
  void browse(const QString& key);
  // Checks the draft against engine and files in a job, then calls `then`.
  void checked(const std::vector<RunConfig>& runs, std::function<void()> then);
  RunConfig draftConfig() const;
  NewRunPage* m_page;
  DataPage* m_data;
  ProjectService* m_service;
  JobCenter* m_jobs;
  MessageBar* m_messages;
  FileChoice* m_files;
  std::shared_ptr<const EngineDescription> m_engine;  // null before it has answered
  std::unique_ptr<ExperimentDraft> m_draft;
  std::optional<QVector<GridEditor::RowText>> m_gridKept;   // while the page is empty
  std::optional<QString> m_gridOf;                          // preset whose axes the editor has
  QHash<QString, QVector<GridEditor::RowText>> m_gridRows;  // of presets that were left, by id
  RunEstimates* m_estimates;
  DataGesture* m_gesture;
  Json m_untouched;  // draftText() of a form that nobody touched
  Json m_wanted;     // the draft of the last session, until there is an engine
  int m_offer = 0;   // number of the note that brings the former draft back
};

// Content of the data page for the data set of these options: statistics and the first examples of each
// split.
Result<DataSummary> readDataSummary(const OptionValues& options, Progress& progress, const StopToken& stop);

}  // namespace fathom
