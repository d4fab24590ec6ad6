import type { V1ResourceQuotaSpec } from "@kubernetes/client-node";
import { contentOf, type Found } from "../../cluster/read/snapshot.ts";
import { hasAccess, hasQuota } from "../../config/member/member.ts";
import type { HomeRole, OthersView } from "../../config/member/types.ts";
import { madeAnnotation, protectedLabel } from "../../config/names/labels.ts";
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
} from "../../config/names/names.ts";
import type { Unfit } from "../../objects/declared.ts";
import { limitRange } from "../../objects/limitRange.ts";
import { namespace } from "../../objects/namespace.ts";
import { networkPolicy } from "../../objects/networkPolicy.ts";
import { clusterRoleBinding, roleBinding } from "../../objects/rbac/bindings.ts";
import { role } from "../../objects/rbac/role.ts";
import { resourceQuota } from "../../objects/resourceQuota.ts";
import { managedService } from "../../objects/route/managedService.ts";
import { serviceAccount } from "../../objects/serviceAccount.ts";
import { ignoredStarterFields } from "../../objects/starter/names.ts";
import { withoutTaken } from "../decisions/givenObjects.ts";
import type { ManagedService } from "../decisions/managedService.ts";
import { withImage } from "../decisions/starterPlan.ts";
import { ciRows, staffRows } from "./accessRows.ts";
import { bucketRows } from "./bucketRows.ts";
import { objectParts, objectRows } from "./objectRows.ts";
import { routeRows } from "./routeRows.ts";
import { firstOf, type Made, type MemberFacts, nameOnly, type Row, type There } from "./row.ts";
import { sharedRows } from "./sharedRows.ts";
import { starterRows } from "./starterRows.ts";

/**
 * Everything that a member has, in the order of creation. Guards are made before the key, and are deleted with the
 * namespace, never before it: isolation must not end while pods still run. Keys and routes are deleted by themselves,
 * before everything else: a removed member loses access at once.
 */
