import assert from "node:assert/strict";
import type { Report } from "../../../../../commands/report/build.ts";
import { joinerPath } from "../../../../../commands/report/print/sections.ts";
import { differenceText } from "../../../../../objects/shown/differences.ts";

const joiner = { member: "bob", type: "user", subjects: ["oidc:bob"], quota: ["CPU 500m"], notes: [], url: undefined };
const pending = [{ name: "bob", text: "no Service" }];

describe("what is said of somebody who joins", () => {
  it("tells of somebody who joins the address, or why that is not open, or that there is none", () => {
    const all = { pending, offline: [], unchecked: [] };
    assert.equal(joinerPath({ ...joiner, url: "https://a.test/bob/" }, all), "https://a.test/bob/");
    assert.equal(joinerPath(joiner, all), "pending: no Service");
    assert.equal(joinerPath(joiner, { ...all, pending: [] }), "none");
  });

  it("claims nothing of a joiner's address where nobody looked", () => {
    const line = (name: string) => [{ name, text: "what nobody looked at" }];
    const path = (offline: Report["offline"], unchecked: Report["unchecked"]) =>
      joinerPath(joiner, { pending: [], offline, unchecked });
    assert.equal(path(line("routes"), []), "not checked");
    assert.equal(path([], line("Services")), "not checked");
    assert.equal(path([], line("admission")), "none", "a dry run that was refused says nothing of routes");
  });
});

describe("a difference", () => {
  it("tells a difference by what was and will be, or by what comes to and goes from a list", () => {
    assert.equal(differenceText({ what: "CPU", from: "1" }), "CPU 1 → none");
    assert.equal(differenceText({ what: "images", added: ["a", "b"], removed: ["c"] }), "images: + a, + b, − c");
    assert.equal(
      differenceText({ what: "Secret data.x", from: "(secret)", to: "(secret)" }),
      "Secret data.x changes, which is not shown",
    );
  });
});
