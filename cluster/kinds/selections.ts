import type { Member, Settings } from "../../config/model/settings.ts";
import { bucketLabel } from "../../naming/labels.ts";
import { backendCaSecretName, type HomeName, homeNames, serviceAccountName } from "../../naming/names.ts";
import { bucketObjectNames } from "./bucketKinds.ts";
import type { StackKindEntry } from "./stackKinds.ts";

/** A stack, as far as it decides which objects matter. */
export interface Concerned {
  readonly settings: Pick<Settings, "stack" | "route" | "storage">;
  readonly members: readonly Pick<Member, "name" | "starter" | "buckets">[];
}

type Condition = (stack: Concerned, kind: string, entry: StackKindEntry) => boolean;

/** Objects of one kind that may matter to a stack: all there are, not just those with our labels, which somebody may take off. */
export interface Selection {
  /** Whether they do; where not, they are not asked for. Default: always. */
  readonly when?: Condition;
  /** Whether only those beside the ingress controller. Default: wherever they are. */
  readonly isBesideController?: true;
  /** The only name that they have: a cluster is full of others. Default: any. */
  readonly name?: (settings: Pick<Settings, "stack">) => string;
  /** Which of them are kept, by `namespace/name` and labels, where no selector can say it. Default: all. */
  readonly isMeant?: (stack: Concerned) => (key: string, labels?: Readonly<Record<string, string>>) => boolean;
  /** Whether names, labels and times are enough. */
  readonly metadataOnly?: true;
  /** Whether they hold keys, which are nobody's to read: a rebuilt state does without them. */
  readonly holdsKeys?: true;
  /** What the watch follows of them: all, those with the stack's label, or none. */
  readonly followed: "all" | "own" | "none";
  /** Whether it does. Default: whenever they matter. */
  readonly followedWhen?: Condition;
}

const isRouted: Condition = ({ settings }, _, entry) => entry.isOfRoute?.(settings.route) === true;

export const namespaces: Selection = { metadataOnly: true, followed: "all" };
export const services: Selection = { followed: "all" };

export const everywhere: Selection = { followed: "own" };

/** One in each namespace, of which members have others. */
export const serviceAccounts: Selection = { name: () => serviceAccountName, followed: "own" };

/** What routes refer to; other clusters need not know these kinds. */
export const ofRoutes: Selection = { when: isRouted, followed: "own" };
export const besideController: Selection = { when: isRouted, isBesideController: true, followed: "own" };

/** What opens a path: others' may have a member's address. */
export const doors: Selection = { when: isRouted, followed: "all" };
/** Also where routes are others now: those of before are beside a controller still. */
export const doorsBesideController: Selection = { isBesideController: true, followed: "all", followedWhen: isRouted };

const hasStarter: Condition = ({ members }) => members.some(({ starter }) => starter !== undefined);
const comesWith: Readonly<Record<NonNullable<HomeName["comesWith"]>, Condition>> = {
  route: isRouted,
  starter: hasStarter,
};

/** Of what members make others of at home. Whose these are matters too: what is somebody else's keeps ours from being made. */
export const atHome = (kind: HomeName["kind"]): Selection[] =>
  homeNames
    .filter((each) => each.kind === kind)
    .map(({ name, comesWith: what }) => ({
      ...(what === undefined ? {} : { when: comesWith[what] }),
      name: () => name,
      followed: "all",
    }));

/** Whether Ingresses refer to a Secret with the CA of members' Services. */
const hasBackendCaSecret = ({ route }: Pick<Settings, "route">): boolean =>
  route.kind === "ingress" && route.backend.protocol === "HTTPS" && route.backend.ca !== undefined;

/** It stays unwatched, since it is nobody's to change but those who could change the controller itself. */
export const caSecret: Selection = {
  when: ({ settings }) => hasBackendCaSecret(settings),
  isBesideController: true,
  name: backendCaSecretName,
  followed: "none",
};

const bucketObjects = ({ settings, members }: Concerned) =>
  members.flatMap((member) => bucketObjectNames(member, settings));

/**
 * What stands in members' namespaces for their buckets, and what did for buckets that they have no more: metadata alone, so
 * that no key of anybody's is ever asked for. Each has a name of its own, and no selector takes so many.
 */
export const ofBuckets: Selection = {
  when: (stack, kind) => bucketObjects(stack).some((object) => object.kind === kind),
  isMeant: (stack) => {
    const objects = bucketObjects(stack);
    const keys = new Set(objects.map(({ namespace, name }) => `${namespace}/${name}`));
    const homes = new Set(objects.map(({ namespace }) => namespace));
    return (key, labels = {}) => keys.has(key) || (bucketLabel in labels && homes.has(key.split("/")[0] ?? ""));
  },
  metadataOnly: true,
  holdsKeys: true,
  followed: "all",
};
