// SPDX-License-Identifier: Apache-2.0
// ctest: engine forks bench
// Every command line that people read (README files, help pages in both languages, hints and reports of the
// program) is one that works: understood by the real command line, with options, presets, figures and
// analyses that exist; what is quick runs as it stands on a small trained project.
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTest>

#include "app/bench/bench_line.h"
#include "app/command_line.h"
#include "app/pictures/pictures_command.h"
#include "app/runner/engine_description.h"
#include "core/base/options/entry_table.h"
#include "core/record/presets.h"
#include "core/record/runs/run_folder.h"
#include "core/spider/data/made_spider.h"
#include "tests/process/support_command_lines.h"
#include "tests/process/support_engine_forks.h"
#include "tests/process/support_project_fixture.h"
#include "tests/process/support_word_pairs.h"
#include "views/figures/figure_entry.h"

using namespace fathom;
using test::ShownCommand;
using Kind = test::ShownCommand::Kind;

namespace {

QString textOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

// What is filled in where the line is shown, or by who reads it: no value that could be checked.
bool standsForSomething(const QString& value) {
  static const QRegularExpression kWord(QStringLiteral("^(.*FILLED.*|.*%\\d.*|[A-Z]+)$"));
  return kWord.match(value).hasMatch();
}

QString problemOfAssignments(const std::vector<std::string>& assignments, const OptionSchema& schema) {
  for (const std::string& assignment : assignments) {
    const QString text = QString::fromStdString(assignment), key = text.section(u'=', 0, 0);
    if (!text.contains(u'=') && standsForSomething(text)) continue;
    if (standsForSomething(key)) continue;
    if (standsForSomething(text.section(u'=', 1))) {
      if (schema.find(key.toStdString()) == nullptr) return QStringLiteral("there is no option ") + key;
      continue;
    }
    OptionValues values(schema);
    if (const Status set = values.setText(assignment); !set.ok())
      return QString::fromStdString(set.error().text());
  }
  return {};
}

QString problemOfEnd(const test::Ended& ended) {
  return ended.code == 0 ? QString() : QString::fromUtf8(ended.err + ended.out);
}

}  // namespace

class CommandLines : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void pagesAndSourcesAreRead();
  void shownCommandsAreUnderstood_data();
  void shownCommandsAreUnderstood();
  void quickOnesRun_data();
  void quickOnesRun();
  void wrongLinesAreFound_data();
  void wrongLinesAreFound();

 private:
  // What is wrong with it; empty = nothing.
  QString problemOf(const ShownCommand& shown) const;
  QString problemOfLine(QStringList words) const;
  QString problemOfEngineLine(const QStringList& words) const;
  static QString problemOfEngineBench(const QStringList& words);
  QString problemOfBenchLine(const QStringList& words) const;
  static QString problemOfOtherLine(const QStringList& words, const std::vector<Command>& commands);
  QString problemOfSqlrunLine(const QStringList& words) const;
  QString problemOfValues(const ParsedCommand& parsed) const;
  QString problemOfFragment(const ShownCommand& shown) const;
  const Json* probe(const std::string& id) const;
  void prepareProject();
  QString folder() const { return m_fixture->file("shown"); }
  std::unique_ptr<ProjectFixture> m_fixture;
  EngineDescription m_engine;
  QStringList m_verbs;  // of the engine
  QStringList m_known;  // and commands
  QVector<ShownCommand> m_pages, m_sources;
  mutable test::EngineForks m_forks;
};

