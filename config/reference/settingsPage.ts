import { stringify } from "yaml";
import { builtInMemberTypes } from "../model/memberTypes.ts";
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

These keys are in \`Pulumi.<stack>.yaml\`, each as \`kubecamp:KEY\`. An unknown key or a wrong value stops a run before it
changes anything. \`npm run generate\` writes this page from \`config/schema/\`.`;

const editors = `An editor with a YAML language server, such as VS Code with the extension *YAML*, completes the keys and marks mistakes, if the
first line of the file names the schema:

\`\`\`yaml
# yaml-language-server: $schema=./schema/stack.schema.json
\`\`\`

The path is relative to the file. A members file names \`members.schema.json\` instead, in each document.`;

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
      return [keysTable(schema.items as JsonSchema, [...ofTypes, "network.", "route.readiness."]), precedence];
    case "memberTypes":
      return [
        "The defaults are those of a new type; a built-in type keeps what you leave out.",
        keysTable(schema.additionalProperties as JsonSchema),
        "The built-in types:",
        builtInTypes(),
      ];
    case "bucketKeys":
      return [keysTable(schema.additionalProperties as JsonSchema)];
    case "defaults":
      return ["The keys are the limits of [a member](#members), with the defaults that they have there."];
    case "membersFile":
      return [membersFiles];
    default:
      return schema.properties === undefined ? [] : [keysTable(schema)];
  }
}

const membersFiles = `The file is a list with the keys of [a member](#members):

\`\`\`yaml
- member: alice
  type: admin
- member: bob
  type: user
\`\`\`

or the Members operator's document:

\`\`\`yaml
apiVersion: crds.yadiary.net/v1
kind: Members
spec:
  members: [{ member: alice, type: admin }]
\`\`\`

or several documents of either form, as one list:

\`\`\`yaml
- { member: alice, type: admin }
---
- { member: bob, type: user }
\`\`\`

or the output of \`kubectl get members -A -o yaml\`. [\`members check\`](commands.md#members-check) finds mistakes in it.`;

/** Keys that a member has in common with a type, whose section explains them. */
const ofTypes = ["home", "others", "quota", "podSecurity", "priorityClasses"];

const precedence = `A member can also have a type's ${ofTypes.map((key) => `\`${key}\``).join(", ")}, and \`network\` has the keys
that it has there: see [\`memberTypes\`](#membertypes).

Quotas are in force for types with a \`quota\`. Each limit comes from the first that sets it: the member's entry, \`defaults\` of
the type, the stack's [\`defaults\`](#defaults), this table.`;

/** Uses the keys of the schema, so that both tables read alike. */
function builtInTypes(): string {
  const types = Object.values(builtInMemberTypes);
  const traits = ["home", "others", "quota", "podSecurity"] as const;
  return markdownTable(
    ["type", ...traits.map((trait) => `\`${trait}\``)],
    types.map((type) => [`\`${type.name}\``, ...traits.map((trait) => `\`${inline(type[trait])}\``)]),
  );
}
