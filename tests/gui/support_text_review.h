// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QComboBox>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QToolButton>
#include <memory>
#include <vector>

#include "app/window/errors/text_review_page.h"
#include "tests/gui/support_errors_window.h"
#include "tests/unit/support_small_reviews.h"
#include "views/panels/errors/comparison_panel.h"
#include "views/panels/errors/prediction_panel.h"
#include "views/panels/errors/text_example_panel.h"
#include "views/tables/prediction_table_model.h"

namespace fathom::test {

// A test of predictions that are no SQL, in the whole window: opens small files of any kind and names the
// parts of the page.
class TextReviewTest : public QObject {
 protected:
  QTextBrowser* pinnedText() const { return page()->example()->findChild<QTextBrowser*>("pinnedExample"); }
  QString write(const char* name, const QByteArray& bytes) const {
    QFile file(m_folder.filePath(QString::fromLatin1(name)));
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() ? file.fileName() : QString();
  }
  // Ten examples; "good" has 7 right, "poor" 4.
  ReviewSources classes() const {
    QByteArray gold = "sentence\tlabel\n", good, poor;
    for (int i = 0; i < 10; ++i) {
      gold += "text number " + QByteArray::number(i) + "\t" + (i % 2 ? "yes" : "no") + "\n";
      good += QByteArray((i < 7) == bool(i % 2) ? "yes\n" : "no\n");
      poor += QByteArray((i < 4) == bool(i % 2) ? "yes\n" : "no\n");
    }
    ReviewSources sources{"class", write("gold.tsv", gold).toStdString()};
    sources.predictions = {{"good", write("good.txt", good).toStdString()},
                           {"poor", write("poor.txt", poor).toStdString()}};
    return sources;
  }
  bool openKind(const ReviewSources& sources) {
    if (m_errors->open() == nullptr) return false;
    errors()->open(sources);
    return waitUntil([this] { return errors()->page() == ErrorsWorkspace::kReview; });
  }
  bool openClasses() { return openKind(classes()); }
  bool openSmall(const char* kind) {
    for (const SmallReview& small : smallReviews())
      if (QLatin1String(small.kind) == QLatin1String(kind))
        return openKind(smallSources(small, m_folder.path()));
    return false;
  }
  bool compare() {
    m_errors->window()->action("errors.compare")->trigger();
    return waitUntil([this] { return page()->comparison()->hasPairs(); });
  }
  QByteArray table(const char* name) {
    page()->exportTable(m_folder.filePath(QLatin1String(name)));
    QFile file(m_folder.filePath(QLatin1String(name)));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  std::vector<int> rowsOf(const QString& filter) {
    page()->predictions()->filterBox()->setText(filter);
    return page()->model()->filter().rows();
  }
  // The box of the figure's choices that is called so.
  QComboBox* choice(const QString& name) const {
    for (QComboBox* box : page()->comparison()->findChildren<QComboBox*>())
      if (box->isVisible() && box->accessibleName() == name) return box;
    return nullptr;
  }
  ErrorsWorkspace* errors() const { return m_errors->errors(); }
  TextReviewPage* page() const { return errors()->textPage(); }
  ReviewedPredictions* review() const { return page()->review(); }
  // The button of the n-th category that a person may choose.
  QToolButton* category(int number) const {
    const QString id = QStringLiteral("errors.category%1").arg(number);
    for (QToolButton* each : page()->example()->findChildren<QToolButton*>())
      if (each->defaultAction() != nullptr && each->defaultAction()->objectName() == id) return each;
    return nullptr;
  }
  static void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    ErrorsWindow::press(key, modifiers);
  }
  QTemporaryDir m_folder;
  std::unique_ptr<ErrorsWindow> m_errors;
};

}  // namespace fathom::test
