// SPDX-License-Identifier: Apache-2.0
#include "tests/process/support_command_lines.h"

#include <QRegularExpression>

namespace fathom::test {

namespace {

using Kind = ShownCommand::Kind;

const QString kFilled = QStringLiteral("FILLED");

bool isProgram(const QString& word) {
  return word == QLatin1String("fathom") || word == QLatin1String("fathom-engine") ||
         word == QLatin1String("fathom-sqlrun") || word == QLatin1String("fathom-bench") ||
         word == QLatin1String("fathom-pictures");
}

// A line, or only the name of something.
Kind kindOf(const QStringList& words, bool typed) {
  if (words.size() < 2)
    return typed && words.value(0) == QLatin1String("fathom") ? Kind::Line : Kind::Mention;
  if (words[1].startsWith(u'<') || words[1].startsWith(kFilled)) return Kind::Open;
  return words.size() == 2 && !typed && !words[1].startsWith(u'-') ? Kind::Mention : Kind::Line;
}

struct Paragraph {
  QString command;
};

void takeSpan(const QString& span, bool typed, const QString& where, Paragraph& paragraph,
              QVector<ShownCommand>& found) {
  const QStringList words = shellWords(span);
  if (words.isEmpty()) return;
  if (isProgram(words.front())) {
    const Kind kind = kindOf(words, typed);
    found.append({where, span, kind, {}});
    paragraph.command = kind == Kind::Line ? span : words.mid(0, 2).join(u' ');
  } else if (words.front().endsWith(QLatin1String(".sh"))) {
    paragraph.command = words.front();
  } else if (words.front().startsWith(QLatin1String("--"))) {
    found.append({where, span, Kind::Fragment, paragraph.command});
  }
}

// Of C++: the text of the literal that begins at `at` (a quote), and where it ends.
QString literalAt(const QString& source, qsizetype& at) {
  QString text;
  for (++at; at < source.size() && source[at] != u'"'; ++at) {
    if (source[at] == u'\\' && at + 1 < source.size()) {
      ++at;
      text += source[at] == u'n' ? u'\n' : source[at];
    } else {
      text += source[at];
    }
  }
  ++at;
  return text;
}

QString withoutComments(const QString& source) {
  QString text;
  for (const QString& line : source.split(u'\n')) {
    bool quoted = false;
    qsizetype end = line.size();
    for (qsizetype i = 0; i + 1 < line.size() && end == line.size(); ++i) {
      if (line[i] == u'"' && (i == 0 || line[i - 1] != u'\\')) quoted = !quoted;
      if (!quoted && line[i] == u'/' && line[i + 1] == u'/') end = i;
    }
    text += line.left(end) + u'\n';
  }
  return text;
}

// A text of the program with everything that is joined to it in one expression: "a" + name + "b".
struct Joined {
  QString text;
  int line = 0;
};

QVector<Joined> joinedTexts(const QString& raw) {
  const QString source = withoutComments(raw);
  QVector<Joined> all;
  bool open = false;  // the last text goes on
  int line = 1, depth = 0;
  for (qsizetype at = 0; at < source.size();) {
    const QChar letter = source[at];
    if (letter == u'\n') ++line;
    if (letter == u'\'' && at + 2 < source.size()) {  // a character
      at += source[at + 1] == u'\\' ? 4 : 3;
      continue;
    }
    if (letter == u'"') {
      // A text with values: %1 is filled in.
      const QString text =
          literalAt(source, at).replace(QRegularExpression(QStringLiteral("%[1-9]")), kFilled);
      if (open && depth == 0) {
        all.last().text += text;
      } else if (depth == 0 || !open) {
        all.append({text, line});
        open = true;
        depth = 0;
      }
      continue;
    }
    if (open) {
      if (letter == u'(' || letter == u'[' || letter == u'{') ++depth;
      if (letter == u')' || letter == u']' || letter == u'}') --depth;
      const bool ends = depth < 0 || letter == u';' || (depth == 0 && QStringLiteral(",?:").contains(letter));
      if (ends) {
        open = false;
        depth = 0;
      } else if (letter == u'+' && depth == 0 && !all.last().text.endsWith(kFilled)) {
        // Between two texts stands something that is filled in, unless the next is a text too.
        qsizetype next = at + 1;
        while (next < source.size() && source[next].isSpace()) ++next;
        if (next < source.size() && source[next] != u'"') all.last().text += kFilled;
      }
    }
    ++at;
  }
  return all;
}

}  // namespace

QStringList shellWords(const QString& line) {
  QStringList words;
  QString word;
  bool any = false;
  QChar quote;
  for (const QChar letter : line) {
    if (!quote.isNull()) {
      if (letter == quote) {
        quote = QChar();
      } else {
        word += letter;
      }
    } else if (letter == u'\'' || letter == u'"') {
      quote = letter;
      any = true;
    } else if (letter.isSpace()) {
      if (any || !word.isEmpty()) words.append(word);
      word.clear();
      any = false;
    } else if (letter == u'#' && word.isEmpty()) {
      break;
    } else {
      word += letter;
    }
  }
  if (any || !word.isEmpty()) words.append(word);
  words.removeAll(QStringLiteral("…"));  // "RUN RUN …": and so on
  return words;
}

QVector<ShownCommand> commandsOfPage(const QString& text, const QString& name) {
  QVector<ShownCommand> found;
  Paragraph paragraph;
  bool fenced = false;
  int number = 0;
  static const QRegularExpression kSpan(QStringLiteral("`([^`]+)`"));
  QString begun;  // of a line that goes on behind a backslash
  for (const QString& own : text.split(u'\n')) {
    QString line = begun.isEmpty() ? own : begun + own.trimmed();
    begun.clear();
    if (line.endsWith(QLatin1String(" \\")) && line.startsWith(QLatin1String("    "))) {
      line.chop(1);
      begun = line;
      ++number;
      continue;
    }
    const QString where = name + u':' + QString::number(++number);
    if (line.startsWith(QLatin1String("```"))) {
      fenced = !fenced;
      continue;
    }
    if (line.trimmed().isEmpty()) paragraph = {};
    if (fenced || line.startsWith(QLatin1String("    "))) {
      if (isProgram(shellWords(line).value(0))) takeSpan(line.trimmed(), true, where, paragraph, found);
    }
    for (auto spans = kSpan.globalMatch(line); spans.hasNext();)
      takeSpan(spans.next().captured(1), false, where, paragraph, found);
  }
  return found;
}

QVector<ShownCommand> commandsOfSource(const QString& text, const QString& name, const QStringList& known) {
  // "the program fathom was not found" is none.
  static const QRegularExpression kCommand(
      QStringLiteral("(?<sure>[:`'\"]\\s*)?\\b(?<program>fathom(?:-engine|-sqlrun)?) (?<rest>[^\\n`;|]*)"));
  static const QRegularExpression kWordEnd(QStringLiteral("[\\s.,)]"));
  QVector<ShownCommand> found;
  for (const Joined& joined : joinedTexts(text)) {
    for (auto matches = kCommand.globalMatch(joined.text); matches.hasNext();) {
      const auto match = matches.next();
      const QString sure = match.captured(QStringLiteral("sure"));
      QString rest = match.captured(QStringLiteral("rest"));
      if (sure.endsWith(u'\'')) rest = rest.section(u'\'', 0, 0);
      if (sure.isEmpty() && !known.contains(rest.section(kWordEnd, 0, 0))) continue;
      const QString line = match.captured(QStringLiteral("program")) + u' ' + rest.trimmed();
      const QString first = shellWords(line).value(1);
      const bool open = first.startsWith(u'<') || first.startsWith(kFilled);
      found.append({name + u':' + QString::number(joined.line), line, open ? Kind::Open : Kind::Line, {}});
    }
  }
  return found;
}

}  // namespace fathom::test
