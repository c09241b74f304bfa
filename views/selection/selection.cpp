// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/selection/selection.h"

#include <algorithm>

namespace fathom {

namespace {

struct Prefix {
  Dimension dimension;
  const char* text;
};
// In the order of the string form; stack and attention kind are written between Example and Layer.
constexpr Prefix kBefore[] = {{Dimension::Run, "run:"},
                              {Dimension::PredictionSet, "set:"},
                              {Dimension::Checkpoint, "ckpt:"},
                              {Dimension::DataSet, "data:"},
                              {Dimension::Example, "ex:"}};
constexpr Prefix kAfter[] = {{Dimension::Layer, "L"},     {Dimension::Sublayer, "S"},
                             {Dimension::Head, "H"},      {Dimension::QueryToken, "q:"},
                             {Dimension::KeyToken, "k:"}, {Dimension::Category, "cat:"}};

constexpr QLatin1String kReserved("%/,*:.");

QString escaped(const QString& item) {
  QString text;
  for (const QChar letter : item) {
    if (kReserved.contains(letter)) {
      text += u'%' + QString::number(letter.unicode(), 16).toUpper().rightJustified(2, u'0');
    } else {
      text += letter;
    }
  }
  return text;
}

Result<QString> unescaped(const QString& text) {
  QString item;
  for (qsizetype i = 0; i < text.size(); ++i) {
    if (text[i] != u'%') {
      item += text[i];
      continue;
    }
    bool ok = false;
    const ushort code = QStringView(text).mid(i + 1, 2).toUShort(&ok, 16);
    if (!ok || i + 2 >= text.size())
      return usageError(Phrase::tr("selection: \"%1\" has a broken %-code")(text.toStdString()));
    item += QChar(code);
    i += 2;
  }
  if (item.isEmpty()) return usageError(Phrase::tr("selection: an empty item"));
  return item;
}

QString itemsText(const DimensionSelection& part) {
  QString text;
  for (const QString& item : part.items) {
    if (!text.isEmpty()) text += u',';
    text += escaped(item);
    if (item == part.current && item != part.items.back()) text += u'*';
  }
  return text;
}

Status readItems(Selection& selection, Dimension dimension, const QString& text) {
  if (!selection.of(dimension).items.isEmpty())
    return usageError(
        Phrase::tr("selection: \"%1\" names a dimension for the second time")(text.toStdString()));
  QStringList items;
  QString current;
  for (QString word : text.split(u',')) {
    const bool marked = word.endsWith(u'*');
    if (marked) word.chop(1);
    FATHOM_TRY(const QString item, unescaped(word));
    if (marked) current = item;
    items << item;
  }
  selection.set(dimension, items, current);
  return {};
}

bool isNumberList(QStringView text) {
  return !text.isEmpty() && std::all_of(text.begin(), text.end(), [](QChar letter) {
    return letter.isDigit() || letter == u',' || letter == u'*';
  });
}

// "dec.cross", "dec", ".cross"
Status readStack(Selection& selection, const QString& part) {
  const qsizetype dot = part.indexOf(u'.');
  const QString stack = dot < 0 ? part : part.left(dot);
  if (!stack.isEmpty()) FATHOM_CHECK(readItems(selection, Dimension::Stack, stack));
  if (dot >= 0) FATHOM_CHECK(readItems(selection, Dimension::AttentionKind, part.mid(dot + 1)));
  return {};
}

Status readPart(Selection& selection, const QString& part) {
  for (const Prefix& prefix : kBefore)
    if (part.startsWith(QLatin1String(prefix.text)))
      return readItems(selection, prefix.dimension, part.mid(QLatin1String(prefix.text).size()));
  for (const Prefix& prefix : kAfter) {
    const QLatin1String word(prefix.text);
    if (!part.startsWith(word)) continue;
    const QString rest = part.mid(word.size());
    // A stack may begin with L, S or H; its name does not go on with digits only.
    if (word.size() == 1 && !isNumberList(rest)) continue;
    return readItems(selection, prefix.dimension, rest);
  }
  if (part.contains(u':'))
    return usageError(Phrase::tr("selection: \"%1\" names no known dimension")(part.toStdString()));
  return readStack(selection, part);
}

}  // namespace

void Selection::set(Dimension dimension, const QStringList& items, const QString& current) {
  DimensionSelection& part = m_parts[static_cast<std::size_t>(dimension)];
  part.items = items;
  part.items.removeDuplicates();
  part.items.removeAll(QString());
  part.current = part.items.contains(current) ? current : part.items.value(part.items.size() - 1);
}

QString Selection::text() const {
  QStringList parts;
  const auto add = [&](const Prefix& prefix) {
    const DimensionSelection& part = of(prefix.dimension);
    if (!part.items.isEmpty()) parts << QLatin1String(prefix.text) + itemsText(part);
  };
  for (const Prefix& prefix : kBefore) add(prefix);
  QString stack = itemsText(of(Dimension::Stack));
  if (!of(Dimension::AttentionKind).items.isEmpty()) stack += u'.' + itemsText(of(Dimension::AttentionKind));
  if (!stack.isEmpty()) parts << stack;
  for (const Prefix& prefix : kAfter) add(prefix);
  return parts.join(u'/');
}

Result<Selection> Selection::fromText(const QString& text) {
  Selection selection;
  if (text.isEmpty()) return selection;
  for (const QString& part : text.split(u'/')) {
    if (part.isEmpty())
      return usageError(Phrase::tr("selection: \"%1\" has an empty part")(text.toStdString()));
    FATHOM_CHECK(readPart(selection, part));
  }
  return selection;
}

}  // namespace fathom
