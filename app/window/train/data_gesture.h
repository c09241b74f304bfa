// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <string>

#include "app/runs/data_choice.h"

namespace fathom {

class ExperimentDraft;
class FileChoice;
class JobCenter;
class MessageBar;
class NewRunController;
class NewRunPage;

// A folder or file of data becomes the files of a new run in one gesture: it was dropped on the window,
// chosen with the button of the page, or chosen for one field, whose empty neighbours are filled then, too.
// A job finds out which one it is.
class DataGesture : public QObject {
  Q_OBJECT
 public:
  // All are borrowed.
  struct Surroundings {
    NewRunController* controller;
    NewRunPage* page;
    JobCenter* jobs;
    MessageBar* messages;
    FileChoice* files;
  };
  explicit DataGesture(const Surroundings& with);
  // Asks for a folder or a file.
  void choose();
  // The form has the files of the data set at `path`; while there is no engine to ask, once it answers.
  void take(const QString& path);
  // `path` was chosen for `key`: what lies beside it goes into fields of the same data set that are empty.
  void fillBeside(const QString& key, const QString& path);
  // Another draft, or null.
  void setDraft(ExperimentDraft* draft);

 private:
  void find(const QString& path, const std::function<void(const DataChoice&)>& then, bool tell);
  void fill(const DataChoice& choice);
  void fillEmpty(const DataChoice& choice, const QString& key);
  void tell(const DataChoice& choice);
  void setValues(const Json& values, const QString& title);
  std::string task() const;
  Surroundings m_with;
  ExperimentDraft* m_draft = nullptr;
  QString m_waiting;    // what was given before there was a draft
  std::string m_shown;  // task of the data set that the page tells of
};

}  // namespace fathom
