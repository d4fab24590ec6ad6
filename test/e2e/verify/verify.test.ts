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
    await stack.upFine();
  });

  it("finds every promise held that can be tried here, and leaves nothing", async () => {
    const { exitCode, stdout, stderr } = await verify();
    assert.equal(exitCode, 0, stdout + stderr);
    assert.match(stdout, /^Stack verify: \d+ held, 0 broken/, stderr);
    assert.equal(await left(), "");
  });
});
