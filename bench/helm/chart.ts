import { isDeepStrictEqual } from "node:util";
import { type Item, memberOf, metadataOf, type ObjectList } from "../stage/objects.ts";

/** A chart that renders certain objects, and its values. */
interface Chart {
  /** For shared objects, and for each member's. */
  readonly templates: { readonly shared: string; readonly members: string };
  readonly values: { readonly members: readonly Entry[] };
}

/** A member in the values: the name, and all differences from most members. */
interface Entry {
  readonly member: string;
  /** Differing values, by object and path. */
  readonly own?: Readonly<Record<string, unknown>>;
  /** Objects of the other members that this one lacks. */
  readonly without?: readonly string[];
}

/**
 * A chart that ranges over members, as a person would write it for these objects: the template has the form that most
 * members share, and the values have each member's differences.
 * @throws Error if a member's object has a different shape from the others'
 */
export function chartOf({ items }: ObjectList): Chart {
  const byMember = Map.groupBy(items, (item) => memberOf(item) ?? "");
  const shared = byMember.get("") ?? [];
  byMember.delete("");
  const forms = new Map([...byMember].map(([member, objects]) => [member, formsOf(member, objects)]));
  const typical = typicalOf([...forms.values()]);
  const entries = [...forms].map(([member, form]) => entryOf(member, form, typical));
  const variable = new Set(entries.flatMap(({ own = {} }) => Object.keys(own)));
  return {
    templates: {
      shared: shared.map((item) => document(literal(JSON.stringify(item)))).join(""),
      members: `{{- range .Values.members }}\n${[...typical].map(([key, form]) => template(key, form, variable)).join("")}{{- end }}\n`,
    },
    values: { members: entries },
  };
}

/** Objects in the output of `helm template` for such a chart, which renders each as JSON. */
export function objectsIn(rendered: string): Item[] {
  return rendered
    .split(/^---$/m)
    .map((text) => text.replace(/^#.*$/gm, "").trim())
    .filter((text) => text !== "")
    .map((text) => JSON.parse(text) as Item);
}

/** Whether two lists have the same objects, in any order. */
export function sameObjects(some: readonly Item[], others: readonly Item[]): boolean {
  const sorted = (items: readonly Item[]) => [...items].sort((a, b) => (identity(a) < identity(b) ? -1 : 1));
  return isDeepStrictEqual(sorted(some), sorted(others));
}

/** A member's objects by identity, with a placeholder for the member's name. */
type Forms = ReadonlyMap<string, unknown>;

const mark = "\u0001";

function formsOf(member: string, items: readonly Item[]): Forms {
  // A name can be part of another name or word: it is replaced only between characters that names don't have.
  const name = new RegExp(`(?<![a-z0-9])${member}(?![a-z0-9])`, "g");
  return new Map(
    items.map((item) => {
      const form = JSON.parse(JSON.stringify(item), (_, value: unknown) =>
        typeof value === "string" ? value.replace(name, mark) : value,
      ) as Item;
      return [identity(form), form];
    }),
  );
}

/** The most frequent form of each object that any member has. */
function typicalOf(forms: readonly Forms[]): Forms {
  const counts = new Map<string, Map<string, number>>();
  for (const [key, form] of forms.flatMap((each) => [...each])) {
    const ofKey = counts.get(key) ?? new Map<string, number>();
    counts.set(key, ofKey);
    const text = JSON.stringify(form);
    ofKey.set(text, (ofKey.get(text) ?? 0) + 1);
  }
  return new Map(
    [...counts].map(([key, ofKey]) => {
      const [[text] = ["null"]] = [...ofKey].sort(([, a], [, b]) => b - a);
      return [key, JSON.parse(text)];
    }),
  );
}

function entryOf(member: string, forms: Forms, typical: Forms): Entry {
  const without = [...typical.keys()].filter((key) => !forms.has(key));
  const own = Object.fromEntries(
    [...forms]
      .flatMap(([key, form]) => differences(key, form, typical.get(key)))
      .map(([path, value]) => [path, typeof value === "string" ? value.replaceAll(mark, member) : value]),
  );
  return {
    member,
    ...(Object.keys(own).length > 0 ? { own } : {}),
    ...(without.length > 0 ? { without } : {}),
  };
}

/** The values of `one` that differ in `other`, by path. */
function differences(path: string, one: unknown, other: unknown): [string, unknown][] {
  if (isDeepStrictEqual(one, other)) {
    return [];
  }
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) {
    return [[path, one]];
  }
  if (!isDeepStrictEqual(Object.keys(one), Object.keys(other))) {
    throw new Error(`${path} has not the same fields for all members: one chart can't make them`);
  }
  return Object.entries(one).flatMap(([key, value]) =>
    differences(`${path}.${key}`, value, (other as Readonly<Record<string, unknown>>)[key]),
  );
}

function template(key: string, form: unknown, variable: ReadonlySet<string>): string {
  const text = valueText(key, form, variable);
  return `{{- if not (has ${JSON.stringify(key)} (.without | default list)) }}\n${document(text)}{{- end }}\n`;
}

/** JSON with a template action for each value that differs between members. */
function valueText(path: string, value: unknown, variable: ReadonlySet<string>): string {
  if (variable.has(path)) {
    const text = JSON.stringify(value);
    const usual = text.includes("\\u0001") ? `(replace "\\u0001" .member ${text})` : text;
    return `{{ index (.own | default dict) ${JSON.stringify(path)} | default ${usual} | toJson }}`;
  }
  if (Array.isArray(value)) {
    return `[${value.map((each, index) => valueText(`${path}.${index}`, each, variable)).join(",")}]`;
  }
  if (typeof value !== "object" || value === null) {
    return literal(JSON.stringify(value));
  }
  const fields = Object.entries(value).map(
    ([key, each]) => `${literal(JSON.stringify(key))}:${valueText(`${path}.${key}`, each, variable)}`,
  );
  return `{${fields.join(",")}}`;
}

/** Text that the template prints unchanged, except for the member's name. */
function literal(text: string): string {
  return text.replaceAll("{{", '{{ "{{" }}').replaceAll("\\u0001", "{{ .member }}");
}

function document(text: string): string {
  return `---\n${text}\n`;
}

function identity(item: Item): string {
  const { namespace = "", name = "" } = metadataOf(item);
  return [item.kind, namespace, name].join("/").replaceAll(mark, "NAME");
}
