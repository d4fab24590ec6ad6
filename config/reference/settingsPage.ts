import { stringify } from "yaml";
import { builtInMemberTypes } from "../member/types.ts";
import { type JsonSchema, settingsJsonSchema } from "./jsonSchema.ts";
import { inline, keysTable, markdownTable } from "./tables.ts";

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
const ofTypes = [
  "home",
  "others",
  "quota",
  "podSecurity",
  "priorityClasses",
  "devices",
  "storage",
  "runtimeClasses",
  "pool",
  "userNamespaces",
];

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
