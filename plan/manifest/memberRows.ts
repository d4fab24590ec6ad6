import { isCosiKind } from "../../cluster/kinds/cosi.ts";
import type { ObjectName } from "../../cluster/read/snapshot.ts";
import { hasQuota } from "../../config/model/memberTypes.ts";
import type { HomeRole, Member, MemberBucket, OthersView, PlannedRoute } from "../../config/model/settings.ts";
import { bucketLabel, madeAnnotation } from "../../naming/labels.ts";
import type { BucketPart } from "../../naming/logicalNames.ts";
import {
  clusterRoleBindingName,
  clusterRoleName,
  limitRangeName,
  namespaceName,
  networkPolicyName,
  resourceQuotaName,
  roleName,
  serviceAccountName,
  serviceName,
  starterName,
  starterPagesName,
} from "../../naming/names.ts";
import type { Declared } from "../compare/difference.ts";
import { leftBucketFields } from "../decisions/buckets/names.ts";
import type { ManagedService } from "../decisions/managedService.ts";
import { withImage } from "../decisions/starter/image.ts";
import { leftStarterFields, type StarterKind } from "../decisions/starter/names.ts";
import type { BucketObject } from "../objects/buckets/bucketObject.ts";
import { bucketObjects } from "../objects/buckets/bucketObjects.ts";
import { clusterRoleBinding } from "../objects/clusterRoleBinding.ts";
import { limitRange } from "../objects/limitRange.ts";
import { namespace } from "../objects/namespace.ts";
import { networkPolicy } from "../objects/networkPolicy.ts";
import { resourceQuota } from "../objects/resourceQuota.ts";
import { role } from "../objects/role.ts";
import { roleBinding } from "../objects/roleBinding.ts";
import { managedService } from "../objects/route/managedService.ts";
import { serviceAccount } from "../objects/serviceAccount.ts";
import { starterObjects } from "../objects/starter/starterObjects.ts";
import type { RoutePart } from "../routes/drivers/driver.ts";
import { partsOf, routeParts } from "../routes/drivers/drivers.ts";
import type { Made, MemberFacts, PlannedKind, Row, There } from "./row.ts";
import { sharedRows } from "./sharedRows.ts";

type MemberRow = Row<MemberFacts>;

/**
 * Everything that a member has, in the order in which it is made. A new object for every member is a builder, a row here, and
 * its test.
 *
 * What guards a member is made before the key, and goes with the namespace, never before it: isolation must not end while pods
 * still run. Keys and routes are deleted by themselves, before everything else: whoever leaves loses access at once, not
 * whenever the namespace has finished deleting.
 */
export const memberRows: readonly MemberRow[] = [
  {
    part: "namespace",
    kind: "Namespace",
    place: "cluster",
    name: ({ member }) => namespaceName(member),
    lifetime: "own",
    made: ({ member, settings, starterImage }) => always(() => namespace(withImage(member, starterImage), settings)),
  },
  {
    part: "limits",
    isGuard: true,
    kind: "LimitRange",
    place: "home",
    name: () => limitRangeName,
    lifetime: "withNamespace",
    made: ({ member, settings }) => always(() => limitRange(member, settings)),
  },
  {
    part: "isolation",
    isGuard: true,
    kind: "NetworkPolicy",
    place: "home",
    name: () => networkPolicyName,
    lifetime: "withNamespace",
    made: ({ member, settings }) => always(() => networkPolicy(member, settings)),
  },
  {
    part: "service-account",
    isGuard: true,
    kind: "ServiceAccount",
    place: "home",
    name: () => serviceAccountName,
    lifetime: "withNamespace",
    made: ({ member, settings }) => always(() => serviceAccount(member, settings)),
  },
  {
    part: "quota",
    isGuard: true,
    kind: "ResourceQuota",
    place: "home",
    name: () => resourceQuotaName,
    lifetime: "withNamespace",
    made: ({ member, settings }) => (hasQuota(member) ? always(() => resourceQuota(member, settings)) : []),
  },
  ofBuckets("secret", "Secret"),
  ofBuckets("config", "ConfigMap"),
  ofBuckets("claim", "BucketClaim"),
  ofBuckets("access", "BucketAccess"),
  {
    // Never deleted by a run, whatever the settings become: what is behind it is the member's, and it goes with the namespace.
    part: "service",
    kind: "Service",
    place: "home",
    name: ({ member }) => serviceName(member),
    lifetime: "inNamespace",
    // A quota that this run raises may be what makes room for it.
    after: (there) => there("quota"),
    is: ({ metadata }) => metadata.annotations?.[madeAnnotation] !== undefined,
    made: ({ member, service, now = "not yet" }) => {
      if (service?.isLeft === true) {
        return [{ build: nameOnly(serviceName(member), member), marked: "none", left: leftStarterFields.Service }];
      }
      const build = (made: ManagedService) => managedService(member, made, made.annotations[madeAnnotation] ?? now);
      return service === undefined ? [] : [{ build: () => build(service), marked: "none" }];
    },
  },
  {
    part: "starter/pages",
    kind: "ConfigMap",
    place: "home",
    name: () => starterPagesName,
    lifetime: "withNamespace",
    // What guards the member guards these pods as well.
    after: guards,
    made: (facts) => ofStarter("ConfigMap", facts),
  },
  {
    part: "starter/deployment",
    kind: "Deployment",
    place: "home",
    name: () => starterName,
    lifetime: "withNamespace",
    after: (there) => [...guards(there), ...there("starter/pages")],
    made: (facts) => ofStarter("Deployment", facts),
  },
  {
    // Nobody's until somebody is bound to it, so that it stays while the member is suspended.
    part: "role/*",
    varies: ({ type }) => [type.home],
    kind: "Role",
    place: "home",
    name: (_, home) => roleName(home as HomeRole),
    lifetime: "withNamespace",
    // It says whether there has been a starter app, and so comes after all of it: before that, nobody else could have touched it.
    after: (there) => (there("starter/*").length === 0 ? [] : there("starter/*", "service")),
    made: ({ member, settings, starter, starterImage }) => [
      { vary: member.type.home, build: () => role(member, settings, starter?.marks, starterImage) },
    ],
  },
  {
    part: "binding/*",
    varies: ({ type }) => [type.home],
    kind: "RoleBinding",
    place: "home",
    name: (_, home) => roleName(home as HomeRole),
    lifetime: "inNamespace",
    after: (there, home) => [...guards(there), ...there(`role/${home}`)],
    made: ({ member, settings }) => {
      const { home } = member.type;
      const to = { kind: "Role", name: roleName(home) } as const;
      return member.standing === "active" ? [{ vary: home, role: to, build: () => roleBinding(member, settings) }] : [];
    },
  },
  {
    part: "others/*",
    varies: ({ type }) => (type.others === "none" ? [] : [type.others]),
    kind: "ClusterRoleBinding",
    place: "cluster",
    name: ({ member, stack }, view) => clusterRoleBindingName(member, view as OthersView, stack),
    lifetime: "own",
    after: (there, view) => [...guards(there), ...there(`access/${view}`)],
    made: ({ member, settings }) => {
      const { others } = member.type;
      return member.standing !== "active" || others === "none"
        ? []
        : [
            {
              vary: others,
              role: { kind: "ClusterRole", name: clusterRoleName(others, settings) },
              build: () => clusterRoleBinding(member, others, settings),
            },
          ];
    },
  },
  ...routeParts.map(ofRoute),
];

