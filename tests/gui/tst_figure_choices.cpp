// SPDX-License-Identifier: Apache-2.0
// Options of a figure or an analysis as small controls: lists are lines with commas.
#include <QComboBox>
#include <QLineEdit>
#include <QScrollArea>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>
#include <QTranslator>

#include "core/analysis/analysis_entry.h"
#include "views/figures/figure_entry.h"
#include "views/panels/attention/figure_choices.h"

using namespace fathom;

class FigureChoicesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void listsAreLines();
  void numbersAndTextsOfComputationsAreTyped();
  void narrowPanelsCutNothing();
  void choicesCanBeLimited();
  void numbersStayInTheirRange();
  void aSentenceKeepsItsBeginning();
  void everyFieldIsTranslated();
};

void FigureChoicesTest::listsAreLines() {
  OptionField depths;
  depths.key = "depths";
  depths.type = OptionType::IntegerList;
  depths.title = "Depths";
  depths.defaultValue = Json{6, 12, 18};
  OptionField variants = depths;
  variants.key = "variants";
  variants.type = OptionType::TextList;
  variants.defaultValue = Json::array();
  FigureChoices choices;
  choices.setFields({depths, variants}, Json::object());
  choices.show();
  QSignalSpy changed(&choices, &FigureChoices::changed);
  auto* line = qobject_cast<QLineEdit*>(choices.control(QStringLiteral("depths")));
  QCOMPARE(line->text(), QStringLiteral("6,12,18"));
  const auto type = [](QLineEdit* edit, const char* text) {
    edit->selectAll();
    QTest::keyClicks(edit, QString::fromLatin1(text));
    QTest::keyClick(edit, Qt::Key_Return);
  };
  type(line, "4, 8, 16");
  QCOMPARE(choices.values()["depths"].dump(), std::string("[4,8,16]"));
  type(line, "4,eight");  // goes back to what it was
  QCOMPARE(line->text(), QStringLiteral("4,8,16"));
  QCOMPARE(changed.size(), 1);
  type(line, "6,12,18");  // the default says nothing
  QVERIFY(!choices.values().contains("depths"));
  type(qobject_cast<QLineEdit*>(choices.control(QStringLiteral("variants"))), "post_ln,admin");
  QCOMPARE(choices.values()["variants"].dump(), std::string(R"(["post_ln","admin"])"));
}

void FigureChoicesTest::numbersAndTextsOfComputationsAreTyped() {
  OptionField delta;
  delta.key = "delta";
  delta.type = OptionType::Real;
  delta.title = "Delta";
  delta.defaultValue = 1e-4;
  delta.minimum = 0;
  delta.maximum = 1;
  OptionField stack;
  stack.key = "stack";
  stack.type = OptionType::Text;
  stack.title = "Stack";
  stack.defaultValue = "";
  FigureChoices figure;
  figure.setFields({delta, stack}, Json::object());
  QVERIFY(figure.control(QStringLiteral("delta")) == nullptr);
  FigureChoices computation(nullptr, FigureChoices::Texts::Typed);
  computation.setFields({delta, stack}, Json::object());
  computation.show();
  const auto type = [&computation](const char* key, const char* text) {
    auto* line = qobject_cast<QLineEdit*>(computation.control(QString::fromLatin1(key)));
    line->selectAll();
    QTest::keyClicks(line, QString::fromLatin1(text));
    QTest::keyClick(line, Qt::Key_Return);
    return line->text();
  };
  QCOMPARE(type("delta", "0.01"), QStringLiteral("0.01"));
  QCOMPARE(computation.values()["delta"].get<double>(), 0.01);
  QCOMPARE(type("delta", "7"), QStringLiteral("0.01"));  // beyond its limits
  type("stack", "decoder");
  QCOMPARE(computation.values()["stack"].get<std::string>(), std::string("decoder"));
}

// Beside a figure there is room for twenty letters.
void FigureChoicesTest::narrowPanelsCutNothing() {
  OptionField seed;
  seed.key = "sample_seed";
  seed.type = OptionType::Integer;
  seed.title = "Seed of the sample";
  seed.defaultValue = 1;
  OptionField rate;
  rate.key = "adam_rate";
  rate.type = OptionType::Real;
  rate.title = "Rate of the Adam step";
  rate.defaultValue = 1e-6;
  QScrollArea area;
  auto* computation = new FigureChoices(&area, FigureChoices::Texts::Typed);
  computation->setFields({seed, rate}, Json::object());
  area.setWidget(computation);
  area.setWidgetResizable(true);
  area.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area.resize(28 * area.fontMetrics().averageCharWidth(), 300);
  area.show();
  QVERIFY(QTest::qWaitForWindowExposed(&area));
  for (const char* key : {"sample_seed", "adam_rate"}) {
    const QWidget* control = computation->control(QString::fromLatin1(key));
    const QRect place(control->mapTo(area.viewport(), QPoint()), control->size());
    QVERIFY2(area.viewport()->rect().contains(place), key);
    QVERIFY2(place.width() >= 4 * area.fontMetrics().averageCharWidth(), key);
  }
}

