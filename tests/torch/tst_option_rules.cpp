// SPDX-License-Identifier: Apache-2.0
// Combinations that make no sense are refused with the reason, by the rules that describe hands to the form.
#include <QTest>
#include <algorithm>
#include <map>

#include "core/base/options/named_files.h"
#include "core/train/parts/run_options.h"

using namespace fathom;

class TestOptionRules : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void refused_data() {
    QTest::addColumn<QString>("options");
    QTest::addColumn<QString>("reason");
    QTest::addColumn<QString>("key");
    const auto row = [](const char* name, const char* options, const char* reason, const char* key) {
      QTest::newRow(name) << options << reason << key;
    };
    row("odd heads", "model.width=30 model.heads=4", "multiple of the number of heads", "model.heads");
    row("odd extra heads", "task=mlm model=extra_layers model.heads=8 model.extra_layers.heads=3",
        "heads of the extra layers", "model.extra_layers.heads");
    row("profile without Admin", "init=admin_profile", "residual scheme is Admin", "init");
    row("profile without Admin, BERT", "task=mlm model=bert init=admin_profile", "residual scheme is Admin",
        "encoder.residual");
    row("profile without Admin, extra layers", "task=mlm model=extra_layers init=admin_profile",
        "residual scheme is Admin", "extra.residual");
    row("Admin without a profile", "encoder.residual=admin init=xavier", "profile pass",
        "encoder.residual.admin.omega");
    row("decoder without a profile", "decoder.residual=admin init=t_fixup", "profile pass",
        "decoder.residual.admin.omega");
    row("DT-Fixup with norms", "task=mlm model=extra_layers init=dt_fixup extra.residual=post_ln",
        "stands in for normalisation", "extra.residual");
    row("DT-Fixup with ReZero", "task=mlm model=bert init=dt_fixup encoder.residual=rezero",
        "stands in for normalisation", "encoder.residual");
    row("DT-Fixup for translation", "init=dt_fixup", "choose extra layers", "model");
    row("DT-Fixup without mu",
        "task=mlm model=extra_layers init=dt_fixup extra.residual=unnormalised init.dt_fixup.mu=given",
        "needs µ", "init.dt_fixup.mu_value");
    row("LookLinear, odd", "init=look_linear model.feed_forward=31", "must be even", "model.feed_forward");
    row("LookLinear, GELU", "init=look_linear model.activation=gelu_erf", "only with ReLU",
        "model.activation");
    row("LookLinear, Pre-LN", "init=look_linear encoder.residual=pre_ln", "initialisation of Post-LN",
        "encoder.residual");
    row("LookLinear, Admin decoder", "init=look_linear decoder.residual=admin", "initialisation of Post-LN",
        "decoder.residual");
    row("LookLinear, extra layers",
        "task=mlm model=extra_layers init=look_linear extra.residual=unnormalised",
        "initialisation of Post-LN", "extra.residual");
    row("LookLinear, odd extra layers",
        "task=mlm model=extra_layers init=look_linear extra.residual=post_ln "
        "model.extra_layers.feed_forward=31",
        "must be even", "model.extra_layers.feed_forward");
    row("short position table", "task=mlm model=bert mlm.max_length=64 model.bert.max_positions=63",
        "a row for every token", "model.bert.max_positions");
    row("short table of RoBERTa",
        "task=mlm model=bert mlm.max_length=64 model.bert.max_positions=64 model.bert.positions=non_pad",
        "needs more rows", "mlm.max_length");
    row("short table, rows from two",
        "task=mlm model=extra_layers mlm.max_length=64 model.bert.max_positions=65 "
        "model.bert.positions=row_from_two",
        "two rows more", "mlm.max_length");
    row("short position table, questions",
        "task=text_to_sql model=sql_sp spider.max_pieces=64 model.bert.max_positions=63",
        "a row for every token", "spider.max_pieces");
    row("short table of RoBERTa, questions",
        "task=text_to_sql model=sql_sp spider.max_pieces=64 model.bert.max_positions=65 "
        "model.bert.positions=row_from_two",
        "two rows more", "model.bert.max_positions");
    row("few positions for translation", "data.max_length=64 model.encoder_decoder.max_positions=63",
        "every token of the longest sentence", "data.max_length");
    row("no validation pairs", "data.validation_size=0", "every run is validated", "data.validation_size");
    row("no validation questions", "task=text_to_sql model=sql_sp data.train=train.json", "name dev.json",
        "data.validation");
    row("no validation documents", "task=mlm model=bert mlm.validation_share=0", "every run is validated",
        "mlm.validation_share");
    row("translation by BERT", "task=nmt model=bert", "encoder and a decoder", "model");
    row("masked words by translation", "task=mlm model=encoder_decoder", "choose BERT", "model");
    row("masked words without their head", "task=mlm model=bert model.bert.head=span", "own head",
        "model.bert.head");
    row("pairs with one segment", "task=mlm model=bert model.bert.segments=1", "two segment kinds",
        "model.bert.segments");
    row("nothing to tell", "task=mlm model=bert mlm.random_next=0", "nothing to tell", "mlm.random_next");
    row("few positions for rows",
        "task=text_to_sql model=sql_sp spider.max_pieces=512 model.bert.max_positions=511",
        "every token of the longest", "spider.max_pieces");
    row("few positions of RoBERTa for rows",
        "task=text_to_sql model=sql_sp spider.max_pieces=512 model.bert.max_positions=513 "
        "model.bert.positions=row_from_two",
        "two rows more", "model.bert.max_positions");
    row("relations that nobody made",
        "task=text_to_sql model=sql_sp extra.attention=relation_aware spider.relations=none", "choose some",
        "spider.relations");
    row("more layers trained than there are",
        "task=text_to_sql model=sql_sp model.sql_sp.encoder=top model.sql_sp.trained_layers=3 "
        "encoder.layers=2",
        "fewer layers", "model.sql_sp.trained_layers");
    row("rates", "lr_schedule=linear lr_schedule.rate=1e-4 lr_schedule.minimum=1e-3", "below the peak rate",
        "lr_schedule.minimum");
    row("only warm-up", "lr_schedule=linear lr_schedule.warmup=100 training.length=100u",
        "longer than the warm-up", "training.length");
    row("decay inside the warm-up", "lr_schedule=linear lr_schedule.warmup=100 lr_schedule.total=80",
        "after the warm-up", "lr_schedule.total");
    row("RAdam that waits for ever", "optimizer=radam optimizer.beta2=0.5", "no step at all",
        "optimizer.beta2");
    row("no length", "training.length=never", "needs a length", "training.length");
  }

  void refused() {
    QFETCH(QString, options);
    QFETCH(QString, reason);
    QFETCH(QString, key);
    OptionValues values(runSchema());
    for (const QString& one : options.split(' ')) values.setText(one.toStdString()).value();
    bool found = false;
    for (const OptionValues::Violation& violation : values.violations()) {
      if (!QString::fromStdString(violation.reason).contains(reason)) continue;
      found = true;
      const auto& keys = violation.keys;
      QVERIFY(std::find(keys.begin(), keys.end(), key.toStdString()) != keys.end());
    }
    QVERIFY2(found, qPrintable(options));
    const Status status = values.check();
    QVERIFY(!status.ok() && status.error().kind == ErrorKind::Data);
    // The form judges by what describe prints.
    OptionValues form(OptionSchema::fromJson(runSchema().toJson()).value());
    for (const QString& one : options.split(' ')) form.setText(one.toStdString()).value();
    QVERIFY(!form.check().ok());
  }

  // What is just enough is allowed, in the engine and in the form.
  void justEnough_data() {
    QTest::addColumn<QString>("options");
    QTest::newRow("rows from 0") << "task=mlm model=bert mlm.max_length=64 model.bert.max_positions=64";
    QTest::newRow("RoBERTa") << "task=mlm model=bert mlm.max_length=64 model.bert.max_positions=65 "
                                "model.bert.positions=non_pad";
    QTest::newRow("rows from 2") << "task=mlm model=bert mlm.max_length=64 model.bert.max_positions=66 "
                                    "model.bert.positions=row_from_two";
    QTest::newRow("questions") << "task=text_to_sql model=sql_sp spider.max_pieces=64 "
                                  "model.bert.max_positions=66 model.bert.positions=row_from_two";
    QTest::newRow("translation") << "data.max_length=64 model.encoder_decoder.max_positions=64";
    QTest::newRow("validation file") << "data.validation_size=0 data.validation=file.tsv";
    QTest::newRow("LookLinear") << "init=look_linear";
    QTest::newRow("rows of pieces")
        << "task=text_to_sql model=sql_sp spider.max_pieces=512 model.bert.max_positions=512";
    QTest::newRow("rows of RoBERTa's pieces")
        << "task=text_to_sql model=sql_sp spider.max_pieces=512 "
           "model.bert.max_positions=514 model.bert.positions=row_from_two";
  }
  void justEnough() {
    QFETCH(QString, options);
    for (const OptionSchema& schema : {runSchema(), OptionSchema::fromJson(runSchema().toJson()).value()}) {
      OptionValues values(schema);
      for (const QString& one : options.split(' ')) values.setText(one.toStdString()).value();
      const Status status = values.check();
      QVERIFY2(status.ok(), status.ok() ? "" : status.error().text().c_str());
    }
  }

  // What an option cannot change is not offered; what it does change is.
  void offeredWhereItActs_data() {
    QTest::addColumn<QString>("options");
    QTest::addColumn<QString>("key");
    QTest::addColumn<bool>("offered");
    const QString sql = "task=text_to_sql model=sql_sp ";
    const auto row = [](const char* name, const QString& options, const char* key, bool offered) {
      QTest::newRow(name) << options << key << offered;
    };
    row("relations of layers", sql + "extra.attention=relation_aware", "spider.relations", true);
    row("relations of none", sql + "extra.attention=multi_head", "spider.relations", false);
    row("distances of given relations", sql + "extra.attention=relation_aware",
        "extra.attention.relation_aware.distance", false);
    row("distances where there are no others", "task=mlm model=extra_layers extra.attention=relation_aware",
        "extra.attention.relation_aware.distance", true);
    row("WordNet of DT-Fixup's rules", sql + "spider.linking=dt_fixup_like", "spider.wordnet", true);
    row("WordNet of RAT-SQL's rules", sql + "spider.linking=rat_sql_like", "spider.wordnet", true);
    row("no WordNet for stems", sql + "spider.linking=stems", "spider.wordnet", false);
    row("concepts for stems", sql + "spider.linking=stems", "spider.concepts", true);
    row("no concepts for RAT-SQL's rules", sql + "spider.linking=rat_sql_like", "spider.concepts", false);
    row("values of no links", sql + "spider.linking=none", "spider.values", false);
    row("scores from", sql + "validation.score_interval=1e", "validation.score_from", true);
    row("no scores before the end", sql + "validation.score_interval=never", "validation.score_from", false);
    row("layers of a whole encoder", sql + "model.sql_sp.encoder=trained", "model.sql_sp.trained_layers",
        false);
    row("the head of BERT", sql, "model.bert.head", false);
    row("µ of the released code", sql + "init=xavier", "init.dt_fixup.mu", false);
  }
  void offeredWhereItActs() {
    QFETCH(QString, options);
    QFETCH(QString, key);
    QFETCH(bool, offered);
    for (const OptionSchema& schema : {runSchema(), OptionSchema::fromJson(runSchema().toJson()).value()}) {
      OptionValues values(schema);
      for (const QString& one : options.split(' ', Qt::SkipEmptyParts))
        values.setText(one.toStdString()).value();
      QVERIFY(schema.find(key.toStdString()) != nullptr);
      QCOMPARE(values.active(key.toStdString()), offered);
    }
  }

  // Found before anything is queued: every file that the chosen task reads must be named.
  void filesAreNamed_data() {
    QTest::addColumn<QString>("options");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const char* options, const char* key, const char* words) {
      QTest::newRow(name) << options << key << words;
    };
    row("nothing", "seed=1", "data.train", "no training file is named");
    row("translation", "data.train=t", "", "");
    row("second file", "data.train=t data.format=two_files", "data.train_target", "training file, target");
    row("two files", "data.train=t data.format=two_files data.train_target=u", "", "");
    row("second validation file", "data.train=t data.format=two_files data.train_target=u data.validation=v",
        "data.validation_target", "validation file, target");
    row("SentencePiece", "data.train=t data.vocabulary.kind=model", "data.vocabulary.model",
        "no SentencePiece model is named");
    row("SentencePiece, target",
        "data.train=t data.vocabulary.kind=model data.vocabulary.model=m data.vocabulary.joined=false",
        "data.vocabulary.target_model", "SentencePiece model, target");
    row("BERT", "task=mlm model=bert data.train=t", "mlm.vocabulary.file", "no vocabulary file is named");
    row("BERT with its words", "task=mlm model=bert data.train=t mlm.vocabulary.file=v", "", "");
    row("BERT with pieces", "task=mlm model=bert data.train=t mlm.vocabulary.kind=bpe", "", "");
    row("RoBERTa", "task=mlm model=bert data.train=t mlm.vocabulary.kind=byte_bpe", "mlm.vocabulary.file",
        "no vocabulary file is named");
    const char* questions = "task=text_to_sql model=sql_sp data.train=t data.validation=v";
    row("questions", questions, "spider.tables", "no tables.json is named");
    const QByteArray tables = QByteArray(questions) + " spider.tables=s";
    row("questions, words of the encoder", tables, "spider.vocabulary.file",
        "no encoder's vocabulary file is named");
    const QByteArray named = tables + " spider.vocabulary.file=w spider.linking=file";
    row("questions, links", named, "spider.links", "no file of links is named");
    row("questions with everything", named + " spider.links=l", "", "");
  }
  void filesAreNamed() {
    QFETCH(QString, options);
    QFETCH(QString, key);
    QFETCH(QString, words);
    for (const OptionSchema& schema : {runSchema(), OptionSchema::fromJson(runSchema().toJson()).value()}) {
      OptionValues values(schema);
      for (const QString& one : options.split(' ')) values.setText(one.toStdString()).value();
      const Status status = checkFilesNamed(values);
      QCOMPARE(status.ok(), key.isEmpty());
      if (status.ok()) continue;
      QVERIFY(status.error().kind == ErrorKind::Data);
      QCOMPARE(QString::fromStdString(status.error().key), key);
      QVERIFY2(QString::fromStdString(status.error().message).contains(words), status.error().text().c_str());
    }
  }

  // The form shows them all in one column, and a search shows them without their groups.
  void titlesAreUnique() {
    std::map<std::string, std::string> keys;
    for (const OptionField& field : runSchema().fields()) {
      QVERIFY2(!field.title.empty(), field.key.c_str());
      const auto [known, fresh] = keys.emplace(field.title, field.key);
      QVERIFY2(fresh, (field.title + ": " + known->second + " and " + field.key).c_str());
    }
  }

  void schemesAndAttentionsGoTogether() {
    // Every scheme with every chain, both models: legal with the initialisation of the scheme's paper.
    for (const char* model : {"task=nmt model=encoder_decoder", "task=mlm model=bert"}) {
      for (const char* scheme :
           {"post_ln", "pre_ln", "admin", "rezero", "rezero_post_ln", "fixup", "deepnet", "unnormalised"}) {
        for (const char* chain : {"none", "sum", "mean"}) {
          OptionValues values(runSchema());
          const QString text = QStringLiteral(
                                   "%1 encoder.residual=%2 decoder.residual=%2 "
                                   "encoder.self_attention.score_chain=%3")
                                   .arg(model, scheme, chain);
          for (const QString& one : text.split(' ')) values.setText(one.toStdString()).value();
          const Status status = values.check();
          QVERIFY2(status.ok(),
                   status.ok() ? "" : (text.toStdString() + ": " + status.error().text()).c_str());
        }
      }
    }
  }
};

QTEST_APPLESS_MAIN(TestOptionRules)
#include "tst_option_rules.moc"