export const memberRows: readonly Row<MemberFacts>[] = [
  {
    part: "namespace",
    kind: "Namespace",
    place: "cluster",
    name: ({ member }) => namespaceName(member),
    others: "none",
    // Pulumi never deletes a protected one.
    options: ({ labels }) => (labels[protectedLabel] === "true" ? { protect: true } : {}),
    made: ({ member, settings, starterImage, takenObjects }) =>
      always(() => namespace(withImage(withoutTaken(member, takenObjects), starterImage), settings)),
  },
  {
    part: "limits",
    isGuard: true,
    kind: "LimitRange",
    name: () => limitRangeName,
    made: ({ member, settings }) => always(() => limitRange(member, settings)),
  },
  {
    part: "isolation",
    isGuard: true,
    kind: "NetworkPolicy",
    name: () => networkPolicyName,
    made: ({ member, settings }) => always(() => networkPolicy(member, settings)),
  },
  {
    part: "service-account",
    isGuard: true,
    kind: "ServiceAccount",
    name: () => serviceAccountName,
    // Kubernetes makes it with each namespace.
    oursBy: "always",
    made: ({ member, settings, takenObjects }) =>
      always(() => serviceAccount(withoutTaken(member, takenObjects), settings)),
  },
  {
    part: "quota",
    isGuard: true,
    kind: "ResourceQuota",
    name: () => resourceQuotaName,
    // A type without a quota has one while the member is suspended.
    oursBy: "mark",
    fixedIn: scopes,
    made: ({ member, settings, takenObjects }) =>
      hasQuota(member) ? always(() => resourceQuota(withoutTaken(member, takenObjects), settings)) : [],
  },
  ...bucketRows,
  {
    // A run never deletes it: the pods behind it are the member's, and it goes with the namespace.
    part: "service",
    kind: "Service",
    name: ({ member }) => serviceName(member),
    lifetime: "inNamespace",
    // This run may have to raise the quota first.
    after: (there) => there("quota"),
    is: ({ metadata }) => metadata.annotations?.[madeAnnotation] !== undefined,
    options: ({ annotations, ignored }) => ({
      // In an update, the plugin takes over fields that kubectl wrote, and so removes undeclared ones: the member's other
      // ports, labels and annotations. A replacement in place applies the declared fields only.
      replaceOnChanges: ["*"],
      // Otherwise a replacement, or the end of its declaration, would delete it.
      retainOnDelete: true,
      // A member may delete it at any time. Pulumi's state wouldn't show that, and the path would lead nowhere. The trigger,
      // which only the live Service holds, makes Pulumi recreate it. A Service that the member may change has no trigger,
      // since a replacement would overwrite their changes.
      ...(ignored.length === 0 && annotations[madeAnnotation]
        ? { replacementTrigger: annotations[madeAnnotation] }
        : {}),
    }),
    others: "none",
    replaced: { deleteBeforeReplace: false },
    made: ({ member, service, now = "not yet" }) => {
      if (service?.isIgnored === true) {
        return [
          { build: nameOnly(serviceName(member), member), marked: "none", ignored: ignoredStarterFields.Service },
        ];
      }
      const build = (made: ManagedService) => managedService(member, made, made.annotations[madeAnnotation] ?? now);
      return service === undefined ? [] : [{ build: () => build(service), marked: "none" }];
    },
  },
  ...starterRows(guards),
  ...objectRows(guards),
  {
    // It grants nothing without a binding, so it stays while the member is suspended.
    part: "role/*",
    varies: ({ type }) => [type.home],
    kind: "Role",
    name: (_, home) => roleName(home as HomeRole),
    // All keys come after it, and so after the guards. It records that there was a starter app, and which objects the
    // member was given as their own, so it comes after those: until then, nobody else could change them.
    after: (there) =>
      firstOf(
        [...(there("starter/*").length === 0 ? [] : there("starter/*", "service")), ...there(...objectParts)],
        guards(there),
      ),
    made: ({ member, settings, starter, starterImage, takenObjects }) => [
      {
        vary: member.type.home,
        build: () =>
          role(member, settings, {
            hasStarter: starter?.marks,
            starterImage,
            givenAway: takenObjects?.theirs?.made,
          }),
      },
    ],
  },
  {
    part: "binding/*",
    varies: ({ type }) => [type.home],
    kind: "RoleBinding",
    name: (_, home) => roleName(home as HomeRole),
    lifetime: "inNamespace",
    after: (there, home) => there(`role/${home}`),
    made: ({ member, settings }) => {
      const { home } = member.type;
      const to = { kind: "Role", name: roleName(home) } as const;
      return hasAccess(member) ? [{ vary: home, role: to, build: () => roleBinding(member, settings) }] : [];
    },
  },
  {
    part: "others/*",
    varies: ({ type }) => (type.others === "none" ? [] : [type.others]),
    kind: "ClusterRoleBinding",
    place: "cluster",
    name: ({ member, stack }, view) => clusterRoleBindingName(member, view as OthersView, stack),
    others: "subject",
    after: (there, view) => there("role/*", `access/${view}`),
    made: ({ member, settings }) => {
      const { others } = member.type;
      return !hasAccess(member) || others === "none"
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
  ...staffRows,
  ...ciRows,
  ...routeRows,
];

const always = (build: Made["build"]): Made[] => [{ build }];

const guardParts = [...sharedRows, ...memberRows].filter(({ isGuard }) => isGuard).map(({ part }) => part);

function guards(there: There): string[] {
  return there(...guardParts);
}

/** A quota can't lose its scopes. */
function scopes(live: Found): Unfit | undefined {
  const { spec } = contentOf(live) as { spec?: V1ResourceQuotaSpec };
  return spec?.scopes === undefined && spec?.scopeSelector === undefined ? undefined : { why: "scopes" };
}
