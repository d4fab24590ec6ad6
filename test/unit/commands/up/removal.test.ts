import assert from "node:assert/strict";
import { removalOf } from "../../../../commands/up/up.ts";
import { cluster, inhabitedBy, owned } from "../../cluster/leaving.ts";
import { bob, settings } from "../../samples.ts";

describe("what an up asks about", () => {
  it("asks before an up deletes removed members' environments, with what goes", () => {
    const snapshot = inhabitedBy("bob", "zoe");
    assert.deepEqual(removalOf({ settings, members: [bob] }, snapshot, settings.stack), {
      text: [
        "No longer in the list. A run that succeeds deletes what Pulumi's state has of theirs, which can't be undone:",
        "  zoe: namespace with no unfinished pods, no PersistentVolumeClaims",
      ].join("\n"),
      question: "Delete 1 environment, of zoe, for good?",
    });
  });

  it("asks nothing before an up that removes nobody, or only ends a namespace, or refuses", () => {
    assert.equal(removalOf({ settings, members: [bob] }, inhabitedBy("bob"), settings.stack), undefined);
    const onItsWay = cluster({ namespaces: new Map([["zoe", { ...owned("zoe"), terminating: true }]]) });
    assert.equal(removalOf({ settings, members: [bob] }, onItsWay, settings.stack), undefined);
    assert.equal(removalOf({ settings, members: [] }, inhabitedBy("bob"), settings.stack), undefined);
    const elsewhere = { ...settings, cluster: { ...settings.cluster, id: "another" } };
    assert.equal(removalOf({ settings: elsewhere, members: [bob] }, inhabitedBy("zoe"), settings.stack), undefined);
  });

  it("asks about all shards' removals before an up of the list, or about one's own", () => {
    const split = { ...settings, stack: "prod-0", shards: { family: "prod", count: 2 } };
    const labelled = (name: string, stack: string) => owned(name, { "kubecamp.dev/stack": stack });
    const snapshot = cluster({
      namespaces: new Map([
        ["yan", labelled("yan", "prod-0")],
        ["zoe", labelled("zoe", "prod-1")],
      ]),
    });
    const questionOf = (stack: string) => removalOf({ settings: split, members: [bob] }, snapshot, stack)?.question;
    assert.deepEqual(
      [questionOf("prod"), questionOf("prod-0")],
      ["Delete 2 environments, of yan, zoe, for good?", "Delete 1 environment, of yan, for good?"],
    );
  });
});
