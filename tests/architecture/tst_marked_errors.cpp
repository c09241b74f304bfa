// SPDX-License-Identifier: Apache-2.0
// What an error says is a phrase (core/base/errors/phrase.h), so that a window says it in its own language:
// every text that makes an error is marked, and every marked text has a translation. Faults of the program
// itself (internalError) are said in English, as they belong in a report.
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>
#include <QXmlStreamReader>

namespace {

const QString kTop = QStringLiteral(FATHOM_SOURCE_DIR "/");

// Their errors end in a terminal, never in a window. Whoever has nothing unmarked any more leaves the list.
const QStringList kShellOnly{"app/bench/", "app/command_line.cpp", "app/pictures/", "core/engine/bench/"};

// Behind the text or character that begins at `at`.
qsizetype behindText(const QString& code, qsizetype at) {
  const QChar quote = code[at];
  while (++at < code.size() && code[at] != quote)
    if (code[at] == '\\') ++at;
  return at + 1;
}

bool beginsText(const QString& code, qsizetype at) {
  if (code[at] == '"') return true;
  return code[at] == '\'' && (at == 0 || !code[at - 1].isDigit());  // not of 1'000
}

QString withoutComments(QString code) {
  for (qsizetype at = 0; at < code.size();) {
    if (code[at] == '/' && at + 1 < code.size() && code[at + 1] == '/')
      while (at < code.size() && code[at] != '\n') code[at++] = ' ';
    else
      at = beginsText(code, at) ? behindText(code, at) : at + 1;
  }
  return code;
}

// The arguments of the call whose bracket opens at `open`.
QStringList argumentsAt(const QString& code, qsizetype open) {
  QStringList arguments{QString()};
  int depth = 0;
  for (qsizetype at = open; at < code.size();) {
    const qsizetype next = beginsText(code, at) ? behindText(code, at) : at + 1;
    const QChar c = code[at];
    if (QStringLiteral("([{").contains(c)) ++depth;
    if (QStringLiteral(")]}").contains(c) && --depth == 0) break;
    if (c == ',' && depth == 1)
      arguments.append(QString());
    else if (at > open)
      arguments.last() += code.mid(at, next - at);
    at = next;
  }
  return arguments;
}

// Whether a text with letters is left that is not marked. Pieces of paths and keys (json.at("run")) are none.
bool holdsEnglish(QString argument) {
  static const QRegularExpression known(
      "\\btr\\(\\s*(?:\"(?:[^\"\\\\]|\\\\.)*\"\\s*)+\\)|(?:== |(?<!words|string)\\([^()\"]*)\"[\\w.]*\""),
      text("\"((?:[^\"\\\\]|\\\\.)*)\""), letter("^(?!/).*[A-Za-z]");
  argument.remove(known);
  for (auto it = text.globalMatch(argument); it.hasNext();)
    if (it.next().captured(1).contains(letter)) return true;
  return false;
}

// Whether the argument is a phrase: it says so, or names one that `declared` (the file and its header) has.
bool isPhrase(const QString& argument, const QString& declared) {
  static const QRegularExpression says("\\btr\\(|[Pp]hrase"), name("(\\w+)(?:\\(\\))?$");
  const QString text = argument.trimmed();
  if (text.isEmpty() || text == "{}" || text.contains(says)) return true;
  const QString last = name.match(text).captured(1);
  return !last.isEmpty() &&
         declared.contains(QRegularExpression("\\bPhrase(?:::Text)?[&]?\\s+(?:\\w+,\\s*)*" + last + "\\b"));
}

// Texts of errors in this code that are not marked.
QStringList unmarkedIn(const QString& code, const QString& header = {}) {
  static const QRegularExpression made(
      "\\b(usage|data|disk|memory|deviceMemory|deviceFault|unavailable|numeric|interrupted|system|input)"
      "Error(At)?(?=\\()"),
      changed("\\b\\w*[eE]rror\\.(?:message|hint) \\+?= [^;]*");
  const QString text = withoutComments(code);
  QStringList unmarked;
  for (auto it = made.globalMatch(text); it.hasNext();) {
    const auto call = it.next();
    const bool named = call.captured(1) == "system" || call.captured(1) == "input";  // then: path, errno
    const QStringList arguments = argumentsAt(text, call.capturedEnd());
    for (const QString& argument : arguments.mid(call.captured(2).isEmpty() ? 0 : 2, named ? 1 : 2))
      if (holdsEnglish(argument) || !isPhrase(argument, text + header)) unmarked << argument.simplified();
  }
  for (auto it = changed.globalMatch(text); it.hasNext();) unmarked << it.next().captured().simplified();
  return unmarked;
}

QString read(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

// Sources of the product, below the top.
QStringList sources() {
  QStringList found;
  for (const char* folder : {"core", "views", "app"}) {
    QDirIterator it(kTop + folder, {"*.h", "*.cpp"}, QDir::Files, QDirIterator::Subdirectories);
    while (it.hasNext()) found << QDir(kTop).relativeFilePath(it.next());
  }
  return found;
}

// Texts between Phrase::tr( and ), as they are at run time.
QStringList phrasesIn(const QString& code) {
  static const QRegularExpression phrase("\\bPhrase::tr\\(\\s*((?:\"(?:[^\"\\\\]|\\\\.)*\"\\s*)+)\\)"),
      piece("\"((?:[^\"\\\\]|\\\\.)*)\""), escaped("\\\\([\"\\\\])");
  QStringList texts;
  const QString plain = withoutComments(code);
  for (auto it = phrase.globalMatch(plain); it.hasNext();) {
    const QString pieces = it.next().captured(1);
    QString text;
    for (auto one = piece.globalMatch(pieces); one.hasNext();) text += one.next().captured(1);
    texts << text.replace(escaped, "\\1");
  }
  return texts;
}

}  // namespace

class MarkedErrorsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void readsCalls() {
    QCOMPARE(unmarkedIn(
                 "return usageError(Phrase::tr(\"a \"\n  \"%1\")(b), c ? Phrase() : Phrase::tr(\"d, e\"));\n"
                 "return dataErrorAt(path + \"/x\", 1'000, Phrase::words(fault));\n"
                 "// dataError(\"of old\")\nconst Phrase& what; diskError(what);\n"
                 "inputError(Phrase::tr(\"cannot read\"), \"path\", errno);"),
             QStringList());
    QCOMPARE(
        unmarkedIn("return usageError(\"a \" + b, \"see: \" + Phrase::tr(\"c\"));\n"
                   "std::string why; return dataErrorAt(path, 0, why, list.empty() ? \"none\" : known);\n"
                   "error.hint = \"delete it\";\nsystemError(\"cannot (\", path, 1);"),
        (QStringList{"\"a \" + b", "\"see: \" + Phrase::tr(\"c\")", "why", "list.empty() ? \"none\" : known",
                     "\"cannot (\"", "error.hint = \"delete it\""}));
    QCOMPARE(phrasesIn("Phrase::tr(\"a \\\"%1\\\" \"\n \"b\")(c); Phrase::tr(name)"),
             QStringList{"a \"%1\" b"});
  }

