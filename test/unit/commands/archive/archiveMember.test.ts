import assert from "node:assert/strict";
import type { WholeObject } from "../../../../cluster/read/theirObjects.ts";
import { archiveMember } from "../../../../commands/archive/archiveMember.ts";
import { manifestOf } from "../../../../commands/archive/manifest.ts";
import { restoreMember } from "../../../../commands/archive/restoreMember.ts";
import { leaveOf } from "../../../../commands/archive/snapshots.ts";
import { wholeArchive } from "../../../../commands/archive/store.ts";
import { contentText } from "../../../../commands/members/archive.ts";
import type { OffboardingSettings } from "../../../../config/offboarding.ts";
import { json, metadataList, useApiServer } from "../../cluster/fakeApiServer.ts";
import { HeldTime } from "../../heldTime.ts";
import { labelsOf, settings } from "../../samples.ts";

const leaves = "2026-12-26";
const home = (annotations = {}) => ({
  kind: "Namespace",
  metadata: {
    name: "kay",
    uid: "u-1",
    resourceVersion: "7",
    labels: { ...labelsOf("kay"), "kubecamp.dev/standing": "suspended", "kubecamp.dev/leaves": leaves },
    annotations,
  },
});
const resources = [["configmaps", "ConfigMap"] as const].map(([resource, kind]) => ({
  resource,
  responseKind: { kind },
  scope: "Namespaced",
  verbs: ["create", "list"],
}));
const list = (kind: string, ...items: object[]) => json({ kind: `${kind}List`, items });
const notes = { metadata: { name: "notes", namespace: "kay" }, data: { a: "b" } };
const offboarding = { archive: { bucket: "kept", secrets: false, volumes: "retain" } } as const;

/** A bucket in memory. */
function memory() {
  const objects = new Map<string, string>();
  return {
    objects,
    put: async (key: string, body: string | Uint8Array) => void objects.set(key, Buffer.from(body).toString()),
    get: async (key: string) => {
      const found = objects.get(key);
      return found === undefined ? undefined : Buffer.from(found);
    },
    list: async (prefix: string) => [...objects.keys()].filter((key) => key.startsWith(prefix)),
  };
}

describe("the leave of a member", () => {
  it("a leave is told from others by when the day was written, and by the day where nobody knows", () => {
    const fields = (time: string, ...labels: readonly string[]) => ({
      time,
      fieldsV1: { "f:metadata": { "f:labels": Object.fromEntries(labels.map((label) => [`f:${label}`, {}])) } },
    });
    const { metadata } = home();
    const managedFields = [
      fields("2026-12-25T08:00:00Z", "kubecamp.dev/leaves"),
      fields("2026-12-26T08:00:00Z", "kubecamp.dev/leaves", "other"),
      fields("2026-12-27T08:00:00Z", "other"),
    ];
    assert.equal(leaveOf({ metadata: { ...metadata, managedFields } as object }, leaves), "20261226080000");
    assert.equal(leaveOf({ metadata }, leaves), "20261226");
  });
});

