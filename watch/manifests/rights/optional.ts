import { isCustomKind } from "../../../config/model/members/customKinds.ts";
import {
  controllers,
  type IngressController,
  ingressControllers,
  type RouteFeature,
} from "../../../config/model/routes/controllers.ts";
import type { RouteSettings } from "../../../config/model/routes/route.ts";
import type { Configuration, Settings } from "../../../config/model/settings/settings.ts";
import type { Right } from "./rights.ts";
import { beyond, leastOf } from "./rules.ts";
import {
  configurationOf,
  customizedWith,
  example,
  givenWith,
  labs,
  type Names,
  pipelined,
  type Sample,
  sampleOf,
  staffed,
} from "./samples.ts";

/** A feature of some stacks that takes further rights, granted by the file of its name in `optional/`. */
interface Feature {
  readonly name: string;
  /** The settings that need it, in words for both folders. */
  readonly purpose: string;
  readonly sample: Sample;
  /** Whether a stack has it. */
  readonly isOf: (stack: Configuration) => boolean;
  /** Features that its stacks have as well: their rights are in their own files. */
  readonly beside?: readonly string[];
}

const storage = {
  endpoint: "https://s3.example.org",
  users: "versitygw",
  accessKeyId: "admin",
  secretAccessKey: "secret",
};
const cosi = { kind: "cosi", version: "v1alpha1", bucketClassName: "standard", bucketAccessClassName: "keys" };
const withBucket = (member: string) => ({ buckets: [{ name: `of-${member}` }] });

/** The setting that asks for each feature. */
const settingsOf: Readonly<Record<RouteFeature, string>> = {
  strip: "rewrite: strip",
  https: "backendProtocol: HTTPS",
  bodyMiB: "limits",
  timeoutSeconds: "limits",
  websockets: "limits",
  login: "login",
  allow: "login",
};

const either = (all: readonly string[]) =>
  [all.slice(0, -1).join(", "), ...all.slice(-1)].filter((text) => text !== "").join(" or ");

const archiving = (volumes: "retain" | "snapshot"): Sample => ({
  more: { storage, offboarding: { graceDays: 30, archive: { bucket: "kubecamp-archive", volumes } } },
});

const featuresFor = ({ copies, kinds }: Names): readonly Feature[] => [
  {
    name: "archive",
    purpose: "`offboarding.archive` with `volumes: retain`, the default, or `none`",
    sample: archiving("retain"),
    isOf: ({ settings }) => archivedVolumes(settings) === "kept",
  },
  {
    name: "archive-snapshots",
    purpose: "`offboarding.archive` with `volumes: snapshot`",
    sample: archiving("snapshot"),
    isOf: ({ settings }) => archivedVolumes(settings) === "snapshot",
  },
  {
    name: "backend-ca",
    purpose: "`route.backendTls.ca` with an ingress controller",
    sample: { route: { backendProtocol: "HTTPS" }, hasCa: true },
    isOf: ({ settings: { route } }) => route.kind === "ingress" && route.backend.ca !== undefined,
  },
  {
    name: "buckets",
    purpose: "buckets on an S3 server (`storage`, and `buckets` of members)",
    sample: { more: { storage }, each: withBucket },
    isOf: ({ members, settings }) =>
      settings.storage?.kind === "s3" && members.some(({ buckets }) => buckets !== undefined),
  },
  {
    name: "cosi",
    purpose: "buckets from a driver of the cluster's (`storage.kind: cosi`)",
    sample: { more: { storage: cosi }, each: withBucket },
    isOf: ({ settings }) => settings.storage?.kind === "cosi",
  },
  {
    name: "gateway",
    purpose: "`route.kind: gateway`",
    sample: {
      route: { kind: "gateway", namespace: "gateways", gateway: { name: "public" }, backendProtocol: "HTTPS" },
      hasCa: true,
    },
    isOf: ({ settings }) => settings.route.kind === "gateway",
  },
  {
    name: "labs",
    purpose: "types and members with `devices`, `storage`, `runtimeClasses`, `pool` or `userNamespaces`",
    sample: labs,
    isOf: ({ settings }) => settings.confinement !== undefined,
  },
  {
    name: "managed",
    purpose: "`readiness.mode: managed`, on the stack or on one member",
    sample: { each: () => ({ route: { readiness: { mode: "managed" } } }) },
    isOf: ({ members }) =>
      members.some(({ route, starter }) => starter !== undefined || route?.readiness.mode === "managed"),
  },
  {
    name: "objects",
    purpose: "objects for members (`objects`)",
    sample: givenWith(copies),
    isOf: ({ settings: { objects = [] } }) =>
      objects.some(({ manifests }) => manifests.some(({ kind }) => !isCustomKind(kind))),
  },
  {
    name: "object-kinds",
    purpose: "custom kinds of objects for members (`objectKinds`)",
    sample: customizedWith(kinds),
    isOf: ({ settings }) => settings.objectKinds !== undefined,
  },
  {
    name: "pipelines",
    purpose: "CI jobs of members (`ci`)",
    sample: pipelined,
    isOf: ({ members }) => members.some(({ ci }) => ci !== undefined),
  },
  {
    name: "sleep",
    purpose: "members who sleep (`schedule`, on the stack, a type or a member)",
    sample: { each: () => ({ schedule: { sleep: "0 20 * * *", wake: "0 7 * * *" } }) },
    isOf: ({ members }) => members.some(({ schedule }) => schedule !== undefined),
  },
  {
    name: "staff",
    purpose: "`staff`",
    sample: staffed,
    isOf: ({ settings }) => settings.staff !== undefined,
  },
  {
    name: "starter",
    purpose: "starter apps (`starter`, on the stack, a type or a member)",
    sample: { each: () => ({ starter: "kept" }) },
    isOf: ({ members }) => members.some(({ starter }) => starter !== undefined),
    beside: ["managed"],
  },
  ...ingressControllers.map((controller) => ({
    name: controller,
    purpose: `\`route.controller: ${controller}\`${whenOwn(controller)}: it has kinds of its own`,
    sample: sampleOf(controller),
    isOf: ({ settings: { route } }: Configuration) =>
      route.kind === "ingress" && route.controller === controller && usesOwn(route),
    beside: ["backend-ca"],
  })),
];

