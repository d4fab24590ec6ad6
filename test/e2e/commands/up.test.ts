import assert from "node:assert/strict";
import type { resultJson } from "../../../commands/up/resultText.ts";
import { type Entry, useStack } from "../program/stack.ts";
import { touchedBy } from "../program/touched.ts";
import { makeService, until } from "../program/workloads.ts";
import type { StateResource } from "../support/engine/folderBackend.ts";
import { kubecamp, kubecampAtTerminal } from "./kubecamp.ts";

type Result = ReturnType<typeof resultJson>["stacks"][number];

interface Resource {
  readonly urn: string;
  readonly dependencies?: readonly string[];
  readonly [field: string]: unknown;
}

const user = (member: string, more: object = {}): Entry => ({ member, type: "user", ...more });
/** They leave. */
const three = ["eve", "fay", "gus"].map((name) => user(name));
const dan = user("dan");
const rest = [user("ana", { maxCPUm: 900 }), user("ben", { maxCPUm: 900 }), user("cleo")];

describe("kubecamp up", () => {
  const stack = useStack("camp");

  const command = (name: string, ...args: string[]) =>
    kubecamp([name, "--stack", "camp", ...args], { cwd: stack.folder, env: stack.sandbox.env });
  const run = (...args: string[]) => command("up", ...args);
  /** Result of the only stack. */
  const up = async (...args: string[]): Promise<Result> => {
    const { stdout, stderr } = await run("-o", "json", ...args);
    const [result, ...others] = (JSON.parse(stdout) as ReturnType<typeof resultJson>).stacks;
    assert.ok(result, stderr);
    assert.deepEqual(others, []);
    return result;
  };

  before(async () => {
    await stack.makeProject();
    await stack.configure([user("ana"), user("ben"), user("cleo"), ...three]);
  });

  /** The parts of each resource's state that decide what later runs do. */
  const known = async () => {
    const resources = (await stack.resources()) as readonly (StateResource & Resource)[];
    return new Map(
      resources.map(({ urn, id, inputs, parent, provider, deletedWith, protect, retainOnDelete, ...resource }) => {
        const dependencies = [...(resource.dependencies ?? [])].sort();
        return [urn, { id, inputs, parent, provider, deletedWith, protect, retainOnDelete, dependencies }];
      }),
    );
  };
  type Known = Awaited<ReturnType<typeof known>>;
  /** State after a run without checkpoints. */
  let unchecked: Known = new Map();
  const withoutThree = (resources: Known) =>
    new Map([...resources].filter(([urn]) => !/::(eve|fay|gus)(\/|$)/.test(urn)));

  /** Leaves out messages about members that are not previewed, and about images: only an untargeted run has them. */
  const reportIn = (text: string) => {
    const report = JSON.parse(text) as {
      readonly pending: readonly { readonly member: string }[];
      readonly warnings: readonly string[];
      readonly findings: readonly { readonly code: string }[];
    };
    const pending = report.pending.toSorted((a, b) => (a.member < b.member ? -1 : 1));
    // Each warning names its own next command.
    const warnings = report.warnings
      .filter((warning) => !warning.startsWith("images: "))
      .map((warning) => warning.replaceAll("kubecamp up", "pulumi up"));
    // A preview with targets has one finding for them and another for the others.
    const findings = new Set(report.findings.map(({ code }) => code).filter((code) => code !== "anyImage"));
    return { ...report, pending, warnings, findings: [...findings].sort() };
  };

  it("makes everything the first time, and nothing the second", async () => {
    const first = await up();
    assert.deepEqual(
      [first.result, first.plan, first.members, first.reason],
      ["succeeded", "all, since it has had no up yet", ["ana", "ben", "cleo", "eve", "fay", "gus"], null],
    );
    const touched = await touchedBy(stack, async () => {
      const second = await up();
      assert.deepEqual([second.result, second.plan], ["unchanged", "nothing differs"]);
    });
    assert.deepEqual(touched, []);
  });

  it("updates only the members that --member names, and refuses whom nobody knows", async () => {
    await stack.configure([...rest, dan, ...three]);
    const touched = await touchedBy(stack, async () => {
      const { result, plan, members, updated } = await up("--member", "ben");
      assert.deepEqual([result, plan, members, updated], ["succeeded", "only ben", ["ben"], 1]);
    });
    assert.deepEqual(touched, ["ResourceQuota ben/quota"]);
    const { exitCode, stdout, stderr } = await run("--member", "bem");
    assert.deepEqual([exitCode, stdout], [1, ""]);
    assert.match(stderr, /There is no member 'bem'.*did you mean 'ben'/);
  });

  it("finds who differs, and refreshes where something is gone, as its preview says", async () => {
    await stack.delete("networkpolicy", "isolation", "cleo");
    await makeService(stack, "cleo");
    await makeService(stack, "fay");
    const whole = await command("report", "--refresh", "-o", "json");
    const previewed = await command("preview", "-o", "json", "--fail-on", "pending");
    assert.equal(previewed.exitCode, 3, previewed.stderr);
    assert.match(previewed.stderr, /^camp: only ana, cleo, dan, fay, looking at the cluster first$/m);
    assert.deepEqual(reportIn(previewed.stdout), reportIn(whole.stdout));
    const { result, plan, members, warnings } = await up();
    assert.deepEqual([result, plan], ["succeeded", "only ana, cleo, dan, fay, looking at the cluster first"]);
    assert.deepEqual(members, ["ana", "cleo", "dan", "fay"]);
    assert.ok(warnings.some((text) => /dan: no Service/.test(text)));
    unchecked = await known();
    assert.ok([...unchecked.keys()].some((urn) => urn.includes("::dan/")));
  });

  it("counts all who leave before it removes anybody", async () => {
    await stack.configure(rest);
    const touched = await touchedBy(stack, async () => {
      const { result, plan, reason } = await up();
      assert.deepEqual([result, plan], ["failed", "only dan, eve, fay, gus, who leave"]);
      assert.match(
        reason ?? "",
        /4 members are no longer in the list; a run may remove 3 \(offboarding\.maxRemovals\)/,
      );
    });
    assert.deepEqual(touched, []);
  });

  it("asks at a terminal before it removes anybody, and takes no for an answer", async () => {
    await stack.configure([...rest, dan]);
    const touched = await touchedBy(stack, async () => {
      const { exitCode, stdout } = await kubecampAtTerminal(["up", "--stack", "camp"], "n", {
        cwd: stack.folder,
        env: stack.sandbox.env,
      });
      assert.equal(exitCode, 1, stdout);
      assert.match(
        stdout,
        /^No longer in the list\. A run that succeeds deletes what Pulumi's state has of theirs, which can't be undone:$/m,
      );
      assert.match(stdout, /eve: namespace with .*access \(2 bindings\)/);
      assert.match(stdout, /Delete 3 environments, of eve, fay, gus, for good\? \[y\/N\]/);
      assert.match(stdout, /^Nothing is deleted, and no run has started\.$/m);
    });
    assert.deepEqual(touched, []);
  });

  it("removes who has left the list without a look at the others, as its preview says", async () => {
    await stack.configure([...rest, dan]);
    const previewed = await command("preview", "-o", "json", "--fail-on", "removal");
    assert.equal(previewed.exitCode, 3, previewed.stderr);
    const whole = await command("report", "-o", "json");
    assert.deepEqual(reportIn(previewed.stdout), reportIn(whole.stdout));
    const { exitCode, stdout } = await kubecampAtTerminal(["up", "--stack", "camp"], "y", {
      cwd: stack.folder,
      env: stack.sandbox.env,
    });
    assert.equal(exitCode, 0, stdout);
    assert.match(stdout, /camp: only eve, fay, gus, who leave$/m);
    assert.match(
      stdout,
      /STACK +RESULT +CREATED +UPDATED +DELETED +MEMBERS CHANGED\ncamp +up +0 +0 +[1-9]\d* +3: eve, fay, gus$/m,
    );
    assert.match(stdout, /eve: namespace with .*access \(2 bindings\)/);
    assert.equal((await up()).plan, "nothing differs");
    const theirs = { namespace: "ingress-nginx", labelSelector: "kubecamp.dev/member in (eve, fay, gus)" };
    assert.deepEqual(await stack.sandbox.names("ingress", theirs), []);
    assert.deepEqual(await stack.sandbox.names("service", theirs), []);
    const homes = { labelSelector: theirs.labelSelector };
    await until(async () => (await stack.sandbox.names("namespace", homes)).length === 0);
  });

  it("leaves cluster and state by partial ups as full ups with refresh would", async () => {
    const [before, outputs] = [await known(), await stack.outputs()];
    const touched = await touchedBy(stack, () => stack.upFine("--refresh", "--expect-no-changes"));
    assert.deepEqual(touched, []);
    assert.deepEqual([await known(), await stack.outputs()], [before, outputs]);
    // The run without checkpoints left the other members' state unchanged.
    assert.deepEqual(withoutThree(unchecked), before);
  });

  it("says of a mistake where it is", async () => {
    await stack.configure([user("ana", { maxCPUm: -1 })]);
    const { exitCode, stderr } = await run();
    assert.equal(exitCode, 1);
    assert.match(stderr, /^Error: The configuration of stack 'camp' has a mistake; .*\n.*members\[0\]\.maxCPUm: -1/);
    await stack.configure([...rest, dan]);
  });
});
