import assert from "node:assert/strict";
import { objectKey } from "../../../../cluster/kinds/objectName.ts";
import type { OwnedObject } from "../../../../cluster/read/snapshot.ts";
import { keepMarks, type UndeclaredMarks } from "../../../../cluster/write/keepMarks.ts";
import { takeOffOwners } from "../../../../components/adopt.ts";
import { givenOwners, marksToKeep, ownedByOthers } from "../../../../plan/members/owners.ts";
import { json, useApiServer } from "../../cluster/fakeApiServer.ts";
import { ann, managedObject, operators } from "../../cluster/operators.ts";
import { bob, labelsOf, settings } from "../../samples.ts";
import { planOf, textOf } from "../planned.ts";

describe("owners", () => {
  const owners = [{ apiVersion: "crds.yadiary.net/v1", kind: "Members", name: "kubecamp-ann", uid: "5" }];
  const owned = (kind: OwnedObject["kind"], name: string, namespace?: string): OwnedObject => ({
    kind,
    name,
    namespace,
    uid: `uid-${name}`,
    owners,
  });
  const limits = owned("LimitRange", "default-limits", "ann");
  const view = owned("ClusterRole", "kubecamp:dev:view");
  const all = [limits, view, owned("Role", "members-role", "ann"), owned("Namespace", "zoe")];
  const snapshot = {
    managedObjects: operators.managedObjects,
    services: operators.services,
    owned: new Map(all.map((it) => [objectKey(it.kind, it.name, it.namespace), it])),
  };

  it("takes owners off what the run declares, with adopt or without, and off nothing else", () => {
    for (const adopt of [true, false]) {
      assert.deepEqual(ownedByOthers(planOf([{ ...ann, adopt }], settings, snapshot)), [view, limits]);
    }
  });

  it("tells of owners in one warning, with what they own", () => {
    assert.equal(
      textOf(givenOwners([view, limits])),
      "Owner references, removed by 'pulumi up' so that nothing is deleted together with its owner. If a later run\n" +
        "names them again, something restores them: stop that first (is the Members operator still running?).\n" +
        "  Members 'kubecamp-ann': ClusterRole kubecamp:dev:view, LimitRange ann/default-limits",
    );
    assert.equal(textOf(givenOwners([])), undefined);
  });

  describe("on the API server", () => {
    const server = useApiServer();

    it("tells which owners can't be taken off, and why, and takes the others off", async () => {
      server.answers("default-limits", json({ message: "limitranges is forbidden" }, 403));
      const other = encodeURIComponent(view.name);
      server.answers(other, json({}));
      const told = textOf(await takeOffOwners([limits, view], settings)) ?? "";
      assert.match(
        told,
        /^LimitRange ann\/default-limits is not as it should be: Can't take the owner references off LimitRange ann\/default-limits, which is deleted with its owner, on the API server \S+: 403 limitranges is forbidden\n/,
      );
      assert.deepEqual(server.asked.sort(), ["default-limits", other]);
    });
  });
});

describe("labels and annotations that others have put on an object", () => {
  const added = { "istio-injection": "enabled" };
  const note = { "example.org/project": "p-1" };
  const snapshotOf = (kind: "Ingress" | "Namespace", marks: object = {}, applied?: string) => ({
    managedObjects: new Map([
      [
        kind === "Namespace" ? objectKey(kind, "bob") : objectKey(kind, "bob", "ingress-nginx"),
        {
          ...managedObject({ ...labelsOf("bob"), "kubernetes.io/metadata.name": "bob", ...added }),
          annotations: { "kubecamp.dev/applied": "then", ...note, ...marks },
          applied,
        },
      ],
    ]),
  });

  it("keeps others' labels and annotations on a namespace that the run changes, not its own", () => {
    const wanted = [{ kind: "Namespace", name: "bob", namespace: undefined, labels: added, annotations: note }];
    const found = marksToKeep(planOf([bob], settings, snapshotOf("Namespace", { "kubecamp.dev/url": "x" }, "then")));
    assert.deepEqual(found, wanted);
  });

  it("leaves others' labels alone where the run changes nothing, and keeps none on a route", () => {
    assert.deepEqual(marksToKeep(planOf([bob], settings, snapshotOf("Ingress", {}, "then"))), []);
    assert.deepEqual(marksToKeep(planOf([bob], settings, { managedObjects: new Map() })), []);
  });

  const api = useApiServer();

  const bobs = (marks: Pick<UndeclaredMarks, "annotations" | "labels">) => ({
    kind: "Namespace" as const,
    name: "bob",
    namespace: undefined,
    ...marks,
  });
  const managedBy = (manager: string, ...labels: string[]) => ({
    manager,
    fieldsV1: { "f:metadata": { "f:labels": Object.fromEntries(labels.map((label) => [`f:${label}`, {}])) } },
  });
  const live = (...managedFields: object[]) =>
    json({ kind: "Namespace", metadata: { name: "bob", resourceVersion: "7", managedFields } });

  it("holds what kubectl has put on an object, and what was held before, by a manager of its own", async () => {
    api.answers("bob", live(managedBy("kubectl-label", "a"), managedBy("kept-by-kubecamp", "b")), json({}));
    assert.deepEqual(await keepMarks([bobs({ labels: { a: "1", b: "2", c: "3" }, annotations: note })], settings), []);
    const [{ url, contentType, body } = { url: "", contentType: "", body: "{}" }] = api.writes;
    const sent = [url, contentType];
    assert.deepEqual(sent, ["/api/v1/namespaces/bob?fieldManager=kept-by-kubecamp", "application/apply-patch+yaml"]);
    assert.deepEqual(JSON.parse(body), {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: "bob", labels: { a: "1", b: "2" }, annotations: {}, resourceVersion: "7" },
    });
  });

  it("leaves what other managers hold to them, also what kubecamp declared once", async () => {
    api.answers("bob", live(managedBy("flux", "a"), managedBy("kubecamp", "app.kubernetes.io/instance")));
    const labels = { a: "1", "app.kubernetes.io/instance": "bob" };
    assert.deepEqual(await keepMarks([bobs({ labels, annotations: {} })], settings), []);
    assert.deepEqual(api.writes, []);
  });

  it("says which object it could not keep labels on, and goes on", async () => {
    api.answers("bob", live(managedBy("kubectl", "a")), json({ message: "no" }, 403));
    const [failure] = await keepMarks([bobs({ labels: { a: "1" }, annotations: {} })], settings);
    assert.match(failure?.why ?? "", /^Can't keep the labels and annotations .* Namespace bob.*: 403 no/);
  });
});
