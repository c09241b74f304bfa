// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/sleep_guard.h"

#include <sys/wait.h>

#include <QStandardPaths>
#include <csignal>
#include <string>

#include "app/runner/child_process.h"
#include "app/runner/machine_settings.h"
#include "core/base/files/process_identity.h"

namespace fathom {

SleepGuard::~SleepGuard() {
  release();
}

void SleepGuard::watch(bool training) {
  if (training == m_training) return;
  m_training = training;
  if (!training) return release();
  if (!machineSettings().keepAwake) return;
  const std::string inhibitor =
      QStandardPaths::findExecutable(QStringLiteral("systemd-inhibit")).toStdString();
  if (inhibitor.empty()) return;
  // tail ends when this process does, and with it the inhibitor.
  const ChildSpec spec{inhibitor,
                       {"--what=sleep:idle", "--who=Fathom", "--why=A run is training", "--mode=block",
                        "tail", "--pid=" + std::to_string(thisProcess().pid), "-f", "/dev/null"},
                       {},
                       {}};
  if (const auto started = startChild(spec); started.ok()) m_child = *started;
}

void SleepGuard::release() {
  if (!m_child) return;
  ::kill(-*m_child, SIGTERM);
  ::waitpid(*m_child, nullptr, 0);
  m_child.reset();
}

}  // namespace fathom
