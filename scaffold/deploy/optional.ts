import { controllers, type IngressController, ingressControllers } from "../../config/model/controllers.ts";
import type { Configuration } from "../../config/model/settings.ts";
import type { Right } from "./rights.ts";
import { beyond, leastOf } from "./rules.ts";
import { configurationOf, type Sample, sampleOf } from "./samples.ts";

/** What not every stack has, and takes further rights for: the file of that name in `optional/`. */
export interface Feature {
  readonly name: string;
  /** For whom it is, in words that both folders have. */
  readonly purpose: string;
  readonly sample: Sample;
  /** Others that stacks with it have as well: their rights are in their own files. */
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

const features: readonly Feature[] = [
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
    name: "managed",
    purpose: "`readiness.mode: managed`, on the stack or on one member",
    sample: { each: () => ({ route: { readiness: { mode: "managed" } } }) },
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

/** What a controller has kinds of its own for, as settings have it; nothing where every path takes them. */
function whenOwn(controller: IngressController): string {
  const { door, strip, https } = controllers[controller];
  if (door !== undefined) {
    return "";
  }
  const own = [
    ...(strip === undefined || strip.by === "annotations" ? [] : ["`rewrite: strip`"]),
    ...(https.by === "annotations" ? [] : ["`backendProtocol: HTTPS`"]),
  ];
  return own.length === 0 ? "" : ` with ${own.join(" or ")}`;
}

/** A stack of each kind that there is. */
export const samples = (): Configuration[] => [{}, ...features.map(({ sample }) => sample)].map(configurationOf);

/** The rights that an identity asks of a stack. */
type Needs = (stack: Configuration) => Right[];

/** Those of every stack with an ingress controller. */
export const commonRights = (needs: Needs): Right[] => leastOf(needs(configurationOf({})));

/** The rights that stacks with a feature take besides. */
export interface Optional extends Pick<Feature, "name" | "purpose"> {
  /** Where the controller is. */
  readonly namespace: string;
  readonly rights: readonly Right[];
}

/** What each feature takes beside those, where it takes anything. */
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
