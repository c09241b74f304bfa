// SPDX-License-Identifier: Apache-2.0
#include "tests/process/support_device_run.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>
#include <algorithm>

#include "core/base/json/json.h"

namespace fathom::test {

LoggedNumbers loggedNumbers(const QString& run) {
  LoggedNumbers numbers;
  QFile file(run + "/attempts/0001/events.jsonl");
  if (!file.open(QIODevice::ReadOnly)) return numbers;
  for (const QByteArray& line : file.readAll().split('\n')) {
    const Json event = Json::parse(line.toStdString(), nullptr, false);
    if (!event.is_object() || !event.contains("m")) continue;
    for (const auto& [name, value] : event.at("m").items())
      if (value.is_number() && !name.ends_with("_s"))
        numbers.append(
            {QString::fromStdString(event.at("k").get<std::string>() + " " + name), value.get<double>()});
  }
  return numbers;
}

const QVector<DeviceTask>& deviceTasks() {
  static const QVector<DeviceTask> kCases = {
      {"nmt", "sample_small", "tsv", {"data.vocabulary.size=200", "data.max_pairs=2000"}},
      {"mlm",
       "mlm_quick",
       "txt",
       {"mlm.vocabulary.size=300", "mlm.documents=blank_line", "mlm.sentences=line", "mlm.duplicates=1"}},
      {"causal_lm", "causal_lm_quick", "txt", {"causal_lm.vocabulary.size=300"}},
      {"text_to_sql",
       "sql_sp_quick",
       "json",
       {"spider.tables=@/tables.json", "spider.vocabulary.file=@/vocabulary.txt",
        "model.sql_sp.question_dropout=0", "model.sql_sp.schema_dropout=0", "model.sql_sp.vector_dropout=0"}},
      {"glue", "glue_sample", "tsv", {"text.vocabulary.file=@/vocab.json"}},
      {"reclor", "reclor_sample", "json", {"text.vocabulary.file=@/vocab.json"}},
      {"squad", "squad_sample", "json", {"text.vocabulary.file=@/vocab.json"}},
      {"wikihop", "wikihop_etc_sample", "json", {"text.vocabulary.file=@/vocab.txt"}},
      {"hotpotqa",
       "hotpotqa_etc_quick",
       "json",
       {"text.vocabulary.file=@/vocabulary.txt", "model.width=48", "model.heads=4", "model.feed_forward=64",
        "encoder.layers=2"}},
      {"natural_questions", "nq_etc_quick", "jsonl", {"text.vocabulary.file=@/vocab.txt"}},
      {"openkp", "openkp_etc_quick", "jsonl", {"text.vocabulary.file=@/vocab.txt"}}};
  return kCases;
}

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

DeviceOutcome DeviceRuns::train(const QString& task, const QString& run, const QStringList& more,
                                const QStringList& environment) {
  const auto found = std::find_if(deviceTasks().begin(), deviceTasks().end(),
                                  [&](const DeviceTask& one) { return task == QLatin1String(one.task); });
  const QString data = file(task);
  if (!QDir(data).exists()) {
    const DeviceOutcome made = engine({"sample", "--task", task, "--out", data});
    if (made.exitCode != 0) return made;
  }
  QStringList words = {"train", "--config",
                       QStringLiteral(FATHOM_SOURCE_DIR "/resources/presets/") + found->preset + ".json",
                       "--run", run};
  QStringList assignments = {"training.length=2u",
                             "lr_schedule.warmup=1",
                             "validation.interval=2u",
                             "validation.score_interval=2u",
                             "model.dropout=0",
                             "model.attention_dropout=0",
                             "threads=1",
                             "checkpoint.interval=1u",
                             "data.train=@/train." + QLatin1String(found->ending),
                             "data.validation=@/validation." + QLatin1String(found->ending)};
  assignments << found->assignments << more;
  for (QString assignment : assignments) words << "--set" << assignment.replace(QLatin1String("@"), data);
  return engine(words, environment);
}

}  // namespace fathom::test
