import { usesClaims } from "../../config/member/confinement.ts";
import { hasAccess, type Member } from "../../config/member/member.ts";
import type { HomeRole } from "../../config/member/types.ts";
import {
  entryAnnotation,
  givenAwayAnnotation,
  starterAnnotation,
  starterImageAnnotation,
  suspendedSubjectsAnnotation,
} from "../../config/names/labels.ts";
import { roleName } from "../../config/names/names.ts";
import { customResource } from "../../config/objects/objectKinds.ts";
import { serversOf } from "../../config/route/route.ts";
import type { Settings } from "../../config/settings.ts";
import { annotation, type Fields, list, ownAnnotations } from "../field.ts";
import { metadataOf } from "../metadata.ts";
import { driverOf } from "../route/drivers/drivers.ts";
import { ciSubjects, subjects, subjectText, userNames } from "./subjects.ts";

const read = ["get", "list", "watch"];
const write = ["create", "update", "patch", "delete", "deletecollection"];
const all = [...read, ...write];

/**
 * Guards, and objects that only the platform and controllers write: visible, so that errors explain themselves. With
 * PodDisruptionBudgets, because a member's own could keep every node with a pod of theirs from being drained.
 */
const guardRails = [
  {
    apiGroups: [""],
    resources: ["endpoints", "events", "limitranges", "resourcequotas", "serviceaccounts"],
    verbs: read,
  },
  // In a Role, this covers its own namespace only. Its annotations say which images are allowed.
  { apiGroups: [""], resources: ["namespaces"], verbs: ["get"] },
  // Read by `kubectl rollout history` and `undo`.
  { apiGroups: ["apps"], resources: ["controllerrevisions"], verbs: read },
  { apiGroups: ["discovery.k8s.io"], resources: ["endpointslices"], verbs: read },
  { apiGroups: ["networking.k8s.io"], resources: ["ingresses", "networkpolicies"], verbs: read },
  { apiGroups: ["policy"], resources: ["poddisruptionbudgets"], verbs: read },
  { apiGroups: ["rbac.authorization.k8s.io"], resources: ["rolebindings", "roles"], verbs: read },
];

/** Also what a Role for staff has, so that nobody abroad sees more than a member with `home: view`. */
const rules = {
  edit: [
    { apiGroups: [""], resources: ["configmaps", "persistentvolumeclaims", "pods", "secrets", "services"], verbs: all },
    { apiGroups: ["apps"], resources: ["daemonsets", "deployments", "replicasets", "statefulsets"], verbs: all },
    { apiGroups: ["autoscaling"], resources: ["horizontalpodautoscalers"], verbs: all },
    { apiGroups: ["batch"], resources: ["cronjobs", "jobs"], verbs: all },
    { apiGroups: [""], resources: ["pods/log"], verbs: read },
    { apiGroups: [""], resources: ["pods/attach", "pods/exec", "pods/portforward"], verbs: ["get", "create"] },
    { apiGroups: [""], resources: ["pods/ephemeralcontainers", "pods/resize"], verbs: ["get", "patch", "update"] },
    { apiGroups: [""], resources: ["pods/eviction"], verbs: ["create"] },
    {
      apiGroups: ["apps"],
      resources: ["deployments/scale", "replicasets/scale", "statefulsets/scale"],
      verbs: ["get", "patch", "update"],
    },
    ...guardRails,
  ],
  view: [
    { apiGroups: [""], resources: ["configmaps", "persistentvolumeclaims", "pods", "services"], verbs: read },
    { apiGroups: ["apps"], resources: ["daemonsets", "deployments", "replicasets", "statefulsets"], verbs: read },
    { apiGroups: ["autoscaling"], resources: ["horizontalpodautoscalers"], verbs: read },
    { apiGroups: ["batch"], resources: ["cronjobs", "jobs"], verbs: read },
    { apiGroups: [""], resources: ["pods/log"], verbs: read },
    ...guardRails,
  ],
} satisfies Record<HomeRole, object[]>;

/** Rule for claims to DRA devices, for members of types that have some. */
const claims = { apiGroups: ["resource.k8s.io"], resources: ["resourceclaims", "resourceclaimtemplates"] };

