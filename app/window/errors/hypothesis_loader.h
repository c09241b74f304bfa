// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

#include "core/spider/grammar/search_details.h"

namespace fathom {

class JobCenter;

// Reads what a stored prediction says about its search, off the GUI thread. A newer request replaces the one
// before. GUI thread.
class HypothesisLoader : public QObject {
  Q_OBJECT
 public:
  explicit HypothesisLoader(JobCenter* jobs, QObject* parent = nullptr);
  // Of an example of a file of predictions, which may be of any kind.
  void load(const std::string& path, int example);
  void cancel();

 Q_SIGNALS:
  void loaded(const fathom::SearchDetails& details);
  // There is nothing, and why.
  void nothing(const QString& why);

 private:
  void begin();
  JobCenter* m_jobs;
  QTimer m_wait;
  std::string m_path;
  int m_example = -1;
};

}  // namespace fathom
