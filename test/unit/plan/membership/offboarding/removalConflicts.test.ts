import assert from "node:assert/strict";
import { stackLabel } from "../../../../../config/names/labels.ts";
import { othersNamespaces, removalConflicts } from "../../../../../plan/membership/offboarding/removalConflicts.ts";
import { refusalTexts } from "../../../../../plan/messages/catalogue.ts";
import { cluster, managedObject, owned } from "../../../cluster/leaving.ts";
import { bob, settings } from "../../../samples.ts";

const labelled = (labels: Record<string, string>, uid = "new") => ({ labels, terminating: false, uid });

describe("a namespace that Pulumi's state has, and the list has not", () => {
  const managedObjects = new Map([["LimitRange eva/default-limits", managedObject("eva")]]);
  const refusals = (uid: string | undefined, home: ReturnType<typeof labelled>) => {
    const snapshot = cluster({ namespaces: new Map([["eva", home]]), managedObjects });
    return refusalTexts(removalConflicts(new Map([["eva", uid]]), [bob], settings, snapshot)).join("\n");
  };

  it("deletes no namespace that is a new one under an old name, whatever is in it", () => {
    assert.match(refusals("old", labelled({})), /'eva' is no longer in the list.* that is a new one, without/);
    // Made by the admin who restored it, with all that was in it.
    assert.match(
      refusals("old", labelled({})),
      /kubectl label namespace eva kubecamp.dev\/stack=dev kubecamp.dev\/member=eva/,
    );
  });

  it("deletes no namespace whose label says another stack, whether there is one or not", () => {
    const prods = owned("eva", { [stackLabel]: "prod" }).labels;
    assert.match(refusals("old", labelled(prods)), /has the label kubecamp.dev\/stack: prod: removing them would/);
    assert.match(refusals("new", labelled(prods)), /has the label kubecamp.dev\/stack: prod: removing them would/);
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
