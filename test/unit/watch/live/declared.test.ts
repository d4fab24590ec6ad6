import assert from "node:assert/strict";
import { type ObjectName, objectKey } from "../../../../cluster/read/snapshot.ts";
import { ClusterAccess } from "../../../../components/clusterAccess.ts";
import { MemberEnvironment } from "../../../../components/memberEnvironment.ts";
import { clusterProvider } from "../../../../components/provider.ts";
import { stackStorage } from "../../../../components/storage.ts";
import type { Configuration, Member, Settings } from "../../../../config/model/settings.ts";
import { appliedAnnotation } from "../../../../naming/labels.ts";
import { differenceOf } from "../../../../plan/compare/difference.ts";
import { Drift } from "../../../../plan/compare/drift.ts";
import { starterPlan } from "../../../../plan/decisions/starter/plan.ts";
import { type DeclaredObject, declaredOf, sharedOf } from "../../../../plan/manifest/declared.ts";
import { sharedObjects } from "../../../../plan/manifest/manifest.ts";
import { ca } from "../../certificates.ts";
import { cluster } from "../../cluster/leaving.ts";
import { registeredBy } from "../../components/recorded.ts";
import { configuration, storage } from "../../samples.ts";

const members = [
  { member: "alice", type: "admin" },
  { member: "bob", type: "user" },
  { member: "carol", type: "guest-user", home: "view", others: "none" },
  { member: "dave", type: "admin", suspended: true },
  { member: "erin", type: "user", route: false, expires: "2026-06-14" },
  { member: "fay", type: "user", starter: "kept" },
  { member: "gus", type: "user", starter: "once" },
  { member: "hal", type: "user", starter: "kept", suspended: true },
  { member: "ida", type: "user", buckets: [{ name: "data" }, { name: "pics" }] },
];
/** Nothing else could speak HTTPS. */
const starter = { image: "ghcr.io/example/start:1" };

/** On a cluster where nothing is yet. */
const planOf = (member: Member, settings: Settings) =>
  starterPlan(member, settings, { managedObjects: new Map(), services: new Map() });
const host = "camp.example.org";
const https = { backendProtocol: "HTTPS", backendTls: { ca } };
const routes: Record<string, Record<string, unknown>> = {
  "at ingress-nginx": {},
  "at Traefik": { controller: "traefik", rewrite: "strip", ...https },
  "at a Gateway": { kind: "gateway", namespace: "gateways", gateway: { name: "public" } },
  "at a Gateway that speaks TLS to members": {
    ...{ kind: "gateway", namespace: "gateways", gateway: { name: "public" } },
    ...https,
  },
};

/** What an object's inputs are made of. */
type Inputs = { kind: ObjectName["kind"]; metadata: DeclaredObject["args"]["metadata"] };

/** All that a program registers, by `objectKey`. */
async function registered({ settings, members }: Configuration): Promise<Map<string, Inputs>> {
  const objects = await registeredBy(() => {
    const provider = clusterProvider(settings);
    const drift = new Drift({ managedObjects: new Map() });
    const access = new ClusterAccess("access", { settings, drift }, { provider });
    const storage = stackStorage(settings, cluster());
    for (const member of members) {
      const routed = member.standing === "active";
      const starter = planOf(member, settings);
      const args = { member, settings, access, storage, routed, service: undefined, starter, drift };
      new MemberEnvironment(member.name, args, { provider });
    }
  });
  const inputs = objects
    .filter(({ type }) => type.startsWith("kubernetes:"))
    .map((one) => one.inputs as unknown as Inputs)
    // Of what comes with buckets, nothing but the metadata is watched.
    .map((one) => (isOfBucket(one) ? { kind: one.kind, metadata: one.metadata } : one));
  // Whoever may watch Secrets may read them: what there is of others is mended by the full up at its interval.
  const watched = inputs.filter((one) => one.kind !== "Secret" || isOfBucket(one));
  return new Map(watched.map((one) => [objectKey(one.kind, one.metadata.name, one.metadata.namespace), one]));
}

const isOfBucket = ({ metadata }: Inputs) => metadata.labels["kubecamp.dev/bucket"] !== undefined;

function declared({ settings, members }: Configuration): Map<string, DeclaredObject> {
  const objects = members.flatMap((member) => {
    const { base, starter, buckets, route } = declaredOf(member, settings, planOf(member, settings)?.marks);
    return [...base, ...starter, ...buckets, ...(member.standing === "active" ? route : [])];
  });
  return new Map([...sharedOf(sharedObjects(settings)), ...objects].map((object) => [object.key, object]));
}

describe("what is declared for the watch", () => {
  for (const [where, route] of Object.entries(routes)) {
    it(`is what the program declares, with routes ${where}`, async () => {
      const stack = configuration({ members, starter, storage, route: { host, ...route } });
      const program = await registered(stack);
      const watch = declared(stack);
      assert.deepEqual([...watch.keys()].sort(), [...program.keys()].sort());
      for (const [key, { kind, args }] of watch) {
        const { kind: _, ...inputs } = program.get(key) as Inputs;
        const { [appliedAnnotation]: applied, ...annotations } = inputs.metadata.annotations ?? {};
        const { annotations: expected = {}, ...metadata } = args.metadata;
        assert.deepEqual(
          { ...inputs, apiVersion: undefined, metadata: { ...inputs.metadata, annotations } },
          { ...args, apiVersion: undefined, metadata: { ...metadata, annotations: expected } },
          key,
        );
        if (annotations["kubecamp.dev/starter"] === "once") {
          // The member's from then on: nothing tells what was applied.
          assert.equal(applied, undefined);
          continue;
        }
        // The mark of the one is the mark of the other, or each look would find everything changed.
        const { apiVersion: __, metadata: ___, ...content } = inputs as Inputs & { apiVersion?: unknown };
        const live = { labels: metadata.labels, annotations, resourceVersion: "1", applied, content };
        assert.equal(differenceOf(kind, args, live).by, undefined, key);
      }
    });
  }
});
