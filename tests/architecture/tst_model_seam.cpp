// SPDX-License-Identifier: Apache-2.0
// A model is chosen by what it gives: objectives and initialisations know neither its class nor its id, and
// its options are read where it is declared (core/nn/models) or by names in one file of core/nn/pretrained.
// Read from the source, comments left out.
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

namespace {

const QString kModelRoot = QStringLiteral(FATHOM_SOURCE_DIR);

QMap<QString, QString> sourcesOf(std::initializer_list<const char*> folders) {
  static const QRegularExpression comment(QStringLiteral("//[^\n]*"));
  QMap<QString, QString> found;
  for (const char* folder : folders) {
    QDirIterator it(kModelRoot + "/" + folder, {"*.h", "*.cpp"}, QDir::Files, QDirIterator::Subdirectories);
    while (it.hasNext()) {
      QFile file(it.next());
      if (file.open(QIODevice::ReadOnly))
        found[QDir(kModelRoot).relativeFilePath(file.fileName())] =
            QString::fromUtf8(file.readAll()).remove(comment);
    }
  }
  return found;
}

QStringList listedModels() {
  QFile file(kModelRoot + "/core/nn/models/models.list");
  QStringList ids;
  if (!file.open(QIODevice::ReadOnly)) return ids;
  for (QString line : QString::fromUtf8(file.readAll()).split('\n')) {
    line = line.section('#', 0, 0).trimmed();
    if (!line.isEmpty()) ids << line;
  }
  return ids;
}

// Casts to what is no capability, and headers of models.
QStringList classesKnown(const QString& text, const QStringList& models) {
  static const QRegularExpression cast(QStringLiteral("dynamic_cast<const (?!\\w+Objective\\*)\\w+[*&]>"));
  const QRegularExpression header("#include \"core/nn/models/(?:" + models.join('|') + ")\\.h\"");
  QStringList found;
  for (const QRegularExpression& wrong : {cast, header}) {
    auto at = wrong.globalMatch(text);
    while (at.hasNext()) found << at.next().captured();
  }
  return found;
}

// A clause over the option `model` with an id in it.
QStringList idsInRules(const QString& text, const QStringList& models) {
  const QRegularExpression clause(
      "\\{\\s*\"model\"\\s*,\\s*[\\w:]+\\s*,\\s*\\{[^}]*\"(?:" + models.join('|') + ")\"");
  QStringList found;
  auto at = clause.globalMatch(text);
  while (at.hasNext()) found << at.next().captured();
  return found;
}

QStringList optionsNamed(const QString& text, const QStringList& models) {
  const QRegularExpression key("\"model\\.(?:" + models.join('|') + ")\\.\\w+\"");
  QStringList found;
  auto at = key.globalMatch(text);
  while (at.hasNext()) found << at.next().captured();
  return found;
}

}  // namespace

class ModelSeamTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void objectivesAskForCapabilities() {
    const QStringList models = listedModels();
    QVERIFY(models.size() >= 5);
    const auto sources = sourcesOf({"core/objectives"});
    QVERIFY(sources.size() > 20);
    QStringList broken;
    for (auto it = sources.begin(); it != sources.end(); ++it)
      for (const QString& found : classesKnown(it.value(), models)) broken << it.key() + ": " + found;
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join('\n')));
  }

  void rulesNameNoModel() {
    const auto sources = sourcesOf({"core", "views", "app"});
    QVERIFY(sources.size() > 500);
    QStringList broken;
    for (auto it = sources.begin(); it != sources.end(); ++it)
      for (const QString& found : idsInRules(it.value(), listedModels())) broken << it.key() + ": " + found;
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join('\n')));
  }

  // An encoder-decoder's are read by translation, those of extra layers and of SQL-SP by what is made for
  // them.
  void optionsOfEncodersAreReadByTheirOwners() {
    const QStringList encoders = {"bert", "etc", "causal_decoder"};
    const auto sources = sourcesOf({"core", "views", "app"});
    QStringList broken;
    for (auto it = sources.begin(); it != sources.end(); ++it) {
      if (it.key().startsWith("core/nn/models/") || it.key() == "core/nn/pretrained/option_names.h") continue;
      for (const QString& found : optionsNamed(it.value(), encoders)) broken << it.key() + ": " + found;
    }
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join('\n')));
  }

  void theRulesSeeTheirCases() {
    const QStringList models = {"bert", "etc"};
    for (const char* bad : {"dynamic_cast<const Bert*>(&model)", "dynamic_cast<const Etc&>(model)",
                            "#include \"core/nn/models/bert.h\""})
      QCOMPARE(classesKnown(QString::fromLatin1(bad), models).size(), 1);
    for (const char* good : {"dynamic_cast<const GlueObjective*>(beside)", "capability<EncoderModel>(model)",
                             "#include \"core/nn/models/encoder_model.h\""})
      QVERIFY(classesKnown(QString::fromLatin1(good), models).isEmpty());
    QCOMPARE(idsInRules("{{\"model\", OptionClause::Test::NotIn, {\"sql_sp\", \"etc\"}}}", models).size(), 1);
    QVERIFY(idsInRules("{\"model\", Test::In, modelsThat(fits)}", models).isEmpty());
    QCOMPARE(optionsNamed("options.text(\"model.bert.head\")", models).size(), 1);
  }
};

QTEST_APPLESS_MAIN(ModelSeamTest)
#include "tst_model_seam.moc"
