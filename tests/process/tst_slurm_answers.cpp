// SPDX-License-Identifier: Apache-2.0
// Words of squeue, sbatch and scontrol as Slurm 22.05, 23.11 and 24.11 were heard to say them and its manuals
// tell: what a launcher makes of them without a Slurm.
#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include "app/runner/attempt_outcome.h"
#include "app/runner/slurm/slurm_answers.h"
#include "app/runner/slurm/slurm_script.h"
#include "core/base/json/json_members.h"
#include "core/record/runs/attempt_place.h"

using namespace fathom;

namespace {

PlaceRecord plainPlace() {
  PlaceRecord record;
  record.id = "here";
  record.resources = OptionValues(OptionSchema(slurmResources(), {}));
  record.limits = OptionValues(OptionSchema(slurmLimits(), {}));
  return record;
}

}  // namespace

class SlurmAnswersTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void rowsAreRead();
  void statesHaveWords_data();
  void statesHaveWords();
  void answersOfSbatch_data();
  void answersOfSbatch();
  void recordedVersionsAreRead_data();
  void recordedVersionsAreRead();
  void memoryIsReadFromTheLog();
  void endsAreNamedAndTriedAgain_data();
  void endsAreNamedAndTriedAgain();
  void refusalsNameTheirField_data();
  void refusalsNameTheirField();
  void scriptsAreQuoted();
  void processesAreSharedOutOverNodes();
};

void SlurmAnswersTest::rowsAreRead() {
  const auto rows = slurmRows(
      "Welcome to cluster one|two\n"
      "17|2|PENDING|JobArrayTaskLimit||N/A|1:00:00|fathom:a-b\n"
      "17|0|RUNNING|None|n1|2026-11-29T20:52:45|59:58|fathom:a-b\n"
      "5|N/A|PENDING|PartitionConfig||N/A|UNLIMITED|(null)\n"
      "6|N/A|CANCELLED by 1000|None||N/A|UNLIMITED|my|comment\n"
      "slurm_load_jobs error: Unable to contact slurm controller (connect failure)\n\n");
  QCOMPARE(rows.size(), std::size_t{4});
  QCOMPARE(rows[0].id(), std::string("17_2"));
  QCOMPARE(rows[0].comment, std::string("fathom:a-b"));
  QCOMPARE(rows[1].nodes, std::string("n1"));
  QCOMPARE(rows[2].id(), std::string("5"));
  QCOMPARE(rows[3].comment, std::string("my|comment"));
  QVERIFY(slurmStatus(rows[3]).end == JobEnd::Cancelled);
}

void SlurmAnswersTest::statesHaveWords_data() {
  QTest::addColumn<QString>("state");
  QTest::addColumn<QString>("reason");
  QTest::addColumn<int>("kind");
  QTest::addColumn<int>("end");
  QTest::addColumn<bool>("stuck");
  QTest::addColumn<QString>("words");
  using Kind = JobStatus::Kind;
  const auto row = [](const char* state, const char* reason, Kind kind, JobEnd end, bool stuck,
                      const char* words) {
    QTest::addRow("%s %s", state, reason)
        << QString::fromLatin1(state) << QString::fromLatin1(reason) << static_cast<int>(kind)
        << static_cast<int>(end) << stuck << QString::fromLatin1(words);
  };
  row("PENDING", "Priority", Kind::Waiting, JobEnd::Own, false, "Priority");
  row("PENDING", "None", Kind::Waiting, JobEnd::Own, false, "");
  row("PENDING", "BeginTime", Kind::Waiting, JobEnd::Own, false, "BeginTime, begins at 2026-11-30T08:00:00");
  row("PENDING", "QOSMaxJobsPerUserLimit", Kind::Waiting, JobEnd::Own, false, "QOSMaxJobsPerUserLimit");
  row("PENDING", "QOSMaxCpuPerJobLimit", Kind::Waiting, JobEnd::Own, true, "QOSMaxCpuPerJobLimit");
  row("PENDING", "AssocMaxWallDurationPerJobLimit", Kind::Waiting, JobEnd::Own, true,
      "AssocMaxWallDurationPerJobLimit");
  row("PENDING", "PartitionConfig", Kind::Waiting, JobEnd::Own, true, "PartitionConfig");
  row("PENDING", "JobHeldUser", Kind::Waiting, JobEnd::Own, true, "JobHeldUser");
  row("PENDING", "launch failed requeued held", Kind::Waiting, JobEnd::Own, true,
      "launch failed requeued held");
  row("REQUEUE_HOLD", "None", Kind::Waiting, JobEnd::Own, true, "REQUEUE_HOLD");
  row("CONFIGURING", "None", Kind::Waiting, JobEnd::Own, false, "CONFIGURING");
  row("RUNNING", "None", Kind::Running, JobEnd::Own, false, "");
  row("COMPLETING", "None", Kind::Running, JobEnd::Own, false, "");
  row("SUSPENDED", "None", Kind::Running, JobEnd::Own, false, "SUSPENDED");
  row("COMPLETED", "None", Kind::Ended, JobEnd::Own, false, "");
  row("FAILED", "NonZeroExitCode", Kind::Ended, JobEnd::Own, false, "");
  row("TIMEOUT", "TimeLimit", Kind::Ended, JobEnd::TimeLimit, false, "TIMEOUT");
  row("OUT_OF_MEMORY", "OutOfMemory", Kind::Ended, JobEnd::Memory, false, "OUT_OF_MEMORY");
  row("NODE_FAIL", "NodeDown", Kind::Ended, JobEnd::Node, false, "NODE_FAIL");
  row("PREEMPTED", "None", Kind::Ended, JobEnd::Preempted, false, "PREEMPTED");
  row("CANCELLED", "None", Kind::Ended, JobEnd::Cancelled, false, "CANCELLED");
  row("DANCING", "None", Kind::Unknown, JobEnd::Own, false, "DANCING");
}

