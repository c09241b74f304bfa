// SPDX-License-Identifier: Apache-2.0
// Preset `release` compiles sources of a folder together (FATHOM_UNITY): what a source declares in its
// unnamed namespace must have a name that no other source of its target gives to the same kind of thing.
#include <QDirIterator>
#include <QFile>
#include <QMap>
#include <QRegularExpression>
#include <QTest>

namespace {

const QString kSources = QStringLiteral(FATHOM_SOURCE_DIR);

QString contentOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

// The types of a parameter list: "const A& a, int b = 3" is "const A&,int".
QString typesOf(const QString& parameters) {
  QStringList types;
  QString current;
  int depth = 0;
  for (const QChar c : parameters + ',') {
    if (QStringLiteral("<({").contains(c)) ++depth;
    if (QStringLiteral(">)}").contains(c)) --depth;
    if (c == ',' && depth == 0) {
      static const QRegularExpression name(QStringLiteral("\\s*=.*$|([&*> ])\\s*\\w+\\s*$"));
      types << current.simplified().remove(QRegularExpression("\\s*=.*$")).replace(name, "\\1").trimmed();
      current.clear();
    } else {
      current += c;
    }
  }
  return types.join(',');
}

// What a source keeps to itself, as "kName", "struct Name" or "function(types)".
QStringList ownNames(const QString& text) {
  static const QRegularExpression constant(QStringLiteral("\\b(k[A-Z]\\w*)(?:\\[[^\\]]*\\])? ?[={]")),
      type(QStringLiteral("^(?:class|struct|enum class|enum|union) (\\w+)[^;]*$")),
      alias(QStringLiteral("^using \\w+ = .*$")),
      function(QStringLiteral("^[\\w:<>,&* \\[\\]]+[ &*](\\w+)\\((.*)$"));
  QStringList names;
  bool own = false;
  const QStringList lines = text.split('\n');
  for (qsizetype i = 0; i < lines.size(); ++i) {
    const QString& line = lines[i];
    if (line == QStringLiteral("namespace {")) own = true;
    if (line == QStringLiteral("}  // namespace")) own = false;
    if (!own || line.isEmpty() || QStringLiteral(" }/#").contains(line[0])) continue;
    if (line.contains(QRegularExpression("^(?:inline |static |\\[\\[|const)[^(]*\\bk[A-Z]"))) {
      for (auto found = constant.globalMatch(line); found.hasNext();) names << found.next().captured(1);
    } else if (const auto found = type.match(line); found.hasMatch()) {
      names << "struct " + found.captured(1);
    } else if (alias.match(line).hasMatch()) {
      names << line;
    } else if (const auto head = function.match(line); head.hasMatch()) {
      QString rest = head.captured(2);
      for (qsizetype next = i + 1; !rest.contains(") ") && !rest.endsWith(')') && next < lines.size(); ++next)
        rest += ' ' + lines[next].trimmed();
      const qsizetype end = rest.indexOf(QRegularExpression("\\) (?:\\{|const|->)|\\)$"));
      names << head.captured(1) + '(' + typesOf(rest.left(end)) + ')';
    }
  }
  names.removeDuplicates();
  return names;
}

// The folder whose CMakeLists.txt makes the target of a source.
QString targetFolder(QString folder) {
  while (!contentOf(folder + "/CMakeLists.txt").contains("fathom_folder(") && folder.size() > kSources.size())
    folder = folder.section('/', 0, -2);
  return folder;
}

}  // namespace

class OwnNamesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void readsSources() {
    QCOMPARE(ownNames("namespace {\nconstexpr double kA = 1, kB = 2;\nstruct C {\n  int kD = 1;\n};\n"
                      "using E = int;\nint f(const std::vector<int>& a,\n      double b = 2) {\n  g(1);\n}\n"
                      "}  // namespace\nint h(int) {\n"),
             (QStringList{"kA", "kB", "struct C", "using E = int;", "f(const std::vector<int>&,double)"}));
  }

  void everyNameIsItsSourcesOwn() {
    QMap<QString, QStringList> places;  // "<folder> <name>" to the sources that declare it
    for (const char* top : {"core", "views", "app"}) {
      QDirIterator it(kSources + "/" + top, {"*.cpp"}, QDir::Files, QDirIterator::Subdirectories);
      while (it.hasNext()) {
        const QString path = it.next();
        if (path.endsWith("_main.cpp")) continue;
        const QString folder = targetFolder(path.section('/', 0, -2)).mid(kSources.size() + 1);
        for (const QString& name : ownNames(contentOf(path))) {
          if (!name.startsWith("using ")) places[folder + ' ' + name] << path.section('/', -1);
        }
      }
    }
    QVERIFY(places.size() > 1000);
    QStringList twice;
    for (auto it = places.cbegin(); it != places.cend(); ++it) {
      if (it->size() > 1) twice << it.key() + ": " + it->join(", ");
    }
    QVERIFY2(twice.isEmpty(), qPrintable(twice.join('\n')));
  }
};

QTEST_APPLESS_MAIN(OwnNamesTest)
#include "tst_own_names.moc"
