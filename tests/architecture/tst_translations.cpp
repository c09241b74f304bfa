// SPDX-License-Identifier: Apache-2.0
// Every string of the window, every phrase (core/base/errors/phrase.h), every string of `describe`, of
// the presets, of commands and of figures has a finished Chinese translation, with the same place markers;
// every help page exists in both languages.
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

namespace {

struct Message {
  QString translation;
  bool finished = false;
};
using Messages = QMap<QPair<QString, QString>, Message>;  // (context, source)

Messages readTs(const QString& path) {
  Messages messages;
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return messages;
  QXmlStreamReader xml(&file);
  QString context, source;
  Message message;
  while (!xml.atEnd()) {
    xml.readNext();
    if (xml.isEndElement() && xml.name() == QLatin1String("message")) messages[{context, source}] = message;
    if (!xml.isStartElement()) continue;
    if (xml.name() == QLatin1String("name")) context = xml.readElementText();
    if (xml.name() == QLatin1String("source")) source = xml.readElementText();
    if (xml.name() == QLatin1String("message")) message = {};
    if (xml.name() == QLatin1String("translation")) {
      message.finished = xml.attributes().value("type").isEmpty();
      message.translation = xml.readElementText(QXmlStreamReader::IncludeChildElements);
    }
  }
  return messages;
}

QStringList markersOf(const QString& text) {
  QStringList markers;
  auto it = QRegularExpression(QStringLiteral("%L?[0-9]+|%n")).globalMatch(text);
  while (it.hasNext()) markers << it.next().captured();
  markers.sort();
  markers.removeDuplicates();
  return markers;
}

const QString kRoot = QStringLiteral(FATHOM_SOURCE_DIR);

}  // namespace

class TranslationsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void everyStringIsTranslated() {
    QTemporaryDir folder;
    const QString fresh = folder.filePath("fresh.ts");
    QStringList arguments = {"-silent",          "-I", kRoot,          "-locations",    "none",
                             "-source-language", "en", kRoot + "/app", kRoot + "/core", kRoot + "/views"};
    // What the programs declare: cmake/shown_strings.py. Without LibTorch there is no engine.
    const QString strings = QStringLiteral(FATHOM_BIN_DIR) + "/../i18n/";
    QVERIFY(QFile::exists(strings + "command_strings.cpp"));
    arguments << strings + "command_strings.cpp";
    if (QFile::exists(strings + "engine_strings.cpp")) arguments << strings + "engine_strings.cpp";
    arguments << "-ts" << fresh;
    QProcess lupdate;
    lupdate.start(QStringLiteral(FATHOM_LUPDATE), arguments);
    QVERIFY2(lupdate.waitForFinished(120000) && lupdate.exitCode() == 0, lupdate.readAllStandardError());
    const Messages wanted = readTs(fresh);
    QVERIFY(wanted.size() > 100);
    QVERIFY(wanted.contains({QStringLiteral("Command"), QStringLiteral("Export figure")}));
    QVERIFY(wanted.contains({QStringLiteral("Command"), QStringLiteral("Order of heads")}));
    const Messages present = readTs(kRoot + "/translations/fathom_zh_CN.ts");
    QStringList broken;
    for (auto it = wanted.begin(); it != wanted.end(); ++it) {
      const Message message = present.value(it.key());
      const QString where = it.key().first + ": \"" + it.key().second + "\"";
      if (!message.finished || message.translation.isEmpty()) {
        broken << where + " is not translated";
      } else if (markersOf(it.key().second) != markersOf(message.translation)) {
        broken << where + " lost a place marker in \"" + message.translation + "\"";
      }
    }
    const qsizetype count = broken.size();
    QVERIFY2(broken.isEmpty(),
             qPrintable(QString::number(count) + " strings:\n" + broken.mid(0, 60).join('\n')));
  }

  void everyHelpPageExistsInBothLanguages() {
    const QDir english(kRoot + "/resources/help");
    const QDir chinese(kRoot + "/resources/help/zh_CN");
    QCOMPARE(chinese.entryList({"*.md"}), english.entryList({"*.md"}));
    QVERIFY(!english.entryList({"*.md"}).isEmpty());
  }
};

QTEST_GUILESS_MAIN(TranslationsTest)
#include "tst_translations.moc"
