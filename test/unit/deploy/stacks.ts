import { cosiKinds, isCosiKind } from "../../../cluster/kinds/cosi.ts";
import { type Kind, resourceOf } from "../../../cluster/kinds/kinds.ts";
import { stackKindsWhere } from "../../../cluster/kinds/stackKinds.ts";
import { builtInMemberTypes } from "../../../config/model/settings/defaults.ts";
import type { Configuration } from "../../../config/model/settings/settings.ts";
import type { ManifestFiles } from "../../../config/resolve/members/objects.ts";
import { parseConfiguration } from "../../../config/sources/configuration.ts";
import { type Right, rightOfPath } from "../../../watch/manifests/rights/rights.ts";
import {
  customizedWith,
  example,
  givenWith,
  pipelined,
  type Sample,
  stack,
  staffed,
} from "../../../watch/manifests/rights/samples.ts";
import { ca } from "../certificates.ts";
import {
  type Answer,
  emptyCluster,
  type FakeApiServer,
  json,
  kubeSystem,
  metadataList,
} from "../cluster/fakeApiServer.ts";
import { everyObject, sharedObjects } from "../everyObject.ts";
import { storage, today } from "../samples.ts";
import type { Manifest } from "./manifests.ts";

const host = "apps.example.org";

export const given: Sample = givenWith(example.copies);
export const customized: Sample = customizedWith(example.kinds);

/** A stack with members of all types, one of them suspended; `each` is in the entries of all. */
export function stackWith({
  route,
  more,
  each = {},
  given: objects,
}: Omit<StackKind, "files" | "namespace">): Configuration {
  const memberTypes = { reader: { home: "view", others: "none" } };
  const types = [...Object.keys(builtInMemberTypes), ...Object.keys(memberTypes)];
  const ofEach = typeof each === "function" ? each : () => each;
  const members = types.map((type) => ({
    member: `a-${type}`,
    type,
    suspended: type === "admin",
    ...ofEach(`a-${type}`),
  }));
  const readiness = { requires: "endpoints" };
  const parsed = parseConfiguration(
    stack,
    { route: { host, readiness, ...route }, memberTypes, members, ...more },
    today,
    { objects },
  );
  if ("mistakes" in parsed) {
    throw new Error(JSON.stringify(parsed.mistakes));
  }
  return parsed.configuration;
}

/** All that its runs declare. */
export const declared = ({ members, settings }: Configuration) => [
  ...members.flatMap((member) => everyObject(member, settings)),
  ...sharedObjects(settings),
];

/** Plural names of kinds, as paths have them. */
export const pluralOf = (kind: string) => (isCosiKind(kind) ? cosiKinds[kind] : resourceOf(kind as Kind));

/** As docs/run/watch-in-cluster.md has one change them for another controller. */
export const beside = (namespace: string, objects: readonly Manifest[]) =>
  JSON.parse(JSON.stringify(objects).replaceAll("ingress-nginx", namespace)) as Manifest[];

/** A cluster with one home in it, and all kinds that there are. */
const answers: Readonly<Record<string, object>> = {
  ...emptyCluster,
  namespaces: metadataList(kubeSystem, { metadata: { name: "a-admin" } }),
  gateways: { kind: "GatewayList", items: [] },
  ...Object.fromEntries(
    (
      [
        ...stackKindsWhere(({ selections }) => selections.every(({ when }) => when)),
        "EndpointSlice",
        "DeviceClass",
        "Node",
        "RuntimeClass",
        "StorageClass",
      ] as const
    ).map((kind) => [resourceOf(kind), { kind: `${kind}List`, items: [] }]),
  ),
  widgets: { kind: "WidgetList", items: [] },
  secrets: { kind: "SecretList", items: [{ metadata: { name: "registry", namespace: "platform", labels: {} } }] },
};

/** Discovery requests, which every signed-in user may make. */
const discovered: Readonly<Record<string, object>> = {
  v1alpha1: { kind: "APIResourceList", resources: [{ name: "bucketclaims" }] },
  v1: {
    kind: "APIResourceList",
    resources: [
      { name: "mutatingadmissionpolicies" },
      { name: "deviceclasses" },
      { name: "widgets", kind: "Widget", namespaced: true },
    ],
  },
};

