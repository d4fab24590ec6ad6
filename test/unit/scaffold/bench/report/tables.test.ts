import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "mocha";
import { cells, headings } from "../../../../../scaffold/bench/report/cells.ts";
import { csvOf } from "../../../../../scaffold/bench/report/csv.ts";
import { digest } from "../../../../../scaffold/bench/report/digest.ts";
import { markdownOf, pageWith } from "../../../../../scaffold/bench/report/page.ts";
import { slopes } from "../../../../../scaffold/bench/report/slopes.ts";
import { tables } from "../../../../../scaffold/bench/report/tables.ts";
import { textOf } from "../../../../../scaffold/bench/report/text.ts";
import { repository } from "../../../../../scaffold/sandbox/paths.ts";
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
      ...size(10, row("create", "quick", 5), row("create", "kubectl", 2)),
      sharded: { count: 2, rows: [row("create", "kubecamp", 4)] },
    };
    const [, whole, split] = tables(results(measured));
    assert.equal(split?.title, "10 members over 2 shards: pulumi for one shard, kubecamp up for all");
    assert.deepEqual(
      [whole, split].map((table) => table?.rows[1]?.slice(0, 4)),
      [
        ["create", "pulumi, tuned", "5.0", "2.50"],
        // Beside kubectl's figure for the same members in one stack.
        ["create", "kubecamp up", "4.0", "2.00"],
      ],
    );
  });

  it("have what it takes from further away beside the rest, where that was measured", () => {
    const near = size(10, row("create", "kubecamp", 5), row("create", "kubectl", 2), row("create", "quick", 4));
    const far = { roundTrip: 10, rows: [row("create", "kubecamp", 6), row("create", "kubectl", 12)] };
    const measured = { ...near, distant: far };
    assert.deepEqual(headings(measured).slice(2, 6), ["wall s", "× kubectl", "wall s, 10 ms away", "× kubectl"]);
    assert.deepEqual(
      cells(measured).map((cells) => cells.slice(1, 6)),
      [
        ["pulumi, tuned", "4.0", "2.00", "", ""],
        ["kubecamp up", "5.0", "2.50", "6.0", "0.50"],
        ["kubectl", "2.0", "", "12.0", ""],
      ],
    );
    assert.equal(headings(near).length, headings(measured).length - 2);
  });

  it("have in short what a hundred members cost by each tool, near and far", () => {
    const hundred = {
      ...size(
        100,
        row("create", "kubecamp", 10),
        row("create", "kubectl", 4),
        row("create", "helm", 8),
        row("one limit changed", "kubecamp", 3, { cli: 120, program: 230 }),
      ),
      checkpoints: [
        { form: "plain", stateMiB: 5, updated: cost(3), created: { cost: cost(40), resources: 96 } } as const,
      ],
      distant: { roundTrip: 10, rows: [row("create", "kubecamp", 12), row("create", "kubectl", 16)] },
    };
    const [short] = tables(results(hundred, size(1000, row("create", "kubecamp", 100))));
    assert.deepEqual(short, {
      title: "100 members, in short",
      rows: [
        [
          ...["work", "kubectl", "helm", "pulumi", "pulumi, tuned", "kubecamp up"],
          ...["kubectl, 10 ms away", "helm, 10 ms away", "kubecamp up, 10 ms away"],
        ],
        ["create", "4.0 s", "8.0 s (2.0 ×)", "", "", "10.0 s (2.5 ×)", "16.0 s", "", "12.0 s (0.8 ×)"],
        ["a dozen join", "", "", "40.0 s", "", "", "", "", ""],
        ["one limit", "", "", "", "", "3.0 s", "", "", ""],
        ["peak MiB, one limit", "", "", "", "", "350", "", "", ""],
      ],
    });
    assert.deepEqual(digest([size(10)]), []);
  });

  it("say how large Helm's release becomes, and what becomes of Helm where it is too large", () => {
    const failure = { operation: "open routes", words: "data: Too long" } as const;
    const table = tables(
      results(
        { ...size(10), release: { bytes: 2 ** 19 } },
        size(100),
        { ...size(1000), release: { bytes: 2 ** 20, failure } },
        { ...size(2000), release: { failure } },
      ),
    ).find(({ title }) => title.startsWith("Helm"));
    assert.deepEqual(table?.rows.slice(1), [
      ["10", "512", "50 %", ""],
      ["1000", "1024", "100 %", "'open routes' failed: data: Too long"],
      ["2000", "", "", "'open routes' failed: data: Too long"],
    ]);
  });

  it("stand in the page between its marks, below what to expect, and leave the rest of it", () => {
    const page =
      "before\n<!-- bench: expect -->\nold\n<!-- bench: expected -->\n\n<!-- bench: begin -->\nold\n<!-- bench: end -->\nafter\n";
    assert.equal(
      pageWith(page, { expectation: "soon", tables: "new" }),
      "before\n<!-- bench: expect -->\nsoon\n<!-- bench: expected -->\n\n<!-- bench: begin -->\n\nnew\n\n<!-- bench: end -->\nafter\n",
    );
    const written = { expectation: "", tables: "" };
    assert.throws(() => pageWith("no marks", written), /performance\.md has no '<!-- bench: expect -->'/);
    assert.throws(() => pageWith(page.replace("bench: end", ""), written), /has no '<!-- bench: begin -->'/);
  });

  it("have figures in the repository that the page's tables agree with", async () => {
    const [page, figures] = await Promise.all(
      ["md", "csv"].map((type) => readFile(join(repository, `docs/reference/performance.${type}`), "utf8")),
    );
    const [, seconds] = /^100,1,0,create,kubecamp up,([\d.]+),/m.exec(figures ?? "") ?? [];
    assert.match(page ?? "", new RegExp(`^\\| create \\|.* ${seconds} s \\(`, "m"));
  });

  it("have their places in the page, and what to expect is in its first ten lines", async () => {
    const page = await readFile(join(repository, "docs/reference/performance.md"), "utf8");
    const written = pageWith(page, { expectation: "soon", tables: "new" });
    assert.ok(written.split("\n").indexOf("soon") < 10);
    assert.match(written, /\n\nnew\n\n<!-- bench: end -->\n$/);
  });

  it("have all figures for a terminal, and for the page those in short and a file", () => {
    const measured = results({
      ...size(10, row("create", "kubecamp", 3, { cli: 120, program: 230 }), row("create", "quick", 5)),
      distant: { roundTrip: 10, rows: [row("create", "kubecamp", 6)] },
      sharded: { count: 2, rows: [row("one limit changed", "kubecamp", 4)] },
    });
    assert.match(textOf(measured), /^10 members: 90 objects, 100 resources/m);
    assert.match(textOf(measured), /^create {5}pulumi, tuned {2}5\.0/m);
    const markdown = markdownOf(measured).tables;
    assert.match(markdown, /^### 10 members, in short$/m);
    assert.doesNotMatch(markdown, /90 objects/);
    assert.deepEqual(csvOf(measured).split("\n"), [
      "members,shards,ms away,operation,by,wall s,CPU s: CLI,CPU s: program,CPU s: plugin,peak MiB: CLI,peak MiB: program,peak MiB: plugin",
      '10,1,0,create,"pulumi, tuned",5.0,2.5,2.5,,100,200,',
      "10,1,0,create,kubecamp up,3.0,1.5,1.5,,120,230,",
      "10,1,10,create,kubecamp up,6.0,3.0,3.0,,100,200,",
      "10,2,0,one limit changed,kubecamp up,4.0,2.0,2.0,,100,200,",
      "",
    ]);
  });

  it("say in the last line what the figures are of", () => {
    const measured = results(size(10, row("create", "quick", 5)));
    const markdown = markdownOf(measured).tables;
    for (const text of [markdown, textOf(measured)]) {
      assert.match(text.split("\n").at(-1) ?? "", /Kubernetes plugin: stand-in; language host: official/);
    }
  });
});
