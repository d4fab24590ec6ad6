import { nameOf, type Question } from "./authorizer.ts";

/** Verbs that have a letter; others, such as `impersonate`, are written out. */
export const letters: Readonly<Record<string, string>> = {
  get: "g",
  list: "l",
  watch: "w",
  create: "c",
  update: "u",
  patch: "p",
  delete: "d",
  deletecollection: "D",
};

/** Permitted verbs in one place. */
export interface Section {
  readonly title: string;
  /** Permitted requests, by type of member. */
  readonly allowed: Readonly<Record<string, readonly Question[]>>;
}

const introduction = `# Who may do what

Resources, subresources and verbs that RBAC allows members of each type. What has no line is refused; what is allowed must still pass
admission, quota and Pod Security ([security.md](../security/security.md)). \`test/e2e/isolation/matrix.test.ts\` asks a real API
server with members' tokens for everything it has, compares, and writes this page with \`KUBECAMP_WRITE_MATRIX=1\`.

\`reader\` is a type with \`home: view\` and \`others: none\`; the others are built in. [Staff](../run/staff.md)
have a table of their own: they have nothing where they are over nobody. What they have to \`patch\` with \`assist\` lets them restart only.

${Object.entries(letters)
  .map(([verb, letter]) => `\`${letter}\` ${verb}`)
  .join(", ")}; other verbs are in full.
`;

/** The whole page: a table for each place, with a column for each type. */
export function matrixPage(sections: readonly Section[], paths: Readonly<Record<string, readonly string[]>>): string {
  const tables = sections.map(({ title, allowed }) => {
    const types = Object.keys(allowed);
    const names = [...new Set(Object.values(allowed).flatMap((all) => all.map(({ resource }) => nameOf(resource))))];
    const rows = names.sort().map((name) => [name, ...types.map((type) => cell(name, allowed[type] ?? []))]);
    return `\n## ${title}\n\n${names.length === 0 ? "Nothing.\n" : codeBlock([["", ...types], ...rows])}`;
  });
  const types = Object.keys(paths);
  const rows = [...new Set(Object.values(paths).flat())]
    .sort()
    .map((path) => [path, ...types.map((type) => (paths[type]?.includes(path) ? "get" : "-"))]);
  return `${introduction}${tables.join("")}\n## Non-resource paths\n\n${codeBlock([["", ...types], ...rows])}`;
}

function cell(name: string, allowed: readonly Question[]): string {
  const verbs = allowed.filter(({ resource }) => nameOf(resource) === name).map(({ verb }) => verb);
  const short = Object.keys(letters).map((verb) => (verbs.includes(verb) ? letters[verb] : "-"));
  const long = verbs.filter((verb) => letters[verb] === undefined);
  return verbs.length === 0 ? "-" : [short.join(""), ...long].join(" ");
}

/** Columns of even width, without trailing spaces. */
function codeBlock(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return `\`\`\`\n${lines.join("\n")}\n\`\`\`\n`;
}
