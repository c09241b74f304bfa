// SPDX-License-Identifier: Apache-2.0
// ctest: engine
// A project that Fathom 0.1.0 made (tests/fixtures/old_project) stays readable: every command says of it what
// it said then. Text is equal; JSON may have more keys, a description more entries.
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QTranslator>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>

#include "app/recipes/figure_builder.h"
#include "core/base/files/atomic_file.h"
#include "core/library/figures/figure_recipe.h"
#include "core/library/records/project_library.h"
#include "tests/golden/support_figure_dump.h"
#include "tests/process/support_command_lines.h"

using namespace fathom;

namespace {

const QString kFixture = QStringLiteral(FATHOM_SOURCE_DIR "/tests/fixtures/old_project/");

struct Said {
  int exitCode = -1;
  QString out, err;
};

struct OldCommand {
  QString name;
  int exitCode = 0;
  QStringList words;
};

// What differs from place to place, and nothing else: where the copy and the programs are.
QString normalised(QString text, const QString& folder) {
  text.replace(folder + QStringLiteral("/project"), QStringLiteral("/old/project"));
  text.replace(folder, QStringLiteral("/out"));
  text.replace(QStringLiteral(FATHOM_BIN_DIR), QStringLiteral("/programs"));
  return text;
}

void withoutProse(Json& json) {
  for (const char* key : {"title", "help", "description", "reference", "group", "unit", "reason", "paper",
                          "enabled_when", "version"})
    if (json.is_object()) json.erase(key);
  for (Json& part : json)
    if (part.is_structured()) withoutProse(part);
}

// Of a description: what it is of, without what it says of it, and without this machine.
void normalise(Json& json) {
  if (!json.contains("engine")) return;
  for (const char* key : {"devices", "libraries", "path"}) json["engine"].erase(key);
  json["engine"]["schema"].erase("rules");
  withoutProse(json);
}

// Where `now` lacks something of `then` or has another value; empty = nowhere. Entries of lists are the same
// in number and order, but those with a key or id of their own may get others beside them.
QString difference(const Json& then, const Json& now, const QString& place) {
  if (then.is_object() && now.is_object()) {
    for (const auto& [key, value] : then.items()) {
      const QString inside = place + QLatin1Char('/') + QString::fromStdString(key);
      if (!now.contains(key)) return inside + QStringLiteral(" is missing");
      if (const QString found = difference(value, now[key], inside); !found.isEmpty()) return found;
    }
    return {};
  }
  if (!then.is_array() || !now.is_array()) {
    if (then == now) return {};
    return place + QStringLiteral(" is %1, was %2")
                       .arg(QString::fromStdString(now.dump()), QString::fromStdString(then.dump()));
  }
  const auto nameOf = [](const Json& entry) {
    return entry.is_object() ? entry.value("key", entry.value("id", "")) : std::string();
  };
  std::set<std::string> names;
  for (const Json& entry : then) names.insert(nameOf(entry));
  const bool named = names.size() == then.size() && !names.contains("") && !then.empty();
  if (!named && then.size() != now.size())
    return place + QStringLiteral(" has %1 entries, had %2").arg(now.size()).arg(then.size());
  for (std::size_t i = 0; i < then.size(); ++i) {
    const std::string name = nameOf(then[i]);
    const auto same =
        named ? std::find_if(now.begin(), now.end(), [&](const Json& entry) { return nameOf(entry) == name; })
              : now.begin() + std::ptrdiff_t(i);
    const QString inside =
        place + QLatin1Char('/') + (named ? QString::fromStdString(name) : QString::number(i));
    if (same == now.end()) return inside + QStringLiteral(" is missing");
    if (const QString found = difference(then[i], *same, inside); !found.isEmpty()) return found;
  }
  return {};
}

// What a figure says in a language: every text with its places, of whatever is drawn or stands below.
void collect(const Phrase& phrase, std::set<std::string>& texts) {
  if (!phrase.verbatim) texts.insert(phrase.text);
  for (const Phrase& part : phrase.parts) collect(part, texts);
}

std::set<std::string> textsOf(const FigureSpec& spec) {
  std::set<std::string> texts;
  collect(spec.title, texts);
  collect(spec.summary, texts);
  for (const Phrase& note : spec.notes) collect(note, texts);
  for (const FigurePanel& panel : spec.panels) {
    for (const Phrase* words : {&panel.title, &panel.x.label, &panel.y.label}) collect(*words, texts);
    for (const ColourBar& bar : panel.bars) collect(bar.label, texts);
    for (const FigureMark& mark : panel.marks) collect(mark.label, texts);
  }
  return texts;
}

// A project names the files of predictions by their whole path: they have moved with the copy.
Status namePredictionsHere(const QString& project) {
  FATHOM_TRY(const auto library, ProjectLibrary::open(project.toStdString()));
  for (const char* kind : {"figure", "composition", "review"}) {
    FATHOM_TRY(auto documents, library->documents(kind));
    for (SavedDocument& document : documents) {
      QString content = QString::fromStdString(document.content.dump());
      content.replace(QStringLiteral("/old/project"), project);
      FATHOM_TRY(document.content, parseJson(content.toStdString()));
      FATHOM_TRY(const auto before, library->setDocument(kind, document));
    }
  }
  return {};
}

QString firstOtherLine(const QString& then, const QString& now) {
  const QStringList lines = now.split(QLatin1Char('\n')), wanted = then.split(QLatin1Char('\n'));
  const auto at = std::mismatch(lines.begin(), lines.end(), wanted.begin(), wanted.end());
  const auto number = at.first - lines.begin();
  return QStringLiteral("line %1 is\n%2\nwas\n%3")
      .arg(number + 1)
      .arg(lines.value(number), wanted.value(number));
}

std::vector<OldCommand> oldCommands() {
  std::vector<OldCommand> commands;
  QFile file(kFixture + QStringLiteral("commands.txt"));
  if (!file.open(QIODevice::ReadOnly)) return commands;
  for (const QString& line : QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'))) {
    if (line.startsWith(QLatin1Char('#')) || line.isEmpty()) continue;
    const QStringList words = test::shellWords(line);
    commands.push_back({words[0], words[1].toInt(), words.mid(2)});
  }
  return commands;
}

}  // namespace

class OldProjectTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void everyCommandSaysTheSame_data();
  void everyCommandSaysTheSame();
  void everyFigureIsTheSame_data();
  void everyFigureIsTheSame();

 private:
  QString project() const { return m_folder->filePath(QStringLiteral("project")); }
  QString placed(QString word) const;
  Said run(const QStringList& words) const;
  void compareText(const QString& file, const QString& text);
  void compareJson(const QString& file, const QString& text);
  std::unique_ptr<QTemporaryDir> m_folder;
};

// A copy: commands write indexes into a project, and some change it.
void OldProjectTest::init() {
  m_folder = std::make_unique<QTemporaryDir>();
  QVERIFY(m_folder->isValid());
  for (const char* name : {"cache", "config", "run"}) QVERIFY(QDir(m_folder->path()).mkdir(name));
  QFile::setPermissions(m_folder->filePath("run"), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  qputenv("XDG_CACHE_HOME", m_folder->filePath("cache").toUtf8());
  qputenv("XDG_CONFIG_HOME", m_folder->filePath("config").toUtf8());
  qputenv("XDG_RUNTIME_DIR", m_folder->filePath("run").toUtf8());
  qunsetenv("FATHOM_ENGINE");
  std::error_code code;
  std::filesystem::copy((kFixture + QStringLiteral("project")).toStdString(), project().toStdString(),
                        std::filesystem::copy_options::recursive, code);
  QVERIFY2(!code, code.message().c_str());
  const Status named = namePredictionsHere(project());
  QVERIFY2(named.ok(), named.ok() ? "" : named.error().message.c_str());
}

Said OldProjectTest::run(const QStringList& words) const {
  QProcess process;
  process.start(QStringLiteral(FATHOM_BIN_DIR "/") + words.front(), words.mid(1));
  Said said;
  if (!process.waitForFinished(120'000)) {
    process.kill();
    process.waitForFinished();
    return said;
  }
  if (process.exitStatus() == QProcess::NormalExit) said.exitCode = process.exitCode();
  said.out = QString::fromUtf8(process.readAllStandardOutput());
  said.err = QString::fromUtf8(process.readAllStandardError());
  return said;
}

void OldProjectTest::compareText(const QString& file, const QString& text) {
  const std::string path = (kFixture + QStringLiteral("expected/") + file).toStdString();
  if (qEnvironmentVariableIsSet("FATHOM_REGENERATE")) {
    QVERIFY(writeFileAtomically(path, text.toStdString()).ok());
    return;
  }
  const auto then = readFile(path);
  QVERIFY2(then.ok(), qPrintable(QString::fromStdString(then.ok() ? "" : then.error().message)));
  const QString was = QString::fromStdString(*then);
  if (was != text) QFAIL(qPrintable(file + QStringLiteral(": ") + firstOtherLine(was, text)));
}

void OldProjectTest::compareJson(const QString& file, const QString& text) {
  auto now = parseJson(text.toStdString(), file.toStdString());
  QVERIFY2(now.ok(), qPrintable(file + QStringLiteral(": ") + text.left(200)));
  normalise(*now);
  const std::string path = (kFixture + QStringLiteral("expected/") + file).toStdString();
  if (qEnvironmentVariableIsSet("FATHOM_REGENERATE")) {
    QVERIFY(writeFileAtomically(path, now->dump() + "\n").ok());
    return;
  }
  const auto then = readFile(path);
  QVERIFY2(then.ok(), qPrintable(QString::fromStdString(then.ok() ? "" : then.error().message)));
  const QString found = difference(*parseJson(*then, path), *now, file);
  QVERIFY2(found.isEmpty(), qPrintable(found));
}

// A word of the list: P/… and name=P/… are in the copy, OUT/… is beside it.
QString OldProjectTest::placed(QString word) const {
  static const QRegularExpression kPlace(QStringLiteral("(?:^|=)(P|OUT)(?=$|/)"));
  const auto match = kPlace.match(word);
  if (!match.hasMatch()) return word;
  const QString place = match.captured(1) == QLatin1String("P") ? project() : m_folder->path();
  return word.replace(match.capturedStart(1), match.capturedLength(1), place);
}

void OldProjectTest::everyCommandSaysTheSame_data() {
  QTest::addColumn<bool>("json");
  QTest::newRow("text") << false;
  QTest::newRow("json") << true;
}

// In the order of the list: the last ones change the project.
void OldProjectTest::everyCommandSaysTheSame() {
  QFETCH(bool, json);
  const auto commands = oldCommands();
  QVERIFY(commands.size() > 45);
  for (const OldCommand& command : commands) {
    QStringList words;
    for (const QString& word : command.words) words << placed(word);
    if (!json && command.name == QLatin1String("describe")) continue;  // prose
    if (json) words << QStringLiteral("--json");
    const Said said = run(words);
    QVERIFY2(said.exitCode == command.exitCode,
             qPrintable(QStringLiteral("%1: exit code %2\n").arg(command.name).arg(said.exitCode) + said.out +
                        said.err));
    const QString folder = m_folder->path();
    if (json) {
      compareJson(command.name + QStringLiteral(".json"), normalised(said.out, folder));
    } else {
      // What is said beside the output is of the moment, but for why a command failed.
      const QString why = said.exitCode == 0 ? QString() : said.err.section(QLatin1Char('\n'), -2);
      compareText(command.name + QStringLiteral(".txt"), normalised(said.out + why, folder));
    }
    if (QTest::currentTestFailed()) return;
  }
  for (const char* name : {"categories.csv", "execution.csv", "curve.csv", "table.csv"}) {
    const QString table = QString::fromLatin1(name);
    const auto text = readFile(m_folder->filePath(table).toStdString());
    QVERIFY(text.ok());
    compareText(table, QString::fromStdString(*text));
  }
}

void OldProjectTest::everyFigureIsTheSame_data() {
  QTest::addColumn<QString>("name");
  for (const FigureEntry& entry : figures()) {
    // Figures of later versions have no recipe in it.
    const QString name = QString::fromStdString(entry.id);
    if (QFile::exists(kFixture + QStringLiteral("expected/%1.figure.txt").arg(name)) ||
        qEnvironmentVariableIsSet("FATHOM_REGENERATE"))
      QTest::newRow(entry.id.c_str()) << name;
  }
}

// What its recipe makes of the stored results, as text; and the Chinese window has words for all of it.
void OldProjectTest::everyFigureIsTheSame() {
  QFETCH(QString, name);
  const auto builder = FigureBuilder::open(project().toStdString());
  QVERIFY2(builder.ok(), builder.ok() ? "" : builder.error().message.c_str());
  const auto recipe = figureRecipe((*builder)->library(), name.toStdString());
  QVERIFY2(recipe.ok(), recipe.ok() ? "" : recipe.error().message.c_str());
  Progress silent;
  const auto spec = (*builder)->build(*recipe, silent, {});
  QVERIFY2(spec.ok(), spec.ok() ? "" : spec.error().message.c_str());
  compareText(name + QStringLiteral(".figure.txt"),
              normalised(QString::fromStdString(figureDump(*spec)), m_folder->path()));
  QTranslator chinese;
  QVERIFY(chinese.load(QStringLiteral(":/i18n/fathom_zh_CN.qm")));
  const auto texts = textsOf(*spec);
  QVERIFY(texts.size() > 1);
  for (const std::string& text : texts) {
    const auto known = [&](const char* context) {
      return !chinese.translate(context, text.c_str()).isEmpty();
    };
    QVERIFY2(known("fathom::Phrase") || known("Engine") || known("TableWord"), text.c_str());
  }
}

QTEST_GUILESS_MAIN(OldProjectTest)
#include "tst_old_project.moc"
