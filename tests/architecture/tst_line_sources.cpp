// SPDX-License-Identifier: Apache-2.0
// Text files are cut into lines in one place (core/base/lines, core/base/text/lines_of.h) and unpacked in one
// (core/base/lines/compressed_file.cpp). Whoever looks for an end of a line itself says here why. Read from
// the source, comments left out.
#include <QDirIterator>
#include <QFile>
#include <QMap>
#include <QRegularExpression>
#include <QTest>

namespace {

const QString kTop = QStringLiteral(FATHOM_SOURCE_DIR);

// A search for the end of a line, or a cut at all of them.
QStringList ownCuts(const QString& text) {
  static const QRegularExpression cut(
      QStringLiteral("\\bgetline\\(|\\bfind\\((?:'\\\\n'|\"\\\\n\")|\\bmemchr\\([^;]*'\\\\n'|"
                     "\\bsplitAt\\([^;]*'\\\\n'\\)|\\bsplit\\((?:QLatin1Char\\(|u)?'\\\\n'"));
  QStringList found;
  auto at = cut.globalMatch(text);
  while (at.hasNext()) found << at.next().captured();
  return found;
}

QStringList ownUnpackers(const QString& text) {
  static const QRegularExpression unpacker(
      QStringLiteral("\\b(?:inflateInit2?_?|gzopen|gzdopen|uncompress2?|ZSTD_createD\\w+|ZSTD_decompress|"
                     "ZSTD_decompressDCtx|qUncompress)\\("));
  QStringList found;
  auto at = unpacker.globalMatch(text);
  while (at.hasNext()) found << at.next().captured();
  return found;
}

// Sources that cut at ends of lines themselves, and what they cut.
const QMap<QString, QString> kCutThemselves = {
    {"core/base/text/lines_of.h", "the home of texts in memory"},
    {"core/base/files/memory_group.cpp", "below core/base/lines: files of the system of a few lines"},
    {"core/record/events/event_pieces.cpp",
     "blocks of whole lines in which words are searched, and the tail"},
    {"core/record/events/scalar_summary.cpp", "the line around a word that was found in a block"},
    {"core/record/formats/pickle_machine.h", "arguments of a pickle's instructions"},
    {"core/record/runs/checkpoint_choice.cpp", "words between commas"},
    {"core/train/parts/provenance.cpp", "a file of the system"},
    {"core/train/loop/control_queue.cpp", "a socket"},
    {"core/serve/serve_client.cpp", "a socket"},
    {"core/serve/line_server.cpp", "a socket"},
    {"core/engine/bench/bench_pairs.cpp", "a file of the system"},
    {"core/engine/bench/bench_long_attention.cpp", "a file of the system"},
    {"core/objectives/sql_batch_inputs.cpp", "words of an array of a batch"},
    {"core/tasks/squad/squad_task.cpp", "a question and its passage in one text"},
    {"core/text/moses_13a_tokenizer.cpp", "a text that is tokenised"},
    {"core/review/kept_executions.cpp", "the head of a file of our own, whose checksum covers the rest"},
    {"core/spider/linking/link_file.cpp", "the key of a map"},
    {"core/spider/scoped/scoped_lexer.cpp", "comments of SQL"},
    {"core/sqlrun/sqlrun_connection.cpp", "comments of SQL"},
    {"core/sqlrun/suite_preparation.cpp", "comments of SQL"},
    {"core/imports/csv_run.cpp", "what the first bytes of a table are"},
    {"app/predictions/run_tests.cpp", "what the engine said"},
    {"app/runner/engine_progress.cpp", "what an engine says"},
    {"app/runner/engine_messages.cpp", "the tail of what an engine said"},
    {"app/pictures/view_text_faults.cpp", "a text that is shown"},
    {"app/window/jobs/run_details_reader.cpp", "the tail of what an engine said"},
    {"app/window/main/window_drops.cpp", "what was dropped on the window"},
    {"views/look/help_pages.cpp", "a list of the program itself"},
    {"views/panels/train/run_scores.cpp", "a text that is shown"},
    {"views/panels/widgets/message_bar.cpp", "a text that is shown"},
};

const QString kUnpacksAlone = QStringLiteral("core/base/lines/compressed_file.cpp");

QMap<QString, QString> sourcesOfTheProduct() {
  static const QRegularExpression comment(QStringLiteral("//[^\n]*"));
  QMap<QString, QString> result;
  for (const char* folder : {"core", "views", "app"}) {
    QDirIterator it(kTop + "/" + folder, {"*.h", "*.cpp"}, QDir::Files, QDirIterator::Subdirectories);
    while (it.hasNext()) {
      QFile file(it.next());
      if (!file.open(QIODevice::ReadOnly)) continue;
      result[file.fileName().mid(kTop.size() + 1)] = QString::fromUtf8(file.readAll()).remove(comment);
    }
  }
  return result;
}

}  // namespace

class LineSourcesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void filesAreCutIntoLinesInOnePlace() {
    QStringList broken, needless = kCutThemselves.keys();
    const auto files = sourcesOfTheProduct();
    QVERIFY2(files.size() > 500, qPrintable(QString::number(files.size())));
    for (auto it = files.begin(); it != files.end(); ++it) {
      const QStringList cuts = ownCuts(it.value());
      if (cuts.isEmpty()) continue;
      needless.removeAll(it.key());
      if (!kCutThemselves.contains(it.key()))
        broken << it.key() + ": cuts lines itself (" + cuts.first() + "); see core/base/lines/README.md";
    }
    for (const QString& known : needless) broken << known + ": needs no exception any more";
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join('\n')));
  }

  void filesAreUnpackedInOnePlace() {
    QStringList unpacking;
    const auto files = sourcesOfTheProduct();
    for (auto it = files.begin(); it != files.end(); ++it)
      if (!ownUnpackers(it.value()).isEmpty()) unpacking << it.key();
    QCOMPARE(unpacking, QStringList(kUnpacksAlone));
  }

  void theRulesSeeTheirCases() {
    for (const char* bad : {"while (std::getline(file, line))", "end = text.find('\\n', at)",
                            "rest.find(\"\\n\")", "std::memchr(at, '\\n', left)", "splitAt(text, '\\n')",
                            "text.split(QLatin1Char('\\n'))", "text.split('\\n')"})
      QVERIFY2(!ownCuts(QString::fromLatin1(bad)).isEmpty(), bad);
    for (const char* good : {"text.rfind('\\n')", "splitAt(line, '\\t')", "takeUntil(text, '\\n')",
                             "lines.join('\\n')", "source.next(line)"})
      QVERIFY2(ownCuts(QString::fromLatin1(good)).isEmpty(), good);
    for (const char* bad : {"inflateInit2(&stream, 31)", "gzopen(path, \"r\")", "ZSTD_createDStream()"})
      QVERIFY2(!ownUnpackers(QString::fromLatin1(bad)).isEmpty(), bad);
    QVERIFY(ownUnpackers(QStringLiteral("deflateInit2(&stream, 6)")).isEmpty());
  }
};

QTEST_APPLESS_MAIN(LineSourcesTest)
#include "tst_line_sources.moc"
