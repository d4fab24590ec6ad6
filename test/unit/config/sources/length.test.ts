import assert from "node:assert/strict";
import { parseConfiguration } from "../../../../config/sources/configuration.ts";
import { mistakes, today } from "../../samples.ts";

const route = { host: "camp.example.org" };
const listOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    member: `student-${index}`,
    type: "guest-user",
    subject: `student-${index}@example.org`,
  }));

describe("the length of a stack's configuration", () => {
  it("is refused above what fits into one environment variable, with the way to a list of any length", () => {
    assert.deepEqual(mistakes({ route, members: listOf(1500) }), [
      "members: takes 138 KiB, and the configuration 138 of the 120 that fit into the one environment variable in which " +
        "Pulumi hands it over; move the list to a file of its own, of any length, and set membersFile to that (docs/run/scale.md)",
    ]);
  });

  it("leaves room below what the system refuses, so that the program can still say so", () => {
    // As the language host makes it: https://github.com/pulumi/pulumi/blob/master/sdk/nodejs/cmd/pulumi-language-nodejs/main.go
    const variable = (members: unknown) =>
      `PULUMI_CONFIG=${JSON.stringify({ "kubecamp:config:route": JSON.stringify(route), "kubecamp:config:members": JSON.stringify(members) })}`;
    const fits = (count: number) => mistakes({ route, members: listOf(count) }).length === 0;
    let [most, refused] = [1, 2000];
    while (refused - most > 1) {
      const middle = Math.floor((most + refused) / 2);
      [most, refused] = fits(middle) ? [middle, refused] : [most, middle];
    }
    const length = variable(listOf(refused)).length;
    assert.ok(length > 120 * 1024 && length < 121 * 1024, `${refused} members: ${length}`);
  });

  it("counts bytes where letters take several", () => {
    const umlauts = listOf(800).map((entry, index) => ({ ...entry, subject: "ü".repeat(50) + index }));
    assert.match(mistakes({ route, members: umlauts }).join("\n"), /^members: takes 1\d\d KiB/);
  });

  it("is no matter to a list in a file", () => {
    const parsed = parseConfiguration("dev", { route, membersFile: "members.yaml" }, today, { members: listOf(3000) });
    assert.ok("configuration" in parsed && parsed.configuration.members.length === 3000);
  });

  it("has pages move to a folder", () => {
    const starter = { pages: { "index.md": "x".repeat(130 * 1024) } };
    const [first = ""] = mistakes({ route, members: [], starter });
    assert.match(first, /^starter: takes 131 KiB, .*set pagesFolder to their folder \(docs\/run\/starter\.md\)$/);
  });
});