void CommandLines::initTestCase() {
  const QString engine = QStringLiteral(FATHOM_BIN_DIR "/fathom-engine");
  QVERIFY2(QFile::exists(engine), "fathom-engine is not built");
  m_fixture = std::make_unique<ProjectFixture>();
  qputenv("FATHOM_ENGINE", engine.toUtf8());
  m_engine = describeEngine().value();
  QProcess help;
  help.start(engine, {QStringLiteral("--help")});
  QVERIFY(help.waitForFinished(60000));
  const QString told = QString::fromUtf8(help.readAllStandardOutput());
  for (const QString& line : told.section(QStringLiteral("Subcommands:"), 1).split(u'\n'))
    if (line.startsWith(QLatin1String("  "))) m_verbs.append(line.trimmed().section(u' ', 0, 0));
  QVERIFY2(m_verbs.contains(QStringLiteral("resume")), qPrintable(told));
  m_known = m_verbs;
  for (const Command& command : commandEntries()) m_known.append(QString::fromStdString(command.id));
  const QDir root(QStringLiteral(FATHOM_SOURCE_DIR));
  const auto collect = [&](const QString& start, const QStringList& patterns, auto use) {
    QDirIterator files(root.filePath(start), patterns, QDir::Files, QDirIterator::Subdirectories);
    QStringList paths;
    while (files.hasNext()) paths.append(files.next());
    paths.sort();
    for (const QString& path : paths) use(textOf(path), root.relativeFilePath(path));
  };
  const auto page = [this](const QString& text, const QString& name) {
    m_pages += test::commandsOfPage(text, name);
  };
  page(textOf(root.filePath(QStringLiteral("README.md"))), QStringLiteral("README.md"));
  for (const char* part :
       {"app", "core", "views", "packaging", "resources", "tests", "translations", "cmake"})
    collect(QLatin1String(part), {QStringLiteral("*.md")}, page);
  collect(QStringLiteral("docs"), {QStringLiteral("manual*.md")}, page);
  page(textOf(root.filePath(QStringLiteral("docs/fine_tuning_study.md"))),
       QStringLiteral("docs/fine_tuning_study.md"));
  for (const char* part : {"app", "core", "views"})
    collect(QLatin1String(part), {QStringLiteral("*.cpp"), QStringLiteral("*.h")},
            [this](const QString& text, const QString& name) {
              m_sources += test::commandsOfSource(text, name, m_known);
            });
}

const Json* CommandLines::probe(const std::string& id) const {
  for (const Json& entry : m_engine.json.at("entries").at("probes"))
    if (entry.at("id") == id) return &entry;
  return nullptr;
}

QString CommandLines::problemOfEngineLine(const QStringList& words) const {
  return problemOfEnd(m_forks.run(QStringList{"--dry-run"} + words));
}

QString CommandLines::problemOfEngineBench(const QStringList& words) {
  return problemOfEnd(
      test::ran(QStringLiteral(FATHOM_BIN_DIR "/fathom-bench-engine"), QStringList{"--dry-run"} + words));
}

// Of either half.
QString CommandLines::problemOfBenchLine(const QStringList& words) const {
  if (words.isEmpty() || words.front().startsWith(QLatin1String("--"))) return {};
  if (findEntry(appBenches(), words.front().toStdString()) == nullptr) return problemOfEngineBench(words);
  return problemOfOtherLine(words, appBenches());
}

QString CommandLines::problemOfOtherLine(const QStringList& words, const std::vector<Command>& commands) {
  std::vector<std::string> line;
  for (const QString& word : words) line.push_back(word.toStdString());
  const auto parsed = parseCommandLine(line, {commands.front().program, "", &commands});
  return parsed.ok() ? QString() : QString::fromStdString(parsed.error().text());
}

// The program tells its few options when it is given none.
QString CommandLines::problemOfSqlrunLine(const QStringList& words) const {
  QProcess process;
  process.start(QStringLiteral(FATHOM_BIN_DIR "/fathom-sqlrun"), {});
  if (!process.waitForFinished(60000)) return QStringLiteral("the program does not answer");
  const QString usage = QString::fromUtf8(process.readAllStandardError());
  return usage.contains(words.value(0)) ? QString() : QStringLiteral("no such option: ") + words.value(0);
}

