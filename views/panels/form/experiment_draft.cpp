// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/form/experiment_draft.h"

#include "views/look/engine_text.h"
#include "views/look/name_text.h"

namespace fathom {

// One option set to another value. Edits of the same option within one stretch of typing are one step.
class SetOptionCommand : public QUndoCommand {
 public:
  SetOptionCommand(ExperimentDraft* draft, const QString& key, Json before, Json after)
      : m_draft(draft),
        m_key(key),
        m_before(std::move(before)),
        m_after(std::move(after)),
        m_stretch(draft->m_stretch) {
    const OptionField* field = draft->schema().find(key.toStdString());
    setText(ExperimentDraft::tr("Change %1").arg(engineText(field->title)));
  }
  void undo() override { m_draft->apply(m_key, m_before); }
  void redo() override { m_draft->apply(m_key, m_after); }
  int id() const override { return 1; }
  bool mergeWith(const QUndoCommand* other) override {
    const auto* next = static_cast<const SetOptionCommand*>(other);
    if (next->m_key != m_key || next->m_stretch != m_stretch) return false;
    m_after = next->m_after;
    setObsolete(m_after == m_before);
    return true;
  }

 private:
  ExperimentDraft* m_draft;
  QString m_key;
  Json m_before, m_after;
  int m_stretch;
};

class SetNameCommand : public QUndoCommand {
 public:
  SetNameCommand(ExperimentDraft* draft, QString before, QString after)
      : m_draft(draft), m_before(std::move(before)), m_after(std::move(after)), m_stretch(draft->m_stretch) {
    setText(ExperimentDraft::tr("Change the name"));
  }
  void undo() override { apply(m_before); }
  void redo() override { apply(m_after); }
  int id() const override { return 2; }
  bool mergeWith(const QUndoCommand* other) override {
    const auto* next = static_cast<const SetNameCommand*>(other);
    if (next->m_stretch != m_stretch) return false;
    m_after = next->m_after;
    return true;
  }

 private:
  void apply(const QString& name) {
    m_draft->m_name = name;
    Q_EMIT m_draft->nameChanged(name);
  }
  ExperimentDraft* m_draft;
  QString m_before, m_after;
  int m_stretch;
};

// Another preset or run to start from. Several in a row, as when the arrow keys go through the presets, are
// one step.
class RestartCommand : public QUndoCommand {
 public:
  RestartCommand(ExperimentDraft* draft, ExperimentDraft::State before, ExperimentDraft::State after)
      : m_draft(draft), m_before(std::move(before)), m_after(std::move(after)) {
    setText(ExperimentDraft::tr("Start over"));
  }
  void undo() override { m_draft->setState(m_before); }
  void redo() override { m_draft->setState(m_after); }
  int id() const override { return 3; }
  bool mergeWith(const QUndoCommand* other) override {
    const auto* next = static_cast<const RestartCommand*>(other);
    if (!next->m_before.pending.isEmpty()) return false;  // a text that is no value is an edit, too
    m_after = next->m_after;
    return true;
  }

