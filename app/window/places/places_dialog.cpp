// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/places/places_dialog.h"

#include <QFileInfo>
#include <QFontDatabase>
#include <QHeaderView>
#include <QLabel>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QTabWidget>
#include <QTreeWidget>
#include <algorithm>

#include "app/window/places/place_asker.h"
#include "app/window/places/place_form_dialog.h"
#include "app/window/places/place_rows.h"
#include "core/base/errors/error_key.h"
#include "views/look/engine_text.h"
#include "views/look/name_text.h"
#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"

namespace fathom {

namespace {

constexpr int kPlacesCharacters = 150, kPlacesLines = 34, kRefreshPlaces = 1000, kWidestCell = 46;

// The same place may stand in two files.
bool isTakenIn(const std::string& project, const PlaceRecord& record) {
  const auto places = readPlaces(project);
  return places.ok() && std::any_of(places->begin(), places->end(), [&](const PlaceRecord& each) {
           return each.id == record.id && each.file == record.file;
         });
}

}  // namespace

PlacesDialog::PlacesDialog(const Parts& parts, QWidget* window)
    : QDialog(window),
      m_parts(parts),
      m_asker(new PlaceAsker(this)),
      m_message(wrappedLabel(this, QStringLiteral("placesMessage"))),
      m_list(columnList(this,
                        {tr("Place"), tr("Launcher"), tr("Host"), tr("State"), tr("Heard"), tr("Running"),
                         tr("Waiting"), tr("Free there"), tr("Last trouble")},
                        tr("Places where runs are trained"))),
      m_tabs(new QTabWidget(this)),
      m_findings(
          columnList(m_tabs, {tr("What"), tr("Found"), tr("What to do")}, tr("Findings of the last look"))),
      m_journal(columnList(m_tabs, {tr("When"), tr("Asked"), tr("Answer")}, tr("What was said"))),
      m_script(new QPlainTextEdit(m_tabs)),
      m_progress(new QProgressBar(this)),
      m_add(new QPushButton(tr("&Add…"), this)),
      m_edit(new QPushButton(tr("&Edit…"), this)),
      m_remove(new QPushButton(tr("&Remove"), this)),
      m_undo(new QPushButton(tr("&Undo"), this)),
      m_check(new QPushButton(tr("&Check"), this)),
      m_prepare(new QPushButton(tr("&Prepare"), this)),
      m_measure(new QPushButton(tr("&Measure"), this)),
      m_cancel(new QPushButton(tr("Ca&ncel"), this)),
      m_close(new QPushButton(tr("C&lose"), this)) {
  setObjectName(QStringLiteral("places"));
  setWindowTitle(tr("Places of “%1”").arg(QFileInfo(parts.project).completeBaseName()));
  setAttribute(Qt::WA_DeleteOnClose);
  m_list->setObjectName(QStringLiteral("placeList"));
  m_findings->setObjectName(QStringLiteral("placeFindings"));
  m_journal->setObjectName(QStringLiteral("placeJournal"));
  m_script->setObjectName(QStringLiteral("placeScript"));
  m_script->setAccessibleName(tr("Script that jobs are submitted by"));
  m_add->setToolTip(tr("A host that you reach by ssh, or a Slurm, where runs can be trained"));
  m_edit->setToolTip(tr("Its fields; runs that wait there go by what is said now"));
  m_remove->setToolTip(tr("It is not listed any more; nothing there is touched"));
  m_undo->setToolTip(tr("The place that was removed is there again"));
  m_check->setToolTip(tr("Asks the place what it is like, and what is in the way of runs"));
  m_prepare->setToolTip(tr("Brings the engine with the small libraries that it needs"));
  m_measure->setToolTip(tr("Measures how fast processes there add up gradients; forms predict from it"));
  m_cancel->setToolTip(tr("The question is given up; nothing there is touched"));
  m_close->setDefault(true);
  layOut();
  connectButtons();
  m_timer.setInterval(kRefreshPlaces);
  connect(&m_timer, &QTimer::timeout, this, &PlacesDialog::lookAtFiles);
  m_timer.start();
  updateButtons();
  lookAtFiles();
}

PlacesDialog::~PlacesDialog() {
  if (m_parts.jobs.isNull()) return;
  for (const int job : {m_job, m_look}) m_parts.jobs->cancel(job);
}

void PlacesDialog::layOut() {
  for (QTreeWidget* list : {m_list, m_findings, m_journal}) {
    list->setTextElideMode(Qt::ElideRight);
    list->header()->setStretchLastSection(true);
    list->header()->setMaximumSectionSize(kWidestCell * fontMetrics().averageCharWidth());
  }
  m_list->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  m_list->header()->setSectionResizeMode(kPlaceTrouble, QHeaderView::Stretch);
  for (const int column : {int(kPlaceRunning), int(kPlaceWaiting), int(kPlaceFree)})
    m_list->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
  m_findings->header()->setMaximumSectionSize(QWIDGETSIZE_MAX);
  m_findings->header()->setSectionResizeMode(QHeaderView::Stretch);
  m_findings->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  m_journal->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
  m_journal->header()->setSectionResizeMode(2, QHeaderView::Stretch);
  m_tabs->addTab(m_findings, tr("&Findings"));
  m_tabs->addTab(m_journal, tr("&Journal"));
  m_tabs->addTab(m_script, tr("&Script"));
  m_script->setReadOnly(true);
  m_script->setTabChangesFocus(true);
  m_script->setLineWrapMode(QPlainTextEdit::NoWrap);
  m_script->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  m_progress->setTextVisible(false);
  m_progress->hide();
  m_undo->hide();
  for (QPushButton* button : {m_add, m_edit, m_remove, m_undo, m_check, m_prepare, m_measure, m_cancel})
    button->setAutoDefault(false);
  auto* deeds = makeRow({m_add,
                         m_edit,
                         m_remove,
                         m_undo,
                         BoxPart::stretch(),
                         {m_progress, 1},
                         m_check,
                         m_prepare,
                         m_measure,
                         m_cancel});
  auto* bar = makeRow({{m_message, 1}, m_close});
  makeColumn(this, {{m_list, 2}, deeds, {m_tabs, 3}, bar}, metrics::kMargin, kStyleMargins);
  setTabOrders({m_list, m_add, m_edit, m_remove, m_undo, m_check, m_prepare, m_measure, m_cancel, m_tabs,
                m_findings, m_journal, m_close});
  resize(kPlacesCharacters * fontMetrics().averageCharWidth(), kPlacesLines * fontMetrics().height());
}

void PlacesDialog::connectButtons() {
  connect(m_close, &QPushButton::clicked, this, &PlacesDialog::reject);
  connect(m_check, &QPushButton::clicked, this, [this] { visit(PlaceDeed::Look); });
  connect(m_prepare, &QPushButton::clicked, this, [this] { visit(PlaceDeed::Prepare); });
  connect(m_measure, &QPushButton::clicked, this, [this] { visit(PlaceDeed::Measure); });
  connect(m_cancel, &QPushButton::clicked, this, &PlacesDialog::cancel);
  connect(m_add, &QPushButton::clicked, this, [this] { openForm(std::nullopt); });
  connect(m_edit, &QPushButton::clicked, this, [this] {
    if (const PlaceOverview* place = chosen()) openForm(place->place.record);
  });
  connect(m_remove, &QPushButton::clicked, this, &PlacesDialog::askToRemove);
  connect(m_undo, &QPushButton::clicked, this, &PlacesDialog::bringBack);
  connect(m_list, &QTreeWidget::itemSelectionChanged, this, [this] {
    fillDetails();
    updateButtons();
  });
  connect(m_list, &QTreeWidget::itemActivated, this, [this] {
    if (m_edit->isEnabled()) m_edit->click();
  });
}

QString PlacesDialog::message() const {
  return m_message->text();
}

void PlacesDialog::say(const QString& text, bool error) {
  m_message->setText(text);
  const Theme& theme = Theme::of(palette());
  setTextColour(m_message, error ? theme.failed : theme.text);
}

// Cancelled by somebody in the window it is over, too.
bool PlacesDialog::isBusy() const {
  return !m_parts.jobs.isNull() && m_parts.jobs->isRunning(m_job);
}

PlacesDialog::DeedWords PlacesDialog::wordsOf(PlaceDeed deed) {
  switch (deed) {
    case PlaceDeed::Prepare:
      return {tr("being prepared…"), tr("“%1” is being prepared…"), tr("Preparing %1"),
              tr("“%1” is prepared: runs can be trained there.")};
    case PlaceDeed::Measure:
      return {tr("being measured…"), tr("“%1” is being measured…"), tr("Measuring %1"),
              tr("“%1” is measured: forms predict from it what more processes bring there.")};
    case PlaceDeed::Look:
      break;
  }
  return {tr("being checked…"), tr("“%1” is being asked…"), tr("Checking %1"),
          tr("“%1” is ready: runs can be trained there.")};
}

// --- what the files tell

// A look may take longer than the time to the next one, which would cancel it.
void PlacesDialog::lookAtFiles() {
  if (m_parts.jobs.isNull() || m_parts.jobs->isRunning(m_look)) return;
  m_look = m_parts.jobs->start<Places>(
      tr("Looking at places"), {},
      [project = toUtf8(m_parts.project)](Progress&, const StopToken&) { return overviewOfPlaces(project); },
      [this, self = QPointer(this)](const Result<Places>& places) {
        if (self) take(places);
      });
}

// Rows stay where they are: selection and place are a person's.
void PlacesDialog::take(const Result<Places>& places) {
  m_looked = true;
  if (!m_asked.isEmpty() && !isBusy()) {  // somebody cancelled it in the window
    m_asked.clear();
    m_asker->giveUp();
    say(tr("Given up."));
  }
  if (!places.ok()) {
    m_unread = true;
    return say(phraseText(places.error().phrase()), true);
  }
  if (std::exchange(m_unread, false)) say({});
  const auto sameId = [](const PlaceOverview& a, const PlaceOverview& b) {
    return a.place.record.id == b.place.record.id;
  };
  const bool same = std::equal(m_places.begin(), m_places.end(), places->begin(), places->end(), sameId) &&
                    m_list->topLevelItemCount() == int(places->size());
  const PlaceOverview* before = chosen();
  const QString wanted = !m_wanted.isEmpty() ? m_wanted
                         : before == nullptr ? QString()
                                             : fromUtf8(before->place.record.id);
  m_places = *places;
  if (!same) {
    m_list->clear();
    for (std::size_t i = 0; i < m_places.size(); ++i) new QTreeWidgetItem(m_list);
  }
  for (std::size_t i = 0; i < m_places.size(); ++i)
    fillPlaceRow(m_list->topLevelItem(int(i)), m_places[i], doingAt(m_places[i]));
  if (!same || !m_wanted.isEmpty()) choose(wanted);
  fillDetails();
  updateButtons();
}

void PlacesDialog::choose(const QString& place) {
  m_wanted = place;
  for (std::size_t i = 0; i < m_places.size() && !place.isEmpty(); ++i)
    if (fromUtf8(m_places[i].place.record.id) == place) {
      m_wanted.clear();
      return m_list->setCurrentItem(m_list->topLevelItem(int(i)));
    }
  if (m_list->currentItem() == nullptr && !m_places.empty()) m_list->setCurrentItem(m_list->topLevelItem(0));
}

QString PlacesDialog::doingAt(const PlaceOverview& overview) const {
  if (!isBusy() || fromUtf8(overview.place.record.id) != m_asked) return {};
  return wordsOf(m_deed).doing;
}

const PlaceOverview* PlacesDialog::chosen() const {
  const int row = m_list->indexOfTopLevelItem(m_list->currentItem());
  return row < 0 || row >= int(m_places.size()) ? nullptr : &m_places[std::size_t(row)];
}

void PlacesDialog::fillDetails() {
  const PlaceOverview* place = chosen();
  if (place == nullptr) {
    m_findings->clear();
    m_journal->clear();
    m_tabs->setTabVisible(m_tabs->indexOf(m_script), false);
    m_shownPlace.clear();
    return;
  }
  fillScript(place->place.record);
  const QString id = fromUtf8(place->place.record.id);
  const bool another = std::exchange(m_shownPlace, id) != id;
  if (std::exchange(m_shownLook, place->look.at) != place->look.at || another)
    fillPlaceFindings(m_findings, place->look);
  const double last = place->lines.empty() ? 0 : place->lines.back().at;
  if (std::exchange(m_shownLine, last) != last || another) fillPlaceJournal(m_journal, place->lines);
}

// Of a place whose jobs have one; its head is edited with the place.
void PlacesDialog::fillScript(const PlaceRecord& record) {
  const auto launcher = findLauncher(record.launcher);
  const bool has = launcher.ok() && (*launcher)->script;
  m_tabs->setTabVisible(m_tabs->indexOf(m_script), has);
  const QString text = has ? fromUtf8((*launcher)->script(record)) : QString();
  if (text != m_script->toPlainText()) m_script->setPlainText(text);
}

void PlacesDialog::updateButtons() {
  const PlaceOverview* place = chosen();
  const bool busy = isBusy();
  const bool written = place != nullptr && !place->place.record.file.empty();
  const bool ours = written && (!m_parts.readOnly || place->place.record.file == userPlacesFile());
  m_add->setEnabled(!m_parts.readOnly);
  m_edit->setEnabled(ours);
  m_remove->setEnabled(ours);
  m_check->setEnabled(place != nullptr && !busy);
  m_prepare->setEnabled(place != nullptr && !busy && !place->place.trouble &&
                        hasDeed(place->place.record, PlaceDeed::Prepare) && place->elsewhere);
  m_measure->setEnabled(place != nullptr && !busy && !place->place.trouble &&
                        hasDeed(place->place.record, PlaceDeed::Measure));
  m_cancel->setEnabled(busy);
  m_progress->setVisible(busy);
}

// --- asking a place

void PlacesDialog::visit(PlaceDeed deed) {
  const PlaceOverview* place = chosen();
  if (place == nullptr || m_parts.jobs.isNull() || isBusy()) return;
  const PlaceRecord record = place->place.record;
  const QString name = shownPlaceName(record);
  m_asked = fromUtf8(record.id);
  m_deed = deed;
  m_progress->setRange(0, 0);
  m_tabs->setCurrentWidget(m_findings);
  say(wordsOf(deed).begun.arg(name));
  const PlaceTalk talk = m_asker->talk();
  const QPointer<PlacesDialog> self(this);
  m_job = m_parts.jobs->start<PlaceLook>(
      wordsOf(deed).title.arg(name), QStringLiteral("places.visit"),
      [project = toUtf8(m_parts.project), record, deed, talk](Progress& progress, const StopToken& stop) {
        return visitPlace(project, record, deed, talk, progress, stop);
      },
      [self, asked = name, deed](const Result<PlaceLook>& look) {
        if (self) self->takeVisit(asked, deed, look);
      },
      [self](const ProgressUpdate& update) {
        if (!self) return;
        showProgress(self->m_progress, update);
        const QString done = update.unit == "bytes" ? sizeText(quint64(update.done)) : QString();
        self->say(done.isEmpty() ? engineText(update.phase)
                                 : tr("%1: %2").arg(engineText(update.phase), done));
      });
  lookAtFiles();
  updateButtons();
}

void PlacesDialog::takeVisit(const QString& place, PlaceDeed deed, const Result<PlaceLook>& look) {
  m_job = 0;
  m_asked.clear();
  if (!look.ok()) {
    say(phraseText(look.error().phrase()), true);
  } else if (!look->troubles.empty()) {
    say(tr("“%1”: troubles that were found: %2.").arg(place).arg(look->troubles.size()), true);
  } else {
    say(wordsOf(deed).done.arg(place));
  }
  lookAtFiles();
  updateButtons();
}

void PlacesDialog::cancel() {
  if (!isBusy()) return;
  m_parts.jobs->cancel(m_job);
  m_asker->giveUp();
  m_job = 0;
  m_asked.clear();
  say(tr("Given up."));
  lookAtFiles();
  updateButtons();
}

// --- writing them down

void PlacesDialog::write(const QString& title, const Deed& what,
                         const std::function<void(const Status&)>& done) {
  if (m_parts.jobs.isNull()) return;
  m_parts.jobs->start<bool>(
      title, {},
      [what](Progress&, const StopToken&) -> Result<bool> {
        FATHOM_CHECK(what());
        return true;
      },
      [this, self = QPointer(this), done](const Result<bool>& written) {
        if (!self) return;
        m_parts.jobs->cancel(m_look);  // it may have read what was there before
        done(written.ok() ? Status() : Status(written.error()));
        lookAtFiles();
        Q_EMIT changed();
      });
}

void PlacesDialog::openForm(const std::optional<PlaceRecord>& place) {
  auto* form = new PlaceFormDialog(m_parts.project, place, this);
  connect(form, &PlaceFormDialog::saveRequested, this,
          [this, form](const PlaceRecord& record) { save(form, record); });
  form->open();
  const PlaceOverview* overview = chosen();
  if (!place || overview == nullptr || overview->look.look.troubles.empty()) return;
  form->remind(overview->look.look.troubles.front());
}

void PlacesDialog::save(PlaceFormDialog* form, const PlaceRecord& record) {
  const QPointer<PlaceFormDialog> there(form);
  write(
      tr("Writing places"),
      [project = toUtf8(m_parts.project), record, fresh = form->isNew()]() -> Status {
        if (fresh && isTakenIn(project, record))
          return aboutKey("name", usageError(Phrase::tr("there is a place '%1' already")(record.id),
                                             Phrase::tr("give this one another name, or edit that one")));
        return savePlace(record.file, record);
      },
      [this, there, record, id = fromUtf8(record.id)](const Status& written) {
        if (!written.ok()) {
          if (there) there->tell(written.error());
          return;
        }
        if (there) there->accept();
        for (PlaceOverview& each : m_places)  // whoever edits it again begins with what is written
          if (each.place.record.id == record.id) each.place.record = record;
        m_wanted = id;
        if (m_removed && m_removed->id == record.id && m_removed->file == record.file) {
          m_removed.reset();
          m_undo->hide();
        }
        say(tr("“%1” is written down. “Check” asks it what it lacks.").arg(id));
      });
}

// Runs that wait there are not lost, and say what they wait for.
void PlacesDialog::askToRemove() {
  const PlaceOverview* place = chosen();
  if (place == nullptr) return;
  const PlaceRecord record = place->place.record;
  if (place->place.running + place->place.waiting == 0) return remove(record);
  auto* box = new QMessageBox(
      QMessageBox::Warning, windowTitle(),
      tr("Runs are trained or wait at “%1”. What works there goes on, and is not followed any more; what "
         "waits stays in the queue until a place of this name is there again. Remove it from the list?")
          .arg(fromUtf8(record.id)),
      QMessageBox::Cancel, this);
  box->setAttribute(Qt::WA_DeleteOnClose);
  QPushButton* go = box->addButton(tr("Remove"), QMessageBox::DestructiveRole);
  box->setDefaultButton(QMessageBox::Cancel);
  connect(go, &QPushButton::clicked, this, [this, record] { remove(record); });
  box->open();
}

void PlacesDialog::remove(const PlaceRecord& record) {
  write(
      tr("Writing places"), [record] { return removePlace(record.file, record.id); },
      [this, record](const Status& written) {
        if (!written.ok()) return say(phraseText(written.error().phrase()), true);
        m_removed = record;
        m_undo->show();
        say(tr("“%1” was removed from the list.").arg(fromUtf8(record.id)));
      });
}

void PlacesDialog::bringBack() {
  if (!m_removed) return;
  const PlaceRecord record = *m_removed;
  write(
      tr("Writing places"),
      [project = toUtf8(m_parts.project), record]() -> Status {
        if (isTakenIn(project, record))
          return usageError(Phrase::tr("there is a place '%1' already")(record.id));
        return savePlace(record.file, record);
      },
      [this, id = fromUtf8(record.id)](const Status& written) {
        if (!written.ok()) return say(phraseText(written.error().phrase()), true);
        m_removed.reset();
        m_undo->hide();
        m_wanted = id;
        say(tr("“%1” is there again.").arg(id));
      });
}

}  // namespace fathom