void SlurmAnswersTest::statesHaveWords() {
  QFETCH(QString, state);
  QFETCH(QString, reason);
  QFETCH(int, kind);
  QFETCH(int, end);
  QFETCH(bool, stuck);
  QFETCH(QString, words);
  const SlurmRow row{"17", "3", state.toStdString(), reason.toStdString(), "", "2026-11-30T08:00:00", "", ""};
  const JobStatus status = slurmStatus(row);
  QCOMPARE(static_cast<int>(status.kind), kind);
  QCOMPARE(static_cast<int>(status.end), end);
  QCOMPARE(status.stuck, stuck);
  QCOMPARE(status.reason.english(), words.toStdString());
  QCOMPARE(status.job, std::string("17_3"));
}

void SlurmAnswersTest::answersOfSbatch_data() {
  QTest::addColumn<int>("code");
  QTest::addColumn<QString>("out");
  QTest::addColumn<QString>("err");
  QTest::addColumn<int>("kind");
  using Kind = SlurmAnswer::Kind;
  const auto row = [](const char* name, int code, const char* out, const char* err, Kind kind) {
    QTest::newRow(name) << code << QString::fromLatin1(out) << QString::fromLatin1(err)
                        << static_cast<int>(kind);
  };
  row("number", 0, "17\n", "", Kind::Taken);
  row("federation", 0, "17;east\n", "", Kind::Taken);
  row("swallowed", 0, "", "", Kind::Unclear);
  row("timed out", 1, "",
      "sbatch: error: Batch job submission failed: Socket timed out on send/recv operation\n", Kind::Unclear);
  row("no controller", 1, "",
      "sbatch: error: Batch job submission failed: Unable to contact slurm controller (connect failure)\n",
      Kind::Unclear);
  row("controller ends", 1, "",
      "sbatch: error: Batch job submission failed: Transport endpoint is not connected\n", Kind::Unclear);
  row("submit limit", 1, "",
      "sbatch: error: QOSMaxSubmitJobPerUserLimit\nsbatch: error: Batch job submission failed: Job violates "
      "accounting/QOS policy (job submit limit, user's size and/or time limits)\n",
      Kind::TooMany);
  row("array too large", 1, "",
      "sbatch: error: Batch job submission failed: Invalid job array specification\n", Kind::TooMany);
  row("busy", 1, "", "sbatch: error: Slurm temporarily unable to accept job, sleeping and retrying\n",
      Kind::Later);
  row("partition", 1, "", "sbatch: error: invalid partition specified: nope\n", Kind::Refused);
  row("account", 1, "",
      "sbatch: error: Batch job submission failed: Invalid account or account/partition combination "
      "specified\n",
      Kind::Refused);
  row("node", 1, "",
      "sbatch: error: Batch job submission failed: Requested node configuration is not available\n",
      Kind::Refused);
  row("absent", 127, "", "/usr/bin/env: 'sbatch': No such file or directory\n", Kind::Refused);
}

