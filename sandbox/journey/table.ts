/** A member's entry in the stack's output `members`. */
export interface MemberRow {
  readonly type: string;
  readonly namespace: string;
  readonly state: string;
  readonly url?: string;
  readonly reason?: string;
}

const gap = "  ";

/** Members, a line each; a last column too long for the width goes on below itself. */
export function membersTable(members: Readonly<Record<string, MemberRow>>, width = 80): string {
  const rows = Object.entries(members).map(([name, row]) => [
    name,
    row.type,
    row.namespace,
    row.state,
    row.url ?? row.reason ?? "",
  ]);
  const table = [["MEMBER", "TYPE", "NAMESPACE", "STATE", "URL OR REASON"], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const room = Math.max(width - widths.reduce((sum, each) => sum + each + gap.length, 0), 20);
  return table
    .flatMap((row) =>
      wrap(row[4] ?? "", room).map((text, line) => {
        const cells = widths.map((cell, column) => (line === 0 ? (row[column] ?? "") : "").padEnd(cell));
        return [...cells, text].join(gap).trimEnd();
      }),
    )
    .join("\n");
}

/** Breaks at spaces; a word longer than the room (a URL) stays whole, so that it can be copied. */
function wrap(text: string, room: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
