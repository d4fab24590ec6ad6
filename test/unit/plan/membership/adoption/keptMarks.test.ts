import assert from "node:assert/strict";
import { objectKey } from "../../../../../cluster/read/snapshot/snapshot.ts";
import { keepMarks } from "../../../../../cluster/write/keepMarks.ts";
import { marksToKeep } from "../../../../../plan/membership/adoption/keptMarks.ts";
import { json, useApiServer } from "../../../cluster/fakeApiServer.ts";
import { managedObject } from "../../../cluster/operators.ts";
import { bob, labelsOf, settings } from "../../../samples.ts";
import { planOf } from "../../planned.ts";

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
    const metadata = { labels: added, annotations: note, resourceVersion: "7" };
    const wanted = [{ kind: "Namespace", name: "bob", namespace: undefined, metadata }];
    const found = marksToKeep(planOf([bob], settings, snapshotOf("Namespace", { "kubecamp.dev/url": "x" }, "then")));
    assert.deepEqual(found, wanted);
  });

  it("leaves others' labels alone where the run changes nothing, and keeps none on a route", () => {
    assert.deepEqual(marksToKeep(planOf([bob], settings, snapshotOf("Ingress", {}, "then"))), []);
    assert.deepEqual(marksToKeep(planOf([bob], settings, { managedObjects: new Map() })), []);
  });

  const api = useApiServer();

  it("holds others' labels by a manager of their own, on the object as it was read", async () => {
    api.answers("bob", json({}));
    const metadata = { labels: added, annotations: {}, resourceVersion: "7" };
    assert.deepEqual(
      await keepMarks([{ kind: "Namespace", name: "bob", namespace: undefined, metadata }], settings),
      [],
    );
    const [{ url, contentType, body } = { url: "", contentType: "", body: "{}" }] = api.writes;
    assert.deepEqual(
      [url, contentType],
      ["/api/v1/namespaces/bob?fieldManager=kept-by-kubecamp", "application/apply-patch+yaml"],
    );
    assert.deepEqual(JSON.parse(body), {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: "bob", ...metadata },
    });
  });
});