void SlurmAnswersTest::answersOfSbatch() {
  QFETCH(int, code);
  QFETCH(QString, out);
  QFETCH(QString, err);
  QFETCH(int, kind);
  const SlurmAnswer answer = slurmAnswer(code, false, out.toStdString(), err.toStdString());
  QCOMPARE(static_cast<int>(answer.kind), kind);
  if (answer.kind == SlurmAnswer::Kind::Taken) QCOMPARE(answer.words.english(), std::string("17"));
  if (!err.isEmpty()) {
    const QString last = err.trimmed().section(QLatin1Char('\n'), -1).section(QStringLiteral("error: "), -1);
    QVERIFY2(QString::fromStdString(answer.words.english()).contains(last), answer.words.english().c_str());
    QVERIFY(answer.words.english().find("sbatch: error") == std::string::npos);
  }
  QVERIFY(slurmAnswer(0, true, {}, {}).kind == SlurmAnswer::Kind::Unclear);
}

// Everything that tests/fixtures/slurm/record.sh has seen of a version.
void SlurmAnswersTest::recordedVersionsAreRead_data() {
  QTest::addColumn<QString>("file");
  const QDir folder(QStringLiteral(FATHOM_SOURCE_DIR "/tests/fixtures/slurm"));
  for (const QString& name : folder.entryList({"*.json"}))
    QTest::newRow(qPrintable(name)) << folder.filePath(name);
  QVERIFY(folder.entryList({"*.json"}).size() >= 3);
}

void SlurmAnswersTest::recordedVersionsAreRead() {
  QFETCH(QString, file);
  const Json recorded = readJsonFile(file.toStdString()).value();
  using Kind = JobStatus::Kind;
  const auto statusOf = [&](const char* scene, const char* comment, const char* task = "") {
    std::string text;
    for (const Json& line : recorded["squeue"][scene]) text += line.get<std::string>() + "\n";
    JobStatus status{.kind = Kind::Refused};
    for (const SlurmRow& row : slurmRows(text))
      if (row.comment == comment && row.task == task) status = slurmStatus(row);
    return status;
  };
  const auto is = [&](const JobStatus& status, Kind kind, JobEnd end, const char* words, bool stuck = false) {
    const bool same =
        status.kind == kind && status.end == end && status.stuck == stuck && status.reason.english() == words;
    if (!same) qWarning("%d %d %s", int(status.kind), int(status.end), status.reason.english().c_str());
    return same;
  };
  QVERIFY(is(statusOf("many", "fathom:taken"), Kind::Ended, JobEnd::Own, ""));
  QCOMPARE(statusOf("many", "fathom:taken").exitCode, 0);
  QVERIFY(is(statusOf("many", "fathom:bad"), Kind::Ended, JobEnd::Own, ""));
  QVERIFY(is(statusOf("many", "fathom:array", "0"), Kind::Running, JobEnd::Own, ""));
  QVERIFY(is(statusOf("many", "fathom:array", "3"), Kind::Waiting, JobEnd::Own, "JobArrayTaskLimit"));
  QCOMPARE(statusOf("many", "fathom:array", "3").job, std::string("2_3"));
  const char* begins = "BeginTime, begins at 2037-01-01T00:00:00";
  QVERIFY(is(statusOf("many", "fathom:later"), Kind::Waiting, JobEnd::Own, begins));
  QVERIFY(is(statusOf("many", "fathom:held"), Kind::Waiting, JobEnd::Own, "JobHeldUser", true));
  QVERIFY(is(statusOf("many", "a|b c"), Kind::Waiting, JobEnd::Own, "JobHeldUser", true));
  QVERIFY(is(statusOf("acted", "fathom:array", "0"), Kind::Running, JobEnd::Own, "SUSPENDED"));
  QVERIFY(is(statusOf("acted", "fathom:array", "1"), Kind::Waiting, JobEnd::Own, "JobArrayTaskLimit"));
  QVERIFY(is(statusOf("cancelled", "fathom:array", "0"), Kind::Ended, JobEnd::Cancelled, "CANCELLED"));
  QVERIFY(is(statusOf("node_down", "fathom:node"), Kind::Ended, JobEnd::Node, "NODE_FAIL"));
  QVERIFY(is(statusOf("made_room", "fathom:cheap"), Kind::Ended, JobEnd::Preempted, "PREEMPTED"));
  QVERIFY(statusOf("made_room", "fathom:low").kind == Kind::Waiting);
  QVERIFY(is(statusOf("limit", "fathom:limit"), Kind::Ended, JobEnd::TimeLimit, "TIMEOUT"));
  const auto answerTo = [&](const char* command) {
    const Json& said = recorded["commands"][command];
    return slurmAnswer(said["code"].get<int>(), false, said["out"].get<std::string>(),
                       said["err"].get<std::string>());
  };
  using Answer = SlurmAnswer::Kind;
  QVERIFY(answerTo("sbatch_taken").kind == Answer::Taken);
  QCOMPARE(answerTo("sbatch_taken").words.english(), std::string("1"));
  QVERIFY(answerTo("sbatch_array").kind == Answer::TooMany);
  QVERIFY(answerTo("sbatch_away").kind == Answer::Unclear);
  for (const auto& [command, field] :
       {std::pair("sbatch_partition", "partition"), std::pair("sbatch_gres", "gres"),
        std::pair("sbatch_constraint", "constraint"), std::pair("sbatch_memory", "memory"),
        std::pair("sbatch_time", "time"), std::pair("trial_partition", "partition")}) {
    QVERIFY2(answerTo(command).kind == Answer::Refused, command);
    QCOMPARE(blamedResource(answerTo(command).words.english()), std::string(field));
  }
  // Some versions take what can never start and say so of the job, others refuse it.
  for (const char* command : {"sbatch_nodes", "sbatch_cpus"}) {
    const Answer kind = answerTo(command).kind;
    QVERIFY2(kind == Answer::Taken || kind == Answer::Refused, command);
  }
  std::string log;
  for (const Json& line : recorded["memory_log"]) log += line.get<std::string>() + "\n";
  QVERIFY2(memoryLine(log).find("exceeded memory limit") != std::string::npos, log.c_str());
}

