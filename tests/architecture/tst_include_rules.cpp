// SPDX-License-Identifier: Apache-2.0
// Reads every #include of the product against include_rules.txt; checks stems, SPDX lines, list entries,
// READMEs.
#include <QDirIterator>
#include <QFile>
#include <QMap>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

namespace {

const QString kRoot = QStringLiteral(FATHOM_SOURCE_DIR);

QString textOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

// Paths relative to the root, of the given folders and name filters.
QStringList filesOf(const QStringList& folders, const QStringList& filters) {
  QStringList result;
  for (const QString& folder : folders) {
    QDirIterator it(kRoot + "/" + folder, filters, QDir::Files, QDirIterator::Subdirectories);
    while (it.hasNext()) result << QDir(kRoot).relativeFilePath(it.next());
  }
  result.sort();
  return result;
}

QMap<QString, QStringList> readRules() {
  QMap<QString, QStringList> rules;
  for (const QString& line : textOf(kRoot + "/tests/architecture/include_rules.txt").split('\n')) {
    if (line.startsWith('#') || !line.contains(':')) continue;
    rules[line.section(':', 0, 0).trimmed()] = line.section(':', 1).split(' ', Qt::SkipEmptyParts);
  }
  for (const QString& each : rules.keys().filter(QRegularExpression("/\\*$"))) {
    const QStringList targets = rules.take(each);
    const QString above = each.chopped(2);
    for (const QString& folder : QDir(kRoot + "/" + above).entryList(QDir::Dirs | QDir::NoDotAndDotDot))
      if (!rules.contains(above + "/" + folder)) rules[above + "/" + folder] = targets;
  }
  return rules;
}

// The longest rule folder that holds the path.
QString ruleFolder(const QMap<QString, QStringList>& rules, const QString& path) {
  QString best;
  for (auto it = rules.begin(); it != rules.end(); ++it) {
    if (path.startsWith(it.key() + "/") && it.key().size() > best.size()) best = it.key();
  }
  return best;
}

bool allowed(const QMap<QString, QStringList>& rules, const QString& from, const QString& to) {
  if (from == to || (to.startsWith("core/base/") && !from.startsWith("core/base/"))) return true;
  for (QString target : rules.value(from)) {
    if (to == target) return true;
    if (!target.endsWith("/*")) continue;
    target.chop(2);
    if (to == target || to.startsWith(target + "/")) return true;
  }
  return false;
}

// With what is below them.
const QSet<QString> kTorchFolders = {"core/kernels", "core/nn",     "core/init",
                                     "core/optim",   "core/decode", "core/objectives",
                                     "core/train",   "core/probe",  "core/engine"};

bool mayUseTorch(const QString& folder) {
  return kTorchFolders.contains(folder.section('/', 0, 1));
}

const QRegularExpression kInclude(QStringLiteral("^\\s*#include [\"<]([^\">]+)[\">]"),
                                  QRegularExpression::MultilineOption);

QString folderOf(const QString& file) {
  return file.section('/', 0, -2);
}

// Folder → folders its sources include. A program's main stands above the folder it lies in.
QMap<QString, QSet<QString>> includedFolders() {
  QMap<QString, QSet<QString>> graph;
  for (const QString& file : filesOf({"core", "views", "app"}, {"*.h", "*.cpp"})) {
    if (file.endsWith("_main.cpp")) continue;
    QSet<QString>& targets = graph[folderOf(file)];
    auto matches = kInclude.globalMatch(textOf(kRoot + "/" + file));
    while (matches.hasNext()) {
      const QString target = matches.next().captured(1);
      if (QFile::exists(kRoot + "/" + target) && folderOf(target) != folderOf(file))
        targets << folderOf(target);
    }
  }
  return graph;
}

}  // namespace

class IncludeRulesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void everyIncludeFollowsTheTable() {
    const auto rules = readRules();
    QStringList broken;
    const QStringList files = filesOf({"core", "views", "app"}, {"*.h", "*.cpp"});
    QVERIFY(files.size() > 50);
    for (const QString& file : files) {
      const QString from = ruleFolder(rules, file);
      if (from != folderOf(file)) broken << file + ": its folder has no row in include_rules.txt";
      auto matches = kInclude.globalMatch(textOf(kRoot + "/" + file));
      while (matches.hasNext()) {
        const QString target = matches.next().captured(1);
        const bool torch =
            target.startsWith("torch/") || target.startsWith("ATen/") || target.startsWith("c10/");
        if (torch && !mayUseTorch(from)) broken << file + ": torch header " + target;
        const bool qt = QRegularExpression("^Q[A-Z]|^qcustomplot|^Qsci").match(target).hasMatch();
        if (qt && from.startsWith("core")) broken << file + ": Qt header " + target;
        if (target == "torch/torch.h") broken << file + ": torch/torch.h";
        const QString to = ruleFolder(rules, target);
        const bool ofItsProgram = file.endsWith("_main.cpp") && to.startsWith(file.section('/', 0, 0));
        if (!to.isEmpty() && !ofItsProgram && !allowed(rules, from, to))
          broken << file + ": " + from + " may not include " + target;
      }
    }
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join('\n')));
  }

  void everyRowIsAFolderAndSoIsWhatItNames() {
    const auto rules = readRules();
    const auto graph = includedFolders();
    QVERIFY(graph.size() > 30);
    QStringList broken;
    for (auto it = rules.begin(); it != rules.end(); ++it) {
      if (!graph.contains(it.key())) broken << it.key() + ": no such folder";
      for (QString target : it.value()) {
        if (target.endsWith("/*")) target.chop(2);
        if (!QDir(kRoot + "/" + target).exists()) broken << it.key() + ": there is no " + target;
      }
    }
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join('\n')));
  }

  // Takes away folders that include none of those left: what stays goes round.
  void foldersIncludeEachOtherInNoCircle() {
    auto graph = includedFolders();
    for (bool going = true; going;) {
      going = false;
      for (const QString& folder : graph.keys()) {
        const QSet<QString> left(graph.keyBegin(), graph.keyEnd());
        if (graph[folder].intersects(left)) continue;
        graph.remove(folder);
        going = true;
      }
    }
    QStringList circles;
    for (auto it = graph.begin(); it != graph.end(); ++it)
      circles << it.key() + " includes " + QStringList(it->begin(), it->end()).join(' ');
    QVERIFY2(circles.isEmpty(), qPrintable(circles.join('\n')));
  }

  void sourceStemsAreUnique() {
    QMap<QString, QString> seen;
    QStringList broken;
    for (const QString& file : filesOf({"core", "views", "app"}, {"*.h", "*.cpp"})) {
      const QString stem = file.section('/', -1).section('.', 0, 0);
      const QString folder = file.section('/', 0, -2);
      if (seen.contains(stem) && seen[stem] != folder)
        broken << stem + " in " + folder + " and " + seen[stem];
      seen[stem] = folder;
      for (const char* banned : {"utils", "util", "common", "helpers", "helper", "misc"}) {
        if (stem == banned) broken << file + ": a name that says nothing";
      }
    }
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join('\n')));
  }

  // Two types of one name in one program are one type to the linker: it keeps either one's destructor.
  void everyTypeOfAHeaderIsDefinedOnce() {
    static const QRegularExpression definition("^(?:struct|class) ([A-Z]\\w+)(?: final)?(?: :[^;]*)? \\{",
                                               QRegularExpression::MultilineOption);
    QMap<QString, QString> seen;
    QStringList broken;
    for (const QString& file : filesOf({"core", "views", "app"}, {"*.h"})) {
      auto found = definition.globalMatch(textOf(kRoot + "/" + file));
      while (found.hasNext()) {
        const QString name = found.next().captured(1);
        if (seen.contains(name)) broken << name + " in " + file + " and " + seen[name];
        seen[name] = file;
      }
    }
    QVERIFY(seen.size() > 300);
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join('\n')));
  }

  // A template that runs on one thread where the compiler knows no OpenMP: parallelFor of core/nn is meant.
  void noLoopOfTorchThatStaysSerial() {
    QStringList broken;
    for (const QString& file : filesOf({"core"}, {"*.h", "*.cpp"})) {
      const QString text = textOf(kRoot + "/" + file);
      if (text.contains("at::parallel_for(") || text.contains("at::parallel_reduce(")) broken << file;
    }
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join('\n')));
  }

  // A class in three sources is three classes, or one that is too large to be understood.
  void noClassIsSpreadOverMoreThanTwoSources() {
    static const QRegularExpression declared("^class ([A-Z]\\w+)(?: final)?(?: :[^;]*)? \\{",
                                             QRegularExpression::MultilineOption);
    static const QRegularExpression method("^(?:[\\w:<>,&*][\\w:<>,&* ]*[ &*])?([A-Z]\\w+)::~?\\w+\\([^;]*$",
                                           QRegularExpression::MultilineOption);
    QSet<QString> ours;
    for (const QString& file : filesOf({"core", "views", "app"}, {"*.h"})) {
      auto found = declared.globalMatch(textOf(kRoot + "/" + file));
      while (found.hasNext()) ours << found.next().captured(1);
    }
    QMap<QString, QSet<QString>> sources;
    for (const QString& file : filesOf({"core", "views", "app"}, {"*.cpp"})) {
      auto found = method.globalMatch(textOf(kRoot + "/" + file));
      while (found.hasNext())
        if (const QString name = found.next().captured(1); ours.contains(name)) sources[name] << file;
    }
    QVERIFY(sources.size() > 150);
    QStringList broken;
    for (auto it = sources.begin(); it != sources.end(); ++it)
      if (it->size() > 2) broken << it.key() + ": " + QStringList(it->begin(), it->end()).join(' ');
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join('\n')));
  }

  // What can be done in a workspace stands in the menus before it is made.
  void actionsKnowNoWorkspace() {
    QStringList broken;
    int files = 0;
    for (const QString& file : filesOf({"app/window"}, {"*_actions.h", "*_actions.cpp"})) {
      ++files;
      if (textOf(kRoot + "/" + file).contains("_workspace.h\"")) broken << file;
    }
    QVERIFY(files >= 8);
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join('\n')));
  }

  void everySourceStatesItsLicence() {
    QStringList broken;
    for (const QString& file : filesOf({"core", "views", "app", "tests"}, {"*.h", "*.cpp"})) {
      const bool gpl = file.startsWith("views/") || file.startsWith("app/");
      const QString expected =
          gpl ? "SPDX-License-Identifier: GPL-3.0-or-later" : "SPDX-License-Identifier: Apache-2.0";
      if (!textOf(kRoot + "/" + file).section('\n', 0, 2).contains(expected)) broken << file;
    }
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join('\n')));
  }

  void everyHeaderHasPragmaOnce() {
    QStringList broken;
    for (const QString& file : filesOf({"core", "views", "app"}, {"*.h"})) {
      if (!textOf(kRoot + "/" + file).contains("#pragma once")) broken << file;
    }
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join('\n')));
  }

  void everyListEntryHasItsSourceAndHelpPage() {
    QStringList broken;
    const QStringList lists = filesOf({"core", "views", "app"}, {"*.list"});
    QVERIFY(lists.size() >= 5);
    for (const QString& list : lists) {
      for (QString stem : textOf(kRoot + "/" + list).split('\n')) {
        stem = stem.section('#', 0, 0).trimmed();
        if (stem.isEmpty()) continue;
        if (!QFile::exists(kRoot + "/" + list.section('/', 0, -2) + "/" + stem + ".cpp"))
          broken << list + ": " + stem;
        // Commands, formats and heads carry their help in fields, places in the command that names them; sets
        // of panels and forms of gold belong to kinds of review, data sets to tasks, which have the pages.
        static const QStringList inFields = {
            "app/commands/commands.list", "app/runner/launchers.list",
            "core/engine/verbs.list",     "core/engine/bench/benches.list",
            "app/bench/benches.list",     "core/imports/imports.list",
            "core/nn/heads/heads.list",   "app/window/errors/panel_sets.list",
            "core/review/layouts.list",   "core/tasks/data_sets.list"};
        if (inFields.contains(list)) continue;
        if (list.startsWith("core/kernels")) continue;  // nobody chooses one: docs/device.md
        // A stem may end in its kind, since stems are unique: nmt/nmt_task has the page of its id, nmt.
        QString page = stem.section('/', -1);
        for (const QString kind : {"_task", "_objective", "_probe", "_figure"}) {
          if (page.endsWith(kind)) page.chop(kind.size());
        }
        if (page.endsWith(QLatin1String("_rail"))) page.replace("_rail", "_workspace");
        for (const char* folder : {"resources/help/", "resources/help/zh_CN/"}) {
          if (!QFile::exists(kRoot + "/" + folder + page + ".md"))
            broken << list + ": no " + folder + page + ".md";
        }
      }
    }
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join('\n')));
  }

  // One list for analyses and what computes them: a probe that no line names would be left out in silence.
  void everyProbeHasItsAnalysis() {
    QStringList stems = textOf(kRoot + "/core/analysis/analyses.list").split('\n', Qt::SkipEmptyParts);
    for (QString& stem : stems) stem = stem.section('/', -1);
    QStringList broken;
    int probes = 0;
    for (const QString& file : filesOf({"core/probe"}, {"*_probe.cpp"})) {
      if (!textOf(kRoot + "/" + file)
               .contains(QRegularExpression("^ProbeEntry \\w+ProbeEntry\\(\\) \\{",
                                            QRegularExpression::MultilineOption)))
        continue;
      ++probes;
      QString stem = file.section('/', -1);
      stem.chop(int(qstrlen("_probe.cpp")));
      if (!stems.contains(stem)) broken << file;
    }
    QVERIFY(probes >= 7);
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join('\n')));
  }

  void everyFolderHasAShortReadme() {
    QStringList broken;
    QSet<QString> folders;
    for (const QString& file : filesOf({"core", "views", "app", "tests"}, {"*.h", "*.cpp", "tst_*.cpp"})) {
      folders << file.section('/', 0, -2);
    }
    for (const char* other : {"resources", "translations", "packaging", "cmake"}) folders << other;
    for (const QString& folder : folders) {
      const QString text = textOf(kRoot + "/" + folder + "/README.md");
      if (text.isEmpty()) broken << folder + ": no README.md";
      if (text.count('\n') > 25) broken << folder + ": README.md is over 25 lines";
    }
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join('\n')));
  }

  // More than a newcomer reads through: such a folder has parts with names of their own.
  // A source of five hundred lines is where a review asks; few come near.
  void fewSourcesAreLong() {
    constexpr qsizetype kNear = 485, kMost = 500;
    constexpr int kFew = 3;
    QStringList near, over;
    int sources = 0;
    for (const QString& path : filesOf({"core", "views", "app"}, {"*.h", "*.cpp", "*.cu"})) {
      const qsizetype lines = textOf(kRoot + "/" + path).count('\n');
      ++sources;
      if (lines > kNear) near << path + QString(": %1 lines").arg(lines);
      if (lines > kMost) over << path;
    }
    QVERIFY2(sources > 2000, qPrintable(QString::number(sources)));
    QVERIFY2(over.isEmpty(), qPrintable(over.join('\n')));
    QVERIFY2(near.size() <= kFew, qPrintable(near.join('\n')));
  }

  void noFolderHoldsMoreThanSixtyFiles() {
    QMap<QString, int> files;
    for (const QString& file : filesOf({"core", "views", "app"}, {"*"})) ++files[file.section('/', 0, -2)];
    QVERIFY(files.size() > 50);
    QStringList broken;
    for (auto it = files.begin(); it != files.end(); ++it)
      if (*it > 60) broken << it.key() + QString(": %1 files").arg(*it);
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join('\n')));
  }

  // A source that a README calls by its name alone lies in its folder or below it: one that has moved is
  // called by its path.
  void readmesNameSourcesOfTheirFolder() {
    static const QRegularExpression quoted("`([a-z0-9]+(?:_[a-z0-9]+)+)(?:\\.h|\\.cpp)?`"),
        include("#include[^\n]*");
    QMap<QString, QString> folderOfStem, textOfFolder;
    for (const QString& file : filesOf({"core", "views", "app"}, {"*.h", "*.cpp"})) {
      folderOfStem[file.section('/', -1).section('.', 0, 0)] = folderOf(file);
      textOfFolder[folderOf(file)] += textOf(kRoot + "/" + file).remove(include);
    }
    QStringList broken;
    int names = 0;
    for (const QString& readme : filesOf({"core", "views", "app"}, {"README.md"})) {
      const QString folder = folderOf(readme);
      auto found = quoted.globalMatch(textOf(kRoot + "/" + readme));
      while (found.hasNext()) {
        const QString name = found.next().captured(1), home = folderOfStem.value(name);
        if (home.isEmpty()) continue;
        ++names;
        // Or it is a word of what the folder says or reads, such as a key of JSON.
        if ((home + "/").startsWith(folder + "/") || textOfFolder.value(folder).contains('"' + name + '"'))
          continue;
        broken << readme + ": " + name + " is in " + home;
      }
    }
    QVERIFY(names > 150);
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join('\n')));
  }

  // What a README calls by name stands beside it, or somewhere in the sources.
  void readmesNameOnlyWhatIsThere() {
    static const QRegularExpression quoted("`([a-z0-9_/.<>*{},]+)`");
    QSet<QString> stems;
    QSet<QString> words;
    for (const QString& file : filesOf({"core", "views", "app", "tests", "cmake", "packaging"}, {"*"})) {
      stems << file.section('/', -1).section('.', 0, 0);
      if (file.endsWith(".h") || file.endsWith(".cpp") || file.endsWith("CMakeLists.txt"))
        for (const QString& word : textOf(kRoot + "/" + file).split(QRegularExpression("[^A-Za-z0-9_]+")))
          words << word;
    }
    QStringList broken;
    int names = 0;
    for (const QString& readme : filesOf({"core", "views", "app", "tests"}, {"README.md"})) {
      auto found = quoted.globalMatch(textOf(kRoot + "/" + readme));
      while (found.hasNext()) {
        const QString name = found.next().captured(1);
        if (name.contains(QRegularExpression("[<>*{},]|^torch/|^/"))) continue;  // a pattern, or not ours
        ++names;
        const QString leaf = name.endsWith('/') ? name.chopped(1) : name;
        const QString stem = leaf.section('/', -1).section('.', 0, 0);
        const bool there =
            QFile::exists(kRoot + "/" + leaf) || QFile::exists(kRoot + "/" + folderOf(readme) + "/" + leaf) ||
            stems.contains(stem) || (!leaf.contains('/') && !leaf.contains('.') && words.contains(leaf));
        if (!there) broken << readme + ": " + name;
      }
    }
    QVERIFY(names > 150);
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join('\n')));
  }

  void topLevelHoldsNothingElse() {
    const QSet<QString> expected = {".gitignore",
                                    "CMakeLists.txt",
                                    "CMakePresets.json",
                                    "README.md",
                                    "CHANGELOG.md",
                                    "LICENSES",
                                    "CONTRIBUTING.md",
                                    "docs",
                                    ".ci",
                                    ".clang-format",
                                    ".clang-tidy",
                                    "cmake",
                                    "app",
                                    "core",
                                    "views",
                                    "resources",
                                    "translations",
                                    "tests",
                                    "packaging"};
    QSet<QString> found;
    for (const QString& name :
         QDir(kRoot).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot)) {
      if (name != ".git" && name != "build" && name != ".cache") found << name;
    }
    QCOMPARE(found, expected);
  }
};

QTEST_APPLESS_MAIN(IncludeRulesTest)
#include "tst_include_rules.moc"
