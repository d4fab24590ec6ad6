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

Resources, subresources and verbs that RBAC allows members of each type; all others are refused. An allowed request must still pass
admission, quota and Pod Security ([security.md](../security/security.md)). \`test/e2e/isolation/access/matrix.ts\` compares this page
with the answers of a real API server, and writes it with \`KUBECAMP_WRITE_MATRIX=1\`.

\`reader\` is a type with \`home: view\` and \`others: none\`; the others are built in. \`CI job\` and \`CI token\` are
[CI jobs](../run/pipelines.md) of a \`user\`, of an issuer and with a token of the ServiceAccount \`kubecamp-ci\`. Their member may
also \`create\` \`serviceaccounts/token\` of \`kubecamp-ci\` alone. [Staff](../run/staff.md)
have rights only in the namespaces of their members. With \`assist\`, they can \`patch\` only to restart. \`spawn\` is for ServiceAccounts.
From Kubernetes 1.37 on, ServiceAccounts read ClusterTrustBundles.

\`widgets\` and \`gadgets\` stand for [custom kinds](../run/objects.md#custom-kinds) of \`objectKinds\`, the latter with \`edit: true\`.

${Object.entries(letters)
  .map(([verb, letter]) => `\`${letter}\` ${verb}`)
  .join(", ")}; other verbs are in full.
`;

/** The whole page: a table for each place, or for places with the same answers; a column for types with the same answers. */
export function matrixPage(sections: readonly Section[], paths: Readonly<Record<string, readonly string[]>>): string {
  const places = Map.groupBy(sections, ({ allowed }) => sectionTable(allowed));
  const tables = [...places].map(([table, same]) => {
    const [first = "", ...others] = same.map(({ title }) => title);
    return `\n## ${[first, ...others.map((title) => title.replace(/^In /, "in "))].join(", ")}\n\n${table}`;
  });
  const names = [...new Set(Object.values(paths).flat())].sort();
  const pathTable = tableOf(names, Object.keys(paths), (path, type) => (paths[type]?.includes(path) ? "get" : "-"));
  return `${introduction}${tables.join("")}\n## Non-resource paths\n\n${pathTable}`;
}

function sectionTable(allowed: Section["allowed"]): string {
  const names = [
    ...new Set(Object.values(allowed).flatMap((all) => all.map(({ resource }) => nameOf(resource)))),
  ].sort();
  return names.length === 0
    ? "Nothing.\n"
    : tableOf(names, Object.keys(allowed), (name, type) => cell(name, allowed[type] ?? []));
}

function tableOf(names: readonly string[], types: readonly string[], answer: (name: string, type: string) => string) {
  const columns = Map.groupBy(types, (type) => names.map((name) => answer(name, type)).join("\n"));
  const headings = [...columns.values()].map((alike) => alike.join(", "));
  const rows = names.map((name) => [name, ...[...columns.values()].map(([type = ""]) => answer(name, type))]);
  return codeBlock([["", ...headings], ...rows]);
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
