// SPDX-License-Identifier: Apache-2.0
// ctest: engine forks
// Whatever is told to write somewhere looks whether the folder is there before it computes. The outputs come
// from the declarations: `fathom-engine VERB --help` calls them OUTPUT, a command of fathom names them in
// `writes`; an option that sounds like one and is not declared as one fails here, so that none is forgotten.
#include <QElapsedTimer>
#include <QHash>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <set>

#include "app/command.h"
#include "tests/process/support_engine_forks.h"

using namespace fathom;

namespace {

struct HelpLine {
  QString option, type, words;
  bool required = false;
};

}  // namespace

class OutputsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void engineLooksFirst_data();
  void engineLooksFirst();
  void whatSoundsLikeOneIsDeclared();
  void commandsLookFirst();
  void everyPathOfACommandIsKnown();

 private:
  QStringList verbs();
  QList<HelpLine> optionsOf(const QString& verb);
  QString helpOf(const QStringList& words);
  QTemporaryDir m_dir;
  test::EngineForks m_forks;
  QHash<QStringList, QString> m_told;  // helps
};

// Asked for once each.
QString OutputsTest::helpOf(const QStringList& words) {
  if (!m_told.contains(words))
    m_told[words] = QString::fromUtf8(m_forks.run(words + QStringList{QStringLiteral("--help")}).out);
  return m_told[words];
}

QList<HelpLine> OutputsTest::optionsOf(const QString& verb) {
  static const QRegularExpression line(
      QStringLiteral("^  (?:-\\w,)?(--[a-z-]+) ?([A-Z=]*)(?:[^\\n]*?)( REQUIRED)? +(\\S[^\\n]*)$"),
      QRegularExpression::MultilineOption);
  QList<HelpLine> out;
  for (auto found = line.globalMatch(helpOf({verb})); found.hasNext();) {
    const auto match = found.next();
    out.append({match.captured(1), match.captured(2), match.captured(4),
                match.captured(0).contains(QStringLiteral(" REQUIRED"))});
  }
  return out;
}

QStringList OutputsTest::verbs() {
  static const QRegularExpression verb(QStringLiteral("^  ([a-z][a-z-]+)(?:, [a-z-]+)? {2,}\\S"),
                                       QRegularExpression::MultilineOption);
  QStringList out;
  for (auto found = verb.globalMatch(helpOf({})); found.hasNext();) out.append(found.next().captured(1));
  return out;
}

void OutputsTest::engineLooksFirst_data() {
  QTest::addColumn<QStringList>("words");
  int outputs = 0;
  for (const QString& verb : verbs()) {
    const QList<HelpLine> options = optionsOf(verb);
    for (const HelpLine& output : options) {
      if (output.type != QLatin1String("OUTPUT")) continue;
      QStringList words = {verb, output.option, m_dir.filePath(QStringLiteral("absent/made"))};
      for (const HelpLine& other : options)
        if (other.required && other.option != output.option)
          words << other.option
                << (other.type == QLatin1String("OUTPUT") ? m_dir.filePath(QStringLiteral("other"))
                                                          : QStringLiteral("nothing"));
      QTest::newRow(qPrintable(verb + QLatin1Char(' ') + output.option)) << words;
      ++outputs;
    }
  }
  // train, evaluate (two), predict, average, sample, import, two exports, extra layers, probe
  QVERIFY2(outputs >= 11, qPrintable(QString::number(outputs)));
}
void OutputsTest::engineLooksFirst() {
  QFETCH(QStringList, words);
  const test::Ended ended = m_forks.run(words);
  const QString said = QString::fromUtf8(ended.err);
  QVERIFY2(ended.code == 30, qPrintable(said));
  QVERIFY2(said.contains(QStringLiteral("there is no folder ") + m_dir.filePath(QStringLiteral("absent"))),
           qPrintable(said));
  QVERIFY(!QFile::exists(m_dir.filePath(QStringLiteral("absent"))));
}

void OutputsTest::whatSoundsLikeOneIsDeclared() {
  static const QRegularExpression sounds(
      QStringLiteral("\\b(to write|to create|Write|New folder|for results)\\b"));
  int looked = 0;
  for (const QString& verb : verbs())
    for (const HelpLine& option : optionsOf(verb)) {
      ++looked;
      if (!option.words.contains(sounds)) continue;
      QVERIFY2(option.type == QLatin1String("OUTPUT"), qPrintable(verb + QLatin1Char(' ') + option.option));
    }
  QVERIFY2(looked > 60, qPrintable(QString::number(looked)));
}

// With nothing else that is right: only who looks first can say so.
void OutputsTest::commandsLookFirst() {
  int outputs = 0;
  const std::string absent = m_dir.filePath(QStringLiteral("absent")).toStdString();
  for (const Command& command : commandEntries())
    for (const std::string& key : command.writes) {
      CommandContext context;
      context.project = absent + "/p.fathom";
      context.options = OptionValues{OptionSchema(command.fields, {})};
      QVERIFY2(context.options.set(key, absent + "/made").ok(), command.id.c_str());
      Progress progress;
      const auto done = runCommand(command, context, progress, {});
      QVERIFY2(!done.ok(), command.id.c_str());
      const std::string text = done.error().text();
      QVERIFY2(text.find(absent) != std::string::npos && text.find("p.fathom") == std::string::npos,
               (command.id + " --" + key + ": " + text).c_str());
      ++outputs;
    }
  QVERIFY2(outputs >= 12, qPrintable(QString::number(outputs)));
}

// A path is written, or it is one of these.
void OutputsTest::everyPathOfACommandIsKnown() {
  const std::set<std::string> read = {
      "gold",   "tables",  "databases", "questions", "judgements", "predictions", "source", "config", "data",
      "values", "wordnet", "concepts",  "links",     "tags",       "tokens",      "path",   "folder"};
  // Folders that are made before anything else.
  const std::set<std::string> made = {"new-project out", "open-sample out", "quick-start out",
                                      "spider-sample folder"};
  for (const Command& command : commandEntries())
    for (const OptionField& field : command.fields) {
      if (field.type != OptionType::Path) continue;
      const bool written =
          std::find(command.writes.begin(), command.writes.end(), field.key) != command.writes.end();
      QVERIFY2(written || read.contains(field.key) || made.contains(command.id + " " + field.key),
               (command.id + " --" + field.key + ": name it in `writes`, or here").c_str());
    }
}

QTEST_GUILESS_MAIN(OutputsTest)
#include "tst_outputs.moc"
