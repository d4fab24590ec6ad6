import assert from "node:assert/strict";
import { inParallel } from "../../../../../cluster/kinds/inParallel.ts";
import { mergedResults } from "../../../../../commands/up/family.ts";
import { resultJson, resultText } from "../../../../../commands/up/print/resultText.ts";
import type { StackResult } from "../../../../../commands/up/upStack.ts";
import { moving } from "../../../../../plan/membership/shards.ts";
import { warningsOf } from "../../../../../plan/messages/catalogue.ts";
import { cluster, owned } from "../../../cluster/leaving.ts";
import { bob, settings as sample } from "../../../samples.ts";
import { resultOf as of } from "../stackResult.ts";

const change = (
  operation: StackResult["changes"][number]["operation"],
  name: string,
  type = "kubernetes:core/v1:X",
) => ({
  operation,
  type,
  name,
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
  warnings: [{ code: "pending", text: "A route is pending:\n  ana: no Service" }],
});
const failed = of("prod-1", { plan: undefined, outcome: "failed", reason: "the API server is down\ntry again" });

describe("what is told of stacks that were brought up", () => {
  it("is a line for each, and below it what there is to be said of each", () => {
    assert.equal(
      resultText([up, failed, of("prod-2")], 80),
      [
        "STACK   RESULT     CREATED  UPDATED  DELETED  MEMBERS CHANGED",
        "prod-0  up         1        2        1        2: ana, ben",
        "prod-1  FAILED     0        0        0        -",
        "prod-2  unchanged  0        0        0        -",
        "",
        "prod-0 warns:",
        "  A route is pending:",
        "    ana: no Service",
        "",
        "prod-1 was not updated:",
        "  the API server is down",
        "  try again",
      ].join("\n"),
    );
  });

  it("ends with what is told of the whole list, once for all its shards", () => {
    const budgets = { code: "budgets", text: "Budgets, and what is left of them:\n  all: 2 members" } as const;
    const results = mergedResults(
      [of("prod-0", { notices: [budgets] }), of("prod-1", { notices: [budgets] }), of("prod-0")],
      { left: [] },
    );
    assert.deepEqual(
      results.map(({ notices }) => notices),
      [[budgets], [budgets]],
    );
    assert.equal(
      resultText(results, 80),
      [
        "STACK   RESULT     CREATED  UPDATED  DELETED  MEMBERS CHANGED",
        "prod-0  unchanged  0        0        0        -",
        "prod-1  unchanged  0        0        0        -",
        "",
        "Budgets, and what is left of them:",
        "  all: 2 members",
      ].join("\n"),
    );
    assert.deepEqual(resultJson(results).stacks[0]?.findings, []);
  });

  it("keeps a terminal's width, and is whole for programs", () => {
    const members = Array.from({ length: 40 }, (_, index) => `somebody-with-a-long-name-${index}`);
    const many = of("prod-0", { outcome: "succeeded", members });
    const [, line = ""] = resultText([many], 80).split("\n");
    assert.ok(line.length <= 80, line);
    assert.match(line, /40: somebody-with-a-long-name-0,.*…$/);
    const long = of("prod-0", {
      outcome: "failed",
      reason: `${"word ".repeat(30).trim()}\n      pulumi up`,
      warnings: [{ code: undefined, text: "word ".repeat(40) }],
    });
    for (const line of resultText([long], 80).split("\n")) {
      assert.ok(line.length <= 80, line);
    }
    assert.match(resultText([long], 80), /^ {8}pulumi up$/m);
    assert.match(resultText([long], undefined), /^ {2}(word ){29}word$/m);
    const json = resultJson([many, failed]);
    assert.deepEqual([json.failed, json.stacks[0]?.members], [true, members]);
    assert.deepEqual(json.stacks[1]?.plan, null);
    // A component is no object on the cluster.
    const [{ created, updated, deleted, changes }] = resultJson([up]).stacks as [
      ReturnType<typeof resultJson>["stacks"][number],
    ];
    assert.deepEqual([created + updated + deleted, changes[0]?.name], [changes.length, "ana/namespace"]);
  });

  it("is one thing for a stack that ran twice, with whoever could not be handed over", () => {
    const again = of("prod-0", { outcome: "failed", reason: "down", changes: [change("create", "cleo/namespace")] });
    const left = [{ member: "dan", from: "prod-1", to: "prod-0", why: "it is locked" }];
    const [first, second, ...others] = mergedResults([up, of("prod-1"), again], { left });
    assert.deepEqual(others, []);
    assert.deepEqual(
      [first?.stack, first?.outcome, first?.reason, first?.changes.length],
      ["prod-0", "failed", "down", 6],
    );
    const stays = "dan stays here, and was not transferred to prod-0: it is locked";
    // A list that says otherwise is not as it is declared.
    assert.deepEqual([second?.outcome, second?.reason, second?.warnings], ["failed", stays, []]);
    const alike = ["eve", "fay"].map((member) => ({ member, from: "prod-1", to: "prod-0", why: "it is locked" }));
    assert.equal(
      mergedResults([of("prod-1")], { left: [...alike, ...left.map((one) => ({ ...one, why: "no answer" }))] })[0]
        ?.reason,
      "eve, fay stay here, and were not transferred to prod-0: it is locked\ndan stays here, and was not transferred to prod-0: no answer",
    );
    const both = mergedResults([of("prod-1", { outcome: "failed", reason: "down" })], { left });
    assert.deepEqual([both[0]?.reason, both[0]?.warnings], ["down", [{ code: "notHandedOver", text: stays }]]);
    const healed = mergedResults([of("prod-0", { outcome: "failed", reason: "down" }), of("prod-0")], { left: [] });
    assert.deepEqual([healed[0]?.outcome, healed[0]?.reason], ["succeeded", undefined]);
    const settings = { ...sample, stack: "prod-0", shards: { family: "prod", count: 3 } };
    const warnings = warningsOf(
      moving(
        [bob],
        settings,
        cluster({ namespaces: new Map([["bob", owned("bob", { "kubecamp.dev/stack": "prod-0" })]]) }),
      ),
    );
    const pending = { code: "pending", text: "A route is pending" } as const;
    const reported = mergedResults([of("prod-0", { warnings: [...warnings, pending] })], { left: [] });
    assert.deepEqual([warnings.length, reported[0]?.warnings], [1, [pending]]);
    const anyImage = (who: string) => ({ code: "anyImage", text: `images: ${who} may run any image` }) as const;
    const [once] = mergedResults(
      [of("prod-0", { warnings: [anyImage("ana"), pending] }), of("prod-0", { warnings: [anyImage("ana, dan")] })],
      { left: [] },
    );
    assert.deepEqual(once?.warnings, [pending, anyImage("ana, dan")]);
    const [whole] = mergedResults([up, of("prod-0")], { left: [] });
    assert.deepEqual(whole, up);
  });
});

describe("work side by side", () => {
  it("is as much at a time as may be, and gives its results in order", async () => {
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