// By polling of 22.05 (recorded), and by control groups as 22.05 to 24.05 say it.
void SlurmAnswersTest::memoryIsReadFromTheLog() {
  for (const char* line :
       {"slurmstepd-n1: error: StepId=2.0 exceeded memory limit (108060672 > 52428800), being killed",
        "slurmstepd-n1: error: Exceeded job memory limit",
        "slurmstepd: error: Detected 1 oom-kill event(s) in StepId=17.0. Some of your processes may have "
        "been killed "
        "by the cgroup out-of-memory handler.",
        "slurmstepd: error: Detected 1 oom_kill event in StepId=17.batch. Some of the step tasks have been "
        "OOM Killed.",
        "srun: error: n1: task 0: Out Of Memory"})
    QCOMPARE(memoryLine("srun: job 17 queued\n" + std::string(line) + "\nsrun: error: n1: task 0: Killed\n"),
             std::string(line));
  QCOMPARE(memoryLine("srun: error: n1: task 0: Killed\n"), std::string());
}

// With an engine that was killed, and with one that had the time to save.
void SlurmAnswersTest::endsAreNamedAndTriedAgain_data() {
  QTest::addColumn<QString>("state");
  QTest::addColumn<QString>("cause");
  QTest::addColumn<bool>("again");
  const auto row = [](const char* state, const char* cause, bool again) {
    QTest::newRow(state) << QString::fromLatin1(state) << QString::fromLatin1(cause) << again;
  };
  row("NODE_FAIL", "node_lost", true);
  row("PREEMPTED", "preempted", true);
  row("OUT_OF_MEMORY", "oom", true);
  row("TIMEOUT", "time_limit", false);
  row("CANCELLED", "cancelled", false);
}

void SlurmAnswersTest::endsAreNamedAndTriedAgain() {
  QFETCH(QString, state);
  QFETCH(QString, cause);
  QFETCH(bool, again);
  const JobStatus status = slurmStatus({"17", "", state.toStdString(), "None", "", "", "", ""});
  QTemporaryDir dir;
  RunIdentity identity;
  identity.uuid = "u";
  for (const bool saved : {false, true}) {
    if (saved && state == QLatin1String("OUT_OF_MEMORY")) continue;  // killed without a word
    const std::string run = dir.filePath(saved ? "saved" : "killed").toStdString();
    const RunFolder folder = RunFolder::create(run, identity).value();
    QCOMPARE(folder.beginAttempt({{"format", 1}}).value(), 1);
    RunOutcome own;
    own.state = RunState::Stopped;
    own.askedBy = "SIGTERM";
    own.exitCode = 10;
    own.step = 7;
    if (saved) QVERIFY(folder.writeOutcome(1, own).ok());
    const AttemptEnd end{
        .exitCode = saved ? 10 : kUnknownExit, .by = status.end, .placeWords = status.reason.english()};
    const auto outcome = settleAttempt(run, identity, Json::object(), end);
    QVERIFY2(outcome.ok(), outcome.ok() ? "" : outcome.error().text().c_str());
    QCOMPARE(outcome->state, saved ? RunState::Stopped : RunState::Killed);
    QCOMPARE(QString::fromStdString(outcome->cause), cause);
    QVERIFY(outcome->message.english().find(state.toStdString()) != std::string::npos);
    QCOMPARE(QString::fromStdString(folder.outcome(1)->cause), saved ? QString() : cause);
    if (saved) QVERIFY(writeAttemptPlace(folder, 1, {"here", "17", "n1", outcome->cause}).ok());
    QCOMPARE(folder.outcome(1)->step, saved ? 7 : 0);
    QCOMPARE(mayRestart(run, *outcome, 3), again);
    QVERIFY(!mayRestart(run, *outcome, 0));
  }
}

