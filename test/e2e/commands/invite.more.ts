import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { V1EndpointSlice } from "@kubernetes/client-node";
import { type Entry, useStack } from "../program/stack.ts";
import { quotasInForce, until } from "../program/workloads.ts";
import { signedIn } from "../support/signIn/signedIn.ts";
import { kubecamp } from "./kubecamp.ts";

const memberTypes = {
  strict: {
    podSecurity: "restricted",
    devices: {},
    storage: {},
    runtimeClasses: { allowed: ["invited"], default: "invited" },
    pool: { nodeSelector: { pool: "lab" }, tolerations: [{ key: "dedicated", value: "lab", effect: "NoSchedule" }] },
    userNamespaces: "required",
    defaults: { maxCPUm: 70, defaultCPUm: 20, maxMemoryMiB: 80, defaultMemoryMiB: 20 },
  },
};
const host = "camp.test";
const members: readonly Entry[] = [
  { member: "ann", type: "strict", starter: "once", images: ["docker.io/library/caddy:2", "ghcr.io/acme/*"] },
  { member: "bob", type: "user" },
  { member: "cyd", type: "guest-user", images: ["ghcr.io/acme/app:1.*"], maxPods: 1 },
  { member: "dan", type: "admin", route: false },
  { member: "max", type: "user", route: { host, readiness: { mode: "managed", targetPort: 3000 } } },
];

describe("members invite", () => {
  const stack = useStack("invite");

  before(async () => {
    await stack.sandbox.apply({
      apiVersion: "node.k8s.io/v1",
      kind: "RuntimeClass",
      metadata: { name: "invited" },
      handler: "runc",
    });
    const { url, clientId, ca } = stack.sandbox.issuer;
    await stack.configure(members, {
      memberTypes,
      oidc: { issuerUrl: url, clientId, ca },
      contact: "platform@example.org",
    });
    await stack.makeProject();
    await stack.upFine();
  });
  after(() => stack.delete("runtimeclass", "invited"));

  const invite = (...args: string[]) =>
    kubecamp(["members", "invite", ...args, "--stack", stack.name], {
      cwd: stack.folder,
      env: { KUBECONFIG: stack.sandbox.kubeconfig },
    });

  /** Manifests of an invitation's first app, as its page has them to save. */
  async function manifestsFor(member: string): Promise<string> {
    const { exitCode, stdout, stderr } = await invite(member);
    assert.equal(exitCode, 0, stderr);
    const [, manifests] = /^## Run a first app\n[\s\S]*?^```yaml\n([\s\S]*?)^```$/m.exec(stdout) ?? [];
    assert.ok(manifests, stdout);
    return manifests;
  }

  it("gives each a first app that their token may apply, and whose pod is admitted", async () => {
    for (const { member } of members) {
      await quotasInForce(stack, member);
      const input = await manifestsFor(member);
      const caller = await signedIn(stack.sandbox, { sub: member });
      const applied = await caller.kubectl(["apply", "-f", "-"], { input });
      assert.equal(applied.exitCode, 0, applied.stderr);
      assert.doesNotMatch(applied.stderr, /would violate PodSecurity/);
      await until(async () =>
        (await stack.sandbox.names("pod", { namespace: member })).some((name) => name.startsWith("web-")),
      );
      const again = await caller.kubectl(["apply", "-f", "-"], { input });
      assert.match(again.stdout, /^(\S+ unchanged\n?)+$/);
    }
  });

  it("opens the path to the app with the next run", async () => {
    await stack.upFine();
    const urls = await stack.sandbox.names("ingress", { namespace: "ingress-nginx" });
    assert.ok(urls.includes("bob") && urls.includes("max"), urls.join());
    const selected = await stack.sandbox.list<V1EndpointSlice>("endpointslice", { namespace: "max" });
    assert.deepEqual(
      selected.flatMap(({ ports }) => (ports ?? []).map(({ port }) => port)),
      [3000],
    );
  });

  it("writes a file for each member", async () => {
    const { exitCode, stdout, stderr } = await invite("--all", "-o", "html", "--out", "invitations");
    assert.deepEqual([exitCode, stdout], [0, "Wrote 5 invitations into invitations."], stderr);
    const folder = join(stack.folder, "invitations");
    assert.deepEqual((await readdir(folder)).sort(), members.map(({ member }) => `${member}.html`).sort());
    assert.match(await readFile(join(folder, "bob.html"), "utf8"), /^<!doctype html>[\s\S]*<h1>Welcome, bob<\/h1>/);
  });

  it("refuses wrong usage, and names that nobody has", async () => {
    for (const [args, code, words] of [
      [[], 2, /name members, or give '--all' or '--where'/],
      [["bob", "--all"], 2, /name members, or give '--all' or '--where'/],
      [["bob", "dan"], 2, /several invitations need '--out <folder>'/],
      [["bobb"], 1, /no member 'bobb' in stack '.*'; did you mean 'bob'\?/],
      [["bob", "--out", "Pulumi.yaml"], 1, /Can't write the invitations into Pulumi\.yaml\./],
    ] as const) {
      const { exitCode, stderr } = await invite(...args);
      assert.equal(exitCode, code, stderr);
      assert.match(stderr, words);
    }
  });
});
