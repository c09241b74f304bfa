// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/errors/open_page_files.h"

#include <QLineEdit>

#include "app/window/errors/review_loader.h"
#include "app/window/files/file_choice.h"
#include "app/window/jobs/job_center.h"
#include "core/base/files/path_facts.h"
#include "core/spider/data/prediction_file.h"
#include "views/look/engine_text.h"
#include "views/panels/errors/missing_paths.h"
#include "views/panels/errors/open_page.h"

namespace fathom {

namespace {

class OpenPageFiles {
 public:
  OpenPageFiles(OpenPage* page, const ReviewPageParts& parts, QString owner)
      : m_page(page), m_parts(parts), m_owner(std::move(owner)) {}

  void browse(const QString& field) const {
    if (field == QLatin1String("predictions")) return browsePredictions();
    const QLineEdit* line = m_page->field(field);
    const QString before = line == nullptr ? QString() : line->text().trimmed();
    const QString path =
        field == QLatin1String("databases")
            ? m_parts.files->folder(m_parts.window, FileKind::Data, OpenPage::tr("Folder of databases"),
                                    before)
            : m_parts.files->toRead(m_parts.window, FileKind::Data, OpenPage::tr("Open a file"), before);
    if (path.isEmpty()) return;
    m_page->setPath(field, path);
    if (field == QLatin1String("gold")) fillBeside(path);
  }

  void fillBeside(const QString& gold) const {
    ReviewSources sources{m_page->sources().kind, toUtf8(gold)};
    fillFromBeside(sources);
    for (const auto& [key, file] : sources.files) m_page->setPath(fromUtf8(key), fromUtf8(file), true);
  }

  // A disk may be slow: what was typed meanwhile is asked anew.
  void findMissing(const QStringList& paths) const {
    m_parts.jobs->cancelOwner(m_owner + QStringLiteral(":missing"));
    m_parts.jobs->start<QStringList>(
        OpenPage::tr("Looking at the files"), m_owner + QStringLiteral(":missing"),
        [paths](Progress&, const StopToken&) -> Result<QStringList> {
          QStringList missing;
          for (const QString& path : paths)
            if (!fileExists(toUtf8(path))) missing.append(path);
          return missing;
        },
        [page = m_page](const Result<QStringList>& missing) {
          if (missing.ok()) page->missingPaths()->tell(*missing);
        });
  }

  void askColumns(const QStringList& files) const {
    for (const QString& file : files)
      m_parts.jobs->start<PredictionFile>(
          OpenPage::tr("Reading %1").arg(file), m_owner + QLatin1Char(':') + file,
          [path = toUtf8(file)](Progress&, const StopToken&) {
            PredictionOptions options;
            options.anyColumns = true;  // none of the usual names: one chooses
            return readPredictionFile(path, options);
          },
          [page = m_page, file](const Result<PredictionFile>& read) { takeColumns(page, file, read); });
  }

 private:
  void browsePredictions() const {
    const auto before = m_page->sources().predictions;
    m_page->addPredictions(m_parts.files->severalToRead(
        m_parts.window, FileKind::Predictions, OpenPage::tr("Prediction files"),
        OpenPage::tr("Predictions (*.sql *.txt *.json *.jsonl *.csv *.tsv);;All files (*)"),
        before.empty() ? QString() : fromUtf8(before.back().path)));
  }

  static void takeColumns(OpenPage* page, const QString& file, const Result<PredictionFile>& read) {
    if (!read.ok()) return page->setFileProblem(file, phraseText(read.error().phrase()));
    QStringList columns;
    if (read->format != PredictionFormat::Lines)
      for (const std::string& column : read->columns) columns.append(fromUtf8(column));
    page->setColumns(file, columns, fromUtf8(read->sqlColumn));
  }

  OpenPage* m_page;
  ReviewPageParts m_parts;
  QString m_owner;
};

}  // namespace

void answerOpenPage(OpenPage* page, const ReviewPageParts& parts, const QString& owner) {
  const OpenPageFiles files(page, parts, owner);
  QObject::connect(page, &OpenPage::browseRequested, page,
                   [files](const QString& field) { files.browse(field); });
  QObject::connect(page, &OpenPage::filesAdded, page,
                   [files](const QStringList& added) { files.askColumns(added); });
  QObject::connect(page->missingPaths(), &MissingPaths::asked, page,
                   [files](const QStringList& paths) { files.findMissing(paths); });
  QObject::connect(page, &OpenPage::goldChosen, page,
                   [files](const QString& gold) { files.fillBeside(gold); });
}

}  // namespace fathom
