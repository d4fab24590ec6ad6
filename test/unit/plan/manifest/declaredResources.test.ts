import assert from "node:assert/strict";
import { serviceKey } from "../../../../cluster/read/snapshot/snapshot.ts";
import { bucketResources } from "../../../../commands/up/plan/bucketResources.ts";
import { resourcesOf } from "../../../../commands/up/plan/resources.ts";
import { ClusterAccess } from "../../../../components/clusterAccess.ts";
import { memberEnvironments } from "../../../../components/memberEnvironments.ts";
import { clusterProvider } from "../../../../components/provider/provider.ts";
import { stackStorage } from "../../../../components/storage.ts";
import type { Member } from "../../../../config/model/members/member.ts";
import type { Settings } from "../../../../config/model/settings/settings.ts";
import { namespaceName, serviceName } from "../../../../naming/names.ts";
import { Drift } from "../../../../plan/compare/drift.ts";
import { declaredResources } from "../../../../plan/manifest/declaredResources.ts";
import type { StateResource } from "../../../../runs/state/deployment.ts";
import { ca } from "../../certificates.ts";
import { cluster } from "../../cluster/leaving.ts";
import { liveObject, liveService } from "../../cluster/liveService.ts";
import { root, rootOf } from "../../commands/up/afterUp.ts";
import { keyOf, recordedBy } from "../../components/recorded.ts";
import {
  alice,
  bob,
  carol,
  gatewaySettings,
  labelsOf,
  member,
  settings,
  traefikSettings,
  withBuckets,
} from "../../samples.ts";
import { planOf } from "../planned.ts";

const service = liveService({ ports: [80, 443], portNames: { "80/TCP": "http", "443/TCP": "https" } });

/** A cluster on which members have made their Services. */
const servedBy = (...members: readonly Member[]) =>
  cluster({
    services: new Map(members.map((each) => [serviceKey(namespaceName(each), serviceName(each)), service])),
  });

/** Blanks the time of the run, which a Service carries. */
const withoutTime = (all: readonly Resource[]) =>
  JSON.parse(JSON.stringify(all).replaceAll(/"kubecamp.dev\/made":"(not yet|[^"]*Z)"/g, '"kubecamp.dev/made":""'));

interface Resource {
  readonly urn: string;
  readonly inputs: unknown;
  readonly parent: string;
  readonly dependencies: readonly string[];
  readonly deletedWith: string;
  readonly protect: boolean;
  readonly retainOnDelete: boolean;
  readonly ignoreChanges: readonly string[];
}

const inOrder = (all: readonly Resource[]) => all.toSorted((a, b) => (a.urn < b.urn ? -1 : 1));

/** All resources that the program registers, without the stack and the provider. */
async function registered(members: readonly Member[], settings: Settings, snapshot = cluster()): Promise<Resource[]> {
  const program = async () => {
    const provider = clusterProvider(settings);
    const drift = new Drift(snapshot);
    const access = new ClusterAccess("access", { settings, drift }, { provider });
    const storage = stackStorage(settings, snapshot);
    return memberEnvironments(planOf(members, settings, snapshot), { access, storage, drift }, { provider });
  };
  const { registered: inputs, linked } = await recordedBy(program);
  const ours = linked.filter(({ urn }) => urn.includes("kubecamp:index:"));
  return inOrder(
    ours.map(({ propertyDependencies: _, ...link }) => {
      const [, , types = "", name] = link.urn.split("::");
      const type = types.split("$").at(-1);
      const found = inputs.find((each) => each.type === type && each.name === name);
      return { ...link, inputs: JSON.parse(JSON.stringify(found?.inputs ?? {})) };
    }),
  );
}

/** The same of what is expected of it. */
function declared(members: readonly Member[], settings: Settings, snapshot = cluster()): Resource[] {
  const buckets = bucketResources(members, { settings, clusterId: snapshot.id }, rootOf(settings));
  const objects = declaredResources(planOf(members, settings, snapshot));
  const known = resourcesOf(objects, root, buckets);
  return inOrder(
    [...known, ...buckets].map((resource: StateResource) => {
      const { urn, inputs = {}, parent = "", dependencies = [], deletedWith = "" } = resource as unknown as Resource;
      const { protect = false, retainOnDelete = false, ignoreChanges = [] } = resource as unknown as Partial<Resource>;
      return {
        ...{ urn, inputs, deletedWith, protect, retainOnDelete, ignoreChanges },
        parent: parent === root.stack ? "" : parent,
        dependencies: [...dependencies].sort(),
      };
    }),
  );
}

