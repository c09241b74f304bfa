// SPDX-License-Identifier: Apache-2.0
#include "tests/process/support_rank_runs.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <QFile>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/files/atomic_file.h"
#include "core/base/files/process_identity.h"
#include "core/base/json/json_text.h"
#include "core/record/events/event_reader.h"
#include "core/record/runs/checkpoint_folder.h"
#include "core/record/runs/run_folder.h"
#include "tests/unit/support_waiting.h"

namespace fathom::test {

namespace {

std::vector<Json> loggedEvents(const std::string& run, const char* kind) {
  std::vector<Json> found;
  const RunFolder folder(run);
  for (const int attempt : folder.attempts()) {
    EventReader reader(folder.eventsPath(attempt));
    const auto events = reader.poll();
    if (!events.ok()) continue;
    for (const Event& event : *events)
      if (event.kind == kind) found.push_back(event.members);
  }
  return found;
}

}  // namespace

RankRuns::RankRuns() {
  std::string pairs;
  for (int i = 0; i < 300; ++i)
    pairs += "ein haus " + std::to_string(i) + " rot\trot " + std::to_string(i * 7 % 300) + " haus ein\n";
  writeFileAtomically(path("pairs.tsv"), pairs).value();
  const Json config = {{"format", 1},
                       {"name", "ranks"},
                       {"options",
                        {{"data.train", path("pairs.tsv")},
                         {"data.vocabulary.kind", "words"},
                         {"data.validation_size", 20},
                         {"data.test_size", 0},
                         {"batch.max_tokens", 128},
                         {"model.width", 16},
                         {"model.heads", 2},
                         {"model.feed_forward", 32},
                         {"encoder.layers", 1},
                         {"decoder.layers", 1},
                         {"precision", "float64"},
                         {"training.accumulation", 2},
                         {"training.length", "40u"},
                         {"validation.interval", "20u"},
                         {"validation.score_interval", "never"},
                         {"checkpoint.interval", "10u"},
                         {"divergence.not_learning_after", 0},
                         {"lr_schedule.warmup", 20},
                         {"parallel.check", 10},
                         {"device", "cpu"},
                         {"threads", 1}}}};
  writeFileAtomically(path("config.json"), jsonText(config, 1)).value();
}

QString RankRuns::engine() {
  return QStringLiteral(FATHOM_BIN_DIR "/fathom-engine");
}

QStringList RankRuns::train(const QString& name, const QStringList& more, bool orResume) const {
  QStringList words = {"train", "--config", m_folder.filePath("config.json"), "--run",
                       m_folder.filePath(name)};
  if (orResume) words.insert(1, "--or-resume");
  for (const QString& one : more) words << "--set" << one;
  return words;
}

QStringList RankRuns::resume(const QString& name) const {
  return {"resume", "--run", m_folder.filePath(name)};
}

std::unique_ptr<QProcess> RankRuns::start(const QStringList& words, const QStringList& environment) const {
  return startBy(engine(), words, environment);
}

std::unique_ptr<QProcess> RankRuns::startBy(const QString& program, const QStringList& words,
                                            const QStringList& environment) const {
  auto process = std::make_unique<QProcess>();
  process->setProcessChannelMode(QProcess::MergedChannels);
  process->setEnvironment(QProcess::systemEnvironment() + environment);
  process->start(program, words);
  return process;
}

bool RankRuns::waitForStep(const QString& name, std::int64_t step, int seconds) const {
  return waitFor([&] { return stepsOf(name).contains(step); }, seconds);
}

std::map<std::int64_t, std::string> RankRuns::stepsOf(const QString& name) const {
  std::map<std::int64_t, std::string> steps;
  for (const Json& event : loggedEvents(path(name), "step")) {
    const Json& values = event.at("m");
    steps[event.at("step").get<std::int64_t>()] =
        values.at("loss").dump() + " " + values.at("grad_norm").dump();
  }
  return steps;
}

std::vector<std::string> RankRuns::validationsOf(const QString& name) const {
  std::vector<std::string> found;
  for (const Json& event : loggedEvents(path(name), "validation"))
    found.push_back(event.at("step").dump() + " " + event.at("m").dump());
  return found;
}

std::string RankRuns::weightsOf(const QString& name) const {
  const auto checkpoints = listCheckpoints(path(name));
  return checkpoints.empty() ? std::string()
                             : readFile(checkpoints.back().path + "/model.safetensors").value() +
                                   readFile(checkpoints.back().path + "/optimizer.safetensors").value();
}

QString RankRuns::differences(const QString& one, const QString& other) const {
  const auto a = stepsOf(one), b = stepsOf(other);
  for (const auto& [step, values] : a) {
    const auto found = b.find(step);
    if (found == b.end() || found->second != values)
      return QString::number(step) + ": " + QString::fromStdString(values) + " and " +
             QString::fromStdString(found == b.end() ? "nothing" : found->second);
  }
  return a.size() == b.size() && !a.empty() ? QString() : QStringLiteral("other steps");
}

double RankRuns::gap(const QString& one, const QString& other) const {
  const auto a = loggedEvents(path(one), "step"), b = loggedEvents(path(other), "step");
  if (a.empty() || a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (const char* key : {"loss", "grad_norm"}) {
      const double first = a[i].at("m").at(key).get<double>(), second = b[i].at("m").at(key).get<double>();
      most = std::max(most, std::abs(first - second) / std::abs(first));
    }
  return most;
}

int endedWith(QProcess& process, QString* said, int seconds) {
  const bool ended = process.waitForFinished(seconds * 1000);
  const QString words = QString::fromUtf8(process.readAll());
  if (said != nullptr) *said = words;
  if (!ended || process.exitStatus() != QProcess::NormalExit) return -1;
  return process.exitCode();
}

QList<qint64> childrenOf(qint64 process) {
  QFile file(QStringLiteral("/proc/%1/task/%1/children").arg(process));
  QList<qint64> children;
  if (!file.open(QIODevice::ReadOnly)) return children;
  for (const QByteArray& word : file.readAll().simplified().split(' '))
    if (const qint64 child = word.toLongLong(); child > 0) children << child;
  return children;
}

bool livesStill(qint64 process) {
  return processLives(processWithId(process));
}

TakenPort::TakenPort() : m_socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  socklen_t length = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  if (::bind(m_socket, any, length) == 0 && ::listen(m_socket, 1) == 0 &&
      ::getsockname(m_socket, any, &length) == 0)
    m_number = ntohs(address.sin_port);
}

TakenPort::~TakenPort() {
  ::close(m_socket);
}

}  // namespace fathom::test
