import { z } from "zod";
import { memberSchema } from "../schema/member.ts";
import { settingsSchema } from "../schema/settings.ts";

/** A JSON Schema, or a part of one, as zod makes it. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Draft 7: the schemas need nothing later, and older versions of the YAML language server know nothing later. */
const draft = { $schema: "http://json-schema.org/draft-07/schema#" } as const;

function schemaOf(schema: z.ZodType): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    io: "input",
    target: "draft-07",
    override: ({ zodSchema, jsonSchema }) => {
      const rule = jsonSchema.pattern === undefined ? undefined : ruleOf(zodSchema);
      // Instead of the bare regular expression, which is what an editor would show of a text that does not match it.
      Object.assign(jsonSchema, rule === undefined ? {} : { patternErrorMessage: rule });
    },
  });
  return rest;
}

/** What the program itself says of a text that breaks the rule: no pattern of ours allows a line break. */
function ruleOf(schema: z.core.$ZodType): string | undefined {
  const issues = z.core.safeParse(schema, "\n").error?.issues ?? [];
  return issues.find(({ code }) => code === "invalid_format" || code === "custom")?.message;
}

/** The settings, with what zod checks on its own beside them: the members, one by one. */
const wholeSettings = settingsSchema.extend({
  members: z
    .array(memberSchema)
    .optional()
    .meta(settingsSchema.shape.members.meta() ?? {}),
});

/** What stands under `kubecamp:`. */
export const settingsJsonSchema = (): JsonSchema => schemaOf(wholeSettings);

/** A member's entry. */
const memberJsonSchema = (): JsonSchema => schemaOf(memberSchema);

/**
 * `Pulumi.<stack>.yaml`. What is Pulumi's own or for another namespace stays free, and nothing else may begin with
 * `kubecamp:`, so that an editor marks a misspelt setting.
 * @see https://www.pulumi.com/docs/iac/concepts/projects/stack-settings-file/
 */
export function stackFileJsonSchema(): JsonSchema {
  const settings = settingsJsonSchema();
  return {
    ...draft,
    title: "A stack of kubecamp",
    type: "object",
    properties: {
      config: {
        description: "The stack's configuration: kubecamp's settings, and whatever else Pulumi is to know.",
        type: "object",
        properties: Object.fromEntries(
          Object.entries(settings.properties ?? {}).map(([key, value]) => [`kubecamp:${key}`, value]),
        ),
        patternProperties: { "^(?!kubecamp:)": {} },
        additionalProperties: false,
        required: (settings.required ?? []).map((key) => `kubecamp:${key}`),
      },
    },
    required: ["config"],
  };
}

/**
 * A members file, in every form that is read. Keywords for a list and for a map stand side by side, for of an `anyOf` that
 * does not match an editor says little more than that. Which keys go together is left to the run, and to
 * `kubecamp members check`.
 */
export function membersFileJsonSchema(): JsonSchema {
  const member: JsonSchema = { $ref: "#/definitions/member" };
  const members: JsonSchema = { type: "array", items: member };
  const map = { type: "object", additionalProperties: false } as const;
  const operators: Record<string, JsonSchema> = {
    apiVersion: { description: "Of the operator, such as `crds.yadiary.net/v1`.", type: "string" },
    kind: { type: "string", enum: ["Members"] },
    metadata: { type: "object" },
    spec: { ...map, properties: { members } },
    status: {},
  };
  return {
    ...draft,
    title: "Members of kubecamp",
    ...map,
    type: ["array", "object"],
    items: member,
    properties: {
      members,
      ...operators,
      kind: { type: "string", enum: ["Members", "MembersList", "List"] },
      items: { type: "array", items: { ...map, properties: operators } },
    },
    definitions: { member: memberJsonSchema() },
  };
}
