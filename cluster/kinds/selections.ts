import type { Member } from "../../config/member/member.ts";
import { bucketLabel, objectLabel } from "../../config/names/labels.ts";
import {
  backendCaSecretName,
  ciAccountName,
  type HomeName,
  homeNames,
  namespaceName,
  serviceAccountName,
} from "../../config/names/names.ts";
import { type RouteServer, serversOf } from "../../config/route/route.ts";
import type { Settings } from "../../config/settings.ts";
import { defined } from "../../config/values/maps.ts";
import { bucketObjectNames } from "./bucketKinds.ts";

export interface Concerned {
  readonly settings: Pick<Settings, "stack" | "route" | "storage" | "confinement" | "objects" | "objectKinds" | "ci">;
  readonly members: readonly Pick<Member, "name" | "starter" | "buckets" | "objects" | "schedule">[];
  readonly mutates?: boolean | undefined;
}

/** Whether members' routes consist of a kind. @param path the member's; default: any path of the stack's routes */
export type IsOfRoute = (route: RouteServer, path?: string) => boolean;

type Condition = (stack: Concerned, kind: string, entry: { readonly isOfRoute?: IsOfRoute }) => boolean;

/** Objects of one kind that may matter to a stack: all that exist, even without our labels, which anyone may remove. */
export interface Selection {
  /** Whether they matter; otherwise they are not read. Default: always. */
  readonly when?: Condition;
  /** Whether to read only the ingress controller's namespace. Default: all namespaces. */
  readonly isBesideController?: true;
  /** The only names to read, each in a list of its own; a cluster may have many others. Default: any. */
  readonly names?: (settings: Pick<Settings, "stack" | "objects">) => readonly string[];
  readonly label?: string;
  /** Filter by `namespace/name` and labels, where no selector can express it. Default: all. */
  readonly isMeant?: (stack: Concerned) => (key: string, labels?: Readonly<Record<string, string>>) => boolean;
  readonly what?: string;
  readonly metadataOnly?: true;
  /** Objects that the watch follows: all, those with the stack's label, or none. */
  readonly followed: "all" | "own" | "none";
  /** Whether the watch follows them. Default: whenever they matter. */
  readonly followedWhen?: Condition;
}

const isRouted: Condition = ({ settings }, _, entry) =>
  serversOf(settings).some(({ route }) => entry.isOfRoute?.(route) === true);

export const namespaces: Selection = { metadataOnly: true, followed: "all" };
export const services: Selection = { followed: "all" };

export const everywhere: Selection = { followed: "own" };

export const fillIns: Selection = {
  when: ({ settings, mutates }) => mutates === true && settings.confinement?.fillsIn === true,
  followed: "own",
};

/** Kubernetes creates one in each namespace; members may have others. */
export const serviceAccounts: Selection = { names: () => [serviceAccountName], followed: "own" };

export const ciAccounts: Selection = {
  when: ({ settings }) => settings.ci !== undefined,
  names: () => [ciAccountName],
  followed: "own",
};

/** Objects that routes refer to; other clusters may lack these kinds. */
export const ofRoutes: Selection = { when: isRouted, followed: "own" };

/** Objects that open a path, of anyone: they may hold a member's address. */
export const doors: Selection = { when: isRouted, followed: "all" };
/** Of a kind that every cluster has: read even if the stack uses other routes now, since former ones may be there. */
export const doorsAlways: Selection = { followed: "all", followedWhen: isRouted };

const hasStarter: Condition = ({ members }) => members.some(({ starter }) => starter !== undefined);
const comesWith: Readonly<Record<NonNullable<HomeName["comesWith"]>, Condition>> = {
  route: isRouted,
  starter: hasStarter,
  wakeFor: ({ members }) => members.some(({ schedule }) => schedule?.ownWakes !== undefined),
};

/** Of kinds that members also create. Those of others are read too: one of the same name prevents ours. */
export const atHome = (kind: HomeName["kind"]): Selection[] =>
  homeNames
    .filter((each) => each.kind === kind)
    .map(({ name, comesWith: what, isTheirs: metadataOnly }) => ({
      ...(what === undefined ? {} : { when: comesWith[what] }),
      ...defined({ metadataOnly }),
      names: () => [name],
      followed: "all",
    }));

const hasBackendCaSecret = (settings: Pick<Settings, "route">): boolean =>
  serversOf(settings).some(
    ({ route }) => route.kind === "ingress" && route.backend.protocol === "HTTPS" && route.backend.ca !== undefined,
  );

/** The CA of members' Services. It is not watched: only those who can change the controller itself can change it. */
export const caSecret: Selection = {
  when: ({ settings }) => hasBackendCaSecret(settings),
  isBesideController: true,
  names: (settings) => [backendCaSecretName(settings)],
  followed: "none",
};

const bucketObjects = ({ settings, members }: Concerned) =>
  members.flatMap((member) => bucketObjectNames(member, settings));

/** For members' buckets, present and former: metadata alone, so that no key is ever read. No selector takes so many names. */
export const ofBuckets: Selection = {
  when: (stack, kind) => bucketObjects(stack).some((object) => object.kind === kind),
  isMeant: (stack) => {
    const objects = bucketObjects(stack);
    const keys = new Set(objects.map(({ namespace, name }) => `${namespace}/${name}`));
    const homes = new Set(objects.map(({ namespace }) => namespace));
    return (key, labels = {}) => keys.has(key) || (bucketLabel in labels && homes.has(key.split("/")[0] ?? ""));
  },
  what: "of buckets",
  metadataOnly: true,
  followed: "all",
};

const isGivenKind: Condition = ({ settings: { objects = [] } }, kind) =>
  objects.some(({ manifests }) => manifests.some((manifest) => manifest.kind === kind));

const givenKeys = ({ members }: Concerned) =>
  new Set(members.flatMap((member) => (member.objects ?? []).map(({ name }) => `${namespaceName(member)}/${name}`)));

/** Objects in members' namespaces that `objects` gives them, present and former. */
const labelledObjects: Selection = {
  when: isGivenKind,
  label: objectLabel,
  isMeant: ({ members }) => {
    const homes = new Set(members.map(namespaceName));
    return (key) => homes.has(key.split("/")[0] ?? "");
  },
  what: "of objects",
  followed: "all",
};

/** Objects of others with the name of one that a member is given: runs leave those alone, and read none of their content. */
const inTheWay: Selection = {
  when: isGivenKind,
  isMeant: (stack) => {
    const keys = givenKeys(stack);
    return (key, labels = {}) => keys.has(key) && !(objectLabel in labels);
  },
  what: "with names of objects",
  metadataOnly: true,
  followed: "all",
};

export const ofObjects: readonly Selection[] = [inTheWay, labelledObjects];

/** Copies of Secrets, and others with such a name: by their names, so that RBAC can limit the right to these. */
export const copiedSecrets: Selection = {
  when: isGivenKind,
  names: ({ objects = [] }) => [
    ...new Set(
      objects.flatMap(({ manifests }) => manifests.flatMap(({ kind, name }) => (kind === "Secret" ? [name] : []))),
    ),
  ],
  isMeant: (stack) => {
    const keys = givenKeys(stack);
    return (key) => keys.has(key);
  },
  what: "of objects",
  metadataOnly: true,
  followed: "all",
};
