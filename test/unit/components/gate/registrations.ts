import * as k8s from "@pulumi/kubernetes";
import type { ResourceTransformation } from "@pulumi/pulumi";
import { BucketsProvider } from "../../../../buckets/resources/bucketsProvider.ts";
import { ClusterAccess } from "../../../../components/clusterAccess.ts";
import { type BrokenInvariant, Judgement } from "../../../../components/gate/judgement.ts";
import { type Registration, Registrations } from "../../../../components/gate/registration.ts";
import { MemberEnvironment } from "../../../../components/memberEnvironment.ts";
import type { Member } from "../../../../config/model/members/member.ts";
import type { Configuration, Settings } from "../../../../config/model/settings/settings.ts";
import type { ManifestFiles } from "../../../../config/resolve/members/objects.ts";
import { Drift } from "../../../../plan/compare/drift.ts";
import type { ManagedService } from "../../../../plan/decisions/managedService.ts";
import { starterPlan } from "../../../../plan/decisions/starter/plan.ts";
import { configuration } from "../../samples.ts";
import { registeredBy } from "../recorded.ts";

/** Registrations of the real components for a stack, in their order. */
export interface Recorded extends Configuration {
  readonly batch: readonly Registration[];
}

/** A Service as kubecamp makes it for a member. */
const service: ManagedService = {
  labels: {},
  selector: { app: "web" },
  ports: [{ port: 80, protocol: "TCP", targetPort: 8080 }],
  annotations: {},
  mends: [],
  isTakenOver: false,
};

/**
 * Registers a stack's shared part and all environments against Pulumi's mocks: with every route open that may be, and a
 * Service for members with `managed`.
 */
export async function recorded(raw: Record<string, unknown>, objects?: ManifestFiles): Promise<Recorded> {
  const { settings, members } = configuration(raw, objects);
  const registrations = new Registrations();
  const batch: Registration[] = [];
  const transformations: ResourceTransformation[] = [(args) => void batch.push(registrations.read(args))];
  await registeredBy(() => {
    const provider = new k8s.Provider("cluster", {}, { transformations });
    const drift = new Drift({ managedObjects: new Map() });
    const storage = recordedStorage(settings, transformations);
    const access = new ClusterAccess("access", { settings, mutates: true, drift }, { provider, transformations });
    for (const member of members) {
      const isManaged = member.route?.readiness.mode === "managed" || member.starter !== undefined;
      const made = isManaged ? service : undefined;
      const starter = starterPlan(member, settings, { managedObjects: new Map(), services: new Map() });
      const args = { member, settings, access, storage, routed: isOpen(member), drift, service: made, starter };
      new MemberEnvironment(member.name, args, { provider, transformations });
    }
  });
  return { settings, members, batch };
}

/** Without what the program would get from its engine. */
function recordedStorage({ storage }: Settings, transformations: ResourceTransformation[]) {
  if (storage?.kind !== "s3") {
    return undefined;
  }
  const { accessKeyId, secretAccessKey = "" } = storage;
  return {
    provider: new BucketsProvider("storage", { accessKeyId, secretAccessKey, stack: "x" }, { transformations }),
  };
}

const isOpen = ({ standing, route }: Member) => standing === "active" && route !== undefined;

/** The gate's verdict on registrations. */
export const findingsIn = ({ settings, members, batch }: Recorded): BrokenInvariant[] =>
  new Judgement(members, settings).brokenInvariants(batch);

/** Likewise after one of them, found by its logical name, is another. */
export function findingsWith(
  stack: Recorded,
  name: string,
  alter: (registration: Registration) => Registration | undefined,
): BrokenInvariant[] {
  const batch = stack.batch.flatMap((each) => (each.name === name ? (alter(each) ?? []) : [each]));
  return findingsIn({ ...stack, batch });
}

/** A copy with another value at a place, such as `["spec", "hard", "pods"]`; undefined takes it out. */
export function withValue<T extends object>(root: T, path: readonly (string | number)[], value: unknown): T {
  const [key, ...rest] = path;
  if (key === undefined) {
    return value as T;
  }
  const copy: Record<string | number, unknown> = Array.isArray(root) ? Object([...root]) : { ...root };
  copy[key] = rest.length === 0 ? value : withValue(Object(copy[key]), rest, value);
  if (copy[key] === undefined) {
    delete copy[key];
  }
  return copy as T;
}
