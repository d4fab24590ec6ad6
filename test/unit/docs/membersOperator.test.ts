import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { namespace } from "../../../objects/namespace.ts";
import { repository } from "../../../sandbox/paths.ts";
import { member, settings } from "../samples.ts";

describe("docs/start/members-operator.md", () => {
  it("takes every label of kubecamp's off a namespace on the way back, and no other", async () => {
    const page = await readFile(join(repository, "docs/start/members-operator.md"), "utf8");
    const [command = ""] = /^kubectl label namespace -l (?:[^\\\n]*\\\n)+.*/m.exec(page) ?? [];
    const taken = [...command.matchAll(/ ([-a-z./]+)-(?=[ \n]|$)/g)].map(([, label = ""]) => label);
    const bob = { member: "bob", type: "user", route: false, expires: "2026-12-31", protect: true };
    assert.deepEqual(
      taken.toSorted(),
      Object.keys(namespace({ ...member(bob), leaves: "2026-12-31" }, settings).metadata.labels).toSorted(),
    );
  });
});
