import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { goals } from "../../../../../scaffold/bench/report/goals.ts";
import { row, size } from "../figures.ts";

describe("the benchmark's goals", () => {
  it("are met or missed as the figures say", () => {
    const hundred = size(100, row("create", "kubecamp", 10), row("unchanged preview", "pulumi", 5));
    const thousand = size(
      1000,
      row("create", "kubecamp", 100, { cli: 400, program: 600 }),
      row("create", "kubectl", 45),
      row("open routes", "kubecamp", 20),
      row("open routes", "kubectl", 15),
      row("unchanged preview", "pulumi", 61),
      row("unchanged preview", "kubectl", 60),
    );
    assert.deepEqual(goals([hundred, thousand]), [
      {
        target: "create and open routes within 2 × 'kubectl apply'",
        measured: "2.00 × (120.0 s against 60.0 s)",
        met: true,
      },
      {
        target: "an unchanged preview no slower than 'kubectl diff'",
        measured: "1.02 × (61.0 s against 60.0 s)",
        met: false,
      },
      {
        target: "CLI and program in any run: at most 953 MiB of memory",
        measured: "1000 MiB",
        met: false,
      },
      {
        target: "CLI, program and 'kubecamp up' in any run: at most 953 MiB of memory",
        measured: "1000 MiB",
        met: false,
      },
      {
        target: "create: a member costs no more than 20 % more among 1000 than among 100",
        measured: "100 ms, then 100 ms: +0 %",
        met: true,
      },
      {
        target: "unchanged preview: a member costs no more than 20 % more among 1000 than among 100",
        measured: "50 ms, then 61 ms: +22 %",
        met: false,
      },
    ]);
  });

  it("name what they are about, also where the goal before was not measured", () => {
    const thousand = size(1000, row("unchanged preview", "quick", 9), row("unchanged preview", "kubectl", 10));
    assert.deepEqual(goals([thousand])[0], {
      target: "an unchanged preview by pulumi, tuned, no slower than 'kubectl diff'",
      measured: "0.90 × (9.0 s against 10.0 s)",
      met: true,
    });
  });

  it("hold a run about one member among a hundred to kubectl, also from further away", () => {
    const hundred = {
      ...size(
        100,
        row("create", "kubecamp", 26),
        row("create", "kubectl", 10),
        row("a dozen members added", "kubecamp", 6),
        row("unchanged preview", "kubectl", 8),
        row("unchanged up", "kubecamp", 4),
        row("unchanged preview", "kubecamp", 5),
        row("one limit changed", "kubecamp", 3, { cli: 150, program: 200 }),
        row("one limit changed", "kubectl", 3),
        row("one member added", "kubecamp", 5.1, { cli: 250, program: 200 }),
        // It is about all members, not one.
        row("unchanged up", "pulumi", 9, { cli: 900, program: 900 }),
      ),
      distant: { roundTrip: 10, rows: [row("create", "kubecamp", 30), row("create", "kubectl", 60)] },
    };
    assert.deepEqual(
      goals([hundred]).map(({ target, measured, met }) => [target, measured, met]),
      [
        ["among 100, create within 2.5 × 'kubectl apply'", "2.60 × (26.0 s against 10.0 s)", false],
        ["among 100, 10 ms away, create within 0.5 × of that", "0.50 × (30.0 s against 60.0 s)", true],
        ["among 100, a dozen join within 6 s", "6.0 s", true],
        ["among 100, an unchanged up within 0.5 × 'kubectl diff'", "0.50 × (4.0 s against 8.0 s)", true],
        ["among 100, an unchanged preview within 0.5 × 'kubectl diff'", "0.63 × (5.0 s against 8.0 s)", false],
        ["among 100, one limit within 1 × 'kubectl apply'", "1.00 × (3.0 s against 3.0 s)", true],
        ["among 100, one joins within 5 s", "5.1 s", false],
        ["a run about one member among 100: at most 400 MiB of memory", "450 MiB", false],
      ],
    );
  });

  it("hold one shard's up to the full one of a list that is not split", () => {
    const whole = size(1000, row("one member added", "pulumi", 50));
    const split = {
      ...whole,
      sharded: { count: 8, rows: [row("one member added", "pulumi", 5.5), row("one member added", "kubecamp", 4)] },
    };
    const [one, all] = goals([split]);
    assert.match(one?.target ?? "", /^with 8 shards, one member added within 10 % .*, by 'pulumi up' of that shard$/);
    assert.deepEqual([one?.measured, one?.met], ["0.11 × (5.5 s against 50.0 s)", false]);
    assert.deepEqual([all?.measured, all?.met], ["0.08 × (4.0 s against 50.0 s)", true]);
    assert.doesNotMatch(JSON.stringify(goals([whole])), /shards/);
  });

  it("say nothing where it was not measured", () => {
    assert.deepEqual(goals([size(10, row("create", "quick", 5), row("create", "kubectl", 1))]), []);
    const targets = goals([size(1000, row("create", "quick", 5))]).map(({ target }) => target);
    assert.deepEqual(targets, [
      "CLI and program in any run: at most 953 MiB of memory",
      "CLI, program and 'kubecamp up' in any run: at most 953 MiB of memory",
    ]);
  });
});
