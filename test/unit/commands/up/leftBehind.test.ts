import assert from "node:assert/strict";
import { deleteLeft } from "../../../../commands/up/runOnce.ts";
import type { PlanAndState } from "../../../../plan/decide/differing.ts";
import { knownState } from "../../../../plan/live/knownState.ts";
import { warningsOf } from "../../../../plan/words/catalogue.ts";
import { json, useApiServer } from "../../cluster/fakeApiServer.ts";
import { cluster, managedObject, owned } from "../../cluster/leaving.ts";
import { planOf } from "../../plan/planned.ts";
import { alice, labelsOf, settings } from "../../samples.ts";

const view = "kubecamp:dev:bob:view";

describe("what neither the list nor Pulumi's state has", () => {
  const server = useApiServer();
  const { signal } = new AbortController();
  const live = (name: string, labels: object = labelsOf("bob")) =>
    json({ kind: "Any", metadata: { name, uid: `uid-${name}`, labels } });
  const look = (labels: Record<string, string> = {}, of = settings): PlanAndState => {
    const snapshot = cluster({
      namespaces: new Map([["bob", owned("bob", labels)]]),
      managedObjects: new Map([
        ["Namespace bob", managedObject("bob")],
        [`ClusterRoleBinding ${view}`, managedObject("bob")],
        ["RoleBinding bob/kubecamp-edit", managedObject("bob")],
        ["NetworkPolicy bob/isolation", managedObject("bob")],
      ]),
    });
    return { ...planOf([alice], of, snapshot), state: knownState({}), digest: "", hasProgram: false };
  };
  const path = "/apis/rbac.authorization.k8s.io/v1";

  it("deletes what is left by its UID, keys first, and names it", async () => {
    server.answers(encodeURIComponent(view), live(view), json({}));
    server.answers("kubecamp-edit", live("kubecamp-edit"), json({}));
    server.answers("bob", live("bob"), json({}));
    const { findings, refused } = await deleteLeft(look(), look(), signal);
    assert.deepEqual(
      server.writes.map(({ method, url, body }) => [method, url, JSON.parse(body).preconditions]),
      [
        ["DELETE", `${path}/clusterrolebindings/${encodeURIComponent(view)}`, { uid: `uid-${view}` }],
        ["DELETE", `${path}/namespaces/bob/rolebindings/kubecamp-edit`, { uid: "uid-kubecamp-edit" }],
        ["DELETE", "/api/v1/namespaces/bob", { uid: "uid-bob" }],
      ],
    );
    assert.deepEqual(refused, []);
    assert.deepEqual(
      warningsOf(findings).map(({ text }) => text),
      [
        `Deleted, since neither the list nor Pulumi's state has it:
  ClusterRoleBinding ${view}
  RoleBinding bob/kubecamp-edit
  Namespace bob`,
      ],
    );
  });

  it("leaves what lost the stack's label or goes already, and goes on after a refusal", async () => {
    server.answers(encodeURIComponent(view), live(view, {}));
    server.answers("kubecamp-edit", live("kubecamp-edit"), json({ kind: "Status", message: "not you" }, 403));
    server.answers(
      "bob",
      json({
        kind: "Namespace",
        metadata: { name: "bob", uid: "1", labels: labelsOf("bob"), deletionTimestamp: "now" },
      }),
    );
    const { findings, refused } = await deleteLeft(look(), look(), signal);
    assert.deepEqual([findings.length, refused.length], [0, 1]);
    assert.match(refused[0] ?? "", /delete RoleBinding bob\/kubecamp-edit on the API server .*not you/s);
    assert.equal(server.writes.length, 1);
  });

  it("leaves what was not there before the run: another run may be making it", async () => {
    const before: PlanAndState = { ...look(), ...planOf([alice], settings, cluster()) };
    assert.deepEqual(await deleteLeft(before, look(), signal), { findings: [], refused: [] });
    assert.deepEqual(server.writes, []);
  });

  it("leaves all where a member is protected, too many leave, or the cluster is another", async () => {
    const asked: string[] = [];
    const endBuckets = async () => {
      asked.push("S3");
      return [];
    };
    const refusal = async (of: PlanAndState) => (await deleteLeft(of, of, signal, endBuckets)).refused.join();
    assert.match(await refusal(look({ "kubecamp.dev/protected": "true" })), /bob/);
    const none = { ...settings, offboarding: { ...settings.offboarding, maxRemovals: 0 } };
    assert.match(await refusal(look({}, none)), /maxRemovals/);
    assert.deepEqual(asked, []);
    const elsewhere = { ...settings, cluster: { ...settings.cluster, id: "another" } };
    assert.equal(await refusal(look({}, elsewhere)), "");
    assert.deepEqual([server.asked, server.writes], [[], []]);
  });
});
