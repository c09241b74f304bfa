// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <QPair>
#include <QTimer>
#include <QVector>
#include <functional>
#include <string>
#include <vector>

#include "app/runs/training_request.h"
#include "core/base/errors/error.h"
#include "core/base/json/json.h"
#include "core/record/runs/run_config.h"

namespace fathom {

class ExperimentDraft;
class JobCenter;
class NewRunPage;

// "Can I run this?" behind the footer of the form: after every edit files that are not there stand under
// their fields at once, and in a pause of typing the engine is asked what the draft, or the grid over it,
// needs.
class RunEstimates : public QObject {
  Q_OBJECT
 public:
  struct Source {
    std::function<std::vector<RunConfig>()> runs;  // one, or those of the grid that the page shows
    std::function<std::string()> project;          // "" = none
    std::function<bool()> here;                    // this machine trains them, or some of them
    std::function<std::string()> place;            // the one place that does; "" = several
  };
  // Estimates of the needs of runs, as docs/dry_run.md §5 has them.
  using Answer = std::function<Json(const std::vector<RunConfig>&)>;
  RunEstimates(NewRunPage* page, JobCenter* jobs, Source source, QObject* parent);
  // From now on `answer` says at once what the runs need, and no engine is asked: where many forms are shown
  // one after the other, as for pictures.
  void setAnswer(Answer answer);
  // Borrowed; null: nothing is asked.
  void setDraft(ExperimentDraft* draft);
  // Asks now.
  void ask();
  // The engine's answer on the draft as it is now: none yet, or a refusal (empty message: it fits).
  bool known() const;
  Error refusal() const;
  // Bytes of memory that it says the one run of the draft needs; 0 = not known.
  std::int64_t neededMemory() const;

 Q_SIGNALS:
  // The engine has timed updates of a form that holds what this preset does, of all runs of a grid: seconds
  // of the whole training.
  void presetTimed(const QString& preset, double seconds);

 private:
  void follow();
  // Of a place elsewhere nothing is known but how fast its processes add up, where that was measured.
  bool predictsElsewhere() const;
  void showAnswer(const Json& report) const;
  // The preset of which the form holds nothing else; empty: somebody changed more than files.
  QString shownPreset(std::size_t runs) const;
  // What is shown, asked or about to be asked belongs to another form.
  void forget();
  void stop();
  // The whole question, in which updates are timed.
  void askAll(const std::vector<RunConfig>& runs);
  // Runs in which no file is named that is not there: the made data stands in for it.
  std::vector<RunConfig> askedRuns() const;
  void rest();
  void markMissingFiles();
  void takeRemedy(const QVector<QPair<QString, qint64>>& options);
  std::string question() const;
  NewRunPage* m_page;
  JobCenter* m_jobs;
  Source m_source;
  Answer m_answer;  // null: the engine's
  ExperimentDraft* m_draft = nullptr;
  QTimer m_soon;
  std::string m_asked;  // question that was put last
  std::vector<MissingFile> m_missing;
};

}  // namespace fathom