interface StackKind {
  readonly route: Record<string, unknown>;
  /** Further settings. */
  readonly more?: Sample["more"] | undefined;
  /** Further objects of each member. */
  readonly each?: Readonly<Record<string, unknown>> | Sample["each"] | undefined;
  /** Files of `objects`. */
  readonly given?: ManifestFiles | undefined;
  readonly files: readonly string[];
  readonly namespace: string;
}

/** Stacks of every kind, the manifests that each takes beside rbac.yaml, and where its controller is. */
export const kinds: Readonly<Record<string, StackKind>> = {
  "an ingress controller": { route: {}, files: [], namespace: "ingress-nginx" },
  "HTTPS to members with a CA": {
    route: { backendProtocol: "HTTPS", backendTls: { ca } },
    files: ["optional/backend-ca.yaml"],
    namespace: "ingress-nginx",
  },
  Traefik: {
    route: { controller: "traefik", rewrite: "strip", backendProtocol: "HTTPS", backendTls: { ca } },
    files: ["optional/backend-ca.yaml", "optional/traefik.yaml"],
    namespace: "traefik",
  },
  labs: {
    route: {},
    each: {
      quota: true,
      devices: { "gpu.example.com": 1 },
      storage: { fast: "1Gi" },
      runtimeClasses: { allowed: ["gvisor"], default: "gvisor" },
      pool: { nodeSelector: { pool: "lab" }, tolerations: [{ key: "dedicated" }] },
      userNamespaces: "required",
    },
    files: ["optional/labs.yaml"],
    namespace: "ingress-nginx",
  },
  "starter apps": {
    route: {},
    more: { starter: { mode: "kept" } },
    files: ["optional/starter.yaml"],
    namespace: "ingress-nginx",
  },
  "objects for members": {
    route: {},
    more: { objects: [{ file: "objects/tutor.yaml" }, { copy: "Secret platform/registry" }] },
    given: given.files,
    files: ["optional/objects.yaml"],
    namespace: "ingress-nginx",
  },
  "custom kinds": {
    route: {},
    more: { ...customized.more, objects: [{ file: "objects/widget.yaml" }] },
    given: customized.files,
    files: ["optional/object-kinds.yaml"],
    namespace: "ingress-nginx",
  },
  "CI jobs": {
    route: {},
    more: pipelined.more,
    each: pipelined.each,
    files: ["optional/pipelines.yaml"],
    namespace: "ingress-nginx",
  },
  staff: {
    route: {},
    more: staffed.more,
    each: staffed.each?.("a"),
    files: ["optional/staff.yaml"],
    namespace: "ingress-nginx",
  },
  buckets: {
    route: {},
    more: { storage },
    each: { buckets: [{ name: "data" }] },
    files: ["optional/buckets.yaml"],
    namespace: "ingress-nginx",
  },
  "an archive": {
    route: {},
    more: { storage, offboarding: { graceDays: 30, archive: { bucket: "kept" } } },
    files: ["optional/archive.yaml"],
    namespace: "ingress-nginx",
  },
  "buckets from a driver": {
    route: {},
    more: {
      storage: { kind: "cosi", version: "v1alpha1", bucketClassName: "standard", bucketAccessClassName: "keys" },
    },
    each: { buckets: [{ name: "data" }] },
    files: ["optional/cosi.yaml"],
    namespace: "ingress-nginx",
  },
  "a Gateway": {
    route: {
      kind: "gateway",
      namespace: "gateways",
      gateway: { name: "public" },
      backendProtocol: "HTTPS",
      backendTls: { ca },
    },
    files: ["optional/gateway.yaml"],
    namespace: "ingress-nginx",
  },
};

/** Has a server answer all that a run reads; the rights that its requests need are in the list once they are answered. */
export function recordReads(server: FakeApiServer): Right[] {
  const read: Right[] = [];
  for (const [resource, body] of Object.entries(answers)) {
    const answer: Answer = (request, response) => {
      read.push(rightOfPath("list", request.url ?? ""));
      json(body)(request, response);
    };
    // Some kinds are read in two lists, and two names of ServiceAccounts.
    server.answers(resource, answer, answer);
  }
  for (const [version, body] of Object.entries(discovered)) {
    server.answers(version, json(body), json(body));
  }
  return read;
}
