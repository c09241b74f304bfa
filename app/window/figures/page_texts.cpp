// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/figures/page_texts.h"

#include <tuple>

#include "app/window/figures/built_figures.h"
#include "app/window/figures/page_editor.h"
#include "views/look/engine_text.h"
#include "views/panels/figures/page_view.h"
#include "views/panels/figures/page_words.h"

namespace fathom {

namespace {

std::map<std::string, std::string>& partOf(FigureTexts& texts, TextRole role) {
  if (role == TextRole::Title) return texts.titles;
  return role == TextRole::Legend ? texts.legend : texts.axes;
}

// The form that a person reads and types: the plain text where it has no markup to lose.
QString typedForm(const std::string& markup) {
  const QString whole = fromUtf8(markup), plain = plainText(whole);
  return latexText(plain) == latexText(whole) ? plain : whole;
}

// A legend for all panels names marks of the others, too: behind its own ones, with their selections.
std::string entryFromElsewhere(const FigureSpec& figure, const FigureMark& entry,
                               const std::map<std::string, std::string>& said) {
  for (const FigurePanel& panel : figure.panels)
    for (const FigureMark& mark : panel.marks) {
      const std::string own = mark.label.english();
      if (!own.empty() && mark.selection == entry.selection && wordsFor(said, own) == entry.label.english())
        return own;
    }
  return {};
}

}  // namespace

FigureComposition withText(const FigureComposition& page, std::size_t figure, TextRole role,
                           const std::string& was, const std::string& is) {
  FigureComposition next = page;
  const bool shared = (role == TextRole::LabelX && page.shareX) || (role == TextRole::LabelY && page.shareY);
  for (std::size_t i = 0; i < next.panels.size(); ++i) {
    if (i != figure && !shared) continue;
    auto& texts = partOf(next.panels[i].recipe.texts, role);
    if (is.empty() || is == was) {
      texts.erase(was);
    } else {
      texts[was] = is;
    }
  }
  return next;
}

PageTexts::PageTexts(PageEditor* editor, const BuiltFigures* figures, PageView* view)
    : m_editor(editor), m_figures(figures), m_view(view), m_words(new PageWords(view)) {
  connect(m_words, &PageWords::asked, this, &PageTexts::open);
  connect(m_words, &PageWords::said, this, &PageTexts::take);
  connect(editor, &PageEditor::shown, this, [this] {
    const bool same = m_editor->page() != nullptr && m_editor->page()->uuid == m_page;
    if (m_words->isEditing() && !same) m_words->close();
  });
}

void PageTexts::setReadOnly(bool readOnly) {
  m_words->setReadOnly(readOnly);
}

void PageTexts::editFirst() {
  m_words->askFirst();
}

std::string PageTexts::figuresOwn(const WordPlace& place) const {
  const ComposedPage& shown = m_view->composed();
  const CompositionPanel& panel = m_editor->page()->panels[shown.figureOf[place.panel]];
  const FigureSpec* figure = m_figures->figure(panel.recipe);
  if (figure == nullptr) return {};
  WordPlace own = place;
  own.panel = isPanelTitle(place) ? firstPanel(*figure) : shown.panelOf[place.panel];
  if (own.panel >= figure->panels.size()) return {};
  if (place.role != TextRole::Legend || place.mark < figure->panels[own.panel].marks.size())
    return wordsAt(*figure, own);
  return entryFromElsewhere(*figure, shown.spec.panels[place.panel].marks[place.mark],
                            panel.recipe.texts.legend);
}

bool PageTexts::isPanelTitle(const WordPlace& place) const {
  if (place.role != TextRole::Title) return false;
  const ComposedPage& shown = m_view->composed();
  const FigurePanel& titled = shown.spec.panels[place.panel];
  for (std::size_t i = 0; i < shown.spec.panels.size(); ++i) {
    const FigurePanel& other = shown.spec.panels[i];
    if (shown.figureOf[i] == shown.figureOf[place.panel] &&
        std::tie(other.row, other.column) < std::tie(titled.row, titled.column))
      return false;
  }
  return true;
}

void PageTexts::open(const WordPlace& place) {
  const std::size_t figure = m_view->composed().figureOf[place.panel];
  if (!m_editor->canBeChanged() || m_editor->page() == nullptr || figure >= m_editor->page()->panels.size() ||
      m_figures->figure(m_editor->page()->panels[figure].recipe) == nullptr)
    return;
  if (m_editor->selected() != int(figure)) m_editor->select(int(figure));
  const CompositionPanel& panel = m_editor->page()->panels[figure];
  m_page = m_editor->page()->uuid;
  const std::string was = figuresOwn(place);
  if (isPanelTitle(place)) {
    const QString own = panel.title.empty() ? plainText(fromUtf8(was)) : fromUtf8(panel.title);
    return m_words->edit(place, own, plainText(fromUtf8(was)));
  }
  if (was.empty()) return;
  FigureTexts texts = panel.recipe.texts;
  m_words->edit(place, typedForm(wordsFor(partOf(texts, place.role), was)), typedForm(was));
}

void PageTexts::take(const WordPlace& place, const QString& text) {
  if (place.panel >= m_view->composed().figureOf.size()) return;
  const std::size_t figure = m_view->composed().figureOf[place.panel];
  if (m_editor->page() == nullptr || figure >= m_editor->page()->panels.size()) return;
  const std::string was = figuresOwn(place);
  const std::string typed = toUtf8(text.simplified());
  if (isPanelTitle(place)) {
    FigureComposition next = *m_editor->page();
    const bool own = typed != toUtf8(plainText(fromUtf8(was)));
    next.panels[figure].title = own ? typed : std::string();
    return m_editor->apply(next);
  }
  const bool same = typed == toUtf8(typedForm(was));
  m_editor->apply(withText(*m_editor->page(), figure, place.role, was, same ? std::string() : typed));
}

}  // namespace fathom