// Values that the command line itself takes as any text.
QString CommandLines::problemOfValues(const ParsedCommand& parsed) const {
  const std::string& id = parsed.command->id;
  const OptionValues& options = parsed.context.options;
  const auto has = [&](const char* key) { return options.schema().find(key) != nullptr; };
  const bool trains = has("config") && has("preset");
  if (trains && !standsForSomething(QString::fromStdString(options.text("preset"))))
    if (!options.text("preset").empty() && !findPreset(options.text("preset")).ok())
      return QStringLiteral("there is no preset ") + QString::fromStdString(options.text("preset"));
  if (trains || id == "retry") return problemOfAssignments(options.texts("set"), m_engine.options);
  const auto figureProblem = [&](const std::string& figure, const char* key) {
    const auto entry = findFigure(figure);
    if (!entry.ok()) return QString::fromStdString(entry.error().text());
    return problemOfAssignments(options.texts(key), OptionSchema(entry->fields, {}));
  };
  if (id == "export-figure" && options.text("composition").empty() && options.text("recipe").empty())
    return figureProblem(options.text("figure"), "set");
  if (id != "analyse" || standsForSomething(QString::fromStdString(options.text("analysis")))) return {};
  const Json* known = probe(options.text("analysis"));
  if (known == nullptr) return QStringLiteral("there is no such analysis");
  QString problem =
      problemOfAssignments(options.texts("set"), OptionSchema::fromJson(known->at("schema")).value());
  if (problem.isEmpty()) problem = problemOfAssignments(options.texts("run-set"), m_engine.options);
  if (problem.isEmpty() && !options.texts("figure-set").empty())
    problem = figureProblem(options.text("analysis"), "figure-set");
  return problem;
}

QString CommandLines::problemOfLine(QStringList words) const {
  const QString program = words.takeFirst();
  if (program == QLatin1String("fathom-engine")) {
    if (words.value(0).startsWith(QLatin1String("--"))) return {};  // --help, --version
    return problemOfEngineLine(words);
  }
  if (program == QLatin1String("fathom-sqlrun")) return problemOfSqlrunLine(words);
  if (program == QLatin1String("fathom-bench")) return problemOfBenchLine(words);
  if (program == QLatin1String("fathom-pictures")) {
    if (words.isEmpty() || words.front() == QLatin1String("--help")) return {};
    return problemOfOtherLine(QStringList{QString()} + words, {picturesCommand()});
  }
  if (words.isEmpty()) return {};  // opens the window
  if (words.front() == QLatin1String("--help") || words.front() == QLatin1String("--version")) return {};
  const Command* command = findCommand(words.front().toStdString());
  if (command != nullptr && words.contains(QStringLiteral("--help"))) return {};
  std::vector<std::string> line;
  for (int i = 0; i < words.size(); ++i) {
    // A number or choice that is filled in: any valid one.
    const OptionField* field = nullptr;
    if (command != nullptr && i > 0 && words[i - 1].startsWith(QLatin1String("--")))
      for (const OptionField& each : command->fields)
        if (each.key == words[i - 1].mid(2).toStdString()) field = &each;
    const bool open = standsForSomething(words[i]) && field != nullptr;
    if (open && field->type == OptionType::Choice) {
      line.push_back(field->choices.front().id);
    } else if (open && (field->type == OptionType::Integer || field->type == OptionType::Real)) {
      line.push_back(optionValueText(*field, field->defaultValue));
    } else {
      line.push_back(words[i].toStdString());
    }
  }
  const auto parsed = parseCommandLine(line);
  return parsed.ok() ? problemOfValues(*parsed) : QString::fromStdString(parsed.error().text());
}

