// SPDX-License-Identifier: Apache-2.0
// Lemmas of WordNet and stems (docs/schema_linking.md).
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include "core/base/files/path_facts.h"
#include "core/spider/linking/linking_report.h"
#include "core/spider/linking/word_forms.h"
#include "tests/unit/support_schema_links.h"

using namespace fathom;
using namespace fathom::linking_case;

namespace {

const std::string kRealWordnet = kWordnetFolder;

}  // namespace

class TestWordForms : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void lemmasOfASmallWordNet() {
    QTemporaryDir folder;
    writeSmallWordNet(folder.path());
    const auto net = WordNet::read(folder.path().toStdString()).value();
    QCOMPARE(net->baseForms("cities", WordNet::Part::Noun), Words{"city"});
    QCOMPARE(net->baseForms("men", WordNet::Part::Noun), Words{"man"});  // exception and rule
    QCOMPARE(net->baseForms("Cities", WordNet::Part::Noun), Words());    // case counts
    QCOMPARE(net->baseForms("oxen", WordNet::Part::Noun), Words());      // its form is not in the index
    QCOMPARE(net->lemma("living", WordNet::Part::Verb), std::string("live"));
    QCOMPARE(net->lemma("flew", WordNet::Part::Verb), std::string("fly"));
    QCOMPARE(net->synonyms("cities").value(), (Words{"city", "metropolis"}));
    const WordForm form = wordnetForm(net);
    QCOMPARE(form("Singers"), std::string("singer"));
    QCOMPARE(form("flies"), std::string("fly"));
    QCOMPARE(form("living"), std::string("live"));
    QCOMPARE(form("IDs"), std::string("id"));
    QCOMPARE(form("Unheard"), std::string("unheard"));
    // What is damaged is named with its line; what is absent is no fault of the data.
    writeText(folder.path() + "/index.verb", "live v 1 0 1 0 00000055\nnonsense\n");
    const auto damaged = WordNet::read(folder.path().toStdString());
    QVERIFY(!damaged.ok() && damaged.error().kind == ErrorKind::Data && damaged.error().line == 2);
    QVERIFY(damaged.error().message.find("nonsense") != std::string::npos);
    writeText(folder.path() + "/index.verb", "live v 1 0 1 0 00000055\n");
    writeText(folder.path() + "/index.noun", "city n 1 0 1 0 00009999\n");
    QVERIFY(!WordNet::read(folder.path().toStdString()).value()->synonyms("city").ok());
    QVERIFY(QFile::remove(folder.path() + "/noun.exc"));
    QCOMPARE(WordNet::read(folder.path().toStdString()).error().kind, ErrorKind::Resource);
  }

  void lemmasOfTheWholeWordNet() {
    if (!folderExists(kRealWordnet)) QSKIP("no WordNet");
    const auto net = WordNet::read(kRealWordnet).value();
    const WordForm form = wordnetForm(net);
    for (const auto& [word, expected] : std::map<std::string, std::string>{{"children", "child"},
                                                                           {"countries", "country"},
                                                                           {"wives", "wife"},
                                                                           {"boxes", "box"},
                                                                           {"women", "woman"},
                                                                           {"singing", "singing"},
                                                                           {"hired", "hire"},
                                                                           {"is", "be"}})
      QCOMPARE(form(word), expected);
    const auto car = net->synonyms("car").value();
    QVERIFY(std::find(car.begin(), car.end(), "automobile") != car.end());
    QVERIFY(net->synonyms("song title").value().empty());
  }

  void stemsNeedNoData() {
    const WordForm form = stemForm().value();
    QCOMPARE(form("Countries"), std::string("countri"));
    QCOMPARE(form("country"), std::string("countri"));
    const SpiderSchemas schemas = singerSchemas();
    LinkingSources sources;
    sources.schemas = &schemas;
    sources.wordnet = "/nowhere";
    for (const char* asked : {"dt_fixup_like", "rat_sql_like"}) {
      const auto opened = openSchemaLinker(asked, sources).value();
      QCOMPARE(opened.used, std::string("stems"));
      QVERIFY(opened.note.english().find("wordnet-base") != std::string::npos);
      const auto linked = opened.linker->link("concert", {"the", "singers"}).value();
      QCOMPARE(linked.links.tableLink(0, 1), LinkCode::Exact);
    }
    QVERIFY(openSchemaLinker("stems", sources).value().note.empty());
    QCOMPARE(openSchemaLinker("spacy", sources).error().kind, ErrorKind::Usage);
    QCOMPARE(openSchemaLinker("file", sources).error().kind, ErrorKind::Usage);
    QCOMPARE(schemaLinkings().front().id, std::string("dt_fixup_like"));
  }
};

QTEST_GUILESS_MAIN(TestWordForms)
#include "tst_word_forms.moc"
