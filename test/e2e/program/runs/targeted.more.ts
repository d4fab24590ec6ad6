import assert from "node:assert/strict";
import { access, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TargetFile, targetFileVariable, targetsOf, targetVariable } from "../../../../config/model/target.ts";
import { type Entry, type Run, useStack } from "../stack.ts";
import { touchedBy } from "../touched.ts";
import { hasNamespace, makeNamespace, makeService } from "../workloads.ts";

const ana: Entry = { member: "ana", type: "user" };
const ben: Entry = { member: "ben", type: "user" };
/** Has the name of what the stack's members share. */
const shared: Entry = { member: "access", type: "guest-user" };
const zoe: Entry = { member: "zoe", type: "user" };
const zed: Entry = { member: "zed", type: "user" };

const opened = (name: string) => [
  `create kubernetes:core/v1:Service ${name}/route/service`,
  `create kubernetes:networking.k8s.io/v1:Ingress ${name}/route/ingress`,
];
const pending = (reason: string, type = "user", namespace = "") => ({ type, namespace, state: "pending", reason });
const ready = (namespace: string, type = "user") => ({
  type,
  namespace,
  state: "ready",
  url: `https://camp.test/${namespace}/`,
});

describe("an up that targets members", () => {
  const stack = useStack("aimed");
  const fileOf = () => join(stack.folder, "aim.json");
  /** As `kubecamp watch` does it; `flags` are what somebody adds by hand. */
  const targetedUp = async (names: readonly string[], ...flags: string[]): Promise<Run> => {
    await writeFile(fileOf(), JSON.stringify({ stack: stack.name, members: names } satisfies TargetFile));
    return await leftoverUp(names, ...flags);
  };
  const leftoverUp = (names: readonly string[], ...flags: string[]) =>
    stack.run(["up", "--yes", "--skip-preview", ...flags], {
      [targetFileVariable]: fileOf(),
      [targetVariable]: targetsOf(names),
    });
  const statuses = async () => ((await stack.outputs()) as { members: unknown }).members;

  before(async () => {
    await stack.configure([ana, ben, shared]);
    await stack.upFine();
    await Promise.all([makeService(stack, "ana"), makeService(stack, "ben"), makeService(stack, "access")]);
  });
  after(() => stack.sandbox.remove("/api/v1/namespaces/zed"));

  it("opens only targeted members' routes, with outputs that are true of all", async () => {
    await makeNamespace(stack, "zed");
    await stack.configure([ana, ben, shared, zed]);
    const touched = await touchedBy(stack, async () => {
      const { exitCode, output, steps } = await targetedUp(["ben", "access"]);
      assert.equal(exitCode, 0, output);
      assert.deepEqual([...steps].sort(), [...opened("access"), ...opened("ben")].sort());
      assert.doesNotMatch(output, /warning:/);
    });
    assert.deepEqual(touched, [
      "Ingress ingress-nginx/access",
      "Ingress ingress-nginx/ben",
      "Service ingress-nginx/access-svc",
      "Service ingress-nginx/ben-svc",
    ]);
    assert.deepEqual(await statuses(), {
      access: ready("access", "guest-user"),
      ana: pending("opens with the next run", "user", "ana"),
      ben: ready("ben"),
      zed: pending("no Service 'zed-svc' in namespace 'zed'", "user", "zed"),
    });
  });

  it("closes only targeted members' routes, and leaves alone who has left the list", async () => {
    await stack.delete("service", "ben-svc", "ben");
    await stack.delete("service", "access-svc", "access");
    await stack.configure([ben, shared]);
    const { exitCode, output, steps } = await targetedUp(["ben"]);
    assert.equal(exitCode, 0, output);
    assert.deepEqual(steps, [
      "delete kubernetes:networking.k8s.io/v1:Ingress ben/route/ingress",
      "delete kubernetes:core/v1:Service ben/route/service",
    ]);
    assert.deepEqual(await statuses(), {
      access: pending("no Service 'access-svc' in namespace 'access'", "guest-user", "access"),
      ben: pending("no Service 'ben-svc' in namespace 'ben'", "user", "ben"),
    });
    assert.equal(await hasNamespace(stack, "ana"), true);
  });

  it("refuses a target that is left over in the environment, and touches nothing", async () => {
    const urns = await stack.urns();
    const home = urns.find((urn) => urn.endsWith("::ana/namespace")) ?? "";
    assert.notEqual(home, "");
    await assert.rejects(access(fileOf()), { code: "ENOENT" });
    const touched = await touchedBy(stack, async () => {
      // The flag is what the engine goes by here, and the program can't see it.
      const { exitCode, output, steps } = await leftoverUp(["ben"], "--target", home);
      assert.notEqual(exitCode, 0);
      assert.match(
        output,
        /KUBECAMP_TARGET_FILE is set, and this run is not the one it was made for: no target file .*nothing was changed/s,
      );
      assert.deepEqual(steps, []);
    });
    assert.deepEqual(touched, []);
    assert.deepEqual(await stack.urns(), urns);
  });

  it("gives no targeted member new access while a policy is missing", async () => {
    await stack.delete("validatingadmissionpolicybinding", "kubecamp-pods-aimed");
    await stack.configure([ana, ben, shared, zoe]);
    const touched = await touchedBy(stack, async () => {
      const { exitCode, output, steps } = await targetedUp(["ana", "zoe"], "--refresh");
      assert.notEqual(exitCode, 0);
      assert.match(
        output,
        /member 'zoe' gets no access .* \(ValidatingAdmissionPolicyBinding kubecamp-pods-aimed\); do a full run first/,
      );
      assert.deepEqual(steps, []);
    });
    assert.deepEqual(touched, []);
    const { exitCode, output, steps: others } = await targetedUp(["ana"]);
    assert.equal(exitCode, 0, output);
    assert.deepEqual(others, opened("ana"));
    const { steps } = await stack.upFine("--refresh");
    const at = (step: RegExp) => steps.findIndex((each) => step.test(each));
    assert.ok(at(/^create .*PolicyBinding access/) < at(/^create .*RoleBinding zoe/), steps.join("\n"));
  });
});
