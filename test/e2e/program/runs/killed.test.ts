import assert from "node:assert/strict";
import { execa } from "execa";
import { repository } from "../../../../sandbox/paths.ts";
import { ApiProxy } from "../../support/cluster/apiProxy.ts";
import { ownProcesses } from "../../support/engine/pluginRelay.ts";
import { guardsOf, inventory } from "../inventory.ts";
import { type Entry, type Run, useStack } from "../stack.ts";
import { makeNamespace } from "../workloads.ts";

const members: Entry[] = ["kit", "kai", "kat", "ken"].map((member) => ({ member, type: "guest-user" }));

describe("an up that was killed", () => {
  const stack = useStack("killed");
  const proxy = new ApiProxy();
  let empty: readonly string[];
  let next: Run;

  before(async () => {
    empty = await inventory(stack.sandbox);
    await stack.configure(members);
    const proxied = await stack.behind(proxy);
    const child = execa("pulumi", [...stack.flags(["up", "--yes", "--skip-preview"]), "--non-interactive"], {
      cwd: repository,
      env: { ...stack.sandbox.env, ...ownProcesses, ...proxied },
      reject: false,
    });
    // Half-way: the first RoleBinding is made, and no other.
    let bindings = 0;
    proxy.hooks = {
      before: async ({ method, url }) =>
        method !== "GET" && url.pathname.includes("/rolebindings") && bindings++ > 0
          ? { status: 503, headers: {} }
          : undefined,
      answered: async ({ method, url }) => {
        if (method !== "GET" && url.pathname.includes("/rolebindings")) {
          child.kill("SIGKILL");
        }
      },
    };
    await child;
    assert.ok(bindings > 0, "the up was over before it could be killed");
  });
  after(() => proxy.stop());

  it("holds its lock until `pulumi cancel`", async () => {
    const locked = await stack.up();
    assert.notEqual(locked.exitCode, 0);
    assert.match(locked.output, /locked/);
    const cancelled = await stack.manage("cancel", "--yes", stack.name);
    assert.equal(cancelled.exitCode, 0, cancelled.stderr);
  });

  it("is finished by the next up, with nothing orphaned", async () => {
    // Somebody who has left the list since, and whom the state never knew of.
    await makeNamespace(stack, "zoe", {
      "app.kubernetes.io/managed-by": "kubecamp",
      "kubecamp.dev/member": "zoe",
      "kubecamp.dev/stack": stack.name,
    });
    next = await stack.upFine();
    const made = (await inventory(stack.sandbox)).filter((name) => !empty.includes(name) && !/\bzoe\b/.test(name));
    // 7 of ours, and the 2 that every namespace has, per member; 2 ClusterRoles and the policies.
    assert.equal(made.length, 9 * members.length + 2 + guardsOf("killed").length);
  });

  it("names by the next one what its state never knew of, and kubectl deletes it by label", async () => {
    assert.match(next.output, /No longer in the list\..*\n\s+zoe: namespace with no unfinished pods/);
    assert.match(next.output, /Pulumi alone leaves it; 'kubecamp up --stack killed' deletes it .*\n\s+Namespace zoe\n/);
    assert.deepEqual(
      (await stack.urns()).filter((urn) => /::zoe(\/|$)/.test(urn)),
      [],
    );
    const labels = ["-l", `kubecamp.dev/stack=${stack.name},kubecamp.dev/member in (zoe)`];
    await stack.kubectl("delete", "ingress,service", "-n", "ingress-nginx", ...labels);
    await stack.kubectl("delete", "clusterrolebinding,namespace", ...labels);
  });

  it("leaves nothing to repair or to name by then, and nothing behind when all is destroyed", async () => {
    const clean = await stack.preview("--refresh", "--expect-no-changes");
    assert.equal(clean.exitCode, 0, clean.output);
    assert.doesNotMatch(clean.output, /No longer in the list/);
    const destroyed = await stack.run(["destroy", "--yes", "--skip-preview"]);
    assert.equal(destroyed.exitCode, 0, destroyed.output);
    assert.deepEqual(await inventory(stack.sandbox), empty);
  });
});
