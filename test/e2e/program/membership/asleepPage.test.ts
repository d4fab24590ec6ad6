import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { V1Ingress } from "@kubernetes/client-node";
import { repository } from "../../../../scaffold/sandbox/paths.ts";
import { useStack } from "../stack.ts";
import { served } from "../workloads.ts";

describe("deploy/asleep.yaml", () => {
  const stack = useStack("dozing");
  const host = "dozing.example.org";
  const manifest = readFileSync(join(repository, "deploy/asleep.yaml"), "utf8").replaceAll("apps.example.org", host);
  after(async () => {
    await stack.sandbox.kubectl(["delete", "--ignore-not-found", "-f", "-"], { input: manifest });
  });

  it("is taken whole by the API server, and its pod by the Pod Security of its namespace", async () => {
    // kubectl warns of a Deployment whose pods would be refused.
    const { exitCode, stderr } = await stack.sandbox.kubectl(["apply", "--validate=strict", "-f", "-"], {
      input: manifest,
    });
    assert.deepEqual([exitCode, stderr], [0, ""]);
    await stack.kubectl("rollout", "status", "deployment/page", "-n", "members-asleep", "--timeout=60s");
  });

  it("is in the way of no member's path, and left alone by runs", async () => {
    await served(stack, "ada", { selector: { app: "web" } });
    await stack.configure([{ member: "ada", type: "user" }], { route: { host } });
    const { output } = await stack.upFine();
    assert.doesNotMatch(output, /members-asleep|is the address of/);
    const rules = (await stack.sandbox.list<V1Ingress>("ingress")).flatMap(({ spec }) => spec?.rules ?? []);
    assert.deepEqual(
      rules.map(({ host, http }) => [host, ...(http?.paths ?? []).map(({ path }) => path)]),
      [
        [host, "/ada"],
        [host, "/"],
      ],
    );
    const preview = await stack.run(["preview", "--expect-no-changes"]);
    assert.equal(preview.exitCode, 0, preview.output);
  });
});