  void errorsArePhrases() {
    QStringList broken, needed;
    for (const QString& name : sources()) {
      if (name.contains(QRegularExpression("^core/base/errors/error(_words)?\\.")))
        continue;  // the makers themselves
      const QString header = QString(name).replace(QRegularExpression("\\.cpp$"), ".h");
      const QStringList unmarked = unmarkedIn(read(kTop + name), read(kTop + header));
      if (unmarked.isEmpty()) continue;
      const auto allowed = std::find_if(kShellOnly.begin(), kShellOnly.end(),
                                        [&](const QString& start) { return name.startsWith(start); });
      if (allowed != kShellOnly.end())
        needed << *allowed;
      else
        for (const QString& text : unmarked) broken << name + ": " + text;
    }
    QVERIFY2(broken.isEmpty(), qPrintable(broken.mid(0, 40).join('\n')));
    for (const QString& start : kShellOnly)
      QVERIFY2(needed.contains(start), qPrintable(start + " needs no exception"));
  }

  // Asked without lupdate, which overlooks texts where it does not understand the source.
  void everyPhraseIsTranslated() {
    QSet<QString> translated;
    QFile file(kTop + "translations/fathom_zh_CN.ts");
    QVERIFY(file.open(QIODevice::ReadOnly));
    QXmlStreamReader xml(&file);
    QString context, source;
    while (!xml.atEnd()) {
      if (xml.readNext() != QXmlStreamReader::StartElement) continue;
      if (xml.name() == QLatin1String("name")) context = xml.readElementText();
      if (xml.name() == QLatin1String("source")) source = xml.readElementText();
      if (xml.name() == QLatin1String("translation") && !xml.attributes().hasAttribute("type") &&
          context.endsWith(QLatin1String("Phrase")))
        translated.insert(source);
    }
    QStringList broken;
    int met = 0;
    for (const QString& name : sources()) {
      for (const QString& text : phrasesIn(read(kTop + name))) {
        ++met;
        if (!translated.contains(text)) broken << name + ": \"" + text + '"';
      }
    }
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join('\n')));
    QVERIFY(met > 1000);
  }
};

QTEST_APPLESS_MAIN(MarkedErrorsTest)
#include "tst_marked_errors.moc"
