// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main/archive_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <algorithm>

#include "app/window/files/file_choice.h"
#include "core/record/runs/run_archive.h"
#include "views/look/engine_text.h"
#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"

namespace fathom {

namespace {

constexpr int kArchiveCharacters = 84, kArchiveRestMs = 150;
constexpr const char* kEndings[] = {".tar", ".tar.gz", ".tgz", ".tar.zst"};

// The reason why the file cannot be written, else if it is there already.
struct FileLook {
  QString problem;
  bool there = false;
};

FileLook lookAtArchive(const QString& path) {
  const QFileInfo file(path);
  if (!file.dir().exists()) return {ArchiveDialog::tr("There is no folder %1.").arg(file.absolutePath())};
  if (file.isDir()) return {ArchiveDialog::tr("%1 is a folder.").arg(path)};
  return {{}, file.exists()};
}

}  // namespace

ArchiveDialog::ArchiveDialog(const Parts& parts, const QVector<RunItem>& runs, QWidget* window)
    : QDialog(window),
      m_parts(parts),
      m_runs(runs),
      m_run(new QComboBox(this)),
      m_file(new QLineEdit(this)),
      m_choose(new QPushButton(tr("C&hoose…"), this)),
      m_checkpoints(new QCheckBox(tr("With its &checkpoints"), this)),
      m_verdict(wrappedLabel(this, QStringLiteral("archiveVerdict"))),
      m_progress(new QProgressBar(this)),
      m_cancel(new QPushButton(tr("Cancel"), this)),
      m_export(new QPushButton(tr("&Export"), this)) {
  setObjectName(QStringLiteral("archive"));
  setWindowTitle(tr("Export a run as archive"));
  setAttribute(Qt::WA_DeleteOnClose);
  m_rest.setSingleShot(true);
  m_rest.setInterval(kArchiveRestMs);
  for (const RunItem& run : runs) m_run->addItem(run.name);
  layOut();
  connect(&m_rest, &QTimer::timeout, this, &ArchiveDialog::check);
  connect(m_run, &QComboBox::currentIndexChanged, this, &ArchiveDialog::propose);
  connect(m_file, &QLineEdit::textChanged, this, [this] {
    m_export->setEnabled(false);
    m_rest.start();
  });
  connect(m_choose, &QPushButton::clicked, this, &ArchiveDialog::choose);
  connect(m_cancel, &QPushButton::clicked, this, &ArchiveDialog::reject);
  connect(m_export, &QPushButton::clicked, this, &ArchiveDialog::pack);
  connect(m_parts.jobs.data(), &JobCenter::shownJobsChanged, this, [this] {  // cancelled, nobody answers
    if (m_job == 0 || m_parts.jobs->isRunning(m_job)) return;
    setBusy(0);
    m_rest.start();
  });
  propose();
}

ArchiveDialog::~ArchiveDialog() {
  if (m_parts.jobs.isNull()) return;
  m_parts.jobs->cancelOwner(objectName());
  if (m_job != 0) m_parts.jobs->cancel(m_job);
}

void ArchiveDialog::layOut() {
  m_run->setAccessibleName(tr("Run"));
  m_run->setEnabled(m_runs.size() > 1);
  m_run->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_file->setObjectName(QStringLiteral("archiveFile"));
  m_file->setAccessibleName(tr("File"));
  m_file->setToolTip(tr("Its ending says how it is packed: .tar, .tar.gz or .tar.zst"));
  m_checkpoints->setToolTip(tr("Without them curves, settings, logs and results are packed"));
  m_progress->setTextVisible(false);
  m_choose->setAutoDefault(false);
  m_cancel->setAutoDefault(false);
  m_export->setObjectName(QStringLiteral("archiveExport"));
  m_export->setProperty("primary", true);
  m_export->setDefault(true);
  auto* file = new QWidget(this);
  makeRow(file, {{m_file, 1}, m_choose});
  file->setFocusProxy(m_file);
  auto* form = new QFormLayout;
  form->addRow(tr("&Run"), m_run);
  form->addRow(tr("&File"), file);
  form->addRow(QString(), m_verdict);
  form->addRow(QString(), m_checkpoints);
  auto* bar = makeRow({{m_progress, 1}, BoxPart::stretch(), m_cancel, m_export});
  makeColumn(this, {form, BoxPart::stretch(1), bar}, metrics::kMargin, kStyleMargins);
  setBusy(0);
  resize(kArchiveCharacters * fontMetrics().averageCharWidth(), sizeHint().height());
}

QString ArchiveDialog::problem() const {
  return m_file->property("missing").toBool() ? m_verdict->text() : QString();
}

// A name that somebody typed stays.
void ArchiveDialog::propose() {
  if (m_file->text() != m_proposed) return;
  const QString start = m_parts.files->start(FileKind::Archive);
  const QDir folder(start.isEmpty() ? QDir::homePath() : start);
  const QString name = FileChoice::nameOf(m_runs[m_run->currentIndex()].name);
  m_proposed =
      folder.absoluteFilePath((name.isEmpty() ? QStringLiteral("run") : name) + QLatin1String(".tar.zst"));
  m_file->setText(m_proposed);
}

void ArchiveDialog::choose() {
  const QString path =
      m_parts.files->toWrite(this, FileKind::Archive, tr("Export a run as archive"), m_file->text(),
                             tr("Archives (*.tar *.tar.gz *.tgz *.tar.zst)"));
  if (!path.isEmpty()) m_file->setText(path);
}

void ArchiveDialog::say(const QString& problem, const QString& note) {
  const Theme& theme = Theme::of(palette());
  QPalette colours = palette();
  if (!problem.isEmpty()) colours.setColor(QPalette::Text, theme.readable(theme.failed));
  m_file->setPalette(problem.isEmpty() ? QPalette() : colours);
  m_file->setProperty("missing", !problem.isEmpty());
  m_file->setAccessibleDescription(problem);
  m_verdict->setText(problem.isEmpty() ? note : problem);
  setTextColour(m_verdict, problem.isEmpty() ? theme.secondary : theme.failed);
  m_export->setEnabled(problem.isEmpty() && m_job == 0);
}

// The disk may be slow: it is asked in a job.
void ArchiveDialog::check() {
  const QString path = m_file->text().trimmed();
  const bool known = std::any_of(std::begin(kEndings), std::end(kEndings), [&path](const char* ending) {
    return path.endsWith(QLatin1String(ending));
  });
  if (!known) return say(tr("End the name with .tar, .tar.gz, .tgz or .tar.zst."));
  if (m_parts.jobs.isNull()) return;
  const QPointer<ArchiveDialog> self(this);
  m_parts.jobs->start<FileLook>(
      tr("Looking at the folder"), objectName(),
      [path](Progress&, const StopToken&) -> Result<FileLook> { return lookAtArchive(path); },
      [self, path](const Result<FileLook>& look) {
        if (!self || !look.ok() || self->m_file->text().trimmed() != path) return;
        self->say(look->problem,
                  look->there ? tr("The file is there already, and will be replaced.") : QString());
      });
}

void ArchiveDialog::setBusy(int job) {
  m_job = job;
  m_progress->setVisible(job != 0);
  m_progress->setRange(0, 0);
  for (QWidget* part : QWidgetList{m_file, m_choose, m_checkpoints}) part->setEnabled(job == 0);
  m_run->setEnabled(job == 0 && m_runs.size() > 1);
  if (job != 0) m_export->setEnabled(false);
}

void ArchiveDialog::pack() {
  if (m_parts.jobs.isNull() || m_job != 0) return;
  const QString file = QFileInfo(m_file->text().trimmed()).absoluteFilePath();
  const QPointer<ArchiveDialog> self(this);
  const int job = m_parts.jobs->start<bool>(
      tr("Exporting a run"), {},
      [folder = toUtf8(m_runs[m_run->currentIndex()].folder), out = toUtf8(file),
       whole = m_checkpoints->isChecked()](Progress& progress, const StopToken& stop) -> Result<bool> {
        FATHOM_CHECK(exportRunArchive(folder, out, whole, progress, stop));
        return true;
      },
      [self, file](const Result<bool>& done) {
        if (!self) return;
        self->setBusy(0);
        if (!done.ok()) return self->say(phraseText(done.error().phrase()));
        Q_EMIT self->written(file);
        self->accept();
      },
      [self](const ProgressUpdate& update) {
        if (self) showProgress(self->m_progress, update);
      });
  setBusy(job);
}

void ArchiveDialog::reject() {
  if (m_job == 0 || m_parts.jobs.isNull()) return QDialog::reject();
  m_parts.jobs->cancel(m_job);
  setBusy(0);
  m_rest.start();
}

}  // namespace fathom