// Options alone: added to the line they belong to, or of the command that was named, else of any.
QString CommandLines::problemOfFragment(const ShownCommand& shown) const {
  const QStringList before = test::shellWords(shown.command);
  QStringList words = test::shellWords(shown.text);
  if (shown.command.endsWith(QLatin1String(".sh"))) {  // of a script of packaging/
    const QString script =
        QStringLiteral(FATHOM_SOURCE_DIR "/packaging/") + QFileInfo(shown.command).fileName();
    if (textOf(script).contains(words.front())) return {};
  }
  const bool onlyNamed = words.size() == 1;
  if (onlyNamed) words.append(QStringLiteral("FILLED"));
  const QString page = QFileInfo(shown.where.section(u':', 0, 0)).completeBaseName();
  if (before.isEmpty() && probe(page.toStdString()) != nullptr)  // the page of an analysis
    return problemOfLine(QStringList{"fathom", "analyse", page, "--project", "DIR", "--run", "RUN"} + words);
  if (before.size() > 2) {
    const QString found = problemOfLine(before + words);
    if (found.isEmpty() || !onlyNamed) return found;
  }
  const Command* named = before.size() == 2 ? findCommand(before[1].toStdString()) : nullptr;
  QString problem;
  for (const Command& command : commandEntries()) {
    // An option that is only named may be another command's than the last one's before it.
    if (named != nullptr && named != &command && !onlyNamed) continue;
    QStringList line = {QStringLiteral("fathom"), QString::fromStdString(command.id)};
    if (command.needsProject) line << QStringLiteral("--project") << QStringLiteral("DIR");
    for (const std::string& key : command.required)
      if (!words.contains(QStringLiteral("--") + QString::fromStdString(key)))
        line << QStringLiteral("--") + QString::fromStdString(key) << QStringLiteral("FILLED");
    problem = problemOfLine(line + words);
    if (problem.isEmpty() || (onlyNamed && problemOfLine(line + words.mid(0, 1)).isEmpty())) return {};
  }
  return problem;
}

QString CommandLines::problemOf(const ShownCommand& shown) const {
  if (shown.kind == Kind::Fragment) return problemOfFragment(shown);
  const QStringList words = test::shellWords(shown.text);
  if (shown.kind == Kind::Line) return problemOfLine(words);
  if (shown.kind == Kind::Open || words.size() < 2) return {};
  if (words[0] == QLatin1String("fathom"))
    return findCommand(words[1].toStdString()) != nullptr ? QString() : QStringLiteral("no such command");
  if (words[0] == QLatin1String("fathom-bench")) {
    if (findEntry(appBenches(), words[1].toStdString()) != nullptr) return {};
    return problemOfEngineBench({words[1], QStringLiteral("--help")});
  }
  return m_verbs.contains(words[1]) ? QString() : QStringLiteral("no such verb");
}

void CommandLines::pagesAndSourcesAreRead() {
  QMap<QString, int> pages;
  for (const ShownCommand& shown : m_pages) ++pages[shown.where.section(u':', 0, 0)];
  QVERIFY(pages.value(QStringLiteral("README.md")) > 10);
  QVERIFY(pages.value(QStringLiteral("docs/manual_text_to_sql.md")) > 10);
  QVERIFY(pages.contains(QStringLiteral("resources/help/beta_dependency.md")));
  QVERIFY(pages.contains(QStringLiteral("resources/help/zh_CN/beta_dependency.md")));
  QVERIFY2(m_sources.size() >= 15, qPrintable(QString::number(m_sources.size())));
  QMap<Kind, int> kinds;
  for (const ShownCommand& shown : m_pages + m_sources) ++kinds[shown.kind];
  qInfo("%d lines, %d names, %d options alone, %d with what is filled in first", kinds[Kind::Line],
        kinds[Kind::Mention], kinds[Kind::Fragment], kinds[Kind::Open]);
  // Both languages show the same commands.
  QDirIterator english(QStringLiteral(FATHOM_SOURCE_DIR "/resources/help"), {QStringLiteral("*.md")},
                       QDir::Files);
  while (english.hasNext()) {
    const QString path = english.next(), name = QFileInfo(path).fileName();
    const auto options = [](const QString& file) {
      QStringList words;
      for (const ShownCommand& shown : test::commandsOfPage(textOf(file), {}))
        if (shown.kind == Kind::Line)
          for (const QString& word : test::shellWords(shown.text))
            if (word.startsWith(QLatin1String("--"))) words.append(word);
      return words;
    };
    QVERIFY2(options(path) == options(QFileInfo(path).path() + QStringLiteral("/zh_CN/") + name),
             qPrintable(name));
  }
}

