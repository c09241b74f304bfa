// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <QStringList>
#include <QUndoStack>

#include "core/base/options/option_field.h"
#include "core/record/runs/run_config.h"

namespace fathom {

// The experiment being written: values of every option over a base (the defaults and a preset), each edit
// undoable, judged after every edit by the same rules as the engine uses. GUI thread. Texts that are not
// values (a letter in a number) are kept beside the last good value, so that nothing a person types is lost.
class ExperimentDraft : public QObject {
  Q_OBJECT
 public:
  explicit ExperimentDraft(OptionSchema schema, QObject* parent = nullptr);
  ~ExperimentDraft() override;

  // The same object for the draft's whole life.
  const OptionSchema& schema() const { return m_schema; }
  const OptionValues& values() const { return m_values; }
  QUndoStack* undoStack() { return &m_undo; }

  // Starts over: the defaults, then `preset`, are the base; `edits` (from a cloned run) come on top as
  // changes. Unknown keys of `edits` are kept out and returned by droppedKeys(). Clears the undo stack. An
  // error leaves the draft as it was.
  Status start(const RunConfig& preset, const Json& edits = Json::object());
  // The same as one more step that can be undone, which brings back the former draft whole. Without a name of
  // `preset` the name that somebody typed stays.
  Status restart(const RunConfig& preset, const Json& edits = Json::object());
  // True if anybody changed an option, or typed a name, since it started.
  bool optionsEdited() const { return !m_pending.isEmpty() || m_values.effective() != m_startedFrom; }
  bool nameTyped() const { return m_name != m_givenName; }
  // The whole draft, for an undone start or another draft over the same schema.
  struct State {
    OptionValues values;
    Json base, startedFrom;
    QString presetId, name, givenName;
    QHash<QString, QString> errors, pending;
    QStringList dropped;
  };
  State state() const;
  void setState(const State& state);
  QStringList droppedKeys() const { return m_dropped; }
  QString presetId() const { return m_presetId; }

  QString name() const { return m_name; }
  void setName(const QString& name);
  // The run of this name was started; what is written next has none yet. No step that can be undone.
  void forgetName();

  // Text in the row of `key`: the value, or the wrong text somebody typed.
  QString text(const QString& key) const;
  // Takes over what was typed. False when it is not a value; then error(key) says why.
  bool setText(const QString& key, const QString& text);
  bool setValue(const QString& key, const Json& value);
  // Ends one stretch of typing: later edits of the same option are an undo step of their own.
  void endEdit() { ++m_stretch; }
  void revert(const QString& key);
  void revertAll();

  QString error(const QString& key) const { return m_errors.value(key); }
  // Reasons of the rules that are broken and concern this option.
  QStringList reasons(const QString& key) const;
  // Somebody who knows more than the rules (which files are there) refused the value of `key`. It is a reason
  // of that option until it changes, and stands in the way of nothing: the next attempt asks again.
  void refuse(const QString& key, const QString& reason);
  // Files that are not there now, by key: reasons of their options like refusals. Nobody is told of the same
  // ones twice.
  void setFileProblems(const QHash<QString, QString>& problems);
  bool active(const QString& key) const { return m_values.active(toKey(key)); }
  bool changed(const QString& key) const;  // differs from the base
  QString baseText(const QString& key) const;
  const Json& base() const { return m_base; }
  // Why an option is not used now, in words; empty when it is used.
  QString inactiveReason(const QString& key) const;
  QStringList changedKeys() const;
  // Everything that stands in the way of training, one sentence each; empty = may start.
  QStringList problems() const;
  bool acceptable() const { return m_errors.isEmpty() && m_reasons.isEmpty(); }
  // Configuration for the queue: the preset's id and every option, so that nothing depends on later
  // defaults.
  RunConfig config() const;

 Q_SIGNALS:
  void valueChanged(const QString& key);  // value, text or error of one option
  void judged();                          // activity, changes and rule violations may have moved
  void restarted();                       // everything is new
  void nameChanged(const QString& name);

 private:
  friend class SetOptionCommand;
  friend class SetNameCommand;
  friend class RestartCommand;
  static std::string toKey(const QString& key) { return key.toStdString(); }
  void apply(const QString& key, const Json& value);
  void judge();
  Result<State> startingState(const RunConfig& preset, const Json& edits) const;
  const OptionSchema m_schema;
  OptionValues m_values;
  Json m_base = Json::object();         // effective values of the base
  Json m_startedFrom = Json::object();  // effective values when it started
  QString m_presetId;
  QString m_name;
  QString m_givenName;                // the one it started with
  QHash<QString, QString> m_errors;   // key -> why the text is not a value
  QHash<QString, QString> m_pending;  // key -> the text itself
  QHash<QString, QStringList> m_reasons;
  QHash<QString, QStringList> m_refused;
  QHash<QString, QString> m_fileProblems;
  QStringList m_broken;  // reasons, each once, in rule order
  QStringList m_dropped;
  QUndoStack m_undo;
  int m_stretch = 0;
};

}  // namespace fathom