 private:
  ExperimentDraft* m_draft;
  ExperimentDraft::State m_before, m_after;
};

ExperimentDraft::ExperimentDraft(OptionSchema schema, QObject* parent)
    : QObject(parent), m_schema(std::move(schema)), m_values(m_schema) {
  m_undo.setUndoLimit(500);
  m_base = m_values.effective();
  m_startedFrom = m_base;
  judge();
}

// A stack of steps tells that it is emptied when it goes; who listens may be half gone by then.
ExperimentDraft::~ExperimentDraft() {
  m_undo.disconnect();
}

Result<ExperimentDraft::State> ExperimentDraft::startingState(const RunConfig& preset,
                                                              const Json& edits) const {
  OptionValues base(schema());
  FATHOM_CHECK(base.merge(preset.options, preset.preset));
  OptionValues values = base;
  QStringList dropped;
  for (const auto& [key, value] : edits.items()) {
    if (schema().find(key) == nullptr || !values.set(key, value).ok()) dropped.append(fromUtf8(key));
  }
  const QString name = fromUtf8(preset.name);
  const Json startedFrom = values.effective();
  return State{
      std::move(values), base.effective(), startedFrom, fromUtf8(preset.preset), name, name, {}, {}, dropped};
}

Status ExperimentDraft::start(const RunConfig& preset, const Json& edits) {
  FATHOM_TRY(const State fresh, startingState(preset, edits));
  m_undo.clear();
  setState(fresh);
  return {};
}

Status ExperimentDraft::restart(const RunConfig& preset, const Json& edits) {
  FATHOM_TRY(State fresh, startingState(preset, edits));
  if (fresh.name.isEmpty() && nameTyped()) fresh.name = m_name;
  const bool same = m_pending.isEmpty() && fresh.presetId == m_presetId && fresh.name == m_name &&
                    fresh.startedFrom == m_values.effective() && fresh.base == m_base;
  if (!same) m_undo.push(new RestartCommand(this, state(), fresh));
  return {};
}

ExperimentDraft::State ExperimentDraft::state() const {
  return {m_values, m_base, m_startedFrom, m_presetId, m_name, m_givenName, m_errors, m_pending, m_dropped};
}

void ExperimentDraft::setState(const State& state) {
  m_values = state.values;
  m_base = state.base;
  m_startedFrom = state.startedFrom;
  m_presetId = state.presetId;
  m_name = state.name;
  m_givenName = state.givenName;
  m_errors = state.errors;
  m_pending = state.pending;
  m_dropped = state.dropped;
  m_refused.clear();
  endEdit();
  judge();
  Q_EMIT restarted();
  Q_EMIT nameChanged(m_name);
  Q_EMIT judged();
}

void ExperimentDraft::setName(const QString& name) {
  if (name != m_name) m_undo.push(new SetNameCommand(this, m_name, name));
}

void ExperimentDraft::forgetName() {
  endEdit();
  m_name.clear();
  m_givenName.clear();
  Q_EMIT nameChanged(m_name);
}

QString ExperimentDraft::text(const QString& key) const {
  if (const auto pending = m_pending.constFind(key); pending != m_pending.constEnd()) return *pending;
  const OptionField* field = schema().find(toKey(key));
  return field == nullptr ? QString() : fromUtf8(optionValueText(*field, m_values.value(field->key)));
}

QString ExperimentDraft::baseText(const QString& key) const {
  const OptionField* field = schema().find(toKey(key));
  if (field == nullptr || !m_base.contains(field->key)) return {};
  return fromUtf8(optionValueText(*field, m_base[field->key]));
}

bool ExperimentDraft::setText(const QString& key, const QString& text) {
  const OptionField* field = schema().find(toKey(key));
  if (field == nullptr) return false;
  const auto value = parseOptionText(*field, toUtf8(text));
  if (value.ok()) return setValue(key, *value);
  m_pending[key] = text;
  m_errors[key] = value.error().hint.empty() ? phraseText(value.error().messagePhrase())
                                             : phraseText(value.error().hintPhrase());
  Q_EMIT valueChanged(key);
  Q_EMIT judged();
  return false;
}

bool ExperimentDraft::setValue(const QString& key, const Json& value) {
  const OptionField* field = schema().find(toKey(key));
  if (field == nullptr) return false;
  const auto checked = checkOptionValue(*field, value);
  if (!checked.ok()) {
    m_errors[key] = phraseText(checked.error().hintPhrase());
    Q_EMIT valueChanged(key);
    Q_EMIT judged();
    return false;
  }
  const bool wasWrong = m_errors.remove(key) > 0;
  m_pending.remove(key);
  const Json& before = m_values.value(field->key);
  if (before != *checked) {
    m_undo.push(new SetOptionCommand(this, key, before, *checked));
  } else if (wasWrong) {
    Q_EMIT valueChanged(key);
    Q_EMIT judged();
  }
  return true;
}

void ExperimentDraft::refuse(const QString& key, const QString& reason) {
  if (schema().find(toKey(key)) == nullptr) return;
  m_refused = {{key, {reason}}};
  Q_EMIT judged();
}

void ExperimentDraft::setFileProblems(const QHash<QString, QString>& problems) {
  if (problems == m_fileProblems) return;
  m_fileProblems = problems;
  Q_EMIT judged();
}

// A refusal of the last attempt and a fault seen of the file at once may be the same.
QStringList ExperimentDraft::reasons(const QString& key) const {
  const QString file = m_fileProblems.value(key);
  const QStringList reasons = m_reasons.value(key);
  return file.isEmpty() ? reasons + m_refused.value(key) : reasons + QStringList{file};
}

void ExperimentDraft::apply(const QString& key, const Json& value) {
  m_errors.remove(key);
  m_refused.remove(key);
  m_pending.remove(key);
  m_values.set(toKey(key), value).value();
  judge();
  Q_EMIT valueChanged(key);
  Q_EMIT judged();
}

void ExperimentDraft::judge() {
  m_reasons.clear();
  m_broken.clear();
  for (const auto& violation : m_values.violations()) {
    const QString reason = engineText(violation.reason);
    if (!m_broken.contains(reason)) m_broken.append(reason);
    for (const std::string& key : violation.keys) m_reasons[fromUtf8(key)].append(reason);
  }
}

bool ExperimentDraft::changed(const QString& key) const {
  const OptionField* field = schema().find(toKey(key));
  if (field == nullptr || !m_base.contains(field->key)) return false;
  return m_pending.contains(key) || m_values.value(field->key) != m_base[field->key];
}

void ExperimentDraft::revert(const QString& key) {
  const OptionField* field = schema().find(toKey(key));
  if (field == nullptr || !m_base.contains(field->key)) return;
  endEdit();
  setValue(key, m_base[field->key]);
}

void ExperimentDraft::revertAll() {
  const QStringList keys = changedKeys();
  if (keys.isEmpty()) return;
  endEdit();
  m_undo.beginMacro(tr("Revert all options"));
  for (const QString& key : keys) setValue(key, m_base[toKey(key)]);
  m_undo.endMacro();
}

namespace {

QString clauseText(const OptionSchema& schema, const OptionClause& clause) {
  const OptionField* field = schema.find(clause.key);
  const QString title = field != nullptr ? engineText(field->title) : fromUtf8(clause.key);
  QStringList values;
  bool empty = false;
  for (const Json& value : clause.values) {
    empty = empty || value == "";
    if (value == "") continue;
    QString text = value.is_string() ? fromUtf8(value.get<std::string>()) : fromUtf8(value.dump());
    if (field != nullptr) {
      for (const OptionChoice& choice : field->choices)
        if (value == choice.id) text = engineText(choice.title);
    }
    values.append(text);
  }
  const QString all = nameText(values);
  if (empty && clause.test == OptionClause::Test::In) {
    return values.isEmpty() ? ExperimentDraft::tr("%1 is not set").arg(title)
                            : ExperimentDraft::tr("%1 is not set, or %2").arg(title, all);
  }
  if (empty && clause.test == OptionClause::Test::NotIn) {
    return values.isEmpty() ? ExperimentDraft::tr("%1 is set").arg(title)
                            : ExperimentDraft::tr("%1 is set, but not %2").arg(title, all);
  }
  switch (clause.test) {
    case OptionClause::Test::In:
      return ExperimentDraft::tr("%1 is %2").arg(title, all);
    case OptionClause::Test::NotIn:
      return ExperimentDraft::tr("%1 is not %2").arg(title, all);
    case OptionClause::Test::AtLeast:
      return ExperimentDraft::tr("%1 is at least %2").arg(title, all);
    case OptionClause::Test::AtMost:
      return ExperimentDraft::tr("%1 is at most %2").arg(title, all);
    case OptionClause::Test::Multiple:
      return ExperimentDraft::tr("%1 is a multiple of %2").arg(title, all);
    case OptionClause::Test::NotMultiple:
      return ExperimentDraft::tr("%1 is not a multiple of %2").arg(title, all);
  }
  return all;
}

}  // namespace

QString ExperimentDraft::inactiveReason(const QString& key) const {
  const OptionField* field = schema().find(toKey(key));
  if (field == nullptr || active(key)) return {};
  QStringList clauses;
  for (const OptionClause& clause : field->enabledWhen) clauses.append(clauseText(schema(), clause));
  return tr("Used only when %1.").arg(clauses.join(tr(" and ")));
}

QStringList ExperimentDraft::changedKeys() const {
  QStringList keys;
  for (const OptionField& field : schema().fields()) {
    const QString key = fromUtf8(field.key);
    if (changed(key)) keys.append(key);
  }
  return keys;
}

QStringList ExperimentDraft::problems() const {
  QStringList result;
  for (const OptionField& field : schema().fields()) {
    const QString key = fromUtf8(field.key);
    if (const QString error = m_errors.value(key); !error.isEmpty())
      result.append(tr("%1: %2").arg(engineText(field.title), error));
  }
  return result + m_broken;
}

RunConfig ExperimentDraft::config() const {
  RunConfig config;
  config.name = toUtf8(m_name);
  config.preset = toUtf8(m_presetId);
  config.options = m_values.effective();
  return config;
}

}  // namespace fathom
