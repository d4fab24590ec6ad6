import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bucketLabel } from "../../../naming/labels.ts";
import { repository } from "../../../scaffold/sandbox/paths.ts";
import { callsIn, understood } from "../github/understood.ts";

describe("docs/run/operate.md", () => {
  const page = readFileSync(join(repository, "docs/run/operate.md"), "utf8");
  const scripts = [...page.matchAll(/^( *)```sh\n([\s\S]*?)^\1```$/gm)].map(([, , text = ""]) => text);

  it("names commands and options that there are", () => {
    const calls = new Set(scripts.flatMap(callsIn));
    assert.ok(calls.size >= 6);
    for (const call of calls) understood(call);
  });

  it("does not lose a bucket with the name that its member had", () => {
    const [, renaming = ""] = /^## Rename a member\n([\s\S]*?)\n## /m.exec(page) ?? [];
    const at = (what: string) => {
      assert.ok(renaming.includes(what), what);
      return renaming.indexOf(what);
    };
    // Before what deletes it; and what says where it is, is not copied: kubecamp makes that for the new one.
    assert.ok(at("aws s3 sync s3://bob-data s3://robert-data") < at("take the entry out, and go up"));
    assert.ok(at("With `reclaimPolicy: Delete`, step 6 deletes the old one") < at("6. When it answers"));
    at(`.metadata.labels["${bucketLabel}"] == null`);
  });

  it("has a part for whatever an admin has to look up in a hurry", () => {
    const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => heading);
    for (const wanted of [
      "The state is lost",
      "Rotate a CA",
      "Rename a member",
      "Upgrade kubecamp",
      "Upgrade Kubernetes",
      "An up that failed half-way",
      "An up that was killed",
      "The API server is down",
      "A namespace hangs in Terminating",
      "Many leave at once",
      "Members who expire",
      "A nightly drift",
      "Another key for the secrets",
    ]) {
      assert.ok(headings.includes(wanted), wanted);
    }
  });
});
