import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { operatorStacks } from "../../../../commands/shards/operator.ts";
import { repository } from "../../../../scaffold/sandbox/paths.ts";

interface Stack {
  readonly kind: string;
  readonly spec: {
    readonly envRefs: Readonly<Record<string, unknown>>;
    readonly workspaceTemplate: { readonly spec: Readonly<Record<string, unknown>> };
  };
}

describe("what Pulumi's Kubernetes Operator gets of shards", () => {
  it("is a Stack for each", () => {
    assert.deepEqual(
      operatorStacks({ family: "prod", count: 3 }).map(({ apiVersion, kind, metadata: { name }, spec }) => [
        ...[apiVersion, kind, name],
        spec.stack,
      ]),
      ["prod-0", "prod-1", "prod-2"].map((stack) => ["pulumi.com/v1", "Stack", `kubecamp-${stack}`, stack]),
    );
  });

  it("has names that objects can have, whatever the stack's", () => {
    const [{ metadata } = assert.fail()] = operatorStacks({ family: "Team_A", count: 1 });
    assert.match(metadata.name, /^kubecamp-[0-9a-f]+$/);
  });

  it("is as deploy/operator/stack.yaml has it for one stack, but for what differs there", async () => {
    const yaml = await readFile(join(repository, "deploy/operator/stack.yaml"), "utf8");
    const { spec: inFile } =
      parseAllDocuments(yaml)
        .map((document) => document.toJS() as Stack)
        .find(({ kind }) => kind === "Stack") ?? assert.fail();
    const { podTemplate: _, ...workspace } = inFile.workspaceTemplate.spec;
    const { PULUMI_CONFIG_PASSPHRASE } = inFile.envRefs;
    const [{ spec } = assert.fail()] = operatorStacks({ family: "prod", count: 1 });
    assert.deepEqual(spec, {
      ...inFile,
      stack: "prod-0",
      resyncFrequencySeconds: 300,
      envRefs: { PULUMI_CONFIG_PASSPHRASE },
      workspaceTemplate: { spec: workspace },
    });
  });
});
