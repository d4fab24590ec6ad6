import assert from "node:assert/strict";
import { stackLabel } from "../../../../config/names/labels.ts";
import type { Settings } from "../../../../config/settings.ts";
import { othersNamespaces, refusedRemovals, removalConflicts } from "../../../../plan/decide/removals.ts";
import { refusalTexts } from "../../../../plan/words/catalogue.ts";
import { cluster, inhabitedBy, managedObject, owned } from "../../cluster/leaving.ts";
import { bob, settings } from "../../samples.ts";

const allowing = (maxRemovals: number): Settings => ({ ...settings, offboarding: { maxRemovals } });
const four = inhabitedBy("bob", "eva", "fay", "gus", "hal");

const allowed = (count: number) => `allow it for one run:
      pulumi config set --stack dev --path kubecamp:offboarding.maxRemovals ${count}
      pulumi up --stack dev
      pulumi config rm --stack dev --path kubecamp:offboarding.maxRemovals`;

describe("removals", () => {
  it("refuses more than three removals, with the names", () => {
    assert.deepEqual(refusalTexts(refusedRemovals([bob], settings, four)), [
      `4 members are no longer in the list; a run may remove 3 (offboarding.maxRemovals):
      eva, fay, gus, hal
    Put members who should stay back into the list. To remove 4 members with everything that is theirs, ${allowed(4)}`,
    ]);
    assert.deepEqual(refusalTexts(refusedRemovals([bob], settings, inhabitedBy("bob", "eva", "fay", "gus"))), []);
  });

  it("refuses to remove everybody, by an empty list, unless that many are allowed outright", () => {
    assert.deepEqual(refusalTexts(refusedRemovals([], settings, inhabitedBy("bob"))), [
      `the list of members is empty, as if it had been truncated, and 1 member is still here; a run may remove none (offboarding.maxRemovals):
      bob
    Put the list back. If nobody should stay, 'pulumi destroy' removes the whole stack. To keep the stack and remove 1 member with everything that is theirs, ${allowed(1)}`,
    ]);
    assert.equal(refusalTexts(refusedRemovals([], allowing(4), four)).length, 1);
    assert.deepEqual(refusalTexts(refusedRemovals([], allowing(5), four)), []);
    assert.deepEqual(refusalTexts(refusedRemovals([], settings, cluster())), []);
  });

  it("counts members as removals whom a run would suspend for their grace, until it has", () => {
    const inGrace = ["eva", "fay", "gus", "hal"].map((name) => ({ ...bob, name, leaves: "2026-08-01" }));
    const grace: Settings = { ...settings, offboarding: { graceDays: 30 } };
    assert.deepEqual(refusalTexts(refusedRemovals([bob, ...inGrace], grace, four)), [
      `4 members are no longer in the list; a run may suspend 3 (offboarding.maxRemovals):
      eva, fay, gus, hal
    Put members who should stay back into the list. To suspend 4 members, and remove them after offboarding.graceDays, ${allowed(4)}`,
    ]);
    const [mixed] = refusalTexts(refusedRemovals([bob, ...inGrace.slice(1)], grace, four));
    assert.match(mixed ?? "", /^4 members are no longer in the list; a run may remove or suspend 3 /);
    const [emptied] = refusalTexts(refusedRemovals(inGrace.slice(0, 1), grace, inhabitedBy("eva")));
    assert.match(emptied ?? "", /^the list of members is empty, .* 1 member is still here; a run may suspend none /);
    const marked = inGrace.map(({ name, leaves }) => [name, owned(name, { "kubecamp.dev/leaves": leaves })] as const);
    assert.deepEqual(refusedRemovals([bob, ...inGrace], grace, cluster({ namespaces: new Map(marked) })), []);
  });

  it("refuses to remove protected members, however many removals are allowed", () => {
    const kept = ["bob", "eva"].map((name) => [name, owned(name, { "kubecamp.dev/protected": "true" })] as const);
    const snapshot = cluster({ namespaces: new Map([...kept, ["fay", owned("fay")]]) });
    assert.deepEqual(refusalTexts(refusedRemovals([bob], allowing(9), snapshot)), [
      `a protected member is no longer in the list, and can't be removed:
      eva
    Put the entry back. To remove them anyway, set 'protect: false' there and run 'pulumi up';
    then take the entry out and run it again.`,
    ]);
    const [both] = refusalTexts(refusedRemovals([], allowing(9), snapshot));
    assert.match(both ?? "", /^2 protected members are no longer in the list, and can't be removed:\n {6}bob, eva\n/);
  });

  it("counts no removal that an earlier run has begun", () => {
    const leaving = { ...owned("eva"), terminating: true };
    const begun = refusalTexts(refusedRemovals([], settings, cluster({ namespaces: new Map([["eva", leaving]]) })));
    assert.deepEqual(begun, []);
  });

  it("counts no removals on another cluster than the stack's", () => {
    const elsewhere: Settings = { ...settings, cluster: { id: "5678" } };
    assert.deepEqual(refusalTexts(refusedRemovals([], elsewhere, four)), []);
    assert.equal(refusalTexts(refusedRemovals([], { ...settings, cluster: { id: "1234" } }, four)).length, 1);
  });
});

const labelled = (labels: Record<string, string>, uid = "new") => ({ labels, terminating: false, uid });

describe("a namespace that Pulumi's state has, and the list has not", () => {
  const managedObjects = new Map([["LimitRange eva/default-limits", managedObject("eva")]]);
  const refusals = (uid: string | undefined, home: ReturnType<typeof labelled>) => {
    const snapshot = cluster({ namespaces: new Map([["eva", home]]), managedObjects });
    return refusalTexts(removalConflicts(new Map([["eva", uid]]), [bob], settings, snapshot)).join("\n");
  };

  it("deletes no namespace that is a new one under an old name, whatever is in it", () => {
    assert.match(
      refusals("old", labelled({})),
      /'eva' is no longer in the list, and a run would delete the namespace 'eva', but somebody has made it anew, without/,
    );
    // Made by the admin who restored it, with all that was in it.
    assert.match(
      refusals("old", labelled({})),
      /kubectl label namespace eva kubecamp.dev\/stack=dev kubecamp.dev\/member=eva/,
    );
  });

  it("deletes no namespace whose label says another stack, whether there is one or not", () => {
    const prods = owned("eva", { [stackLabel]: "prod" }).labels;
    assert.match(
      refusals("old", labelled(prods)),
      /a run would delete the namespace 'eva', but it has the label kubecamp.dev\/stack: prod\./,
    );
    assert.match(
      refusals("new", labelled(prods)),
      /a run would delete the namespace 'eva', but it has the label kubecamp.dev\/stack: prod\./,
    );
  });

  it("deletes a namespace whose labels say the stack's own, as of a run killed before its note", () => {
    assert.equal(refusals("old", labelled(owned("eva").labels)), "");
  });

  it("deletes a namespace without labels where it is the one that was made, and its guard rails", () => {
    assert.equal(refusals("new", labelled({})), "");
    assert.equal(refusals(undefined, labelled({})), "");
  });
});

describe("namespaces that an old state may have", () => {
  it("lists others' namespaces without the list's, the stack's, Kubernetes' and those that end", () => {
    const namespaces = new Map([
      ["bob", labelled({})],
      ["eva", owned("eva")],
      ["fay", owned("fay", { [stackLabel]: "prod" })],
      ["gus", owned("eva")],
      ["monitoring", labelled({})],
      ["going", { ...labelled({}), terminating: true }],
      ["kube-public", labelled({})],
      ["default", labelled({})],
      [settings.route.namespace, labelled({})],
    ]);
    assert.deepEqual(othersNamespaces([bob], settings, { namespaces }), ["fay", "gus", "monitoring"]);
  });
});
