// SPDX-License-Identifier: Apache-2.0
// How the product touches files: nothing of std::filesystem that throws, folders walked by
// core/base/files/path_look alone, no file opened for reading but by core/base/files/input_file, no thread
// without an end for exceptions. Read from the source, comments left out.
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

namespace {

const QString kRoot = QStringLiteral(FATHOM_SOURCE_DIR);

QString withoutComments(QString text) {
  static const QRegularExpression comment(QStringLiteral("//[^\n]*"));
  return text.remove(comment);
}

QMap<QString, QString> sources(const QStringList& folders) {
  QMap<QString, QString> result;
  for (const QString& folder : folders) {
    QDirIterator it(kRoot + "/" + folder, {"*.h", "*.cpp"}, QDir::Files, QDirIterator::Subdirectories);
    while (it.hasNext()) {
      QFile file(it.next());
      if (!file.open(QIODevice::ReadOnly)) continue;
      result[QDir(kRoot).relativeFilePath(file.fileName())] =
          withoutComments(QString::fromUtf8(file.readAll()));
    }
  }
  return result;
}

// The arguments of the call whose bracket opens at `open`, split at the commas of its own level.
QStringList arguments(const QString& text, qsizetype open) {
  QStringList found;
  int depth = 0;
  qsizetype from = open + 1;
  for (qsizetype at = open; at < text.size(); ++at) {
    const QChar c = text[at];
    if (c == '(' || c == '{' || c == '[') ++depth;
    if (c == ')' || c == '}' || c == ']') --depth;
    if ((depth == 1 && c == ',') || depth == 0) {
      found << text.mid(from, at - from).trimmed();
      from = at + 1;
    }
    if (depth == 0) return found;
  }
  return found;
}

QSet<QString> errorCodes(const QString& text) {
  static const QRegularExpression declaration(QStringLiteral("std::error_code[&]? ([^;)]+)[;)]"));
  QSet<QString> names;
  auto found = declaration.globalMatch(text);
  while (found.hasNext())
    for (const QString& name : found.next().captured(1).split(',')) names << name.trimmed();
  return names;
}

QString lineOf(const QString& text, qsizetype at) {
  return QString::number(text.left(at).count('\n') + 1);
}

// Calls of `pattern` (its match ends with the bracket) whose last argument is no std::error_code of the file.
QStringList throwingCalls(const QString& text, const QRegularExpression& pattern) {
  const QSet<QString> codes = errorCodes(text);
  QStringList broken;
  auto found = pattern.globalMatch(text);
  while (found.hasNext()) {
    const auto match = found.next();
    const QStringList given = arguments(text, match.capturedEnd() - 1);
    if (given.isEmpty() || !codes.contains(given.last()))
      broken << lineOf(text, match.capturedStart()) + ": " + match.captured().trimmed();
  }
  return broken;
}

const QString kFunctions = QStringLiteral(
    "(?:exists|is_directory|is_regular_file|is_symlink|is_fifo|is_socket|is_other|is_empty|file_size|"
    "last_write_time|status|symlink_status|absolute|canonical|weakly_canonical|relative|proximate|copy|"
    "copy_file|copy_symlink|create_directory|create_directories|create_symlink|create_directory_symlink|"
    "create_hard_link|remove|remove_all|rename|resize_file|space|temp_directory_path|current_path|"
    "read_symlink|equivalent|hard_link_count|permissions)");
const QRegularExpression kFree(QStringLiteral("\\b(?:fs|filesystem)::") + kFunctions + QStringLiteral("\\("));
const QRegularExpression kMember(
    QStringLiteral("\\b(?:entry|item|at|it)(?:\\.|->)(?:is_directory|is_regular_file|is_symlink|is_fifo|"
                   "is_socket|is_other|exists|file_size|last_write_time|symlink_status|hard_link_count|"
                   "refresh|increment)\\("));

}  // namespace

class FileAccessTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void nothingOfFilesystemThrows() {
    QStringList broken;
    int calls = 0;
    const auto files = sources({"core", "app", "views"});
    for (auto it = files.begin(); it != files.end(); ++it) {
      calls += int(it.value().count(kFree));
      for (const QRegularExpression& pattern : {kFree, kMember})
        for (const QString& call : throwingCalls(it.value(), pattern)) broken << it.key() + ":" + call;
      if (it.value().contains("directory_iterator") && !it.key().startsWith("core/base/files/path_facts."))
        broken << it.key() + ": iterates over a folder itself; see core/base/files/path_facts.h";
    }
    QVERIFY2(calls > 30, qPrintable(QString::number(calls)));
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join('\n')));
  }

  // "Cannot look" is not "is not there": a walk gives its error to whoever asked. Those that only tidy up or
  // add to what was looked at before may pass over what they cannot see.
  void walksKeepTheirErrors() {
    static const QRegularExpression walk(
        QStringLiteral("\\b(?:listFolder|listTree|opendir|scandir|nftw|fts_open|QDirIterator)\\(|(?:"
                       "\\.|->)(?:entryList|entryInfoList)\\("));
    static const QRegularExpression seen(QStringLiteral("\\bseenIn\\("));
    const QMap<QString, QString> walksItself = {
        {"core/record/runs/run_folder.cpp", "attempts(): the listing has looked at the run before"},
        {"core/tasks/data_set.cpp",
         "recognises a data set by what it sees; its readers name what they cannot"},
        {"core/tasks/encoder_beside.cpp", "offers what lies beside a data set and can be seen"},
        {"app/pictures/screenshot_dialog_views.cpp", "pages of the program itself"}};
    const QMap<QString, QString> onlyTidies = {
        {"core/library/runs/project_cleaner.cpp", "what it cannot see stays"},
        {"core/review/kept_executions.cpp", "makes room"},
        {"core/record/import/import_staging.cpp", "what a dead import left"},
        {"core/record/runs/checkpoint_folder.cpp", "behind checkpointsCanBeSeen(), and the sweep"},
        {"core/record/runs/checkpoint_choice.cpp", "behind checkpointsCanBeSeen()"},
        {"core/record/runs/run_lock.cpp", "sockets that nobody serves"},
        {"app/runner/slurm/slurm_submission.cpp", "what a dead runner was removing"},
        {"core/execution/spider_execution.cpp", "a count beside an execution that says what it cannot open"}};
    QStringList broken;
    QSet<QString> used;
    int walks = 0;
    const auto files = sources({"core", "app", "views"});
    for (auto it = files.begin(); it != files.end(); ++it) {
      walks += int(it.value().count(QLatin1String("entriesIn(")));
      if (it.key().startsWith("core/base/files/")) continue;
      const bool own = it.value().contains(walk), drops = it.value().contains(seen);
      if (own && !walksItself.contains(it.key()))
        broken << it.key() + ": walks a folder itself; see path_look.h";
      if (drops && !onlyTidies.contains(it.key())) broken << it.key() + ": drops why it cannot look (seenIn)";
      if (own || drops) used << it.key();
    }
    for (const QString& known : walksItself.keys() + onlyTidies.keys())
      if (!used.contains(known)) broken << known + ": needs no exception any more";
    QVERIFY2(walks > 10, qPrintable(QString::number(walks)));
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join('\n')));
  }

  void inputsAreOpenedInOnePlace() {
    static const QRegularExpression open(QStringLiteral("(?<![\\w:.>])(?:::)?(?:open|openat|fopen)\\("));
    static const QRegularExpression stream(QStringLiteral("std::(?:i|)fstream (\\w+)[({]|std::ifstream\\("));
    QStringList broken;
    int opened = 0;
    const auto files = sources({"core", "app"});
    for (auto it = files.begin(); it != files.end(); ++it) {
      if (it.key().startsWith("core/base/files/input_file.") || it.key().endsWith(".h")) continue;
      auto found = open.globalMatch(it.value());
      while (found.hasNext()) {
        const auto match = found.next();
        const QString given = arguments(it.value(), match.capturedEnd() - 1).join(' ');
        ++opened;
        // Made new, a folder, or a place of the system: these cannot wait.
        const bool made = given.contains("O_EXCL") || given.contains("O_WRONLY");
        if (made || given.contains("O_DIRECTORY") || given.startsWith("\"/dev/null\"")) continue;
        if (match.captured().startsWith("open") && !given.contains("O_")) continue;  // a method of the class
        broken << it.key() + ":" + lineOf(it.value(), match.capturedStart()) + ": " + given;
      }
      auto streams = stream.globalMatch(it.value());
      while (streams.hasNext()) {
        const auto match = streams.next();
        const qsizetype bracket = it.value().indexOf(QRegularExpression("[({]"), match.capturedStart());
        const QString what = it.value().mid(bracket + 1, 6);
        if (what != "\"/proc" && what != "\"/sys/")
          broken << it.key() + ":" + lineOf(it.value(), match.capturedStart()) + ": " + match.captured();
      }
      if (it.key().startsWith("core/") && it.value().contains("QFile")) broken << it.key() + ": QFile";
    }
    QVERIFY2(opened >= 5, qPrintable(QString::number(opened)));
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join('\n')));
  }

  // A thread whose function may throw ends the process.
  void everyThreadHasABoundary() {
    static const QRegularExpression thread(
        QStringLiteral("std::j?thread[({]|startThread\\(|(?:threads|helpers|others)\\.(?:emplace|push)_"
                       "back\\(|m_pool\\.start\\(|"
                       "moveToThread\\("));
    QStringList broken;
    int threads = 0;
    const auto files = sources({"core", "app", "views"});
    for (auto it = files.begin(); it != files.end(); ++it) {
      if (it.key().endsWith(".h") || !it.value().contains(thread)) continue;
      ++threads;
      const bool ends = it.value().contains("errorThrownBy") || it.value().contains("thrownBy(") ||
                        it.value().contains("->guarded(") || it.value().contains("catch (...)");
      if (!ends) broken << it.key();
    }
    QVERIFY2(threads >= 5, qPrintable(QString::number(threads)));
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join('\n')));
  }

  // The rules themselves see what they are for.
  void theRulesSeeTheirCases() {
    const QString bad = withoutComments("if (fs::exists(path)) return; // fs::exists(other, code)\n");
    QCOMPARE(throwingCalls(bad, kFree).size(), 1);
    const QString good =
        "std::error_code code, ignored;\nfs::exists(a + f(b, c), code); "
        "std::filesystem::remove_all(x, ignored);";
    QVERIFY(throwingCalls(good, kFree).isEmpty());
    QCOMPARE(throwingCalls("std::error_code code; fs::rename(a, b); entry.is_symlink();", kMember).size(), 1);
    QCOMPARE(throwingCalls("fs::rename(a, code);", kFree).size(), 1);  // no such variable here
  }
};

QTEST_APPLESS_MAIN(FileAccessTest)
#include "tst_file_access.moc"
