// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace fathom::test {

// Small translation runs of fathom-engine, trained by one process or by several, in a folder of their own:
// float64, dropout, 40 updates of two batches, validations at 20 and 40, a checkpoint every 10.
class RankRuns {
 public:
  RankRuns();
  std::string path(const QString& name) const { return m_folder.filePath(name).toStdString(); }
  static QString engine();
  // Words behind the engine: a new run `name`, with these options on top.
  QStringList train(const QString& name, const QStringList& more, bool orResume = false) const;
  QStringList resume(const QString& name) const;
  std::unique_ptr<QProcess> start(const QStringList& words, const QStringList& environment = {}) const;
  // The same by another program, whose words come first.
  std::unique_ptr<QProcess> startBy(const QString& program, const QStringList& words,
                                    const QStringList& environment = {}) const;
  bool waitForStep(const QString& name, std::int64_t step, int seconds = 60) const;

  // Updates with losses and norms as they were written, the last word on each step.
  std::map<std::int64_t, std::string> stepsOf(const QString& name) const;
  // Validations as they were written, each with its update.
  std::vector<std::string> validationsOf(const QString& name) const;
  // Bytes of weights and optimiser of the newest checkpoint.
  std::string weightsOf(const QString& name) const;
  // "" where two runs logged the same, else where they part.
  QString differences(const QString& one, const QString& other) const;
  // The largest relative gap between two runs in losses and norms of an update; infinite where one has other
  // updates.
  double gap(const QString& one, const QString& other) const;

 private:
  QTemporaryDir m_folder;
};

// Code of a run to its end; -1 where it does not come, or by a signal.
int endedWith(QProcess& process, QString* said = nullptr, int seconds = 60);
// Processes that another has started.
QList<qint64> childrenOf(qint64 process);
bool livesStill(qint64 process);

// A port of this machine that is taken while this lives.
class TakenPort {
 public:
  TakenPort();
  ~TakenPort();
  TakenPort(const TakenPort&) = delete;
  TakenPort& operator=(const TakenPort&) = delete;
  QString number() const { return QString::number(m_number); }

 private:
  int m_socket;
  int m_number = 0;
};

}  // namespace fathom::test