// As sbatch says them, 22.05 to 24.05.
void SlurmAnswersTest::refusalsNameTheirField_data() {
  QTest::addColumn<QString>("field");
  const auto row = [](const char* words, const char* field) {
    QTest::newRow(words) << QString::fromLatin1(field);
  };
  row("invalid partition specified: nope; Batch job submission failed: Invalid partition name specified",
      "partition");
  row("Batch job submission failed: Invalid account or account/partition combination specified", "account");
  row("Batch job submission failed: Invalid qos specification", "qos");
  row("Invalid generic resource (gres) specification", "gres");
  row("Batch job submission failed: Requested time limit is invalid (missing or exceeds some limit)", "time");
  row("Batch job submission failed: Memory required by task is not available", "memory");
  row("Memory specification can not be satisfied", "memory");
  row("Batch job submission failed: Invalid feature specification", "constraint");
  row("Batch job submission failed: More processors requested than permitted", "cpus");
  row("Batch job submission failed: Node count specification invalid", "nodes");
  row("Batch job submission failed: Requested node configuration is not available", "");
}

void SlurmAnswersTest::refusalsNameTheirField() {
  QFETCH(QString, field);
  QCOMPARE(QString::fromStdString(blamedResource(QTest::currentDataTag())), field);
  QVERIFY(field.isEmpty() || OptionSchema(slurmResources(), {}).find(field.toStdString()) != nullptr);
}

void SlurmAnswersTest::scriptsAreQuoted() {
  PlaceRecord record = plainPlace();
  QVERIFY(record.resources.setText("partition=main").ok());
  record.before = {"module load it"};
  std::vector<JobRequest> requests(2);
  requests[1].runPath = "/a b/it's\n$(x)";
  requests[1].neededBytes = 412'000'000;
  const std::string script = slurmScript(record, {"u", "/f", requests});
  QVERIFY(script.find("1) run='/a b/it'\\''s\n$(x)' ") != std::string::npos);
  QVERIFY(script.find(" load=412000000 ;;\n") != std::string::npos);
  QVERIFY(script.find(" FATHOM_SAMPLE_LOAD=$load\n") < script.find("srun "));
  QVERIFY(script.find("#SBATCH --partition=main\n") != std::string::npos);
  QVERIFY(script.find("\nmodule load it\n") < script.find("srun "));
  const auto words = sbatchWords(record, {"u", "/f", requests});
  QVERIFY(std::find(words.begin(), words.end(), "--array=0-1") != words.end());
  requests.resize(1);
  for (const std::string& word : sbatchWords(record, {"u", "/f", requests}))
    QVERIFY(word.find("--array") == std::string::npos);
}

// A place of one node leaves it to the engine to start further processes.
void SlurmAnswersTest::processesAreSharedOutOverNodes() {
  PlaceRecord record = plainPlace();
  std::vector<JobRequest> requests(2);
  for (JobRequest& request : requests) request.ranks = 4;
  const std::string alone = slurmScript(record, {"u", "/f", requests});
  QVERIFY(alone.find("ranks=(--ntasks=1)\n") != std::string::npos &&
          alone.find("--nodes") == std::string::npos);
  QVERIFY(record.resources.setText("nodes=2").ok());
  const std::string spread = slurmScript(record, {"u", "/f", requests});
  QVERIFY(spread.find("#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=2\n") != std::string::npos);
  QVERIFY(spread.find("ranks=(--nodes=2 --ntasks-per-node=2 --ntasks=4)\n") != std::string::npos);
  requests[0].ranks = 1;
  QVERIFY(*slurmSpread(record, requests[0]) == SlurmSpread());
  requests[0].ranks = 3;
  const auto uneven = slurmSpread(record, requests[0]);
  QVERIFY(!uneven.ok());
  for (const char* words : {"the 3 processes", "the 2 nodes of place 'here'", "a multiple of 2"})
    QVERIFY2(uneven.error().text().find(words) != std::string::npos, uneven.error().text().c_str());
}

QTEST_GUILESS_MAIN(SlurmAnswersTest)
#include "tst_slurm_answers.moc"
