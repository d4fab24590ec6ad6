import assert from "node:assert/strict";
import { leavers, leaversWarning } from "../../../cluster/leavers.ts";
import type { ClusterSnapshot, LiveObject } from "../../../cluster/snapshot.ts";
import { bob, labelsOf, settings } from "../samples.ts";

const owned = (name: string, stack = "dev"): LiveObject => ({
  labels: { ...labelsOf(name), "kubecamp.dev/stack": stack },
  terminating: false,
});
const none: ReadonlyMap<string, LiveObject> = new Map();
const snapshot = {
  namespaces: new Map([
    ["bob", owned("bob")],
    ["zoe", owned("zoe")],
    ["uma", owned("uma", "prod")],
    ["kube-system", { labels: {}, terminating: false }],
  ]),
  services: new Map(),
  ingresses: none,
  clusterRoleBindings: new Map([["kubecamp:dev:yan:view", owned("yan")]]),
} as unknown as ClusterSnapshot;

describe("leavers", () => {
  it("are those with objects of this stack who are not in its list", () => {
    assert.deepEqual(leavers([bob], settings, snapshot), ["yan", "zoe"]);
  });

  it("are named in one warning, with the way to delete what no state knows of", () => {
    assert.equal(
      leaversWarning([bob], settings, snapshot),
      `No longer in the list, and deleted by 'pulumi up' with all that is theirs: yan, zoe.
Only if a later run names them again, because an earlier one was killed before it had noted what it made:
  kubectl delete ingress,service -n ingress-nginx -l 'kubecamp.dev/stack=dev,kubecamp.dev/member in (yan,zoe)'
  kubectl delete clusterrolebinding,namespace -l 'kubecamp.dev/stack=dev,kubecamp.dev/member in (yan,zoe)'`,
    );
    assert.equal(
      leaversWarning([bob], settings, { ...snapshot, namespaces: none, clusterRoleBindings: none }),
      undefined,
    );
  });
});
