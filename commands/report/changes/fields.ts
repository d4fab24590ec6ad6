import { isMap } from "../../../config/model/maps.ts";
import { valueAt } from "../../../config/sources/mistakes.ts";
import {
  bucketsAnnotation,
  defaultRuntimeClassAnnotation,
  devicesAnnotation,
  expiresLabel,
  imageRulesAnnotation,
  imagesAnnotation,
  leavesLabel,
  maxPodsAnnotation,
  objectsAnnotation,
  poolAnnotation,
  priorityClassesAnnotation,
  protectedLabel,
  routeLabel,
  runtimeClassesAnnotation,
  sleepAnnotation,
  stackLabel,
  standingLabel,
  storageClassesAnnotation,
  suspendedSubjectsAnnotation,
  typeLabel,
  urlAnnotation,
  userNamespacesAnnotation,
} from "../../../naming/labels.ts";
import { starterName } from "../../../naming/names.ts";
import { goneAtOnce } from "../../../plan/objects/deletion.ts";
import {
  annotation,
  count,
  cpu,
  type Field,
  type Fields,
  label,
  list,
  memory,
  propertyPath,
  split,
} from "../../../plan/objects/field.ts";
import { deviceIn, storageClassIn } from "../../../plan/objects/quotaClasses.ts";
import type { RoutePart } from "../../../plan/routes/drivers/driver.ts";
import { drivers } from "../../../plan/routes/drivers/drivers.ts";
import { bucketFields } from "./bucketFields.ts";
import { networkRule } from "./networkRules.ts";

/** Such as `oidc:bob`, or `group oidc:class-a`. */
export function subjectText(entry: unknown): string | undefined {
  const { kind, name } = isMap(entry) ? entry : {};
  return typeof name !== "string" ? undefined : kind === "User" ? name : `${String(kind).toLowerCase()} ${name}`;
}

const subjects = list("opened to", subjectText);

/** Later subjects of a suspended member's role, parsed from its annotation. */
export const subjectsOfLines = (value: unknown): readonly { readonly kind: string; readonly name: string }[] =>
  typeof value !== "string"
    ? []
    : value.split("\n").flatMap((line) => {
        const [, kind, name] = /^(\S+) (.+)$/.exec(line) ?? [];
        return kind === undefined || name === undefined ? [] : [{ kind, name }];
      });

/** Suffix for changes that take effect when a suspension or expiry ends. */
export const onceActive = "once they are active again";
export const openedLater = `opened to, ${onceActive}`;
const laterSubjects: Field = { what: openedLater, list: subjectsOfLines, entry: subjectText };

const rules = list("rights", (entry) => {
  const { apiGroups, resources, verbs, ...rest } = isMap(entry) ? entry : {};
  const isPlain = Array.isArray(resources) && Array.isArray(verbs) && Object.keys(rest).length === 0;
  return isPlain ? `${verbs.join(",")} ${resources.join(",")} (${String(apiGroups)})`.replace(" ()", "") : undefined;
});

const hard = (name: string) => propertyPath(["spec", "hard", name]);
const ofContainer = (part: string, name: string) => propertyPath(["spec", "limits", "[Container]", part, name]);

const ofStarter = (...path: readonly string[]) =>
  propertyPath(["spec", "template", "spec", "containers", `[${starterName}]`, ...path]);

/** Fields of the objects that routes consist of, by kind. */
const ofRoutes = Object.fromEntries(
  [
    ...Map.groupBy(
      drivers.flatMap(({ parts }) => parts),
      ({ kind }) => kind,
    ),
  ].map(([kind, parts]) => [kind, Object.fromEntries(parts.flatMap(ofPart))]),
);

function ofPart({ fields = {}, purpose }: RoutePart): (readonly [string, Field])[] {
  const own = Object.entries(fields).map(([path, what]) => [path, { what }] as const);
  return purpose === "door" ? [...own, [annotation(urlAnnotation), { what: "URL" }]] : own;
}

/** Such as `/bob to port 80, in 30s`. */
const routeRules = list("rule of the path", (entry) => {
  const at = (...path: (string | number)[]) => valueAt(entry, path);
  const [path, port, timeout] = [
    at("matches", 0, "path", "value"),
    at("backendRefs", 0, "port"),
    at("timeouts", "request"),
  ];
  return path === undefined || port === undefined
    ? undefined
    : `${path} to port ${port}${timeout === undefined ? "" : `, in ${timeout}`}`;
});

export const podsAtOnce = "pods that one object may ask for";

/** Names that may be used; an annotation without any is one that allows none. */
const namesText = (value: string | undefined) =>
  value === undefined ? "any" : value === "" ? "none at all" : value.replaceAll(",", ", ");

/** A quota's field for a device or a StorageClass, which settings name. */
export function fieldOfClass(path: readonly string[]): Field | undefined {
  const [, , resource = ""] = path;
  const [device, storageClass] = [deviceIn(resource), storageClassIn(resource)];
  if (device !== undefined) {
    return count(`${deviceWord}${device}`);
  }
  return storageClass === undefined ? undefined : memory(`${storageWord}${storageClass}`);
}

/** Change of a quota's object counts that follows from the number of buckets. */
export const bucketHeadroom = "room for what comes with buckets";
/** The count of a kind that is `maxObjects` itself. */
export const plainCount = "count/deployments.apps";
/** Beginnings of these fields' names. */
export const deviceWord = "device ";
export const storageWord = "storage of class ";

