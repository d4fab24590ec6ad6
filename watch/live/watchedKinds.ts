import type { InformerRequest } from "../../cluster/api/informer.ts";
import { allNamed, allOf } from "../../cluster/kinds/kinds.ts";
import type { ObjectName } from "../../cluster/read/snapshot.ts";
import type { Member, Settings } from "../../config/model/settings.ts";
import { stackLabel } from "../../naming/labels.ts";
import { backendCaName, serviceAccountName, starterName, starterPagesName } from "../../naming/names.ts";
import { bucketKinds, bucketObjectNames } from "../../plan/decisions/buckets/names.ts";
import { kindsOfRoute } from "../../plan/routes/routeKinds.ts";

/** A kind of which only the stack's own objects are watched. */
export interface WatchedKind extends InformerRequest {
  readonly kind: Exclude<ObjectName["kind"], "Namespace" | "Service">;
}

/**
 * Every kind that the stack's objects are of, but for those of which other objects matter too; and for the one Secret,
 * which stays unwatched, since it is nobody's to change but those who could change the controller itself. Of starter apps,
 * where anybody has one, and of the CA that a Gateway needs in each home, whatever has their names; and where anybody has
 * buckets, the metadata of whatever has their names in that member's namespace.
 */
export function watchedKinds(
  settings: Pick<Settings, "stack" | "route" | "storage">,
  members: readonly Pick<Member, "name" | "starter" | "buckets">[],
): WatchedKind[] {
  const { stack, route } = settings;
  const labelSelector = `${stackLabel}=${stack}`;
  const controllers = route.kind === "ingress" ? route.namespace : undefined;
  const routeKinds = kindsOfRoute({ route });
  const kinds: Omit<WatchedKind, "labelSelector">[] = [
    allOf("ClusterRole"),
    allOf("ClusterRoleBinding"),
    allOf("LimitRange"),
    allOf("NetworkPolicy"),
    allOf("ResourceQuota"),
    allOf("Role"),
    allOf("RoleBinding"),
    // One in each namespace, of which members have others.
    named("ServiceAccount", serviceAccountName),
    allOf("ValidatingAdmissionPolicy"),
    allOf("ValidatingAdmissionPolicyBinding"),
    ...(["BackendTLSPolicy", "Middleware", "ServersTransport"] as const)
      .filter((kind) => routeKinds.includes(kind))
      .map((kind) => allOf(kind, controllers)),
  ];
  // Whose they are matters too: what is there and somebody else's keeps ours from being made. And those of these names
  // alone: a cluster is full of others.
  const starters = [named("ConfigMap", starterPagesName), named("Deployment", starterName)];
  const backendCa = routeKinds.includes("ConfigMap") ? [named("ConfigMap", backendCaName)] : [];
  // Each has names of its own, and no selector takes so many.
  const bucketKeys = new Set(
    members.flatMap((member) =>
      bucketObjectNames(member, settings).map(({ namespace, name }) => `${namespace}/${name}`),
    ),
  );
  const ofBuckets = bucketKinds(settings).map((kind) => ({
    ...allOf(kind),
    what: `${allOf(kind).what} of buckets`,
    metadataOnly: true,
    isMeant: (key: string) => bucketKeys.has(key),
  }));
  return [
    ...kinds.map((kind) => ({ ...kind, labelSelector })),
    // Of these, others' too: they may have a member's address.
    allOf(route.kind === "ingress" ? "Ingress" : "HTTPRoute", controllers),
    ...backendCa,
    ...(bucketKeys.size > 0 ? ofBuckets : []),
    ...(members.some(({ starter }) => starter !== undefined) ? starters : []),
  ];
}

/** Those of one name, as the field selector of a LIST has it. */
function named<K extends WatchedKind["kind"]>(kind: K, name: string) {
  return { ...allOf(kind), what: allNamed(kind, name).what, fieldSelector: `metadata.name=${name}` };
}