/** The settings for which a controller needs kinds of its own; empty if every route needs them. */
function whenOwn(controller: IngressController): string {
  const { door, by } = controllers[controller];
  if (door !== undefined) {
    return "";
  }
  const own = Object.entries(settingsOf).flatMap(([feature, setting]) => {
    const way = by[feature as RouteFeature] ?? "annotations";
    return way === "annotations" || way === "always" ? [] : [`\`${setting}\``];
  });
  return own.length === 0 ? "" : ` with ${either([...new Set(own)])}`;
}

/** `offboarding.archive.volumes`; undefined without an archive. */
const archivedVolumes = ({ offboarding: { archive } }: Settings) =>
  archive && (archive.volumes === "snapshot" ? "snapshot" : "kept");

/** Whether a route needs kinds of its controller's own. */
const usesOwn = ({ controller, rewrite, backend, limits, login }: RouteSettings): boolean =>
  controllers[controller].door !== undefined ||
  rewrite === "strip" ||
  backend.protocol === "HTTPS" ||
  limits !== undefined ||
  login !== undefined;

/** Names of the features that a stack has. */
export const featuresOf = (stack: Configuration, names: Names): string[] =>
  featuresFor(names).flatMap(({ name, isOf }) => (isOf(stack) ? [name] : []));

/** Sample stacks: one without features, and one for each feature. */
export const samples = (): Configuration[] =>
  [{}, ...featuresFor(example).map(({ sample }) => sample)].map((sample) => configurationOf(sample));

/** Computes an identity's rights for a stack. */
type Needs = (stack: Configuration) => Right[];

/** Rights for every stack with an ingress controller. */
export const commonRights = (needs: Needs, names: Names = example): Right[] =>
  placed(leastOf(needs(configurationOf({}, names.stack))), names);

/** Rights beside the controller, where the stack has it. */
const placed = (rights: readonly Right[], { namespace }: Names): Right[] =>
  rights.map((right) => (right.namespace === undefined || namespace === undefined ? right : { ...right, namespace }));

/** Further rights for stacks with a feature. */
export interface Optional extends Pick<Feature, "name" | "purpose"> {
  /** Namespace of the controller. */
  readonly namespace: string;
  readonly rights: readonly Right[];
}

const plain: Sample = {};

/**
 * Features' rights beyond the common ones; features without any are left out.
 * @param wanted names of the features. Default: all
 */
export function optionalRights(needs: Needs, names: Names = example, wanted?: readonly string[]): Optional[] {
  const features = featuresFor(names);
  const of = (sample: Sample) => configurationOf(sample, names.stack);
  const known = new Map<Sample, Right[]>();
  const neededBy = (sample: Sample): Right[] => {
    const rights = known.get(sample) ?? needs(of(sample));
    known.set(sample, rights);
    return rights;
  };
  const sampleBy = new Map(features.map(({ name, sample }) => [name, sample]));
  const chosen = features.filter(({ name }) => wanted?.includes(name) ?? true);
  return chosen.flatMap(({ name, purpose, sample, beside = [] }) => {
    const { namespace } = of(sample).settings.route;
    const others = [plain, ...beside.flatMap((other) => sampleBy.get(other) ?? [])].flatMap((other) =>
      neededBy(other).map((right) => (right.namespace === undefined ? right : { ...right, namespace })),
    );
    const rights = placed(leastOf(beyond(neededBy(sample), others)), names);
    return rights.length === 0 ? [] : [{ name, purpose, namespace: names.namespace ?? namespace, rights }];
  });
}