/** Named fields of every kind, by path. */
export const fieldsOfAll: Fields = {
  [annotation(Object.keys(goneAtOnce).join())]: { what: "how it is deleted" },
  [label(stackLabel)]: { what: "stack" },
};

/** Named fields by kind and path; the report shows others by kind and path. */
export const fields: Readonly<Record<string, Fields>> = {
  Namespace: {
    [label(typeLabel)]: { what: "type" },
    [label(standingLabel)]: { what: "standing" },
    [label(expiresLabel)]: { what: "last day" },
    [annotation(sleepAnnotation)]: { what: "sleep" },
    [label(leavesLabel)]: { what: "removed on" },
    [label(routeLabel)]: { what: "public path", text: (value) => (value === undefined ? "yes" : value) },
    [label(protectedLabel)]: { what: "protected", text: (value) => (value === "true" ? "yes" : "no") },
    [label("pod-security.kubernetes.io/enforce")]: { what: "Pod Security" },
    [label("pod-security.kubernetes.io/enforce-version")]: { what: "Pod Security's version" },
    [label("pod-security.kubernetes.io/warn")]: { what: "Pod Security, warned of" },
    [label("pod-security.kubernetes.io/warn-version")]: { what: "Pod Security's version, warned of" },
    [annotation(imagesAnnotation)]: split("images", "\n"),
    [annotation(imageRulesAnnotation)]: { what: "rules of images" },
    [annotation(priorityClassesAnnotation)]: split("PriorityClasses", ","),
    [annotation(devicesAnnotation)]: { what: "devices that pods may ask for", text: namesText },
    [annotation(storageClassesAnnotation)]: { what: "StorageClasses of claims", text: namesText },
    [annotation(runtimeClassesAnnotation)]: { what: "RuntimeClasses of pods", text: namesText },
    [annotation(defaultRuntimeClassAnnotation)]: { what: "default RuntimeClass" },
    [annotation(poolAnnotation)]: { what: "pool" },
    [annotation(userNamespacesAnnotation)]: { what: "user namespaces" },
    [annotation(objectsAnnotation)]: split("objects of the platform", ","),
    // Follows from the quota, which is reported itself.
    [annotation(maxPodsAnnotation)]: count(podsAtOnce),
    // Follows from the buckets, which are reported themselves.
    [annotation(bucketsAnnotation)]: { what: bucketHeadroom },
  },
  ResourceQuota: {
    [hard("limits.cpu")]: cpu("CPU"),
    [hard("limits.memory")]: memory("memory"),
    // Always as the limits, and so reported once.
    [hard("requests.cpu")]: cpu("CPU"),
    [hard("requests.memory")]: memory("memory"),
    [hard("limits.ephemeral-storage")]: memory("ephemeral storage"),
    [hard("persistentvolumeclaims")]: count("PVCs"),
    [hard("requests.storage")]: memory("storage of all PVCs"),
    [hard("pods")]: count("pods"),
    [hard("count/pods")]: count("pods, with finished ones"),
    [hard("count/jobs.batch")]: count("Jobs"),
    // Without a change of `maxObjects`, these follow from the number of buckets.
    [hard("count/configmaps")]: { what: bucketHeadroom },
    [hard("count/secrets")]: { what: bucketHeadroom },
    [hard("count/resourceclaims.resource.k8s.io")]: count("ResourceClaims"),
    [hard("count/resourceclaimtemplates.resource.k8s.io")]: count("ResourceClaimTemplates"),
    [hard("services.nodeports")]: count("Services of type NodePort"),
    [hard("services.loadbalancers")]: count("Services of type LoadBalancer"),
    [hard(plainCount)]: { what: "objects of each kind" },
  },
  LimitRange: {
    [ofContainer("default", "cpu")]: cpu("CPU of a container that states none"),
    [ofContainer("defaultRequest", "cpu")]: cpu("CPU of a container that states none"),
    [ofContainer("default", "memory")]: memory("memory of a container that states none"),
    [ofContainer("defaultRequest", "memory")]: memory("memory of a container that states none"),
    [ofContainer("default", "ephemeral-storage")]: memory("ephemeral storage of a container that states none"),
    [ofContainer("defaultRequest", "ephemeral-storage")]: memory("ephemeral storage that a container reserves"),
    [ofContainer("min", "cpu")]: cpu("least CPU that a container states"),
    [ofContainer("min", "memory")]: memory("least memory that a container states"),
    "spec.limits[PersistentVolumeClaim].max.storage": memory("largest PVC"),
  },
  NetworkPolicy: {
    "spec.ingress": list("network, in", networkRule),
    "spec.egress": list("network, out", networkRule),
  },
  Deployment: {
    "spec.replicas": count("starter app's pods"),
    [ofStarter("image")]: { what: "starter app's image" },
    ...Object.fromEntries(
      ["limits", "requests"].flatMap((of) => [
        [ofStarter("resources", of, "cpu"), cpu("starter app's CPU")],
        [ofStarter("resources", of, "memory"), memory("starter app's memory")],
      ]),
    ),
  },
  Role: { rules, [annotation(suspendedSubjectsAnnotation)]: laterSubjects },
  ClusterRole: { rules },
  RoleBinding: { subjects },
  ClusterRoleBinding: { subjects },
  ...ofRoutes,
  HTTPRoute: { ...ofRoutes.HTTPRoute, "spec.rules": routeRules },
  ...bucketFields,
};
