// SPDX-License-Identifier: Apache-2.0
#include "tests/process/support_device_run.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>
#include <algorithm>

#include "core/base/json/json.h"

namespace fathom::test {

namespace {

QVector<Json> allEvents(const QString& run) {
  QVector<Json> events;
  QFile file(run + "/attempts/0001/events.jsonl");
  if (!file.open(QIODevice::ReadOnly)) return events;
  for (const QByteArray& line : file.readAll().split('\n'))
    if (Json event = Json::parse(line.toStdString(), nullptr, false); event.is_object())
      events.append(std::move(event));
  return events;
}

}  // namespace

QVector<Json> eventsOf(const QString& run, const char* kind) {
  QVector<Json> events = allEvents(run);
  events.removeIf([&](const Json& event) { return event.value("k", "") != kind; });
  return events;
}

LoggedNumbers loggedNumbers(const QString& run) {
  LoggedNumbers numbers;
  for (const Json& event : allEvents(run)) {
    if (!event.contains("m")) continue;
    for (const auto& [name, value] : event.at("m").items())
      if (value.is_number() && !name.ends_with("_s"))
        numbers.append(
            {QString::fromStdString(event.at("k").get<std::string>() + " " + name), value.get<double>()});
  }
  return numbers;
}

const QVector<DeviceTask>& deviceTasks() {
  // Placement and bits are the same in narrow models.
  const QStringList narrow = {"model.width=48", "model.heads=4", "model.feed_forward=64"};
  const QStringList pieces = narrow + QStringList{"text.vocabulary.file=@/vocab.json"};
  const QStringList words = {"text.vocabulary.file=@/vocab.txt", "batch.examples=8"};
  static const QVector<DeviceTask> kCases = {
      {"nmt",
       "sample_small",
       "tsv",
       400,
       16,
       {"data.test=@/test.tsv", "data.vocabulary.size=200", "batch.max_tokens=256",
        "validation.max_length_a=1", "validation.max_length_b=2"}},
      {"mlm",
       "mlm_quick",
       "txt",
       400,
       80,
       {"data.test=@/test.txt", "mlm.vocabulary.size=300", "mlm.documents=blank_line", "mlm.sentences=line",
        "mlm.duplicates=1", "batch.sequences=8"}},
      {"causal_lm", "causal_lm_quick", "txt", 400, 80,
       narrow +
           QStringList{"data.test=@/test.txt", "causal_lm.vocabulary.size=300", "causal_lm.sequences=4"}},
      {"text_to_sql", "sql_sp_quick", "json", 24, 4,
       narrow + QStringList{"spider.tables=@/tables.json", "spider.vocabulary.file=@/vocabulary.txt",
                            "model.sql_sp.question_dropout=0", "model.sql_sp.schema_dropout=0",
                            "model.sql_sp.vector_dropout=0", "encoder.layers=2", "batch.examples=4",
                            "validation.beam=2", "validation.max_steps=20"}},
      {"glue", "glue_sample", "tsv", 60, 12, pieces + QStringList{"batch.examples=8"}},
      {"reclor", "reclor_sample", "json", 40, 8, pieces + QStringList{"batch.examples=4"}},
      {"squad", "squad_sample", "json", 12, 3, pieces + QStringList{"batch.examples=8"}},
      {"wikihop", "wikihop_etc_sample", "json", 16, 4, narrow + words + QStringList{"batch.examples=4"}},
      {"hotpotqa", "hotpotqa_etc_quick", "json", 16, 3,
       narrow + QStringList{"text.vocabulary.file=@/vocabulary.txt", "encoder.layers=2",
                            "training.accumulation=2"}},
      {"natural_questions", "nq_etc_quick", "jsonl", 32, 8, words},
      {"openkp", "openkp_etc_quick", "jsonl", 32, 8, words}};
  return kCases;
}

namespace {

// Only the first records of a part: what is proved of a device is proved of few.
bool keepRecords(const QString& path, int count) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return false;
  QByteArray kept;
  if (path.endsWith(QLatin1String(".json"))) {
    Json all = Json::parse(file.readAll().toStdString());
    Json& records = all.is_array() ? all : all.at("data");
    const auto few = std::min<std::ptrdiff_t>(count, static_cast<std::ptrdiff_t>(records.size()));
    records = Json(std::vector<Json>(records.begin(), records.begin() + few));
    kept = QByteArray::fromStdString(all.dump());
  } else {
    for (int line = 0; line < count && !file.atEnd(); ++line) kept += file.readLine();
  }
  file.close();
  return file.open(QIODevice::WriteOnly) && file.write(kept) == kept.size();
}

}  // namespace

