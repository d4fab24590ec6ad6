import { z } from "zod";
import { memberSchema } from "../../config/member/member.ts";
import { settingsSchema } from "../../config/settings.ts";

/** A JSON Schema or a part of one, as zod makes it. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Draft 7: older versions of the YAML language server know nothing later, and the schemas need nothing later. */
const draft = { $schema: "http://json-schema.org/draft-07/schema#" } as const;

function schemaOf(schema: z.ZodType): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    io: "input",
    target: "draft-07",
    override: ({ zodSchema, jsonSchema }) => {
      const rule = jsonSchema.pattern === undefined ? undefined : ruleOf(zodSchema);
      // Without this, an editor shows the bare regular expression for a text that does not match it.
      Object.assign(jsonSchema, rule === undefined ? {} : { patternErrorMessage: rule });
    },
  });
  return rest;
}

/** The program's own message for a text that breaks the rule. No pattern allows a line break, so "\n" breaks each. */
function ruleOf(schema: z.core.$ZodType): string | undefined {
  const issues = z.core.safeParse(schema, "\n").error?.issues ?? [];
  return issues.find(({ code }) => code === "invalid_format" || code === "custom")?.message;
}

/** The settings, with the members that the program checks one by one. */
const wholeSettings = settingsSchema.extend({
  members: z
    .array(memberSchema)
    .optional()
    .meta(settingsSchema.shape.members.meta() ?? {}),
});

/** The schema of the settings under `kubecamp:`. */
export const settingsJsonSchema = (): JsonSchema => schemaOf(wholeSettings);

/**
 * Schema of `Pulumi.<stack>.yaml`. Keys of Pulumi and of other namespaces are free, but an unknown key with `kubecamp:`
 * is an error, so that an editor marks a misspelt setting.
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
 * Schema of a members file in all its forms. Keywords for a list and for a map are side by side, because editors say
 * little about an `anyOf` that does not match. Which keys go together is checked by the run and by `kubecamp members
 * check`.
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
    definitions: { member: schemaOf(memberSchema) },
  };
}
