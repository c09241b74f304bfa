// SPDX-License-Identifier: Apache-2.0
// A comment cites a paper or a page of docs/, never a document that is not here; pages, sections, files and
// commands that are named exist.
#include <QDirIterator>
#include <QFile>
#include <QMap>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

namespace {

const QString kRoot = QStringLiteral(FATHOM_SOURCE_DIR);

QString textOf(const QString& path) {
  QFile file(kRoot + "/" + path);
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

// Paths relative to the root; what others wrote (corpora, golden values) and this file are left out.
QStringList filesOf(const QStringList& folders, const QStringList& filters) {
  QStringList result;
  for (const QString& folder : folders) {
    QDirIterator it(kRoot + "/" + folder, filters, QDir::Files, QDirIterator::Subdirectories);
    while (it.hasNext()) {
      const QString path = QDir(kRoot).relativeFilePath(it.next());
      if (!path.startsWith("tests/fuzz/corpus/") && !path.endsWith("/tst_citations.cpp")) result << path;
    }
  }
  result.sort();
  return result;
}

struct Passage {
  QString place;  // "core/nn/a.h:12"
  QString text;   // lines joined by blanks
};

// Blocks of comment lines, and comments behind code.
QList<Passage> commentsOf(const QString& path, const QString& text) {
  static const QRegularExpression comment(QStringLiteral("^(.*?)//+ ?(.*)$"));
  QList<Passage> found;
  bool open = false;
  int number = 0;
  for (const QString& line : text.split('\n')) {
    ++number;
    const auto match = comment.match(line);
    const bool quoted = match.hasMatch() && match.captured(1).count('"') % 2 == 1;  // "http://…"
    if (!match.hasMatch() || quoted) {
      open = false;
      continue;
    }
    const bool alone = match.captured(1).trimmed().isEmpty();
    if (open && alone)
      found.last().text += " " + match.captured(2);
    else
      found << Passage{path + ":" + QString::number(number), match.captured(2)};
    open = true;
  }
  return found;
}

// References of options, entries and presets are shown to people: "Admin §4.3".
QList<Passage> referencesOf(const QString& path, const QString& text) {
  static const QRegularExpression reference(
      QStringLiteral("(?:\\.reference\\(|(?:reference|paper)(?: =|\":) )\\s*\"([^\"]*)\""));
  QList<Passage> found;
  for (auto it = reference.globalMatch(text); it.hasNext();) {
    const auto match = it.next();
    const auto line = text.left(match.capturedStart()).count('\n') + 1;
    found << Passage{path + ":" + QString::number(line), match.captured(1)};
  }
  return found;
}

// Comments and references of the product, the tests and the presets.
const QList<Passage>& passagesOfSources() {
  static const QList<Passage> all = [] {
    QList<Passage> found;
    for (const QString& path : filesOf({"core", "views", "app", "tests"}, {"*.h", "*.cpp"})) {
      const QString text = textOf(path);
      found << commentsOf(path, text) << referencesOf(path, text);
    }
    for (const QString& path : filesOf({"resources/presets"}, {"*.json"}))
      found << referencesOf(path, textOf(path));
    return found;
  }();
  return all;
}

// What people read: pages, and the READMEs of the folders.
QStringList pages() {
  QStringList found = {"README.md", "CONTRIBUTING.md"};
  return found << filesOf({"docs", "core", "views", "app", "tests", "resources", "packaging", "cmake"},
                          {"*.md"});
}

// All of that, and what else people write: scripts, lists, golden values.
QList<Passage> everything() {
  QList<Passage> all = passagesOfSources();
  QStringList files = pages() << "CMakeLists.txt";
  files << filesOf({"core", "views", "app", "tests", "cmake", "packaging"},
                   {"*.txt", "*.list", "*.cmake", "*.sh", "*.py", "*.json"});
  for (const QString& path : files) all << Passage{path, textOf(path).replace('\n', ' ')};
  return all;
}

// "1", "4.2": numbers of the headings of a page.
QSet<QString> sectionsOf(const QString& page) {
  static const QRegularExpression heading(QStringLiteral("^#+ (\\d+(?:\\.\\d+)*) "),
                                          QRegularExpression::MultilineOption);
  QSet<QString> numbers;
  for (auto it = heading.globalMatch(textOf(page)); it.hasNext();) numbers << it.next().captured(1);
  return numbers;
}

// "docs/a.md §1, §2.1", "[a.md](a.md) §1": page and sections.
QList<QPair<QString, QStringList>> citedSections(const QString& text) {
  static const QRegularExpression cited(
      QStringLiteral("(?:docs/|\\]\\()(\\w+\\.md)`?\\)?((?:(?:,| and)? ?§\\d+(?:\\.\\d+)*)*)"));
  static const QRegularExpression number(QStringLiteral("§(\\d+(?:\\.\\d+)*)"));
  QList<QPair<QString, QStringList>> found;
  for (auto it = cited.globalMatch(text); it.hasNext();) {
    const auto match = it.next();
    QStringList sections;
    for (auto n = number.globalMatch(match.captured(2)); n.hasNext();) sections << n.next().captured(1);
    found << qMakePair(match.captured(1), sections);
  }
  return found;
}

// The first column of the tables of docs/README.md: papers and repositories by the names used here.
QStringList knownNames() {
  static const QRegularExpression row(QStringLiteral("^\\| ([^|\\[]+?) \\|"),
                                      QRegularExpression::MultilineOption);
  QStringList names;
  for (auto it = row.globalMatch(textOf("docs/README.md")); it.hasNext();) {
    const QString name = it.next().captured(1);
    if (name != "name" && name != "page" && !name.startsWith('-')) names << name;
  }
  return names;
}

// A section sign needs a paper or a page of docs/ before it.
bool hasSource(const QString& text, const QStringList& names) {
  const auto sign = text.indexOf(QChar(0xA7));
  if (sign < 0) return true;
  const QString before = text.left(sign);
  if (before.contains("docs/") && before.contains(".md")) return true;
  return std::any_of(names.begin(), names.end(), [&](const QString& name) { return before.contains(name); });
}

// Words that point at a document nobody outside can read.
QString elsewhereIn(const QString& text) {
  static const QRegularExpression words(QStringLiteral(
      "\\bDESIGN\\b|\\b[Tt]he design(?:'s)? (?:table|document|tree|rules?)\\b|\\bshared/reference\\b|"
      "(?<![\\w/])reference/\\w|\\b[Rr]eference "
      "(?:text2sql|transformers|performance|reliability|workbench)\\b|"
      "\\b[Rr]eliability [RUGPST]\\d|\\btext2sql\\b|\\bNMT seeds?\\b|\\bseed 00\\d\\b"));
  return words.match(text).captured();
}

// A page that is named exists: from the root, beside the file that names it, in docs/, or as a help page.
QStringList missingPages(const QString& place, const QString& text) {
  static const QRegularExpression page(QStringLiteral("(?<![\\w<>/*.-])((?:[\\w.-]+/)*[\\w-]+\\.md)\\b"));
  const QString folder = place.section('/', 0, -2);
  QStringList missing;
  for (auto it = page.globalMatch(text); it.hasNext();) {
    const QString name = it.next().captured(1);
    const QStringList places = {name, folder + "/" + name, "docs/" + name, "resources/help/" + name};
    const bool there = std::any_of(places.begin(), places.end(),
                                   [](const QString& path) { return QFile::exists(kRoot + "/" + path); });
    if (!there) missing << name;
  }
  return missing;
}

}  // namespace

class CitationsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void pagesAndSectionsExist() {
    QStringList broken;
    QMap<QString, QSet<QString>> sections;
    int cited = 0;
    for (const Passage& passage : everything()) {
      for (const QString& name : missingPages(passage.place, passage.text))
        broken << passage.place + ": " + name + " is not in the repository";
      for (const auto& [page, numbers] : citedSections(passage.text)) {
        const QString path = "docs/" + page;
        if (!QFile::exists(kRoot + "/" + path)) continue;  // named above, or a link to another folder
        if (!sections.contains(path)) sections[path] = sectionsOf(path);
        for (const QString& number : numbers) {
          ++cited;
          if (!sections[path].contains(number))
            broken << passage.place + ": " + path + " has no section " + number;
        }
      }
    }
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join('\n')));
    QVERIFY2(cited > 150, qPrintable(QString::number(cited)));
  }

  void sectionsHaveASource() {
    const QStringList names = knownNames();
    QVERIFY(names.size() > 20);
    QStringList broken;
    int signs = 0;
    for (const Passage& passage : passagesOfSources()) {
      signs += int(passage.text.count(QChar(0xA7)));
      if (!hasSource(passage.text, names)) broken << passage.place + ": " + passage.text.left(120);
    }
    QVERIFY2(broken.isEmpty(),
             qPrintable("cite a paper of docs/README.md or a page of docs/:\n" + broken.join('\n')));
    QVERIFY2(signs > 150, qPrintable(QString::number(signs)));
  }

  void nothingPointsElsewhere() {
    QStringList broken;
    const QList<Passage> all = everything();
    for (const Passage& passage : all) {
      const QString word = elsewhereIn(passage.text);
      if (!word.isEmpty()) broken << passage.place + ": " + word;
    }
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join('\n')));
    QVERIFY(all.size() > 3000);
  }

  void filesAndCommandsOfThePagesExist() {
    static const QRegularExpression file(QStringLiteral(
        "`((?:core|views|app|tests|resources|docs|packaging|cmake|translations|\\.ci)/[^`<*…\\s]*)`"));
    static const QRegularExpression command(QStringLiteral("`fathom ([a-z][a-z-]*)"));
    const QString commands = textOf("app/commands/commands.list");
    QStringList broken;
    int files = 0, lines = 0;
    for (const QString& path : pages()) {
      const QString text = textOf(path);
      for (auto it = file.globalMatch(text); it.hasNext(); ++files) {
        const QString name = it.next().captured(1);
        const bool there = QFile::exists(kRoot + "/" + name) || QFile::exists(kRoot + "/" + name + ".h") ||
                           QFile::exists(kRoot + "/" + name + ".cpp");
        if (!there) broken << path + ": there is no " + name;
      }
      for (auto it = command.globalMatch(text); it.hasNext(); ++lines) {
        const QString id = it.next().captured(1);
        const QString stem = QString(id).replace('-', '_') + "_command\n";
        if (!("\n" + commands).contains("\n" + stem)) broken << path + ": there is no command " + id;
      }
    }
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join('\n')));
    QVERIFY2(files > 150 && lines > 30, qPrintable(QString("%1 files, %2 commands").arg(files).arg(lines)));
  }

  void theIndexHasEveryPage() {
    const QString index = textOf("docs/README.md");
    QStringList broken;
    for (const QString& path : filesOf({"docs"}, {"*.md"})) {
      const QString name = path.section('/', -1);
      if (name != "README.md" && !index.contains("](" + name + ")")) broken << name;
    }
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join('\n')));
  }

  // A rule that sees nothing would never fail.
  void theRulesSeeTheirCases() {
    const QString code =
        "// Sums (docs/a.md\n// §3), twice.\nint x = 1;  // Admin §4.3\nauto url = \"http://a §9\";\n";
    const auto found = commentsOf("a.h", code);
    QCOMPARE(found.size(), 2);
    QCOMPARE(found[0].text, QString("Sums (docs/a.md §3), twice."));
    QCOMPARE(found[1].place, QString("a.h:3"));
    QCOMPARE(referencesOf("a.h", "f().reference(\"Admin §4.3\"); e.paper = \"B\";").size(), 2);
    const auto cited = citedSections("(docs/a.md §3, §4.1; [b.md](b.md) §2) and docs/c.md");
    QCOMPARE(cited.size(), 3);
    QCOMPARE(cited[0].second, QStringList({"3", "4.1"}));
    QCOMPARE(cited[1].first, QString("b.md"));
    QVERIFY(!hasSource("what enters layer 1 (§3.2)", {"Admin"}));
    QVERIFY(hasSource("what enters (Admin §3.2)", {"Admin"}));
    QVERIFY(hasSource("see docs/a.md §1", {}));
    QCOMPARE(missingPages("core/a.h", "see transformers.md and README.md"), QStringList("transformers.md"));
    for (const char* bad : {"(DESIGN §4)", "the design's table", "reference text2sql.md", "reliability R8",
                            "reference/data.md"})
      QVERIFY2(!elsewhereIn(bad).isEmpty(), bad);
    QVERIFY(elsewhereIn("the design says; a reference (tests)").isEmpty());
    QVERIFY(sectionsOf("docs/spider_evaluation.md").contains("4.2"));
  }
};

QTEST_APPLESS_MAIN(CitationsTest)
#include "tst_citations.moc"
