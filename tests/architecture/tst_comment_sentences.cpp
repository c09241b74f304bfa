// SPDX-License-Identifier: Apache-2.0
// A comment of the product is a sentence about the thing below it, or a noun phrase ("Bytes of the file.").
// One that begins with What, Of, Where, How, Whether, Nothing or Those mostly leaves its subject to be
// guessed ("Of the newest."). Some read well all the same: one block in twenty may begin so.
#include <QDirIterator>
#include <QFile>
#include <QMap>
#include <QRegularExpression>
#include <QTest>

namespace {

const QString kCommentedSources = QStringLiteral(FATHOM_SOURCE_DIR);

// First lines of the blocks of comments that have lines of their own, by line number; a licence line is no
// part of a block.
QMap<int, QString> commentBlocks(const QString& text) {
  static const QRegularExpression comment(QStringLiteral("^\\s*//+\\s?(.*)$"));
  QMap<int, QString> blocks;
  bool inside = false;
  int number = 0;
  for (const QString& line : text.split('\n')) {
    ++number;
    const auto found = comment.match(line);
    const bool counts = found.hasMatch() && !found.captured(1).startsWith(QStringLiteral("SPDX"));
    if (counts && !inside) blocks.insert(number, found.captured(1));
    inside = counts;
  }
  return blocks;
}

bool isFragment(const QString& comment) {
  static const QRegularExpression beginning(
      QStringLiteral("^(?:What|Of|Where|How|Whether|Nothing|Those)(?![A-Za-z])"));
  return beginning.match(comment).hasMatch();
}

}  // namespace

class CommentSentencesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void commentsNameTheirSubject() {
    constexpr qsizetype kOneIn = 20, kNamed = 10;
    qsizetype blocks = 0;
    QStringList fragments;
    for (const char* folder : {"app", "core", "views"}) {
      QDirIterator it(kCommentedSources + "/" + folder, {"*.h", "*.cpp", "*.cu", "*.cuh"}, QDir::Files,
                      QDirIterator::Subdirectories);
      while (it.hasNext()) {
        QFile file(it.next());
        QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
        const QMap<int, QString> found = commentBlocks(QString::fromUtf8(file.readAll()));
        blocks += found.size();
        for (auto block = found.cbegin(); block != found.cend(); ++block) {
          if (!isFragment(block.value())) continue;
          const QString path = file.fileName().mid(kCommentedSources.size() + 1);
          fragments << QStringLiteral("%1:%2: ").arg(path).arg(block.key()) + block.value();
        }
      }
    }
    QVERIFY2(blocks > 5000, qPrintable(QString::number(blocks)));
    fragments.sort();
    const QString said =
        QStringLiteral("%1 of %2 comments are no sentences about the thing below; the first:\n")
            .arg(fragments.size())
            .arg(blocks);
    QVERIFY2(fragments.size() * kOneIn <= blocks, qPrintable(said + fragments.mid(0, kNamed).join('\n')));
  }

  void theRuleSeesItsCases() {
    const QMap<int, QString> blocks = commentBlocks(
        QStringLiteral("// SPDX-License-Identifier: Apache-2.0\n// Of the newest.\n// What is more.\nint a;\n"
                       "  // Bytes of the file.\n  int b;  // Where it ends.\n/// How it ends.\n"));
    QCOMPARE(blocks,
             (QMap<int, QString>{{2, "Of the newest."}, {5, "Bytes of the file."}, {7, "How it ends."}}));
    for (const char* bad : {"What a run costs.", "Of the newest.", "Where", "How: by steps.",
                            "Whether it is so.", "Nothing where there is none.", "Those of a run."})
      QVERIFY2(isFragment(QString::fromLatin1(bad)), bad);
    for (const char* good : {"Upper bounds of what a run may cost.", "Often asked.", "Whatever comes first.",
                             "True if it is so.", "std::nullopt if there is none."})
      QVERIFY2(!isFragment(QString::fromLatin1(good)), good);
  }
};

QTEST_APPLESS_MAIN(CommentSentencesTest)
#include "tst_comment_sentences.moc"