// Of a choice only what there is, and what is chosen.
void FigureChoicesTest::choicesCanBeLimited() {
  OptionField part;
  part.key = "part";
  part.type = OptionType::Choice;
  part.title = "Part";
  part.defaultValue = "a";
  part.choices = {{"a", "first"}, {"b", "second"}, {"c", "third"}};
  FigureChoices choices;
  choices.setFields({part}, {{"part", "b"}});
  auto* box = qobject_cast<QComboBox*>(choices.control(QStringLiteral("part")));
  QSignalSpy changed(&choices, &FigureChoices::changed);
  choices.setOffers(QStringLiteral("part"), {QStringLiteral("a")}, {});
  QCOMPARE(box->count(), 2);
  QCOMPARE(box->currentData().toString(), QStringLiteral("b"));
  choices.setOffers(QStringLiteral("part"), {QStringLiteral("a"), QStringLiteral("c")}, {});
  QCOMPARE(box->count(), 3);
  QCOMPARE(changed.size(), 0);
}

// What is chosen from elsewhere may lie beyond: value and control say the same.
void FigureChoicesTest::numbersStayInTheirRange() {
  OptionField head;
  head.key = "head";
  head.type = OptionType::Integer;
  head.title = "Head";
  head.defaultValue = 1;
  head.minimum = 1;
  head.maximum = 8;
  FigureChoices choices;
  choices.setFields({head}, Json::object());
  const auto* box = qobject_cast<QSpinBox*>(choices.control(QStringLiteral("head")));
  for (const auto& [asked, is] : {std::pair(99LL, 8), std::pair(4LL, 4), std::pair(5'000'000'000LL, 8)}) {
    choices.choose("head", asked);
    QCOMPARE(choices.values().value("head", 1), is);
    QCOMPARE(box->value(), is);
  }
  choices.choose("head", -3);
  QVERIFY(!choices.values().contains("head"));
  QCOMPARE(box->value(), 1);
}

// Before there are results nothing is offered: the sentence still says what the figure is.
void FigureChoicesTest::aSentenceKeepsItsBeginning() {
  OptionField attention;
  attention.key = "attention";
  attention.type = OptionType::Text;
  attention.title = "Attention";
  attention.defaultValue = "";
  OptionField order = attention;
  order.key = "order";
  FigureChoices choices;
  choices.setFields({attention, order}, Json::object(),
                    QStringLiteral("Entropy of {attention} · heads {order}"));
  choices.show();
  QCOMPARE(choices.text(), QStringLiteral("Entropy of"));
}

// Also those that are declared in core, which lupdate does not read.
void FigureChoicesTest::everyFieldIsTranslated() {
  QTranslator chinese;
  QVERIFY(chinese.load(QStringLiteral(":/i18n/fathom_zh_CN.qm")));
  QStringList missing;
  int texts = 0;
  const auto check = [&](const std::string& text) {
    if (text.empty() || text == "mm") return;
    ++texts;
    if (chinese.translate("fathom::Phrase", text.c_str()).isEmpty() &&
        chinese.translate("Engine", text.c_str()).isEmpty() &&
        chinese.translate("Command", text.c_str()).isEmpty())
      missing.append(QString::fromStdString(text));
  };
  const auto checkEntry = [&](const std::string& title, const std::vector<OptionField>& fields) {
    check(title);
    for (const OptionField& field : fields) {
      for (const std::string* text : {&field.title, &field.help, &field.unit, &field.group}) check(*text);
      for (const OptionChoice& choice : field.choices) check(choice.title);
    }
  };
  for (const FigureEntry& figure : figures()) checkEntry(figure.title, figure.fields);
  for (const AnalysisEntry& analysis : analyses()) check(analysis.title);
  QVERIFY(texts > 100);
  QVERIFY2(missing.isEmpty(), qPrintable(missing.join('\n')));
}

QTEST_MAIN(FigureChoicesTest)
#include "tst_figure_choices.moc"
