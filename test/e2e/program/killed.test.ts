import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { execa } from "execa";
import { repository } from "../../../sandbox/paths.ts";
import { guardsOf, inventory } from "./inventory.ts";
import { type Entry, useStack } from "./stack.ts";

const members: Entry[] = Array.from({ length: 12 }, (_, index) => ({ member: `kim-${index}`, type: "guest-user" }));

describe("an up that was killed", function () {
  this.timeout(180_000);
  const stack = useStack("killed");

  before(async () => {
    await stack.configure(members);
  });

  it("half-way is finished by `pulumi cancel` and the next up, with nothing orphaned", async () => {
    const empty = await inventory(stack.sandbox);
    // Few at a time, so that it is not over before somebody has looked, however busy the machine is.
    const slow = ["up", "--yes", "--skip-preview", "--parallel", "2"];
    const child = execa("pulumi", [...stack.flags(slow), "--non-interactive"], {
      cwd: repository,
      env: stack.sandbox.env,
      reject: false,
    });
    const bindings = async () => {
      const names = await stack.kubectl("get", "rolebindings", "-A", "-l", "kubecamp.dev/stack=killed", "-o", "name");
      return names.split("\n").filter((name) => name !== "").length;
    };
    while ((await bindings()) < 1) {
      assert.equal(child.exitCode, null, "the up was over before it could be killed");
      await setTimeout(100);
    }
    child.kill("SIGKILL");
    await child;
    assert.ok((await bindings()) < members.length, "the up was over before it was killed");

    const locked = await stack.up();
    assert.notEqual(locked.exitCode, 0);
    assert.match(locked.output, /locked/);
    const cancelled = await stack.manage("cancel", "--yes", stack.name);
    assert.equal(cancelled.exitCode, 0, cancelled.stderr);
    await stack.upFine();

    const clean = await stack.preview("--refresh", "--expect-no-changes");
    assert.equal(clean.exitCode, 0, clean.output);
    const made = (await inventory(stack.sandbox)).filter((name) => !empty.includes(name));
    // 7 of ours, and the 2 that every namespace has, per member; 2 ClusterRoles and the policies.
    assert.equal(made.length, 9 * members.length + 2 + guardsOf("killed").length);
    assert.doesNotMatch(clean.output, /No longer in the list/);

    const destroyed = await stack.run(["destroy", "--yes", "--skip-preview"]);
    assert.equal(destroyed.exitCode, 0, destroyed.output);
    assert.deepEqual(await inventory(stack.sandbox), empty);
  });

  it("whose members have left the list since names what its state never knew of, and the documentation says how to delete it", async () => {
    const labels = ["kubecamp.dev/stack=killed", "kubecamp.dev/member=zoe", "app.kubernetes.io/managed-by=kubecamp"];
    await stack.kubectl("create", "namespace", "zoe");
    await stack.kubectl("label", "namespace", "zoe", ...labels);
    await stack.configure([], { offboarding: { maxRemovals: 1 } });
    const { output } = await stack.upFine();
    assert.match(output, /No longer in the list\..*\n\s+zoe: namespace with no unfinished pods/);

    assert.match(output, /If a later run still names them, .* docs\/offboarding\.md\./);

    const page = await readFile(join(repository, "docs/offboarding.md"), "utf8");
    const known = await stack.manage("stack", "--stack", stack.name, "--show-urns");
    assert.doesNotMatch(known.stdout, /::zoe(\/|$)/m);
    const commands = page.match(/^kubectl delete .*kubecamp\.dev\/stack=.*$/gm) ?? [];
    assert.equal(commands.length, 2);
    for (const command of commands) {
      const told = command
        .replaceAll("<stack>", stack.name)
        .replaceAll("<member>", "zoe")
        .replaceAll("<ingress-nginx>", "ingress-nginx");
      await execa(told, { shell: true, env: stack.sandbox.env });
    }
    assert.doesNotMatch((await stack.preview()).output, /No longer in the list/);
  });
});