QString DeviceRuns::missing() {
  if (!QFile::exists(engineProgram())) return QStringLiteral("fathom-engine is not built");
  if (!QFile::exists(deviceFolder() + "/libtorch_cuda.so"))
    return QStringLiteral("the stand-in device is not built");
  return {};
}
QString DeviceRuns::engineProgram() {
  return QStringLiteral(FATHOM_BIN_DIR "/fathom-engine");
}
QString DeviceRuns::deviceFolder() {
  return QStringLiteral(FATHOM_BIN_DIR "/../device");
}

DeviceOutcome DeviceRuns::program(const QString& path, const QStringList& words,
                                  const QStringList& environment) const {
  QProcessEnvironment surroundings = QProcessEnvironment::systemEnvironment();
  surroundings.insert(QStringLiteral("LD_LIBRARY_PATH"), deviceFolder());
  for (const QString& pair : environment)
    surroundings.insert(pair.section(u'=', 0, 0), pair.section(u'=', 1));
  QProcess process;
  process.setProcessEnvironment(surroundings);
  process.start(path, words);
  DeviceOutcome outcome;
  if (!process.waitForFinished(240'000)) return outcome;
  outcome.exitCode = process.exitCode();
  outcome.crashed = process.exitStatus() == QProcess::CrashExit;
  outcome.out = QString::fromUtf8(process.readAllStandardOutput());
  outcome.err = QString::fromUtf8(process.readAllStandardError());
  return outcome;
}

DeviceOutcome DeviceRuns::command(const QStringList& words, const QStringList& environment) {
  const Ended ended = m_forks.run(words, environment);
  DeviceOutcome outcome;
  outcome.crashed = ended.signal != 0;
  outcome.exitCode = outcome.crashed ? ended.signal : ended.code;
  outcome.out = QString::fromUtf8(ended.out);
  outcome.err = QString::fromUtf8(ended.err);
  return outcome;
}

QString DeviceRuns::dataOf(const DeviceTask& task) {
  QString data = file(task.task);
  if (QDir(data).exists()) return data;
  const DeviceOutcome made = command({"sample", "--task", task.task, "--out", data});
  const QString ending = QString(".") + task.ending;
  const bool cut = made.exitCode == 0 && keepRecords(data + "/train" + ending, task.train) &&
                   keepRecords(data + "/validation" + ending, task.validation);
  if (!cut) qFatal("no sample of %s: %s", task.task, qPrintable(made.err));
  return data;
}

QStringList DeviceRuns::trainingWords(const QString& task, const QString& run, const QStringList& more) {
  const auto found = std::find_if(deviceTasks().begin(), deviceTasks().end(),
                                  [&](const DeviceTask& one) { return task == QLatin1String(one.task); });
  const QString data = dataOf(*found);
  QStringList words = {"train", "--config",
                       QStringLiteral(FATHOM_SOURCE_DIR "/resources/presets/") + found->preset + ".json",
                       "--run", run};
  QStringList assignments = {"training.length=4u",
                             "lr_schedule.warmup=1",
                             "validation.interval=4u",
                             "validation.score_interval=4u",
                             "model.dropout=0",
                             "model.attention_dropout=0",
                             "threads=1",
                             "checkpoint.interval=2u",
                             "data.train=@/train." + QLatin1String(found->ending),
                             "data.validation=@/validation." + QLatin1String(found->ending)};
  assignments << found->assignments << more;
  for (QString assignment : assignments) words << "--set" << assignment.replace(QLatin1String("@"), data);
  return words;
}

DeviceOutcome DeviceRuns::train(const QString& task, const QString& run, const QStringList& more,
                                const QStringList& environment) {
  return command(trainingWords(task, run, more), environment);
}

}  // namespace fathom::test