void CommandLines::shownCommandsAreUnderstood_data() {
  QTest::addColumn<int>("index");
  for (int i = 0; i < m_pages.size() + m_sources.size(); ++i) {
    const ShownCommand& shown = i < m_pages.size() ? m_pages[i] : m_sources[i - m_pages.size()];
    QTest::newRow(qPrintable(shown.where + u' ' + shown.text)) << i;
  }
}

void CommandLines::shownCommandsAreUnderstood() {
  QFETCH(int, index);
  const ShownCommand& shown = index < m_pages.size() ? m_pages[index] : m_sources[index - m_pages.size()];
  const QString problem = problemOf(shown);
  QVERIFY2(problem.isEmpty(), qPrintable(shown.where + QStringLiteral(": ") + shown.text + u'\n' + problem));
}

// A project my.fathom with a run RUN, in which every analysis and figure of the pages finds something, and a
// run BASE that it is compared with.
void CommandLines::prepareProject() {
  QDir().mkpath(folder());
  test::writeWordPairs(folder() + QStringLiteral("/pairs.tsv"));
  const MadeSpider made = makeSpiderData(1);
  QVERIFY(writeMadeSpider(made, (folder() + QStringLiteral("/sample")).toStdString()).ok());
  for (const auto& [from, to] : {std::pair{"dev_gold.sql", "dev_gold.sql"},
                                 {"tables.json", "tables.json"},
                                 {"predictions/careful.sql", "predicted.sql"}})
    QVERIFY(QFile::copy(folder() + QStringLiteral("/sample/") + QLatin1String(from),
                        folder() + u'/' + QLatin1String(to)));
  QStringList line = {"train", "--project", "my.fathom", "--name", "RUN", "--wait"};
  for (const char* option : {"data.train=pairs.tsv",
                             "data.vocabulary.kind=words",
                             "data.validation_size=20",
                             "data.test_size=0",
                             "batch.max_tokens=256",
                             "model.width=16",
                             "model.heads=2",
                             "model.feed_forward=32",
                             "encoder.layers=2",
                             "decoder.layers=2",
                             "training.length=300u",
                             "validation.interval=100u",
                             "checkpoint.interval=100u",

                             "lr_schedule=linear",
                             "lr_schedule.rate=0.005",
                             "lr_schedule.warmup=4",
                             "analysis.interval=100u",
                             "analysis.ids=attention_entropy",
                             "analysis.epoch_norms=true",
                             "device=cpu",
                             "threads=1"})
    line << QStringLiteral("--set") << QLatin1String(option);
  QStringList base = line;
  base.replaceInStrings(QStringLiteral("RUN"), QStringLiteral("BASE"));
  base.replaceInStrings(QStringLiteral("rate=0.005"), QStringLiteral("rate=0.002"));
  for (const QStringList& each : {QStringList{"new-project", "--out", "my.fathom"}, base, line}) {
    QProcess process;
    process.setWorkingDirectory(folder());
    process.start(QStringLiteral(FATHOM_BIN_DIR "/fathom"), each);
    QVERIFY(process.waitForFinished(120000));
    QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
  }
}

void CommandLines::quickOnesRun_data() {
  QTest::addColumn<QString>("line");
  const QStringList quick = {
      "runs", "curves", "export-figure", "analyse", "spider-evaluate", "spider-categorize", "describe"};
  QSet<QString> known;
  for (const ShownCommand& shown : m_pages) {
    const QStringList words = test::shellWords(shown.text);
    const bool help = words.contains(QStringLiteral("--help"));
    // A page is nothing that the project has; deu-eng and other people's data are not here.
    if (shown.kind != Kind::Line || words.contains(QStringLiteral("--composition"))) continue;
    // Histograms are logged by other programs alone.
    if (words.contains(QStringLiteral("logged_histogram"))) continue;
    if (shown.where.startsWith(QLatin1String("docs/"))) continue;  // a study of hours
    if (shown.where.startsWith(QLatin1String("README.md")))
      continue;  // tst_readme_commands runs them in their order
    if (!help && !quick.contains(words.value(1))) continue;
    // The same line in another language, or with another file to write, is the same.
    if (known.contains(words.join(u' '))) continue;
    known.insert(words.join(u' '));
    QTest::newRow(qPrintable(shown.where)) << shown.text;
  }
}

