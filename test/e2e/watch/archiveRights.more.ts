import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as aws from "@aws-sdk/client-s3";
import type { V1Namespace, V1PersistentVolumeClaim } from "@kubernetes/client-node";
import { parse } from "yaml";
import { withApiServer } from "../../../cluster/api/client.ts";
import { findApiTarget } from "../../../cluster/api/kubeconfig/kubeconfig.ts";
import { servedKinds } from "../../../cluster/read/servedKinds.ts";
import { isArchived, resourceName } from "../../../cluster/read/theirObjects.ts";
import { archiveMember } from "../../../commands/archive/archiveMember.ts";
import { archivableResources } from "../../../watch/manifests/features.ts";
import { fenceFile, grants, manifests, rightsOf, textOf, unneeded, watchFolder } from "../../unit/deploy/manifests.ts";
import { configuration } from "../../unit/samples.ts";
import { otherKubeconfig } from "../program/kubeconfigs.ts";
import { type Entry, useStack } from "../program/stack.ts";
import { boundVolume, hasNamespace, setLeaves, until } from "../program/workloads.ts";
import { installSnapshots } from "../support/definitions/snapshots.ts";
import { applyFiles, deleteFiles } from "../support/manifestFiles.ts";
import { useS3 } from "../support/s3.ts";
import { callerWith } from "../support/signIn/signedIn.ts";
import { withEnvironment } from "../support/withEnvironment.ts";
import { FrontDoor } from "./frontDoor.ts";
import { RunningWatch } from "./runningWatch.ts";

const identity = "system:serviceaccount:kubecamp-system:kubecamp-watch";
const files = [...["namespace.yaml", "rbac.yaml"].map((name) => join(watchFolder, name)), fenceFile];
const snapshotApi = "snapshot.storage.k8s.io/v1";
const leaves = "2026-01-01";
const [ned, zoe] = ["ned", "zoe"].map((member): Entry => ({ member, type: "user" })) as [Entry, Entry];
/** Not in a member's namespace. */
const apart = "elsewhere";

const spaceOf = (name: string, labels: object = {}) => ({
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name, labels },
});
const notes = (namespace: string) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "notes", namespace },
  data: { a: "b" },
});

/** A bucket in memory. */
function memoryStore() {
  const objects = new Map<string, Buffer>();
  return {
    objects,
    put: async (key: string, text: string) => void objects.set(key, Buffer.from(text)),
    get: async (key: string) => objects.get(key),
    list: async (prefix: string) => [...objects.keys()].filter((key) => key.startsWith(prefix)),
  };
}

const settingsWith = (archive: object) => {
  const storage = { endpoint: "https://s3.example.org", accessKeyId: "admin", secretAccessKey: "secret" };
  const offboarding = { graceDays: 30, archive: { bucket: "kept", ...archive } };
  return { ...configuration({ members: [], storage, offboarding }).settings, stack: "prod" };
};

