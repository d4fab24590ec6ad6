import { stringify } from "yaml";
import { builtInMemberTypes } from "../model/memberTypes.ts";
import { type JsonSchema, settingsJsonSchema } from "./jsonSchema.ts";
import { inline, keysTable, markdownTable } from "./tables.ts";

/** Text of docs/reference/settings.md: each setting with its meaning, keys, defaults and an example. */
export function settingsPage(): string {
  const { properties = {}, required = [] } = settingsJsonSchema();
  const settings = Object.entries(properties) as [string, JsonSchema][];
  const index = settings.map(([key, { description = "" }]) => [`[\`${key}\`](#${key.toLowerCase()})`, description]);
  const sections = settings.map(([key, schema]) => section(key, schema, required.includes(key)));
  return `${[beginning, markdownTable(["setting", "meaning"], index), editors, ...sections].join("\n\n")}\n`;
}

const beginning = `# Settings

Made from \`config/schema/\` by \`npm run generate\`: what is to read differently here has to be changed there.

All of these stand under \`kubecamp:\` in \`Pulumi.<stack>.yaml\`. A key that is not on this page is a mistake, and any mistake
stops the run before anything is touched.`;

const editors = `Editors with a YAML language server, such as VS Code with the extension *YAML*, explain and complete the keys, and mark
what is wrong, once the first line of the file says where the schema is:

\`\`\`yaml
# yaml-language-server: $schema=./schema/stack.schema.json
\`\`\`

The path is relative to the file. A members file has \`members.schema.json\` instead, and one with several documents the
same line after each \`---\`.`;

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
      return ["The keys of a member:", keysTable(schema.items as JsonSchema), precedence];
    case "memberTypes":
      return [
        "The keys of a type. A built-in one keeps what is left out; a new one has these defaults:",
        keysTable(schema.additionalProperties as JsonSchema),
        "The built-in types:",
        builtInTypes(),
      ];
    case "bucketKeys":
      return ["The keys of a member's entry:", keysTable(schema.additionalProperties as JsonSchema)];
    case "membersFile":
      return [membersFiles];
    default:
      return schema.properties === undefined ? [] : [keysTable(schema)];
  }
}

const membersFiles = `The file is a plain list, with the keys of [a member](#members):

\`\`\`yaml
- member: alice
  type: admin
- member: bob
  type: user
\`\`\`

or what the Members operator understood, which needs \`apiVersion\` and \`kind\`:

\`\`\`yaml
apiVersion: crds.yadiary.net/v1
kind: Members
spec:
  members: [{ member: alice, type: admin }]
\`\`\`

or several documents of either form, which make one list:

\`\`\`yaml
- { member: alice, type: admin }
---
- { member: bob, type: user }
\`\`\`

What \`kubectl get members -A -o yaml\` prints is taken as it is. Check a file with
[\`members check\`](commands.md#members-check), which needs no cluster.`;

const precedence = `Each limit is taken from the first that has it:

1. the member's own entry,
2. \`defaults\` of the member's type in [\`memberTypes\`](#membertypes),
3. [\`defaults\`](#defaults) of the stack,
4. the built-in figure, which is the one in the tables.`;

/** Uses the keys of the schema, so that both tables read alike. */
function builtInTypes(): string {
  const types = Object.values(builtInMemberTypes);
  const traits = ["home", "others", "quota", "podSecurity"] as const;
  return markdownTable(
    ["type", ...traits.map((trait) => `\`${trait}\``)],
    types.map((type) => [`\`${type.name}\``, ...traits.map((trait) => `\`${inline(type[trait])}\``)]),
  );
}
