import { membersFileJsonSchema, stackFileJsonSchema } from "./jsonSchema.ts";
import { settingsPage } from "./settingsPage.ts";

/** Files generated from the schema, by path in the project. */
export function referenceFiles(): Readonly<Record<string, string>> {
  return {
    "docs/reference/settings.md": settingsPage(),
    "schema/members.schema.json": json(membersFileJsonSchema()),
    "schema/stack.schema.json": json(stackFileJsonSchema()),
  };
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
