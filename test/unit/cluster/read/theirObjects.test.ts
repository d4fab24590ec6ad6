import assert from "node:assert/strict";
import { readKeptHomes } from "../../../../cluster/read/keptHomes.ts";
import { homeStateOf, stateLine } from "../../../../cluster/read/theirObjects.ts";
import { labelsOf, settings } from "../../samples.ts";
import { type Answer, json, metadataList, useApiServer } from "../fakeApiServer.ts";

const kind = { apiVersion: "v1", kind: "ConfigMap", resource: "configmaps" };
const write = (time: string, more: object = {}) => ({
  ...{ manager: "kubectl", operation: "Update", time, fieldsV1: { "f:data": {} } },
  ...more,
});
const [monday, tuesday] = ["2026-12-21T08:00:00Z", "2026-12-22T08:00:00Z"];
const notes = (managedFields: readonly object[], more: object = {}) => ({
  metadata: { name: "notes", namespace: "kay", uid: "u-2", managedFields: [...managedFields], ...more },
});
const stateOf = (...objects: readonly object[]) =>
  homeStateOf(objects.flatMap((object) => stateLine(kind, object) ?? []));
const state = stateOf(notes([write(monday)]));

describe("the state of a member's namespace", () => {
  it("gives a member's namespace another state after each change of what is theirs", () => {
    for (const changed of [
      [notes([write(tuesday)])],
      [notes([write(monday), write(tuesday, { manager: "helm" })])],
      [notes([write(monday)], { uid: "u-3" })],
      [notes([write(monday)], { name: "more" })],
      [notes([write(monday)]), notes([], { name: "more" })],
      [],
    ]) {
      assert.notEqual(stateOf(...changed), state);
    }
  });

  it("keeps a namespace's state whatever controllers report, kubecamp writes, or labels say", () => {
    const status = write(tuesday, { subresource: "status", fieldsV1: { "f:status": {} } });
    const labels = write(tuesday, { manager: "x", fieldsV1: { "f:metadata": { "f:labels": {} } } });
    const scaled = write(tuesday, { subresource: "scale", fieldsV1: { "f:spec": { "f:replicas": {} } } });
    assert.equal(stateOf(notes([write(monday), status, scaled, labels])), state);
    const ours = notes([write(tuesday)], { name: "kubecamp-backend-ca", labels: labelsOf("kay") });
    assert.equal(stateOf(ours, notes([write(monday)])), state);
    // The client reads times as Dates, too.
    assert.equal(stateOf(notes([{ ...write(monday), time: new Date(monday) }])), state);
  });

  it("knows a ServiceAccount's token by its annotation, as lists of metadata have no types", () => {
    const annotations = { "kubernetes.io/service-account.name": "default" };
    const secrets = { apiVersion: "v1", kind: "Secret", resource: "secrets" };
    assert.equal(stateLine(secrets, notes([], { annotations })), undefined);
  });
});

describe("a member whose archive was made", () => {
  const server = useApiServer();
  const archive = { bucket: "kept", secrets: false, volumes: "retain" } as const;
  const own = { ...settings, offboarding: { archive } };
  const mark = { bucket: "kept", prefix: "dev/kay/", sha256: "0", leaves: "2026-12-20", asked: "retain" };
  const home = (marked: object, given: object = {}) => ({
    metadata: {
      name: "kay",
      labels: { ...labelsOf("kay"), "kubecamp.dev/leaves": "2026-12-20" },
      annotations: { "kubecamp.dev/archive": JSON.stringify(marked), ...given },
    },
  });
  const configMaps = { resource: "configmaps", responseKind: { kind: "ConfigMap" }, scope: "Namespaced" };
  const resources = [{ ...configMaps, verbs: ["create", "list"] }];
  const discovery = (...items: readonly object[]) => json({ kind: "APIGroupDiscoveryList", items });
  /** The answers of a cluster with the member's namespace, and with APIs of which some may be down. */
  const answering = (marked: object, given: object = {}, ...apis: readonly object[]) => {
    server.answers("namespaces", json(metadataList(home(marked, given))));
    server.answers("roles", json(metadataList()));
    server.answers("api", discovery({ versions: [{ version: "v1", resources }] }));
    server.answers("apis", discovery(...apis));
  };
  const changed = async (marked: object, answer?: Answer, given: object = {}) => {
    answering(marked, given);
    if (answer !== undefined) {
      server.answers("configmaps", answer);
    }
    return (await readKeptHomes(own)).map(({ isChanged }) => isChanged);
  };

  it("takes an archived member for changed once their objects are others than the archive has", async () => {
    assert.deepEqual(await changed({ ...mark, state }, json(metadataList(notes([write(monday)])))), [undefined]);
    assert.deepEqual(await changed({ ...mark, state }, json(metadataList(notes([write(tuesday)])))), [true]);
  });

  it("stops reading an archived member where an API's server is down, and names its APIService", async () => {
    const dead = { metadata: { name: "metrics.k8s.io" }, versions: [{ version: "v1beta1", freshness: "Stale" }] };
    answering({ ...mark, state }, {}, dead);
    await assert.rejects(readKeptHomes(own), {
      message:
        `Can't read the kinds that there are from the API server ${server.url}: the server of API metrics.k8s.io/v1beta1 ` +
        "does not answer (APIService v1beta1.metrics.k8s.io).\nNothing was changed.\nSee why: kubectl get apiservices. " +
        "Repair it, then run again. If its server was uninstalled: kubectl delete apiservice v1beta1.metrics.k8s.io",
    });
  });

  it("leaves given objects out of an archived member's state, as the namespace lists these", async () => {
    const labels = { "kubecamp.dev/object": "true" };
    const found = json(metadataList(notes([write(monday)]), notes([write(tuesday)], { name: "course", labels })));
    const given = { "kubecamp.dev/objects": "configmaps/course" };
    assert.deepEqual(await changed({ ...mark, state }, found, given), [undefined]);
    assert.deepEqual(await changed({ ...mark, state }, found), [true]);
  });

  it("trusts the archive's mark alone where nobody may look, and where the mark counts no more", async () => {
    const forbidden = json({ kind: "Status", message: "no", reason: "Forbidden" }, 403);
    assert.deepEqual(await changed({ ...mark, state }, forbidden), [undefined]);
    assert.deepEqual(await changed({ ...mark, state, bucket: "former" }), [undefined]);
  });
});