void CommandLines::quickOnesRun() {
  QFETCH(QString, line);
  if (!QFile::exists(folder())) prepareProject();
  QStringList words = test::shellWords(line);
  const bool figure =
      words.value(1) == QLatin1String("export-figure") && !words.contains(QStringLiteral("--help"));
  if (figure) words.append(QStringLiteral("--json"));
  QProcess process;
  process.setWorkingDirectory(folder());
  process.start(QStringLiteral(FATHOM_BIN_DIR "/") + words.takeFirst(), words);
  QVERIFY(process.waitForFinished(120000));
  const QByteArray answer = process.readAllStandardOutput();
  QVERIFY2(process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0,
           (line.toUtf8() + '\n' + process.readAllStandardError() + answer).constData());
  if (figure) {  // its picture is whole
    QVERIFY2(parseJson(answer.toStdString()).value().at("texts_cut").empty(), answer.constData());
  }
  for (const char* option : {"--figure", "--out", "--csv"}) {
    const QString file = words.value(words.indexOf(QLatin1String(option)) + 1);
    if (words.contains(QLatin1String(option)) && file.contains(u'.'))
      QVERIFY2(QFile::exists(folder() + u'/' + file), qPrintable(file));
  }
}

// The check itself: each of these is wrong in one place.
void CommandLines::wrongLinesAreFound_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<bool>("source");
  const auto row = [](const char* name, const char* text, bool source = false) {
    QTest::newRow(name) << QString::fromUtf8(text) << source;
  };
  row("unknown command", "    fathom trian --project P");
  row("option that is not there", "    fathom train --project P --preset nmt_quick --device cpu");
  row("no project", "**Compute** `fathom analyse attention_entropy --run RUN`.");
  row("required option", "    fathom analyse attention_entropy --project P");
  row("unknown preset", "    fathom train --project P --preset nmt_quik");
  row("unknown key", "    fathom train --project P --set data.trian=x.tsv");
  row("wrong value", "    fathom train --project P --set encoder.layers=many");
  row("unknown figure", "    fathom export-figure --project P --figure training_curv --runs R --out a.pdf");
  row("unknown option of a figure",
      "    fathom export-figure --project P --figure training_curve --set metrik=nll --runs R --out a.pdf");
  row("unknown analysis", "    fathom analyse attention_entrop --project P --run R");
  row("unknown option of an analysis",
      "    fathom analyse attention_maps --project P --run R --set exampel=7");
  row("unknown verb", "    fathom-engine lern --run R");
  row("unknown option of a verb", "    fathom-engine resume --run R --wait");
  row("mentioned command", "what `fathom analyze` makes");
  row("mentioned verb", "what `fathom-engine evaluete` says");
  row("options alone", "as `fathom analyse` does with `--figureset form=map`");
  row("hint without a project", "f(\"compute it: fathom analyse \" + analysis + \" --run \" + run);", true);
  row("hint with an unknown command", "f(\"see: fathom rums --project \" + project);", true);
  row("option of a line's figure",
      "`fathom analyse input_norm --project P --run R` and `--figure-set form=mapp`");
  row("hint in quotes", "f(\"see 'fathom runs'\");", true);
}

void CommandLines::wrongLinesAreFound() {
  QFETCH(QString, text);
  QFETCH(bool, source);
  const auto shown = source ? test::commandsOfSource(text, QStringLiteral("x.cpp"), m_known)
                            : test::commandsOfPage(text, QStringLiteral("x.md"));
  QVERIFY(!shown.isEmpty());
  QVERIFY(!problemOf(shown.last()).isEmpty());
}

QTEST_GUILESS_MAIN(CommandLines)
#include "tst_command_lines.moc"
