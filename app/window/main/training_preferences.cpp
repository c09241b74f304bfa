// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main/training_preferences.h"

#include <QCheckBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardPaths>
#include <QThread>

#include "app/runner/machine_settings.h"
#include "app/window/files/file_choice.h"
#include "app/window/jobs/job_center.h"
#include "views/look/engine_text.h"
#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"

namespace fathom {

namespace {

constexpr int kRestMilliseconds = 300;
const QString kEngineAsked = QStringLiteral("preferences.engine");

template <typename Change>
void change(Change&& part) {
  MachineSettings settings = machineSettings();
  part(settings);
  setMachineSettings(settings);
}

}  // namespace

TrainingPreferences::TrainingPreferences(Parts parts, QWidget* parent) : QWidget(parent), m_parts(parts) {
  auto* form = new QFormLayout(this);
  form->addRow(tr("&Engine"), makeEngine());
  form->addRow(QString(), m_verdict);
  form->addRow(tr("&Cores for training"), makeCores());
  form->addRow(QString(), makeAwake());
  m_rest.setSingleShot(true);
  m_rest.setInterval(kRestMilliseconds);
  connect(&m_rest, &QTimer::timeout, this, &TrainingPreferences::ask);
  ask();
}

TrainingPreferences::~TrainingPreferences() {
  if (!m_parts.jobs.isNull()) m_parts.jobs->cancelOwner(kEngineAsked);
}

QWidget* TrainingPreferences::makeEngine() {
  m_verdict = new QLabel(this);
  m_verdict->setObjectName(QStringLiteral("preferredEngineVerdict"));
  m_verdict->setTextFormat(Qt::PlainText);
  m_verdict->setWordWrap(true);
  m_engine = new QLineEdit(fromUtf8(machineSettings().engine), this);
  m_engine->setObjectName(QStringLiteral("preferredEngine"));
  m_engine->setAccessibleName(tr("Path of fathom-engine"));
  m_engine->setPlaceholderText(tr("The one beside this program"));
  m_engine->setClearButtonEnabled(true);
  auto* choose = new QPushButton(tr("C&hoose…"), this);
  auto* row = new QWidget(this);
  makeRow(row, {{m_engine, 1}, choose});
  row->setFocusProxy(m_engine);
  connect(m_engine, &QLineEdit::textChanged, this, [this] { m_rest.start(); });
  connect(choose, &QPushButton::clicked, this, &TrainingPreferences::choose);
  if (qEnvironmentVariableIsSet("FATHOM_ENGINE")) row->setEnabled(false);
  return row;
}

QWidget* TrainingPreferences::makeCores() {
  auto* cores = new QSpinBox(this);
  cores->setObjectName(QStringLiteral("preferredCores"));
  const int here = QThread::idealThreadCount();
  cores->setRange(0, here);
  cores->setSpecialValueText(tr("All (%1)").arg(here));
  cores->setValue(machineSettings().cores);
  cores->setKeyboardTracking(false);
  cores->setToolTip(tr("Runs of the queue share so many; those that train already keep theirs"));
  connect(cores, &QSpinBox::valueChanged, this,
          [](int value) { change([value](MachineSettings& settings) { settings.cores = value; }); });
  return cores;
}

QWidget* TrainingPreferences::makeAwake() {
  auto* awake = new QCheckBox(tr("&Keep this machine awake while a run trains on it"), this);
  awake->setObjectName(QStringLiteral("preferredAwake"));
  awake->setChecked(machineSettings().keepAwake);
  // A choice that would not act is not offered.
  if (QStandardPaths::findExecutable(QStringLiteral("systemd-inhibit")).isEmpty()) {
    awake->setChecked(false);
    awake->setEnabled(false);
    awake->setToolTip(tr("systemd-inhibit, which does it, is not on this machine"));
  }
  connect(awake, &QCheckBox::toggled, this,
          [](bool on) { change([on](MachineSettings& settings) { settings.keepAwake = on; }); });
  return awake;
}

void TrainingPreferences::choose() {
  const QString path =
      m_parts.files->toRead(this, FileKind::Data, tr("Choose fathom-engine"), m_engine->text());
  if (!path.isEmpty()) m_engine->setText(path);
}

// In the background: an engine that hangs must not hold the window.
void TrainingPreferences::ask() {
  const QString path = m_engine->text().trimmed();
  m_verdict->setText(tr("Asking…"));
  m_parts.jobs->start<EngineDescription>(
      tr("Asking the engine"), kEngineAsked,
      [path = toUtf8(path), named = qEnvironmentVariableIsSet("FATHOM_ENGINE")](
          Progress&, const StopToken& stop) -> Result<EngineDescription> {
        if (!path.empty() && !named) return describeEngine(path, {}, stop);
        FATHOM_TRY(const std::string found, named ? findEngine() : engineBeside());
        return describeEngine(found, {}, stop);
      },
      [this, path](Result<EngineDescription> answer) { take(path, answer); });
}

void TrainingPreferences::take(const QString& path, const Result<EngineDescription>& answer) {
  if (!answer.ok()) {
    m_verdict->setText(tr("Not taken: %1").arg(phraseText(answer.error().phrase())));
    return;
  }
  m_verdict->setText(
      tr("%1, version %2%3")
          .arg(fromUtf8(answer.value().path), fromUtf8(answer.value().version),
               qEnvironmentVariableIsSet("FATHOM_ENGINE") ? tr(" (named by FATHOM_ENGINE)") : QString()));
  if (qEnvironmentVariableIsSet("FATHOM_ENGINE") || path == fromUtf8(machineSettings().engine)) return;
  change([&](MachineSettings& settings) { settings.engine = toUtf8(path); });
  Q_EMIT engineChanged();
}

}  // namespace fathom
