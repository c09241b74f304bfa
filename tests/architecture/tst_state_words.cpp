// SPDX-License-Identifier: Apache-2.0
// The state of a run is a type (RunState) up to the edge of drawing: the product compares it with values and
// asks isLive, isDone, isFailure; its words are those of one table. Read from the source, comments left out.
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

namespace {

const QString kSources = QStringLiteral(FATHOM_SOURCE_DIR);

const QString kStateWord = QStringLiteral(
    "(?:QLatin1String\\(|QStringLiteral\\()?\"(?:queued|running|finished|stopped|diverged|failed|crashed|"
    "killed|"
    "lost)\"");

// A comparison or an assignment whose other side is called a state or an outcome.
QStringList wordsOfStates(const QString& text) {
  static const QRegularExpression compared(
      QStringLiteral(
          "\\b(?:\\w*[sS]tate|\\w*[oO]utcomes?)(?:\\(\\)|\\.front\\(\\)|\\[\\w+\\])?\\s*(?:==|!=|=)\\s*") +
      kStateWord);
  QStringList found;
  auto at = compared.globalMatch(text);
  while (at.hasNext()) found << at.next().captured();
  return found;
}

}  // namespace

class StateWordsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void statesAreNoWords() {
    QStringList broken;
    int files = 0;
    static const QRegularExpression comment(QStringLiteral("//[^\n]*"));
    for (const char* folder : {"core", "views", "app"}) {
      QDirIterator it(kSources + "/" + folder, {"*.h", "*.cpp"}, QDir::Files, QDirIterator::Subdirectories);
      while (it.hasNext()) {
        QFile file(it.next());
        QVERIFY(file.open(QIODevice::ReadOnly));
        ++files;
        for (const QString& found : wordsOfStates(QString::fromUtf8(file.readAll()).remove(comment)))
          broken << file.fileName().mid(kSources.size() + 1) + ": " + found;
      }
    }
    QVERIFY2(files > 500, qPrintable(QString::number(files)));
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join('\n')));
  }

  void theRuleSeesItsCases() {
    for (const char* bad :
         {"if (run.state == QLatin1String(\"queued\"))", "curve.outcomes.front() != \"diverged\"",
          "item.state = QStringLiteral(\"queued\");", "if (outcome == \"failed\")",
          "m_currentState != \"running\""})
      QCOMPARE(wordsOfStates(QString::fromLatin1(bad)).size(), 1);
    for (const char* good : {"run.state == RunState::Queued", "event.kind == \"diverged\"",
                             "output.json[\"state\"] = runStateName(state)"})
      QVERIFY(wordsOfStates(QString::fromLatin1(good)).isEmpty());
  }
};

QTEST_APPLESS_MAIN(StateWordsTest)
#include "tst_state_words.moc"
