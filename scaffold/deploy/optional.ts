import {
  controllers,
  type IngressController,
  ingressControllers,
  type RouteFeature,
} from "../../config/model/routes/controllers.ts";
import type { Configuration } from "../../config/model/settings.ts";
import type { Right } from "./rights.ts";
import { beyond, leastOf } from "./rules.ts";
import { configurationOf, customized, given, labs, pipelined, type Sample, sampleOf, staffed } from "./samples.ts";

/** A feature of some stacks that takes further rights, granted by the file of its name in `optional/`. */
interface Feature {
  readonly name: string;
  /** The settings that need it, in words for both folders. */
  readonly purpose: string;
  readonly sample: Sample;
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

const features: readonly Feature[] = [
  {
    name: "archive",
    purpose: "`offboarding.archive` with `volumes: retain`, the default, or `none`",
    sample: archiving("retain"),
  },
  {
    name: "archive-snapshots",
    purpose: "`offboarding.archive` with `volumes: snapshot`",
    sample: archiving("snapshot"),
  },
  {
    name: "backend-ca",
    purpose: "`route.backendTls.ca` with an ingress controller",
    sample: { route: { backendProtocol: "HTTPS" }, hasCa: true },
  },
  {
    name: "buckets",
    purpose: "buckets on an S3 server (`storage`, and `buckets` of members)",
    sample: { more: { storage }, each: withBucket },
  },
  {
    name: "cosi",
    purpose: "buckets from a driver of the cluster's (`storage.kind: cosi`)",
    sample: { more: { storage: cosi }, each: withBucket },
  },
  {
    name: "gateway",
    purpose: "`route.kind: gateway`",
    sample: {
      route: { kind: "gateway", namespace: "gateways", gateway: { name: "public" }, backendProtocol: "HTTPS" },
      hasCa: true,
    },
  },
  {
    name: "labs",
    purpose: "types and members with `devices`, `storage`, `runtimeClasses`, `pool` or `userNamespaces`",
    sample: labs,
  },
  {
    name: "managed",
    purpose: "`readiness.mode: managed`, on the stack or on one member",
    sample: { each: () => ({ route: { readiness: { mode: "managed" } } }) },
  },
  {
    name: "objects",
    purpose: "objects for members (`objects`)",
    sample: given,
  },
  {
    name: "object-kinds",
    purpose: "custom kinds of objects for members (`objectKinds`)",
    sample: customized,
  },
  {
    name: "pipelines",
    purpose: "CI jobs of members (`ci`)",
    sample: pipelined,
  },
  {
    name: "sleep",
    purpose: "members who sleep (`schedule`, on the stack, a type or a member)",
    sample: { each: () => ({ schedule: { sleep: "0 20 * * *", wake: "0 7 * * *" } }) },
  },
  {
    name: "staff",
    purpose: "`staff`",
    sample: staffed,
  },
  {
    name: "starter",
    purpose: "starter apps (`starter`, on the stack, a type or a member)",
    sample: { each: () => ({ starter: "kept" }) },
    beside: ["managed"],
  },
  ...ingressControllers.map((controller) => ({
    name: controller,
    purpose: `\`route.controller: ${controller}\`${whenOwn(controller)}: it has kinds of its own`,
    sample: sampleOf(controller),
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

/** Sample stacks: one without features, and one for each feature. */
export const samples = (): Configuration[] => [{}, ...features.map(({ sample }) => sample)].map(configurationOf);

/** Computes an identity's rights for a stack. */
type Needs = (stack: Configuration) => Right[];

/** Rights for every stack with an ingress controller. */
export const commonRights = (needs: Needs): Right[] => leastOf(needs(configurationOf({})));

/** Further rights for stacks with a feature. */
export interface Optional extends Pick<Feature, "name" | "purpose"> {
  /** Namespace of the controller. */
  readonly namespace: string;
  readonly rights: readonly Right[];
}

/** Each feature's rights beyond the common ones; features without any are left out. */
export function optionalRights(needs: Needs): Optional[] {
  const sampleBy = new Map(features.map(({ name, sample }) => [name, sample]));
  return features.flatMap(({ name, purpose, sample, beside = [] }) => {
    const stack = configurationOf(sample);
    const { namespace } = stack.settings.route;
    const others = [{}, ...beside.flatMap((other) => sampleBy.get(other) ?? [])].flatMap((other) =>
      needs(configurationOf(other)).map((right) => (right.namespace === undefined ? right : { ...right, namespace })),
    );
    const rights = leastOf(beyond(needs(stack), others));
    return rights.length === 0 ? [] : [{ name, purpose, namespace, rights }];
  });
}
