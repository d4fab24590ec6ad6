import assert from "node:assert/strict";
import type { resultJson } from "../../../commands/up/resultText.ts";
import { type Entry, useStack } from "../program/stack.ts";
import { touchedBy } from "../program/touched.ts";
import { kubecamp } from "./kubecamp.ts";

type Result = ReturnType<typeof resultJson>["stacks"][number];

const user = (member: string, more: object = {}): Entry => ({ member, type: "user", ...more });

describe("kubecamp up", function () {
  this.timeout(180_000);
  const stack = useStack("camp");

  const run = (...args: string[]) =>
    kubecamp(["up", "--stack", "camp", ...args], { cwd: stack.folder, env: stack.sandbox.env });
  /** Of one stack. */
  const up = async (...args: string[]): Promise<Result> => {
    const { stdout, stderr } = await run("-o", "json", ...args);
    const [result, ...others] = (JSON.parse(stdout) as ReturnType<typeof resultJson>).stacks;
    assert.ok(result, stderr);
    assert.deepEqual(others, []);
    return result;
  };

  before(async () => {
    await stack.makeProject();
    await stack.configure([user("ana"), user("ben"), user("cleo")]);
  });

  it("makes everything the first time, and nothing the second", async () => {
    const first = await up();
    assert.deepEqual(
      [first.result, first.plan, first.members, first.reason],
      ["succeeded", "all, since it has never been brought up", ["ana", "ben", "cleo"], null],
    );
    const touched = await touchedBy(stack, async () => {
      const second = await up();
      assert.deepEqual([second.result, second.plan], ["unchanged", "nothing differs"]);
    });
    assert.deepEqual(touched, []);
  });
});
