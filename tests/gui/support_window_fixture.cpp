// SPDX-License-Identifier: Apache-2.0
#include "tests/gui/support_window_fixture.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTest>
#include <cmath>

#include "core/base/files/hash.h"
#include "core/library/records/project_library.h"
#include "core/record/runs/run_config.h"

namespace fathom::test {

WindowFixture::WindowFixture() {
  for (const char* name : {"cache", "config", "state", "run"})
    QDir(m_folder.path()).mkdir(QLatin1String(name));
  QFile::setPermissions(m_folder.filePath("run"), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  qputenv("XDG_CACHE_HOME", m_folder.filePath("cache").toUtf8());
  qputenv("XDG_CONFIG_HOME", m_folder.filePath("config").toUtf8());
  qputenv("XDG_STATE_HOME", m_folder.filePath("state").toUtf8());
  qputenv("XDG_RUNTIME_DIR", m_folder.filePath("run").toUtf8());
  qputenv("FATHOM_ENGINE", FATHOM_BIN_DIR "/../tests/fake_engine");
  qputenv("FATHOM_FAKE_DESCRIBE", "good");
  (void)ProjectLibrary::create(project().toStdString()).value();
}

std::string WindowFixture::makeRun(const std::string& name) const {
  RunIdentity identity;
  identity.uuid = makeUuid();
  identity.name = name;
  identity.created = isoTimeNow();
  identity.provenance["program"] = "test";
  const std::string path = project().toStdString() + "/runs/" + identity.uuid;
  const RunFolder folder = RunFolder::create(path, identity).value();
  RunConfig config;
  config.name = name;
  config.options["seed"] = 1;
  config.options["fake.steps"] = 20;
  (void)folder.beginAttempt(runConfigToJson(config)).value();
  return path;
}

std::string WindowFixture::stepLine(int seq, int step, double time, double loss, int version) {
  std::string text = "{\"v\":" + std::to_string(version) + ",\"seq\":" + std::to_string(seq) +
                     ",\"t\":" + jsonNumber(time) + ",\"k\":\"step\",\"step\":" + std::to_string(step) +
                     ",\"epoch\":1,\"tokens\":" + std::to_string(100 * step) +
                     ",\"lr\":0.001,\"m\":{\"loss\":" + jsonNumber(loss) + "}";
  closeEventLine(text);
  return text;
}

void WindowFixture::writeSteps(EventLog& log, int first, int last, double loss) {
  for (int step = first; step <= last; ++step) {
    const double value = std::isnan(loss) ? loss : loss / std::sqrt(double(step));
    log.appendStep(step, 1, step * 100, 1e-3, {{"loss", value}, {"grad_norm", 1.5}, {"tokens_per_s", 4000}})
        .value();
  }
}

std::unique_ptr<EventLog> WindowFixture::beginRun(const std::string& name, std::string* path) const {
  *path = makeRun(name);
  auto log = EventLog::create(*path + "/attempts/0001/events.jsonl").value();
  log->append("run_started",
              Json{{"attempt", 1}, {"resumed_from", ""}, {"device", "cpu"}, {"total_updates", 100}})
      .value();
  return log;
}

std::string WindowFixture::addRun(const std::string& name, int steps, RunState state) const {
  std::string path;
  const auto log = beginRun(name, &path);
  writeSteps(*log, 1, steps, state == RunState::Diverged ? std::nan("") : 4.0);
  log->append("validation", Json{{"step", steps},
                                 {"epoch", 1},
                                 {"m", {{"valid.nll", 2.0 + steps % 3}, {"valid.bleu", 30 + steps % 5}}}})
      .value();
  RunOutcome outcome;
  outcome.state = state;
  outcome.step = steps;
  if (state == RunState::Diverged) outcome.cause = "nan_loss";
  outcome.finishedAt = isoTimeNow();
  RunFolder(path).writeOutcome(1, outcome).value();
  return path;
}

bool waitUntil(const std::function<bool()>& ready) {
  QElapsedTimer clock;
  clock.start();
  while (!ready() && clock.elapsed() < 10000) QTest::qWait(20);
  return ready();
}

bool staysSo(const std::function<bool()>& so, int milliseconds) {
  QElapsedTimer clock;
  clock.start();
  while (so() && clock.elapsed() < milliseconds) QTest::qWait(5);
  return so();
}

bool dragLineBeside(QMainWindow* window, const QDockWidget* dock, int by) {
  const QPoint line(dock->geometry().right() + 1, dock->geometry().center().y());
  if (!window->isSeparator(line)) return false;
  const int wanted = dock->width() + by;
  QTest::mousePress(window, Qt::LeftButton, {}, line);
  QTest::mouseMove(window, line + QPoint(by, 0));
  const bool followed = waitUntil([&] { return dock->width() == wanted; });
  QTest::mouseRelease(window, Qt::LeftButton, {}, line + QPoint(by, 0));
  return followed && settled(window);
}

bool settled(const QWidget* window) {
  const auto places = [window] {
    QVector<std::pair<const QWidget*, QRect>> all{{window, window->geometry()}};
    for (const QWidget* part : window->findChildren<QWidget*>())
      if (part->isVisible()) all.append({part, part->geometry()});
    return all;
  };
  auto before = places();
  QElapsedTimer clock, still;
  clock.start();
  still.start();
  while (still.elapsed() < 100) {
    if (clock.elapsed() > 5000) return false;
    QTest::qWait(10);
    if (auto now = places(); now != before) {
      before = std::move(now);
      still.restart();
    }
  }
  return true;
}

}  // namespace fathom::test
