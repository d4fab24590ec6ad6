/** A line with the blank lines above it. */
interface Line {
  readonly text: string;
  readonly whole: string;
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let blank = "";
  for (const line of text.split("\n")) {
    if (line.trim() === "") {
      blank += `${line}\n`;
    } else {
      lines.push({ text: line, whole: `${blank}${line}\n` });
      blank = "";
    }
  }
  return lines;
}

/**
 * A text in the library's form, with those lines as a file has them that an edit leaves as they are.
 * @param own the file's text
 * @param before the same in the library's form
 * @param after the edited text in that form
 * @returns `after` itself if the two forms differ in their lines, as where braces go over several
 */
export function withKeptLines(own: string, before: string, after: string): string {
  const [owns, old, now] = [linesOf(own), linesOf(before), linesOf(after)];
  if (owns.length !== old.length) {
    return after;
  }
  const same = sameLines(old, now);
  // A new line is as far to the right as the own lines of the keys or items beside it.
  const shifts = new Map<string, string>();
  const lines = now.map(({ text, whole }, at) => {
    const indent = indentOf(text);
    const line = owns[same[at] ?? -1];
    for (const deeper of [...shifts.keys()].filter(({ length }) => length > indent.length)) {
      shifts.delete(deeper);
    }
    const shift = line === undefined ? (shifts.get(indent) ?? indentBelow(at)) : indentOf(line.text);
    if (shift !== undefined) {
      shifts.set(indent, shift);
    }
    return line?.whole ?? whole.replace(text, () => (shift ?? indent) + text.trimStart());
  });
  return lines.join("");

  /** Own indentation of the first own line below that is beside a line. */
  function indentBelow(at: number): string | undefined {
    const indent = indentOf(now[at]?.text);
    for (let next = at + 1; indentOf(now[next]?.text).length >= indent.length && next <= at + 50; next += 1) {
      const line = owns[same[next] ?? -1];
      if (line !== undefined && indentOf(now[next]?.text) === indent) {
        return indentOf(line.text);
      }
    }
    return undefined;
  }
}

const indentOf = (line = ""): string => /^ */.exec(line)?.[0] ?? "";

/** For each line the one that it was: unique lines, and the like lines around these. Edits never change the order. */
function sameLines(old: readonly Line[], now: readonly Line[]): readonly (number | undefined)[] {
  const [wasAt, isAt] = [uniques(old), uniques(now)];
  const same = now.map(({ text }) => (isAt.has(text) ? wasAt.get(text) : undefined));
  const used = new Set(same);
  const extend = (at: number, step: 1 | -1, end: number) => {
    const beside = at - step < 0 || at - step >= now.length ? end - step : same[at - step];
    const next = beside === undefined ? -1 : beside + step;
    if (same[at] === undefined && !used.has(next) && old[next]?.text === now[at]?.text && next >= 0) {
      same[at] = next;
      used.add(next);
    }
  };
  for (const at of now.keys()) {
    extend(at, 1, 0);
  }
  for (const at of [...now.keys()].reverse()) {
    extend(at, -1, old.length - 1);
  }
  return same;
}

/** Where each text is that is there once. */
function uniques(lines: readonly Line[]): ReadonlyMap<string, number> {
  const all = Map.groupBy(lines.keys(), (at) => lines[at]?.text ?? "");
  return new Map([...all].flatMap(([text, [at = -1, ...others]]) => (others.length === 0 ? [[text, at]] : [])));
}
