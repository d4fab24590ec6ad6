import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bucketLabel } from "../../../naming/labels.ts";
import { repository } from "../../../scaffold/sandbox/paths.ts";
import { callsIn, understood } from "../github/understood.ts";
import { runPages } from "./runPages.ts";

const textOf = (page: string) => readFileSync(join(repository, page), "utf8");

const scriptsIn = (page: string) =>
  [...textOf(page).matchAll(/^( *)```sh\n([\s\S]*?)^\1```$/gm)].map(([, , text = ""]) => text);

describe("the pages on running a cluster", () => {
  for (const page of runPages) {
    it(`name commands and options that there are, ${page}`, () => {
      for (const call of scriptsIn(page).flatMap(callsIn)) understood(call);
    });
  }

  it("have commands in all", () => {
    assert.ok(new Set(runPages.flatMap(scriptsIn).flatMap(callsIn)).size >= 12);
  });
});

describe("docs/run/rename.md", () => {
  it("does not lose a bucket with the name that its member had", () => {
    const page = textOf("docs/run/rename.md");
    const at = (what: string) => {
      assert.ok(page.includes(what), what);
      return page.indexOf(what);
    };
    // Before what deletes it; and what says where it is, is not copied: kubecamp makes that for the new one.
    assert.ok(at("aws s3 sync s3://bob-data s3://robert-data") < at("[remove the member]"));
    assert.ok(at("With `reclaimPolicy: Delete`, step 6 deletes the old bucket") < at("6. When the path answers"));
    at(`.metadata.labels["${bucketLabel}"] == null`);
  });

  it("leaves a headless Service headless: a StatefulSet's Pods have their names by it", () => {
    const page = textOf("docs/run/rename.md");
    assert.match(page, /if \.spec\.clusterIP == "None" then \. else del\(\.spec\.clusterIP, \.spec\.clusterIPs\) end/);
    assert.doesNotMatch(page, /del\(\.status, /);
  });
});

describe("docs/run/operate.md", () => {
  it("leads to a part for whatever an admin has to look up in a hurry", () => {
    const page = textOf("docs/run/operate.md");
    const headings = (text: string) => [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => heading);
    const linked = [...page.matchAll(/\]\(([\w/.-]+\.md)(?:#[\w-]+)?\)/g)].map(([, to = ""]) => join("docs/run", to));
    const found = [page, ...[...new Set(linked)].map(textOf)].flatMap(headings);
    for (const wanted of [
      "The state is lost",
      "Rotate a CA",
      "Rename a member",
      "Upgrade kubecamp",
      "Upgrade Kubernetes",
      "An up that failed half-way",
      "An up that was killed",
      "The API server is down",
      "When the server is down",
      "A namespace hangs in Terminating",
      "Many leave at once",
      "Members who expire",
      "A nightly drift",
      "Another key for the secrets",
    ]) {
      assert.ok(found.includes(wanted), wanted);
    }
  });
});
