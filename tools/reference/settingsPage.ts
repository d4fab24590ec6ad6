import { stringify } from "yaml";
import { builtInMemberTypes, traits } from "../../config/member/types.ts";
import { type JsonSchema, membersFileJsonSchema, settingsJsonSchema, stackFileJsonSchema } from "./jsonSchema.ts";

/** Text of docs/reference/settings.md: each setting with its meaning, keys, defaults and an example. */
export function settingsPage(): string {
  const { properties = {}, required = [] } = settingsJsonSchema();
  const settings = Object.entries(properties) as [string, JsonSchema][];
  const index = settings.map(([key]) => `[\`${key}\`](#${key.toLowerCase()})`).join(",\n");
  const sections = settings.map(([key, schema]) => section(key, schema, required.includes(key)));
  return `${[beginning, index, editors, ...sections].join("\n\n")}\n`;
}

const beginning = `# Settings

Set these keys in \`Pulumi.<stack>.yaml\`, each as \`kubecamp:KEY\`. A mistake stops a run before it changes anything.`;

const editors = `With this line at the top of the file, an editor with a YAML language server (VS Code: the extension *YAML*) completes keys and marks mistakes:

\`\`\`yaml
# yaml-language-server: $schema=./schema/stack.schema.json
\`\`\`

The path is relative to the file. In a members file, name \`members.schema.json\` instead, in each document.`;

function section(key: string, schema: JsonSchema, required: boolean): string {
  const description = `${required ? "Required. " : ""}${schema.description ?? ""}`;
  return [`## ${key}`, description, example(key, schema), ...details(key, schema)].join("\n\n");
}

function example(key: string, { examples = [] }: JsonSchema): string {
  const [value] = examples as unknown[];
  return `\`\`\`yaml\n${stringify({ config: { [`kubecamp:${key}`]: value } }, { lineWidth: 0 })}\`\`\``;
}

function details(key: string, schema: JsonSchema): string[] {
  switch (key) {
    case "members":
      return [
        keysTable(schema.items as JsonSchema, [...ofTypes, ...belowTypes, "route.readiness.", "schedule."]),
        precedence,
      ];
    case "memberTypes":
      return [
        "The defaults are those of a new type. A built-in type keeps what you leave out.",
        keysTable(schema.additionalProperties as JsonSchema, ["network.", "schedule."]),
        "The built-in types:",
        builtInTypes(),
      ];
    case "labels":
    case "bucketKeys":
      return [keysTable(schema.additionalProperties as JsonSchema)];
    case "defaults":
      return ["Keys and defaults: the limits of [a member](#members)."];
    case "membersFile":
      return [membersFiles];
    case "budgets":
    case "objectKinds":
      return [keysTable(schema.items as JsonSchema)];
    case "staff":
      return [
        keysTable(schema.items as JsonSchema, ["over."]),
        "`over` has the same keys as in [`budgets`](#budgets).",
      ];
    case "objects":
      return [
        keysTable(schema.items as JsonSchema, ["for."]),
        "`for` has the same keys as `over` in [`budgets`](#budgets).",
      ];
    default:
      return schema.properties === undefined ? [] : [keysTable(schema)];
  }
}

const membersFiles = `It has one or more documents, each a list of [members](#members), the Members operator's object, or the output of
\`kubectl get members -A -o yaml\`:

\`\`\`yaml
- { member: alice, type: admin }
---
apiVersion: crds.yadiary.net/v1
kind: Members
spec:
  members: [{ member: bob, type: user }]
\`\`\`

[\`members check\`](../run/check.md) finds mistakes in it.`;

/** Keys that a member has in common with a type, whose section explains them. */
const ofTypes = Object.keys(traits);

const belowTypes = [...ofTypes, "network"].map((key) => `${key}.`);

const precedence = `An entry can override these of [its type](#membertypes): ${ofTypes.map((key) => `\`${key}\``).join(", ")}.

Quotas hold for types with a \`quota\`. A limit comes from the first of these that sets it: entry, type, stack
([\`defaults\`](#defaults)), this table.`;

/** Uses the keys of the schema, so that both tables read alike. */
function builtInTypes(): string {
  const types = Object.values(builtInMemberTypes);
  const traits = ["home", "others", "quota", "podSecurity"] as const;
  return markdownTable(
    ["type", ...traits.map((trait) => `\`${trait}\``)],
    types.map((type) => [`\`${type.name}\``, ...traits.map((trait) => `\`${inline(type[trait])}\``)]),
  );
}

/** Files generated from the schema, by path in the project. */
export function referenceFiles(): Readonly<Record<string, string>> {
  return {
    "docs/reference/settings.md": settingsPage(),
    "schema/members.schema.json": json(membersFileJsonSchema()),
    "schema/stack.schema.json": json(stackFileJsonSchema()),
  };
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|${head.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}

/** A value on one line of YAML. */
const inline = (value: unknown): string => stringify(value, { collectionStyle: "flow", lineWidth: 0 }).trimEnd();

/**
 * Every key of an object with its meaning and default, nested keys included.
 * @param elsewhere keys that another section explains; those that begin with one that ends in a dot, too
 */
function keysTable(schema: JsonSchema, elsewhere: readonly string[] = []): string {
  const isElsewhere = (cell: string) =>
    elsewhere.some((key) => cell === `\`${key}\`` || (key.endsWith(".") && cell.startsWith(`\`${key}`)));
  const rows = keyRows(schema, "").filter(([key = ""]) => !isElsewhere(key));
  return markdownTable(["key", "meaning", "default"], rows);
}

/** Lists whose entries get a row for each key. The descriptions of other lists explain theirs. */
const listsOfMaps = ["buckets", "ci", "grants"];

function keyRows(schema: JsonSchema, prefix: string): string[][] {
  return Object.entries(propertiesOf(schema)).flatMap(([key, value]) => {
    const { meaning, standard } = explained(value);
    const required = schema.required?.includes(key) === true;
    // The limits of a type have the same keys as the setting `defaults`, which documents them once.
    const entries = listsOfMaps.includes(key) ? keyRows(value.items as JsonSchema, `${prefix}${key}[].`) : [];
    const below = key === "defaults" ? [] : [...keyRows(value, `${prefix}${key}.`), ...entries];
    return [[`\`${prefix}${key}\``, meaning, required ? "required" : standard], ...below];
  });
}

function propertiesOf({ properties, anyOf = [] }: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const either = [{ properties }, ...anyOf].find((schema) => schema.properties !== undefined);
  return (either?.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
}

/** A default that is no plain value is in words at the end of the description. */
function explained({ description = "", default: value }: JsonSchema): { meaning: string; standard: string } {
  const [, meaning = description, words] = /^(.*?)(?: Default: (.*)\.)?$/.exec(description) ?? [];
  if (words !== undefined) {
    return { meaning, standard: words };
  }
  const nothing = value === undefined || (Array.isArray(value) && value.length === 0);
  return { meaning, standard: nothing ? "none" : `\`${inline(value)}\`` };
}
