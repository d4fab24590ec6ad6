import assert from "node:assert/strict";
import { readCluster } from "../../../../cluster/read/read.ts";
import type { Configuration } from "../../../../config/settings.ts";
import { isUnread } from "../../../../plan/live/unread.ts";
import { labelsOf, withBuckets } from "../../samples.ts";
import { type Answer, json, metadataList, useApiServer } from "../fakeApiServer.ts";

const bucket = (value: string) => ({ "kubecamp.dev/bucket": value });
const item = (namespace: string, name: string, labels: Record<string, string> = {}) => ({
  metadata: { name, namespace, labels, resourceVersion: "1" },
});

describe("what is read of buckets", () => {
  const server = useApiServer();
  const read = ({ settings, members }: Configuration, run?: "preview") =>
    readCluster(members, settings, { pause: async () => undefined }, { run });
  const ana = { member: "ana", type: "user", buckets: [{ name: "data" }] };
  const kinds = ["secrets", "configmaps"];

  it("reads the metadata of buckets' objects, one list of each kind, and no value of any Secret", async () => {
    const accepts: (string | undefined)[] = [];
    const items = [
      ...[item("ana", "data"), item("ana", "old", { ...labelsOf("ana"), ...bucket("old") }), item("ana", "hers")],
      ...[item("kube-system", "data"), item("ben", "stray", { ...labelsOf("ben"), ...bucket("stray") })],
    ];
    const answer: Answer = (request, response) => {
      accepts.push(request.headers.accept?.split(",")[0]);
      json(metadataList(...items))(request, response);
    };
    for (const kind of kinds) {
      server.answers(kind, answer);
    }
    const { managedObjects } = await read(withBuckets(ana, { member: "ben", type: "user" }));
    const found = [...managedObjects.keys()].filter((key) => /^(Secret|ConfigMap) /.test(key)).sort();
    assert.deepEqual(found, ["ConfigMap ana/data", "ConfigMap ana/old", "Secret ana/data", "Secret ana/old"]);
    const listed = server.asked.filter((kind) => kinds.includes(kind));
    assert.deepEqual(listed, ["configmaps", "secrets"]);
    assert.deepEqual(accepts, Array(2).fill("application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"));
  });

  it("lets a preview go on that may not read the Secrets of buckets", async () => {
    const forbidden = { kind: "Status", reason: "Forbidden", message: "secrets is forbidden", code: 403 };
    server.answers("configmaps", json(metadataList()));
    server.answers("secrets", json(forbidden, 403));
    const snapshot = await read(withBuckets(ana), "preview");
    assert.deepEqual([isUnread("Secret", snapshot), isUnread("ConfigMap", snapshot)], [true, false]);
    server.answers("configmaps", json(metadataList()));
    server.answers("secrets", json(forbidden, 403));
    await assert.rejects(read(withBuckets(ana)), /Secrets/);
  });
});
