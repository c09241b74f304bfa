// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFile>
#include <QString>
#include <string>
#include <vector>

#include "core/review/review.h"

namespace fathom::test {

// A review of each kind of task that is small enough to know by heart: four examples and two systems. Both
// have the first one right, "alpha" alone errs in the second, "beta" alone in the third, both in the last.
struct SmallReview {
  const char *kind, *gold, *alpha, *beta;
  const char* source = nullptr;  // of translations
  const char* word;              // in the texts of the third example alone
  const char* test;              // of pairs
};

inline const std::vector<SmallReview>& smallReviews() {
  static const std::vector<SmallReview> reviews = {
      {"class", "sentence\tlabel\nan otter\t0\na heron\t1\na badger\t0\na marten\t1\n",
       "{\"index\":0,\"probs\":[0.9,0.1]}\n{\"index\":1,\"probs\":[0.8,0.2]}\n"
       "{\"index\":2,\"probs\":[0.7,0.3]}\n{\"index\":3,\"probs\":[0.6,0.4]}\n",
       "{\"index\":0,\"probs\":[0.9,0.1]}\n{\"index\":1,\"probs\":[0.2,0.8]}\n"
       "{\"index\":2,\"probs\":[0.3,0.7]}\n{\"index\":3,\"probs\":[0.6,0.4]}\n",
       nullptr, "badger", "mcnemar"},
      {"number", "sentence\tscore\nan otter\t1\na heron\t2\na badger\t4\na marten\t5\n", "1\n4\n4\n2\n",
       "1.1\n2\n1\n2.5\n", nullptr, "badger", "bootstrap"},
      {"span",
       R"({"version":"1.1","data":[{"title":"T","paragraphs":[{"context":"An otter swam. A heron flew home.",
    "qas":[{"id":"q0","question":"What swam?","answers":[{"text":"An otter","answer_start":0}]},
           {"id":"q1","question":"What flew?","answers":[{"text":"A heron","answer_start":15}]},
           {"id":"q2","question":"Is a badger there?","answers":[{"text":"swam","answer_start":9}]},
           {"id":"q3","question":"Where to?","answers":[{"text":"home","answer_start":28}]}]}]}]})",
       R"({"q0":"otter","q1":"An otter","q2":"swam","q3":"flew"})",
       R"({"q0":"An otter","q1":"heron","q2":"flew","q3":"An otter"})", nullptr, "badger", "mcnemar"},
      {"choice",
       R"([{"context":"an otter","question":"Which?","answers":["w","x","y"],"label":0,"id_string":"c0"},
    {"context":"a heron","question":"Who?","answers":["w","x","y"],"label":1,"id_string":"c1"},
    {"context":"a badger","question":"Which?","answers":["w","x","y"],"label":2,"id_string":"c2"},
    {"context":"a marten","question":"Why?","answers":["w","x","y"],"label":0,"id_string":"c3"}])",
       "{\"id\":\"c0\",\"scores\":[3,1,0]}\n{\"id\":\"c1\",\"scores\":[3,1,0]}\n"
       "{\"id\":\"c2\",\"scores\":[0,1,3]}\n{\"id\":\"c3\",\"scores\":[0,1,3]}\n",
       "{\"id\":\"c0\",\"scores\":[3,1,0]}\n{\"id\":\"c1\",\"scores\":[0,3,0]}\n"
       "{\"id\":\"c2\",\"scores\":[3,1,0]}\n{\"id\":\"c3\",\"scores\":[0,3,1]}\n",
       nullptr, "badger", "mcnemar"},
      {"translation", "the otter swims\nthe heron flies\nthe badger sleeps well\nthe marten climbs\n",
       "the otter swims\nxyz\nthe badger sleeps\nxyz\n", "the otter swims\nthe heron flies\nzzz zz\nzzz\n",
       "der Otter schwimmt\nder Reiher fliegt\nder Dachs\nder Marder\n", "badger", "bootstrap"}};
  return reviews;
}

// Writes the files of one of them into a folder.
inline ReviewSources smallSources(const SmallReview& small, const QString& folder) {
  const auto write = [&folder](const QString& name, const char* text) {
    QFile file(folder + QLatin1Char('/') + name);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) < 0) return std::string();
    return file.fileName().toStdString();
  };
  const QString kind = QString::fromLatin1(small.kind);
  ReviewSources sources{small.kind, write(kind + QStringLiteral(".gold"), small.gold)};
  if (small.source != nullptr)
    sources.files["source"] = write(kind + QStringLiteral(".source"), small.source);
  sources.predictions = {{"alpha", write(kind + QStringLiteral(".alpha"), small.alpha)},
                         {"beta", write(kind + QStringLiteral(".beta"), small.beta)}};
  return sources;
}

}  // namespace fathom::test