describe("archiving a member", () => {
  const server = useApiServer();
  const said: string[] = [];
  const snapshots = { pause: async () => undefined, looks: 2, notify: (message: string) => said.push(message) };
  const archive = (store: ReturnType<typeof memory>, asked: OffboardingSettings = offboarding, mostMiB?: number) =>
    archiveMember(
      "kay",
      { ...settings, offboarding: asked },
      { store, snapshots, ...(mostMiB === undefined ? {} : { mostMiB }) },
    );
  const discovers = (times: number) => {
    server.answers(
      "api",
      ...Array(times).fill(
        json({ kind: "APIGroupDiscoveryList", items: [{ versions: [{ version: "v1", resources }] }] }),
      ),
    );
    server.answers("apis", ...Array(times).fill(json({ kind: "APIGroupDiscoveryList", items: [] })));
  };

  it("leaves another's archive of the same day as it is: its namespace may be going meanwhile", async () => {
    const store = memory();
    discovers(2);
    const conflict = json({ kind: "Status", message: "the object has been modified" }, 409);
    server.answers("kay", json(home()), json({}), json(home()), conflict);
    server.answers("configmaps", list("ConfigMap", notes), list("ConfigMap"));
    const { mark } = await archive(store);
    await assert.rejects(archive(store), /the object has been modified/);
    const { manifest } = await wholeArchive(store, mark.prefix, mark.sha256);
    assert.deepEqual(
      manifest.files.map(({ name, objects }) => [name, objects]),
      [["objects/configmaps.json", 1]],
    );
    assert.match(mark.prefix, new RegExp(`^dev/kay/${leaves}-u-1/`));
  });

  it("waits until the last Pods have ended, and fails if some run on", async () => {
    const store = memory();
    const pod = (more: object) => json(metadataList({ metadata: { name: "web-1", namespace: "kay", ...more } }));
    const ending = { deletionTimestamp: "2026-12-26T08:00:00Z" };
    discovers(1);
    server.answers("kay", json(home()), json({}));
    server.answers("pods", pod(ending));
    server.answers("configmaps", list("ConfigMap", notes));
    await archive(store);
    store.objects.clear();
    for (const running of [[pod({})], Array(20).fill(pod(ending))]) {
      server.answers("kay", json(home()));
      server.answers("pods", ...running);
      await assert.rejects(archive(store), {
        message:
          "1 Pod of 'kay' still runs: web-1.\n" +
          "Run 'pulumi up', which stops Pods, then run this again. If its node is lost, delete the Pod with --force.",
      });
    }
    assert.deepEqual([...store.objects], []);
    assert.deepEqual(said, ["Waiting for 1 Pod of 'kay' to end: 30 s"]);
  });

  it("and restoring is refused on another cluster, which may have the same namespace", async () => {
    const elsewhere = { ...settings, offboarding, cluster: { ...settings.cluster, id: "our-id" } };
    const message =
      "Nothing was written: this is another cluster: its id is its-id, and the stack's (cluster.id) is our-id; " +
      "switch to the right context, or change cluster.id if the cluster was rebuilt.";
    const other = json({ kind: "Namespace", metadata: { name: "kube-system", uid: "its-id" } });
    server.answers("kube-system", other, other);
    const store = memory();
    await assert.rejects(archiveMember("kay", elsewhere, { store, snapshots }), { message });
    const about = { stack: "dev", member: "kay", uid: "u-1", made: "", secrets: false };
    const whole = { manifest: manifestOf(about, [], []), sha256: "", files: new Map<string, string>() };
    await assert.rejects(restoreMember("kay", elsewhere, whole), { message });
    assert.deepEqual([...store.objects, ...server.writes], []);
  });

  it("an archive is refused before it is written where more was left than fits into memory", async () => {
    const large = (name: string, metadata: object = {}) => ({
      ...{ metadata: { name, namespace: "kay", ...metadata }, data: { a: "x".repeat(600_000) } },
    });
    const ours = { labels: labelsOf("kay") };
    const managers = { managedFields: [{ manager: "x".repeat(600_000) }] };
    const store = memory();
    discovers(2);
    server.answers("kay", json(home()), json(home()), json({}));
    server.answers(
      "configmaps",
      list("ConfigMap", large("a"), large("b")),
      list("ConfigMap", large("a", managers), large("quota", ours)),
    );
    await assert.rejects(archive(store, offboarding, 1), {
      message:
        "The objects of 'kay' have more than 1 MiB, of which configmaps alone 1 MiB or more.\n" +
        "Delete those that nobody needs, then run this again.",
    });
    assert.deepEqual([...store.objects, ...server.writes], []);
    const { manifest } = await archive(store, offboarding, 1);
    assert.deepEqual(
      manifest.files.map(({ objects }) => objects),
      [1],
    );
  });

  it("counts each object once, also where a long list is read again", async () => {
    discovers(1);
    server.answers("kay", json(home()), json({}));
    const items = [{ metadata: { name: "a", namespace: "kay" }, data: { a: "x".repeat(600_000) } }];
    server.answers(
      "configmaps",
      json({ kind: "ConfigMapList", metadata: { continue: "more" }, items }),
      json({ kind: "Status", message: "the continue token is too old" }, 410),
      list("ConfigMap", ...items),
    );
    const { manifest } = await archive(memory(), offboarding, 1);
    assert.equal(manifest.files[0]?.objects, 1);
  });

  it("an archive is marked also where the bucket takes longer than the API server is given", async () => {
    const time = new HeldTime();
    const store = memory();
    const slow = {
      ...store,
      put: async (key: string, body: string | Uint8Array) => {
        await time.pass(11 * 60_000);
        await store.put(key, body);
      },
    };
    discovers(1);
    server.answers("kay", json(home()), json({}));
    server.answers("configmaps", list("ConfigMap", notes));
    const parts = { store: slow, snapshots };
    const { mark } = await archiveMember("kay", { ...settings, offboarding }, parts).finally(() => time.release());
    const [written] = server.writes;
    const { annotations } = JSON.parse(written?.body ?? "").metadata;
    assert.deepEqual(annotations, { "kubecamp.dev/archive": JSON.stringify(mark) });
  });

  it("leaves out custom objects that the namespace's list names as given, and no others", async () => {
    const store = memory();
    const widgets = { resource: "widgets", responseKind: { kind: "Widget" } };
    const versions = [{ version: "v1", resources: [{ ...resources[0], ...widgets }] }];
    const groups = { kind: "APIGroupDiscoveryList", items: [{ metadata: { name: "example.org" }, versions }] };
    server.answers("api", ...Array(2).fill(json({ kind: "APIGroupDiscoveryList", items: [] })));
    server.answers("apis", json(groups), json(groups));
    const labels = { ...labelsOf("kay"), "kubecamp.dev/object": "true" };
    const widget = (name: string) => ({ metadata: { name, namespace: "kay", uid: `u-${name}`, labels } });
    const found = list("Widget", widget("course"), widget("mine"));
    server.answers("widgets", found, found);
    const given = { "kubecamp.dev/objects": "configmaps/course,widgets.example.org/course" };
    server.answers("kay", json(home(given)), json({}));
    const first = await archive(store);
    const [text] = [...store.objects].flatMap(([key, value]) =>
      key.endsWith("/widgets.example.org.json") ? value : [],
    );
    assert.deepEqual(
      (JSON.parse(text ?? "").items as WholeObject[]).map(({ metadata }) => metadata?.name),
      ["mine"],
    );
    server.answers("kay", json(home({ ...given, "kubecamp.dev/archive": JSON.stringify(first.mark) })));
    assert.equal((await archive(store)).wasThere, true);
  });

  it("names the member's own snapshots, whose data it does not keep, and not those of archives", async () => {
    server.answers("api", json({ kind: "APIGroupDiscoveryList", items: [] }));
    const kind = { resource: "volumesnapshots", responseKind: { kind: "VolumeSnapshot" } };
    const versions = [{ version: "v1", resources: [{ ...resources[0], ...kind }] }];
    const group = { metadata: { name: "snapshot.storage.k8s.io" }, versions };
    server.answers("apis", json({ kind: "APIGroupDiscoveryList", items: [group] }));
    server.answers("kay", json(home()), json({}));
    const snapshot = (name: string, annotations = {}) => ({ metadata: { name, namespace: "kay", annotations } });
    const archives = { "kubecamp.dev/archive": "volume" };
    server.answers("volumesnapshots", list("VolumeSnapshot", snapshot("monday"), snapshot("kubecamp-1", archives)));
    const { manifest } = await archive(memory());
    assert.deepEqual(manifest.snapshots, ["monday"]);
    assert.equal(contentText(manifest), "1 object without Secrets, no volumes; no data of VolumeSnapshot monday");
  });

  it("keeps a whole one, unless something has changed since, or the settings ask for more", async () => {
    const store = memory();
    discovers(5);
    const at = (time: string) => {
      const managedFields = [{ manager: "kubectl", time, fieldsV1: { "f:data": {} } }];
      return list("ConfigMap", { ...notes, metadata: { ...notes.metadata, managedFields } });
    };
    const [before, after] = [at("2026-12-26T08:00:00Z"), at("2026-12-27T08:00:00Z")];
    server.answers("configmaps", before, before, after, after, after);
    const marked = (mark: object) => json(home({ "kubecamp.dev/archive": JSON.stringify(mark) }));
    server.answers("kay", json(home()), json({}));
    const first = await archive(store);
    server.answers("kay", marked(first.mark));
    assert.deepEqual(await archive(store), { ...first, wasThere: true });
    server.answers("kay", marked(first.mark), json({}));
    const changed = await archive(store);
    assert.equal(changed.wasThere, false);
    assert.notEqual(changed.mark.state, first.mark.state);
    server.answers("kay", marked(changed.mark), json({}));
    const more = await archive(store, { archive: { ...offboarding.archive, secrets: true } });
    assert.deepEqual([more.wasThere, more.manifest.secrets, more.mark.asked], [false, true, "retain, secrets"]);
    assert.equal(changed.mark.asked, "retain");
  });
});
