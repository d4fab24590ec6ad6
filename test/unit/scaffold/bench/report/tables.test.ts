import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { cells } from "../../../../../scaffold/bench/report/cells.ts";
import { markdownOf, pageWith } from "../../../../../scaffold/bench/report/page.ts";
import { slopes } from "../../../../../scaffold/bench/report/slopes.ts";
import { tables } from "../../../../../scaffold/bench/report/tables.ts";
import { textOf } from "../../../../../scaffold/bench/report/text.ts";
import { cost, results, row, size } from "../figures.ts";

describe("the benchmark's tables", () => {
  it("have an operation's rows together, with how many times kubectl's time each took", () => {
    const measured = size(10, row("create", "kubectl", 2), row("unchanged up", "pulumi", 4), row("create", "quick", 5));
    assert.deepEqual(
      cells(measured).map((cells) => cells.slice(0, 4)),
      [
        ["create", "pulumi, tuned", "5.0", "2.50"],
        ["create", "kubectl", "2.0", ""],
        ["unchanged up", "pulumi", "4.0", ""],
      ],
    );
  });

  it("have CPU and memory of CLI, program and plugin apart, and nothing where there was no such process", () => {
    const measured = size(10, row("create", "quick", 5, { cli: 120.4, program: 300 }));
    assert.deepEqual(cells(measured)[0]?.slice(4), ["2.5", "2.5", "", "120", "300", ""]);
  });

  it("say what a member more costs between two numbers of them, where there are figures of all", () => {
    const ten = size(10, row("create", "quick", 2), row("unchanged up", "pulumi", 1));
    const hundred = size(100, row("create", "quick", 11));
    const thousand = size(1000, row("create", "quick", 191), row("unchanged up", "pulumi", 9));
    assert.deepEqual(slopes([ten, hundred, thousand]), [
      { operation: "create", tool: "quick", milliseconds: [100, 200] },
    ]);
    assert.deepEqual(slopes([ten]), []);
  });

  it("say what writing the state down costs, for each form of it", () => {
    const measured = {
      ...size(100),
      checkpoints: [
        { form: "gzip", stateMiB: 1.234, updated: cost(3), created: { cost: cost(9), resources: 96 } } as const,
      ],
    };
    assert.deepEqual(tables(results(measured)).at(-1)?.rows[1], [
      "1000",
      "gzip",
      "1.23",
      "3.0",
      "1.0",
      "96",
      "9.0",
      "1.0",
    ]);
  });

  it("have what the same members cost over shards below what they cost in one stack", () => {
    const measured = {
      ...size(10, row("create", "quick", 5)),
      sharded: { count: 2, rows: [row("create", "kubecamp", 4)] },
    };
    const [whole, split] = tables(results(measured));
    assert.equal(split?.title, "10 members over 2 shards: pulumi for one shard, kubecamp up for all");
    assert.deepEqual(
      [whole, split].map((table) => table?.rows[1]?.slice(0, 3)),
      [
        ["create", "pulumi, tuned", "5.0"],
        ["create", "kubecamp up", "4.0"],
      ],
    );
  });

  it("stand in the page between its marks, and leave the rest of it", () => {
    const page = "before\n\n<!-- bench: begin -->\nold\n<!-- bench: end -->\n\nafter\n";
    assert.equal(pageWith(page, "new"), "before\n\n<!-- bench: begin -->\n\nnew\n\n<!-- bench: end -->\n\nafter\n");
    assert.throws(() => pageWith("no marks", "new"), /performance\.md has no '<!-- bench: begin -->'/);
  });

  it("say the same to a terminal and to the page, and what the figures are of", () => {
    const measured = results(size(10, row("create", "quick", 5)));
    assert.match(markdownOf(measured), /^### 10 members: 90 objects, 100 resources/m);
    assert.match(markdownOf(measured), /^\| create \| pulumi, tuned \| 5\.0 \|/m);
    assert.match(textOf(measured), /^create {5}pulumi, tuned {2}5\.0/m);
    for (const text of [markdownOf(measured), textOf(measured)]) {
      assert.match(text, /Kubernetes plugin: stand-in; language host: official/);
    }
  });
});
