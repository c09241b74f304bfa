// SPDX-License-Identifier: Apache-2.0
// Reads every source of the window against rich_text_rules.txt: what comes from files, databases and people
// is plain text.
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

// Without comments, which may name anything, and without names of headers: <span> is one, too.
QString codeOf(const QString& path) {
  static const QRegularExpression comment(QStringLiteral("^\\s*//.*$|\\s//\\s.*$|^#include <[^>]*>"),
                                          QRegularExpression::MultilineOption);
  return textOf(path).remove(comment);
}

// By what is written, the files (without ending) that may.
QMap<QString, QSet<QString>> readRules() {
  QMap<QString, QSet<QString>> rules;
  for (const QString& line : textOf(kRoot + "/tests/architecture/rich_text_rules.txt").split('\n')) {
    const qsizetype end = line.lastIndexOf(QRegularExpression(QStringLiteral(":( |$)")));
    if (line.startsWith('#') || end < 0) continue;
    const QStringList files = line.mid(end + 1).split(' ', Qt::SkipEmptyParts);
    rules[line.left(end)] = QSet<QString>(files.begin(), files.end());
  }
  return rules;
}

// QTextEdit is no part of QPlainTextEdit, QTextBrowser none of QTextBrowserX.
bool writes(const QString& code, const QString& what) {
  const bool name = what.front().isUpper();
  const QString pattern = (name ? QStringLiteral("(?<!\\w)") : QString()) + QRegularExpression::escape(what) +
                          (name && what.back().isLetter() ? QStringLiteral("(?!\\w)") : QString());
  return QRegularExpression(pattern).match(code).hasMatch();
}

}  // namespace

class RichTextRulesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void textIsPlainButWhereItIsDeclared() {
    const auto rules = readRules();
    QVERIFY(rules.size() > 25);
    QMap<QString, QSet<QString>> met;
    int files = 0;
    for (const char* folder : {"app", "views"}) {
      QDirIterator it(kRoot + "/" + folder, {"*.h", "*.cpp"}, QDir::Files, QDirIterator::Subdirectories);
      while (it.hasNext()) {
        const QString path = it.next(), code = codeOf(path);
        const QString stem = QDir(kRoot).relativeFilePath(path).section('.', 0, 0);
        // Figures have a markup of their own (figure_text.h), which knows four tags and reads nothing.
        const bool figures = stem.startsWith("views/figure");
        for (auto rule = rules.begin(); rule != rules.end(); ++rule)
          if (!(figures && rule.key().startsWith('<')) && writes(code, rule.key())) met[rule.key()] << stem;
        ++files;
      }
    }
    QVERIFY(files > 300);
    QStringList broken;
    for (auto rule = rules.begin(); rule != rules.end(); ++rule) {
      for (const QString& file : met[rule.key()] - rule.value())
        broken << file + ": " + rule.key() + " may be written in " +
                      (rule->isEmpty() ? QString("no file") : QStringList(rule->values()).join(", ")) +
                      " (tests/architecture/rich_text_rules.txt)";
      for (const QString& file : rule.value() - met[rule.key()])
        broken << file + ": allowed to write " + rule.key() + ", and does not";
    }
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join('\n')));
  }

  // A rule that sees nothing would never fail.
  void theRulesSee() {
    QVERIFY(writes("label->setTextFormat(Qt::RichText);", "Qt::RichText"));
    QVERIFY(writes("auto* edit = new QTextEdit(this);", "QTextEdit"));
    QVERIFY(!writes("auto* edit = new QPlainTextEdit(this);", "QTextEdit"));
    QVERIFY(writes("QStringLiteral(\"<b>%1</b>\")", "<b>"));
    QVERIFY(writes("item->setData(0, Qt::WhatsThisRole, name);", "hatsThis"));
  }
};

QTEST_APPLESS_MAIN(RichTextRulesTest)
#include "tst_rich_text_rules.moc"