describe("the rights of kubecamp watch to archive who leaves", () => {
  const server = useS3();
  const stack = useStack("prod");
  let door: FrontDoor;
  let kubeconfig: string;
  let forget: () => Promise<unknown>;
  const names = { retain: "kay", snapshot: "leo" } as const;
  const homes = Object.values(names);
  const file = join(watchFolder, "optional/archive.yaml");
  const asWatch = <T>(action: () => Promise<T>) => withEnvironment({ KUBECONFIG: kubeconfig }, action);
  const archive = (volumes: keyof typeof names) => {
    const pause = () => playDriver(names[volumes]);
    const parts = { store: memoryStore(), snapshots: { pause, looks: 50, notify: () => undefined } };
    return asWatch(() => archiveMember(names[volumes], settingsWith({ volumes }), parts));
  };
  const mark = async (name: string) =>
    (await stack.sandbox.get<V1Namespace>("namespace", name)).metadata?.annotations?.["kubecamp.dev/archive"];

  const removeNamespace = async (name: string) => {
    if (await hasNamespace(stack, name)) {
      await stack.delete("namespace", name);
    }
  };

  /** Does a driver's part of a snapshot. */
  async function playDriver(namespace: string): Promise<void> {
    const [snapshot] = await stack.sandbox.names("volumesnapshot", { namespace });
    if (snapshot === undefined) {
      return;
    }
    await stack.sandbox.apply({
      apiVersion: snapshotApi,
      kind: "VolumeSnapshotContent",
      metadata: { name: `of-${namespace}` },
      spec: { deletionPolicy: "Delete", driver: "disks.example.org" },
    });
    const content = `of-${namespace}`;
    await stack.sandbox.patch("volumesnapshotcontent/status", content, undefined, {
      status: { snapshotHandle: "handle-1" },
    });
    await stack.sandbox.patch("volumesnapshot/status", snapshot, namespace, {
      status: { readyToUse: true, boundVolumeSnapshotContentName: content },
    });
  }

  before(async () => {
    forget = await installSnapshots(stack.sandbox);
    await applyFiles(stack.sandbox, ...files);
    for (const name of homes) {
      const labels = {
        "app.kubernetes.io/managed-by": "kubecamp",
        "kubecamp.dev/stack": "prod",
        "kubecamp.dev/member": name,
        "kubecamp.dev/standing": "suspended",
        "kubecamp.dev/leaves": leaves,
        "pod-security.kubernetes.io/enforce": "baseline",
      };
      await stack.sandbox.apply(spaceOf(name, labels), ...boundVolume(`of-${name}`, name), notes(name));
    }
    await stack.sandbox.apply(spaceOf(apart), ...boundVolume(`of-${apart}`, apart));
    for (const name of [...homes, apart]) {
      await until(async () => {
        const claim = await stack.sandbox.get<V1PersistentVolumeClaim>("persistentvolumeclaim", "data", name);
        return claim.status?.phase === "Bound";
      });
    }
    door = new FrontDoor(stack.sandbox, identity);
    await door.open(stack.folder);
    const token = await stack.sandbox.token("kubecamp-watch", "kubecamp-system");
    kubeconfig = await otherKubeconfig(stack, { server: door.url, token });
  });
  after(async () => {
    await door.close();
    await deleteFiles(stack.sandbox, ...files, file);
    await Promise.all([...homes, apart].map(removeNamespace));
    await Promise.all([...homes, apart].map((name) => stack.sandbox.remove(`/api/v1/persistentvolumes/of-${name}`)));
    await forget();
  });

  it("are not there without the file: the member is kept, and a kind is named that can't be read", async () => {
    await assert.rejects(archive("retain"), /^Error: Can't read the \w+ of namespace 'kay' from .*: 403 .*forbidden/);
    assert.equal(await mark("kay"), undefined);
  });

  it("name every kind of this API server's own that an archive has", async () => {
    const served = await withEnvironment({ KUBECONFIG: stack.sandbox.kubeconfig }, () =>
      withApiServer(findApiTarget(undefined), {}, servedKinds),
    );
    const own = Object.entries(archivableResources).flatMap(([group, resources]) =>
      resources.map((resource) => (group === "" ? resource : `${resource}.${group}`)),
    );
    const custom = (await stack.sandbox.names("customresourcedefinition")).filter((name) => !own.includes(name));
    assert.deepEqual(
      served
        .filter((kind) => isArchived(kind, { secrets: false }))
        .map(resourceName)
        .filter((name) => !custom.includes(name))
        .toSorted(),
      own.toSorted(),
    );
  });

  it("are enough with their file, however volumes are kept, and no more", async () => {
    await applyFiles(stack.sandbox, file);
    const before = new Set(door.asked.map(textOf));
    for (const volumes of ["retain", "snapshot"] as const) {
      let archived: Awaited<ReturnType<typeof archive>> | undefined;
      await until(async () => {
        archived = await archive(volumes).catch((error: Error) => {
          // A moment passes until the API server goes by the new rights.
          if (!error.message.includes("403")) {
            throw error;
          }
          return undefined;
        });
        return archived !== undefined;
      });
      assert.equal(archived?.manifest.files.find((each) => each.name === "objects/configmaps.json")?.objects, 1);
      assert.ok(await mark(names[volumes]));
    }
    // The API server asks about the rest of an update, too: whose namespace it is, and its finalizers.
    const asked = door.asked.filter(
      (right) => homes.some((home) => home === right.namespace) || !before.has(textOf(right)),
    );
    const rights = rightsOf(manifests("optional/archive.yaml"));
    assert.deepEqual(unneeded(rights, asked).map(textOf), []);
    const all = [...rights, ...rightsOf(manifests("rbac.yaml"))];
    assert.deepEqual(asked.filter((right) => !grants(all, right)).map(textOf), []);
    await deleteFiles(stack.sandbox, file);
  });

  it("end before all of a volume or a snapshot but that it is kept", async () => {
    await applyFiles(stack.sandbox, file);
    const [, , space = "", account = ""] = identity.split(":");
    const own = callerWith(stack.sandbox, await stack.sandbox.token(account, space));
    const asked = async (method: string, path: string, body: object) => {
      const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
      const answer = await own.ask(method, `${path}?dryRun=All`, body, type);
      return answer.status < 300 ? "" : JSON.stringify(answer.body);
    };
    const volume = `/api/v1/persistentvolumes/of-${apart}`;
    const content = `/apis/${snapshotApi}/volumesnapshotcontents/of-leo`;
    const retained = { spec: { persistentVolumeReclaimPolicy: "Retain" } };
    await until(async () => (await asked("PATCH", volume, retained)) === "");
    assert.equal(await asked("PATCH", content, { spec: { deletionPolicy: "Retain" } }), "");
    const refused = /may not touch (persistentvolumes|volumesnapshotcontents) of-/;
    for (const [path, patch] of [
      [volume, { spec: { persistentVolumeReclaimPolicy: "Recycle" } }],
      [volume, { spec: { ...retained.spec, capacity: { storage: "1Gi" } } }],
      [volume, { spec: { claimRef: null } }],
      [volume, { metadata: { labels: { a: "b" } } }],
      [volume, { metadata: { annotations: { a: "b" } } }],
      [volume, { metadata: { labels: { "kubecamp.dev/stack": "prod" } } }],
      [content, { spec: { deletionPolicy: "Delete" } }],
      [content, { spec: { driver: "other.example.org" } }],
    ] as const) {
      assert.match(await asked("PATCH", path, patch), refused, JSON.stringify(patch));
    }
    const snapshot = (namespace: string, source: object) =>
      asked("POST", `/apis/${snapshotApi}/namespaces/${namespace}/volumesnapshots`, {
        apiVersion: snapshotApi,
        kind: "VolumeSnapshot",
        metadata: { name: "x" },
        spec: { source },
      });
    const claim = { persistentVolumeClaimName: "data" };
    assert.equal(await snapshot("leo", claim), "");
    assert.match(await snapshot(apart, claim), /may not touch volumesnapshots/);
    assert.match(
      await snapshot("leo", { volumeSnapshotContentName: "of-x" }),
      /may make snapshots of volumes at home alone/,
    );
    await deleteFiles(stack.sandbox, file);
  });

  it("have the watch archive who has left, and remove them, as an admin's up does", async () => {
    await Promise.all(homes.map(removeNamespace));
    await server.client().send(new aws.CreateBucketCommand({ Bucket: "kept" }));
    await stack.makeProject();
    const { endpoint, accessKeyId } = server;
    const storage: Record<string, unknown> = { endpoint, accessKeyId };
    const settings = { storage, offboarding: { graceDays: 30, archive: { bucket: "kept" } } };
    await stack.configure([ned, zoe], settings);
    const secret = ["--secret", "--path", "kubecamp:storage.secretAccessKey", server.secretAccessKey];
    assert.equal((await stack.manage("config", "set", "--stack", "prod", ...secret)).exitCode, 0);
    const { config } = parse(await readFile(join(stack.folder, "Pulumi.prod.yaml"), "utf8"));
    storage.secretAccessKey = config["kubecamp:storage"].secretAccessKey;
    await stack.configure([ned, zoe], settings);
    // As an admin does once, whose part the admission policies are.
    await stack.upFine();
    await stack.sandbox.create(notes("zoe"));
    await stack.configure([ned], settings);
    await stack.upFine();
    await setLeaves(stack, "zoe", leaves);

    const env = { KUBECONFIG: kubeconfig, POD_NAME: "watch-0" };
    const watch = await RunningWatch.start(stack, env, ["--lease", "kubecamp-system/kubecamp-watch"]);
    try {
      const { reason } = await watch.reported("not archived", { member: "zoe" });
      assert.match(String(reason), /403/);
      assert.ok(await hasNamespace(stack, "zoe"));
      await applyFiles(stack.sandbox, file);
      // An edit has it try again at once.
      await stack.configure([{ ...ned, labels: { course: "cs101" } }], settings);
      await watch.reported("archived", { member: "zoe" });
      await until(async () => !(await hasNamespace(stack, "zoe")));
      const listed = await server.client().send(new aws.ListObjectsV2Command({ Bucket: "kept" }));
      const keys = (listed.Contents ?? []).map(({ Key = "" }) => Key.replace(/^.*\/zoe\/(?:[^/]*\/){2}/, ""));
      assert.deepEqual(keys, ["manifest.json", "objects/configmaps.json"]);
    } catch (error) {
      console.error(watch.output);
      throw error;
    } finally {
      await watch.end("SIGTERM");
      await deleteFiles(stack.sandbox, file);
    }
  });
});
