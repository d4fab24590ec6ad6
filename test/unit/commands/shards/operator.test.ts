import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { z } from "zod";
import { operatorStacks } from "../../../../commands/shards/operator.ts";
import { isMap } from "../../../../config/model/maps.ts";
import { repository } from "../../../../scaffold/sandbox/paths.ts";

/** A schema that refuses what it does not name, as kubectl does with --validate=strict. */
function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) {
    return schema.map(strict);
  }
  if (!isMap(schema)) {
    return schema;
  }
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, strict(value)]));
  return isMap(schema.properties) && schema.type === "object" && schema.additionalProperties === undefined
    ? { ...inner, additionalProperties: false }
    : inner;
}

describe("what Pulumi's Kubernetes Operator gets of shards", () => {
  let validator: z.ZodType;
  before(async () => {
    const text = await readFile(join(import.meta.dirname, "stackCrd.json"), "utf8");
    validator = z.fromJSONSchema(strict((JSON.parse(text) as { spec: object }).spec) as never);
  });
  const wrong = (spec: unknown) => (validator.safeParse(spec).error?.issues ?? []).map(({ path }) => path.join("."));

  it("is a Stack for each, which its CRD takes", () => {
    const stacks = operatorStacks({ family: "prod", count: 3 });
    assert.deepEqual(
      stacks.map(({ apiVersion, kind, metadata: { name }, spec }) => [apiVersion, kind, name, spec.stack]),
      ["prod-0", "prod-1", "prod-2"].map((stack) => ["pulumi.com/v1", "Stack", `kubecamp-${stack}`, stack]),
    );
    for (const { spec } of stacks) {
      assert.deepEqual(wrong(spec), []);
      assert.equal(spec.destroyOnFinalize, false);
    }
  });

  it("is held to a schema that finds what is wrong", () => {
    const [{ spec } = assert.fail()] = operatorStacks({ family: "prod", count: 1 });
    assert.deepEqual(wrong({ ...spec, shalow: true }), [""]);
    assert.deepEqual(wrong({ ...spec, resyncFrequencySeconds: "300" }), ["resyncFrequencySeconds"]);
    assert.deepEqual(wrong({ ...spec, envRefs: { A: { secret: { name: "x", key: "y" } } } }), ["envRefs.A.type"]);
  });

  it("has names that objects can have, whatever the stack's", () => {
    const [{ metadata } = assert.fail()] = operatorStacks({ family: "Team_A", count: 1 });
    assert.match(metadata.name, /^kubecamp-[0-9a-f]+$/);
  });

  it("is as deploy/operator/stack.yaml has it for one stack, but for what differs there", async () => {
    const yaml = await readFile(join(repository, "deploy/operator/stack.yaml"), "utf8");
    const objects = parseAllDocuments(yaml).map(
      (document) => document.toJS() as { kind: string; spec: Record<string, unknown> },
    );
    const { podTemplate: _, ...workspace } = (
      objects.find(({ kind }) => kind === "Stack") as unknown as {
        spec: { workspaceTemplate: { spec: Record<string, unknown> } };
      }
    ).spec.workspaceTemplate.spec;
    const [{ spec } = assert.fail()] = operatorStacks({ family: "prod", count: 1 });
    assert.deepEqual(spec.workspaceTemplate.spec, workspace);
    const inFile = objects.find(({ kind }) => kind === "Stack")?.spec ?? {};
    assert.deepEqual(wrong({ ...inFile, workspaceTemplate: { spec: workspace } }), []);
    assert.deepEqual(Object.keys(inFile).sort(), Object.keys(spec).sort());
  });
});