describe("what a run is expected to register", () => {
  const https = { backendProtocol: "HTTPS", backendTls: { ca } };
  const gus = member({ member: "gus", type: "user", suspended: true, protect: true });
  const members = [alice, bob, carol, gus];

  for (const [title, stack] of [
    ["Ingresses", settings],
    ["Traefik", traefikSettings({ rewrite: "strip" })],
    ["a Gateway", gatewaySettings(https)],
  ] as const) {
    it(`expects of a run what it registers, with ${title}`, async () => {
      assert.deepEqual(declared(members, stack), await registered(members, stack));
      const served = servedBy(alice, bob);
      const open = declared(members, stack, served);
      assert.deepEqual(open, await registered(members, stack, served));
      assert.notEqual(open.length, declared(members, stack).length);
    });
  }

  it("expects a Service that a run has made, with a member called as what all share is", async () => {
    const route = { readiness: { mode: "managed" } };
    const access = member({ member: "access", type: "user", route });
    const annotations = { "kubecamp.dev/made": "2026-06-01T08:00:00.000Z" };
    const made = cluster({ services: new Map([["access/access-svc", liveService({ annotations })]]) });
    assert.deepEqual(declared([access], settings, made), await registered([access], settings, made));
  });

  describe("of buckets", () => {
    const buckets = [{ name: "data" }, { name: "open", acl: "public-read", versioning: true, reclaimPolicy: "Delete" }];
    /** Excluded: a Secret's values are encrypted, the plugin sets a user's role, and keys come from another server. */
    const comparable = (all: readonly Resource[]) =>
      all.map(({ inputs, ...resource }) => {
        const { data, role: _, ...rest } = inputs as Readonly<Record<string, unknown>>;
        const text = JSON.stringify(rest.kind === "Secret" || data === undefined ? rest : { ...rest, data });
        return { ...resource, inputs: JSON.parse(text.replaceAll(/KC[A-Z2-7]{18}|key of [\w/-]+/g, "a key")) };
      });

    it("expects of a run what it registers of buckets with made keys, also of who is suspended", async () => {
      const ana = { member: "ana", type: "user", protect: true, buckets, bucketKeyGeneration: 2 };
      const { settings: server, members: all } = withBuckets(ana, { ...ana, member: "ben", suspended: true });
      const expected = declared(all, server);
      assert.deepEqual(comparable(expected), comparable(await registered(all, server)));
      const text = JSON.stringify(await registered(all, server));
      assert.ok(text.includes(keyOf("ana/bucket-user")));
      const user = expected.find((resource) => resource.urn.endsWith("::ana/bucket-user"));
      assert.ok(user);
      const known = [{ ...user, custom: true, type: "kubecamp-buckets:index:BucketUser", id: "KCANA" }];
      const of = { settings: server, clusterId: cluster().id };
      const [, bucket] = bucketResources(all, of, rootOf(server), known);
      assert.equal(Object(bucket?.inputs).bucketOwner, "KCANA");
    });

    it("expects what is left as it stands of buckets, since somebody else has put it there", async () => {
      const { settings: server, members: all } = withBuckets({ member: "ana", type: "user", buckets });
      const managedObjects = new Map([
        ["Secret ana/data", liveObject()],
        ["ConfigMap ana/data", liveObject({ labels: labelsOf("ana"), applied: "0123" })],
        ["Secret ana/open", liveObject()],
      ]);
      const expected = declared(all, server, cluster({ managedObjects }));
      assert.deepEqual(comparable(expected), comparable(await registered(all, server, cluster({ managedObjects }))));
      const secrets = expected.filter(({ urn }) => urn.includes("Secret::"));
      const left = secrets.map(({ urn, ignoreChanges }) => [urn.split("::").at(-1), ignoreChanges]);
      assert.deepEqual(left, [["ana/bucket/data/secret", ["metadata", "immutable", "type", "data"]]]);
    });
  });

  describe("of starter apps", () => {
    const starters = [
      member({ member: "kit", type: "user", starter: "kept" }),
      member({ member: "lee", type: "user", starter: "once" }),
      member({ member: "mia", type: "user", starter: "kept", suspended: true }),
    ];
    const role = (name: string) => {
      const made = liveObject({ labels: labelsOf(name), annotations: { "kubecamp.dev/starter": "made" } });
      return [`Role ${name}/kubecamp-edit`, made] as const;
    };
    const strange = (name: string) => [`Deployment ${name}/starter`, liveObject({ content: { spec: {} } })] as const;
    const served = {
      labels: labelsOf("lee"),
      annotations: { "kubecamp.dev/made": "2026-06-01T08:00:00.000Z" },
      selector: { app: "web" },
    };
    const theirSpec = { replicas: 3, selector: { matchLabels: { app: "lee", "app.kubernetes.io/name": "starter" } } };

    const content = { spec: theirSpec, status: { replicas: 3 } };
    const app = ["Deployment lee/starter", liveObject({ labels: labelsOf("lee"), content })] as const;
    const services = new Map([["lee/lee-svc", liveService(served)]]);

    for (const [title, snapshot] of [
      ["that are to be made", cluster()],
      ["partly left to the member, partly gone", cluster({ managedObjects: new Map([role("lee"), app]), services })],
      [
        "in whose place there is something else",
        cluster({ managedObjects: new Map([role("kit"), strange("kit"), strange("lee")]) }),
      ],
    ] as const) {
      it(`expects of a run what it registers of starter apps ${title}`, async () => {
        const all = declared(starters, settings, snapshot);
        assert.deepEqual(withoutTime(all), withoutTime(await registered(starters, settings, snapshot)));
        assert.ok(all.some(({ urn }) => urn.endsWith("/starter/deployment")));
      });
    }
  });
});