/** Resources that a stack's members make themselves, and nobody for them. */
export const madeByMembers = ({
  confinement,
}: Pick<Settings, "confinement">): readonly {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
}[] => [
  ...rules.edit.filter(({ verbs }) => verbs === all).map(({ apiGroups, resources }) => ({ apiGroups, resources })),
  ...(confinement?.devices?.claims === true ? [claims] : []),
];

const subjectLines = (member: Member) =>
  [...subjects(member), ...ciSubjects(member)].map(({ kind, name }) => `${kind} ${name}`).join("\n");

export const subjectsOfLines = (value: unknown): readonly { readonly kind: string; readonly name: string }[] =>
  typeof value !== "string"
    ? []
    : value.split("\n").flatMap((line) => {
        const [, kind, name] = /^(\S+) (.+)$/.exec(line) ?? [];
        return kind === undefined || name === undefined ? [] : [{ kind, name }];
      });

/** Suffix for changes that take effect when a suspension or expiry ends. */
export const onceActive = "once they are active again";
export const openedLater = `${userNames}, ${onceActive}`;

export const rulesFields: Fields = {
  rules: list("rights", ({ apiGroups, resources, verbs, ...rest }) => {
    const isPlain = Array.isArray(resources) && Array.isArray(verbs) && Object.keys(rest).length === 0;
    return isPlain ? `${verbs.join(",")} ${resources.join(",")} (${String(apiGroups)})`.replace(" ()", "") : undefined;
  }),
};

export const roleFields: Fields = {
  ...rulesFields,
  [annotation(suspendedSubjectsAnnotation)]: { what: openedLater, list: subjectsOfLines, entry: subjectText },
  ...ownAnnotations(entryAnnotation, givenAwayAnnotation, starterAnnotation, starterImageAnnotation),
};

/** All that a member's role can let somebody write, of Kubernetes' own kinds; also what a Role for staff can. */
export const writableAtHome = [...rules.edit.filter(({ verbs }) => verbs.some((verb) => !read.includes(verb))), claims];

/** What was made for a member, by this run or earlier, and became theirs: annotations of their role record it. */
interface Made {
  readonly hasStarter?: boolean | undefined;
  /** Image that a `once` starter app was made with. */
  readonly starterImage?: string | undefined;
  /** Objects that they were given as their own, such as `configmaps/course`. Default: none. */
  readonly givenAway?: readonly string[] | undefined;
}

/** To run things at home or look at them, never to change guards. Explicit, without wildcards. */
export function role(member: Member, settings: Settings, { hasStarter, starterImage, givenAway = [] }: Made = {}) {
  return {
    metadata: metadataOf(roleName(member.type.home), member, settings, {
      annotations: {
        ...(hasStarter === true ? { [starterAnnotation]: "made" } : {}),
        ...(starterImage === undefined ? {} : { [starterImageAnnotation]: starterImage }),
        ...(givenAway.length === 0 ? {} : { [givenAwayAnnotation]: givenAway.join(",") }),
        ...(member.entry === undefined ? {} : { [entryAnnotation]: member.entry }),
        // Without a binding, nothing else would show in a preview who gets access when the suspension ends.
        ...(hasAccess(member) ? {} : { [suspendedSubjectsAnnotation]: subjectLines(member) }),
      },
    }),
    rules: homeRules(member.type.home, member, settings),
  };
}

/** Rules of a role in a member's namespace: the member's own, or that of others who look after it. */
export const homeRules = (home: HomeRole, { type }: Pick<Member, "type">, settings: Settings) => [
  ...rules[home],
  ...(usesClaims(type) ? [{ ...claims, verbs: home === "edit" ? all : read }] : []),
  ...ownRoutes(settings),
  ...ofCustomKinds(home, settings),
];

/** Members see the custom kinds that they may be given. */
const ofCustomKinds = (home: HomeRole, { objectKinds = [] }: Pick<Settings, "objectKinds">) =>
  objectKinds.map((each) => ({
    ...customResource(each),
    verbs: home === "edit" && each.isEditable ? all : read,
  }));

const ownRoutes = (settings: Settings) =>
  serversOf(settings)
    .flatMap((server) => driverOf(server).visible ?? [])
    .map(({ apiGroups, own }) => ({ apiGroups, resources: own, verbs: read }));
