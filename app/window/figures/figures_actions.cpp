// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/figures/figures_actions.h"

namespace fathom {

FiguresActions::FiguresActions(QObject* parent) : WorkspaceActions(parent) {
  makeCompositions();
  addSeparator();
  makePanels();
  addSeparator();
  makePage();
  disableAllBut("figures.help", {"figures.new", "figures.curves"});
}

void FiguresActions::makeCompositions() {
  add("figures.new", tr("&New composition"), QStringLiteral("new"), {},
      tr("An empty page for several figures"))
      ->setIconText(tr("New"));
  add("figures.curves", tr("Figure of the curves"), QStringLiteral("curves"), {},
      tr("The curves of Train as they are looked at, on a page of their own, to be exported"));
  add("figures.duplicate", tr("Duplic&ate composition"), QStringLiteral("clone"), {},
      tr("The same page under another name"));
  add("figures.delete", tr("D&elete composition"), QStringLiteral("trash"), {}, tr("Undo brings it back"));
}

void FiguresActions::makePanels() {
  add("figures.add", tr("&Put on the page"), QStringLiteral("import"), {},
      tr("The figure chosen in the list, at the first free place"))
      ->setIconText(tr("Add"));
  const struct {
    const char* id;
    QString text, icon;
    Qt::Key key;
  } moves[] = {{"figures.left", tr("Move &left"), QStringLiteral("left"), Qt::Key_Left},
               {"figures.right", tr("Move &right"), QStringLiteral("right"), Qt::Key_Right},
               {"figures.up", tr("Move &up"), QStringLiteral("up"), Qt::Key_Up},
               {"figures.down", tr("Move &down"), QStringLiteral("down"), Qt::Key_Down}};
  for (const auto& move : moves) {
    add(move.id, move.text, move.icon, QKeySequence(Qt::CTRL | move.key),
        tr("A panel in the way changes places with it"));
  }
  add("figures.remove", tr("Re&move the panel"), QStringLiteral("close"), QKeySequence(Qt::Key_Delete),
      tr("From the page; stored figures stay"));
  const struct {
    const char* id;
    QString text, icon;
  } layouts[] = {{"figures.in_row", tr("In one ro&w"), QStringLiteral("in-row")},
                 {"figures.in_two", tr("In &two columns"), QStringLiteral("in-two")},
                 {"figures.in_column", tr("In one c&olumn"), QStringLiteral("in-column")}};
  for (const auto& layout : layouts)
    add(layout.id, layout.text, layout.icon, {},
        tr("All panels of the page, in the order in which one reads"));
  add("figures.equal_heights", tr("E&qual heights"), QStringLiteral("equal-rows"), {},
      tr("All rows of the page get the same height, whatever their figures need"));
  add("figures.own_sizes", tr("Si&zes as the figures need"), {}, {},
      tr("Forgets heights of rows, widths of columns and the height of the page that were set by hand"));
  add("figures.edit_text", tr("Ed&it the texts"), {}, QKeySequence(Qt::Key_F2),
      tr("Title, axis labels and legend of the panel, where they stand; a double click on one does the "
         "same"));
  add("figures.same_runs", tr("Same runs in e&very panel"), {}, {},
      tr("Every panel of runs shows the runs of the selected panel"));
  add("figures.use_runs", tr("Of the &selected runs"), QStringLiteral("run"), {},
      tr("Every panel of runs shows the runs that are selected in Train"));
}

void FiguresActions::makePage() {
  add("figures.regenerate", tr("Re&generate"), QStringLiteral("retry"), QKeySequence(Qt::Key_F5),
      tr("Reads all data again: after new runs, new analyses, new judgements"));
  QAction* gray = add("figures.gray", tr("Gra&yscale"), {}, QKeySequence(Qt::CTRL | Qt::Key_G),
                      tr("The page as a print without colour shows it"));
  gray->setCheckable(true);
  add("figures.fit_page", tr("&Fit to the page of the venue"), {}, {},
      tr("As wide as the style, and no higher than its page: the plots get lower; figures without room "
         "beside "
         "each other stand below each other"))
      ->setIconText(tr("Fit to the page"));
  add("figures.copy", tr("&Copy the page"), QStringLiteral("copy"), QKeySequence::Copy,
      tr("To the clipboard as picture, SVG and PDF"))
      ->setIconText(tr("Copy"));
  add("figures.export", tr("E&xport the page…"), QStringLiteral("export"),
      QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E),
      tr("PDF, SVG, PNG or PGF, with the numbers as CSV beside"))
      ->setIconText(tr("Export…"));
  add("figures.print", tr("Print the page…"), QStringLiteral("print"), QKeySequence::Print,
      tr("On paper or into a PDF, as large as the page is"));
  addSeparator();
  add("figures.help", tr("&Help on Figures"), QStringLiteral("info"), QKeySequence(Qt::Key_F1),
      tr("The page, its panels, the checks, the keys"));
}

}  // namespace fathom