const always = (build: Made["build"]): Made[] => [{ build }];

/** Of what is left, no more is said: should Pulumi's state not have it, nothing of it would be written all the same. */
const nameOnly = (name: string, member: Member) => (): Declared =>
  ({ metadata: { name, namespace: namespaceName(member) } }) as Declared;

/** All that is in force before a member has a key. */
function guards(there: There): string[] {
  return there(...[...sharedRows, ...memberRows].filter(({ isGuard }) => isGuard).map(({ part }) => part));
}

/** What says in the namespace how each of the member's buckets is reached, or asks for it. */
function ofBuckets(part: BucketPart, kind: BucketObject["kind"]): MemberRow {
  return {
    part: `bucket/*/${part}`,
    varies: ({ buckets = [] }) => buckets.map(({ name }) => name),
    kind,
    place: "home",
    name: (_, bucket) => bucket,
    lifetime: "withNamespace",
    // After the bucket, or what asks for it; and after whose keys these are, also where nothing is said of them.
    after: (there, bucket) => [
      ...there(`bucket/${bucket}`, ...(part === "access" ? [`bucket/${bucket}/claim`] : [])),
      ...(part === "secret" ? there("bucket-user") : []),
    ],
    is: ({ metadata }) => metadata.labels?.[bucketLabel] === metadata.name,
    made: (facts) => (facts.member.buckets ?? []).flatMap((bucket) => ofBucket(facts, bucket, part)),
  };
}

function ofBucket({ member, settings, buckets }: MemberFacts, bucket: MemberBucket, part: BucketPart): Made[] {
  const isAmong = (objects: readonly ObjectName[] = [], kind: PlannedKind) =>
    objects.some((object) => object.kind === kind && object.name === bucket.name);
  return bucketObjects(member, bucket, settings)
    .filter((object) => object.part === part && !isAmong(buckets?.leftOut, object.kind))
    .map(({ part: _, apiVersion, kind, ...args }): Made => {
      const made = { vary: bucket.name, apiVersion, build: () => args };
      if (isCosiKind(kind)) {
        return { ...made, marked: "none" };
      }
      return isAmong(buckets?.left, kind)
        ? { ...made, build: nameOnly(bucket.name, member), marked: "none", left: leftBucketFields[kind] }
        : { ...made, marked: "metadata" };
    });
}

/** What is made of a starter app, or registered as it stands. */
function ofStarter(kind: StarterKind, { member, settings, starter, managedObjects = new Map() }: MemberFacts): Made[] {
  const objects = starter === undefined ? [] : starterObjects(member, starter, settings, managedObjects);
  return objects
    .filter((object) => object.kind === kind)
    .map(({ build, left, stays }) => ({ build, left, marked: stays ? "none" : "whole" }));
}

/** One of what a member's open route is made of: each after the one before it, and the first after what any of them refers to. */
function ofRoute({ part, kind, place, name, is }: RoutePart): MemberRow {
  return {
    part: `route/${part}`,
    kind,
    place,
    name: ({ member }) => name(member),
    // Most of it is in another namespace, where Pulumi's state is what finds it.
    lifetime: "own",
    after: (there) => {
      const before = there("route/*");
      return before.length === 0 ? there("namespace", "service", "access/backend-ca") : before.slice(-1);
    },
    ...(is === undefined ? {} : { is }),
    made: ({ member, settings, isOpen }) => {
      const needed = isOpen ? partsOf(settings, member.route?.path) : [];
      return needed
        .filter((each) => each.part === part)
        .map(({ build }) => ({
          // Of one who is to have no route, nobody asks for more than the names that it would have.
          build: () => build(member, member.route as PlannedRoute, settings),
          // Of the Services beside an ingress controller no run marks what it has applied.
          marked: kind === "Service" ? "named" : "whole",
        }));
    },
  };
}
