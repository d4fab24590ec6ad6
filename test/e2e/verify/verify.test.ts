import assert from "node:assert/strict";
import { kubecamp } from "../commands/kubecamp.ts";
import { type Entry, useStack } from "../program/stack.ts";

const ada: Entry = { member: "ada", type: "user" };
const gus: Entry = { member: "gus", type: "guest-user" };

describe("kubecamp verify", () => {
  const stack = useStack("verify");
  const verify = (...args: string[]) =>
    kubecamp(["verify", "--stack", stack.name, ...args], {
      cwd: stack.folder,
      env: { KUBECONFIG: stack.sandbox.kubeconfig },
    });
  /** All that a verification may have made. */
  const left = async () => {
    const everything = "namespaces,clusterrolebindings,ingresses,services";
    return await stack.kubectl("get", everything, "-A", "-l", "kubecamp.dev/verify", "-o", "name");
  };

  before(async () => {
    await stack.configure([ada, gus]);
    const { exitCode, stderr } = await verify();
    assert.equal(exitCode, 1, stderr);
    assert.match(stderr, /Stack 'verify' has nothing on this cluster that could be tried\./);
    await stack.upFine();
  });

  it("refuses a stack that is offline, and an unknown part", async () => {
    const offline = await kubecamp(["verify", "--stack", stack.name], {
      cwd: stack.folder,
      env: { KUBECONFIG: stack.sandbox.kubeconfig, KUBECAMP_OFFLINE: "1" },
    });
    assert.deepEqual([offline.exitCode, /only a preview does without a cluster/.test(offline.stderr)], [1, true]);
    const part = await verify("--only", "network,routes");
    assert.equal(part.exitCode, 2);
    assert.match(part.stderr, /'routes' is none of guards, access/);
  });

  it("finds every promise held that can be tried here, and leaves nothing", async () => {
    const { exitCode, stdout, stderr } = await verify();
    assert.equal(exitCode, 0, stdout + stderr);
    assert.match(stdout, /^Stack verify: \d+ held, 0 broken/, stderr);
    assert.equal(await left(), "");
  });
});
