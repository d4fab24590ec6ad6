import assert from "node:assert/strict";
import { inParallel } from "../../../../cluster/inParallel.ts";
import { mergedResults } from "../../../../commands/up/family.ts";
import { resultJson, resultText } from "../../../../commands/up/resultText.ts";
import type { StackResult } from "../../../../commands/up/upStack.ts";
import { pending } from "../report/previews.ts";
import { resultOf as of } from "./stackResult.ts";

const change = (
  operation: StackResult["changes"][number]["operation"],
  name: string,
  type = "kubernetes:core/v1:X",
) => ({
  ...{ operation, type, name },
});
const up = of("prod-0", {
  plan: { kind: "members", members: ["ana", "ben"], removedMembers: [], refresh: false },
  outcome: "succeeded",
  changes: [
    change("create", "ana", "kubecamp:index:MemberEnvironment"),
    change("create", "ana/namespace"),
    change("update", "ben/quota"),
    change("replace", "ben/service"),
    change("delete", "ben/binding/view"),
  ],
  members: ["ana", "ben"],
  warnings: [pending("ana")],
  remarks: ["a newer version", "a newer version"],
});
const failed = of("prod-1", { plan: undefined, outcome: "failed", reason: "the API server is down\ntry again" });

describe("what is told of stacks that were brought up", () => {
  it("tells each stack's result in a line, with what else there is to say below", () => {
    assert.equal(
      resultText([up, failed, of("prod-2")], 80),
      [
        "STACK   RESULT     CREATED  UPDATED  DELETED  MEMBERS CHANGED",
        "prod-0  up         1        2        1        2: ana, ben",
        "prod-1  FAILED     0        0        0        -",
        "prod-2  unchanged  0        0        0        -",
        "",
        "prod-0 warns:",
        "  A route is pending, and will open with the first 'kubecamp up' that finds a",
        "  fit Service:",
        "    ana: why",
        "",
        "prod-0 warns:",
        "  a newer version",
        "",
        "prod-1 was not updated:",
        "  the API server is down",
        "  try again",
      ].join("\n"),
    );
  });

  it("ends an up's results with what is told of the whole list, once for all its shards", () => {
    const budgets = { code: "budgets", facts: { budget: "all", members: 2, unbound: 0, sums: [] } } as const;
    const results = [of("prod-0", { notices: [budgets] }), of("prod-1", { notices: [budgets] })];
    const text = resultText(results, 80);
    assert.ok(
      text.endsWith(
        `prod-1  unchanged  0        0        0        -\n\nBudgets, and what is left of them:\n  all: 2 members`,
      ),
      text,
    );
    assert.deepEqual(resultJson(results).stacks[0]?.findings, []);
  });

  it("keeps an up's results in a terminal's width, and whole for programs", () => {
    const members = Array.from({ length: 40 }, (_, index) => `somebody-with-a-long-name-${index}`);
    const many = of("prod-0", { outcome: "succeeded", members });
    const long = of("prod-0", { outcome: "failed", reason: `${"word ".repeat(30).trim()}\n      pulumi up` });
    const text = resultText([many, long], 80);
    assert.ok(text.split("\n").every((line) => line.length <= 80));
    assert.match(text, /40: somebody-with-a-long-name-0,.*…\n/);
    assert.match(text, /^ {8}pulumi up$/m);
    assert.match(resultText([long], undefined), /^ {2}(word ){29}word$/m);
    const json = resultJson([many, failed]);
    assert.deepEqual([json.failed, json.stacks[0]?.members, json.stacks[1]?.plan], [true, members, null]);
    // A component is no object on the cluster.
    const [stack] = resultJson([up]).stacks;
    const { created, updated, deleted, changes } = stack ?? assert.fail();
    assert.deepEqual([created, updated, deleted, changes[0]?.name], [1, 2, 1, "ana/namespace"]);
  });

  it("tells one result of a stack that ran twice, with whoever could not be handed over", () => {
    const again = of("prod-0", { outcome: "failed", reason: "down", changes: [change("create", "cleo/namespace")] });
    const left = [{ member: "dan", from: "prod-1", to: "prod-0", why: "it is locked" }];
    const [first, second, ...others] = mergedResults([up, of("prod-1"), again], { left });
    assert.deepEqual(
      [first?.stack, first?.outcome, first?.reason, first?.changes.length, others],
      ["prod-0", "failed", "down", 6, []],
    );
    const stays = "dan stays here, and was not transferred to prod-0: it is locked";
    // A list that says otherwise is not as it is declared.
    assert.deepEqual([second?.outcome, second?.reason, second?.warnings], ["failed", stays, []]);
    const both = mergedResults([of("prod-1", { outcome: "failed", reason: "down" })], { left });
    const facts = { to: "prod-0", why: "it is locked" };
    assert.deepEqual(
      [both[0]?.reason, both[0]?.warnings],
      ["down", [{ code: "notTransferred", member: "dan", facts }]],
    );
    const healed = mergedResults([of("prod-0", { outcome: "failed", reason: "down" }), of("prod-0")], { left: [] });
    assert.deepEqual([healed[0]?.outcome, healed[0]?.reason], ["succeeded", undefined]);
    const [whole] = mergedResults([up, of("prod-0")], { left: [] });
    assert.deepEqual(whole, up);
  });
});

describe("work side by side", () => {
  it("works side by side on as much as may be, and gives the results in order", async () => {
    let running = 0;
    let most = 0;
    const results = await inParallel([3, 1, 2, 0], 2, async (semaphore) => {
      running += 1;
      most = Math.max(most, running);
      for (let turn = 0; turn < semaphore; turn += 1) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      running -= 1;
      return semaphore * 10;
    });
    assert.deepEqual([results, most, running], [[30, 10, 20, 0], 2, 0]);
  });
});
