import type { CosiKind } from "../../cluster/kinds/bucketKinds.ts";
import type { ApiObject } from "../../cluster/kinds/liveObject.ts";
import type { ObjectName } from "../../cluster/kinds/objectName.ts";
import type { StackKind } from "../../cluster/kinds/stackKinds.ts";
import type { ClusterSnapshot, Found, Unread } from "../../cluster/read/snapshot.ts";
import type { Member } from "../../config/member/member.ts";
import { namespaceName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import type { Declared, ReplaceOptions, Unfit } from "../../objects/declared.ts";
import type { BucketsPlan } from "../decisions/bucketsPlan.ts";
import type { TakenObjects } from "../decisions/givenObjects.ts";
import type { ManagedService } from "../decisions/managedService.ts";
import type { StarterPlan } from "../decisions/starterPlan.ts";
import type { Marked } from "../live/classify.ts";
import type { OursBy } from "../live/owner.ts";

export interface MemberFacts {
  readonly member: Member;
  readonly settings: Settings;
  /** Those that serve the path. Default: all of the settings. */
  readonly servers?: readonly Settings[] | undefined;
  readonly service?: ManagedService | undefined;
  readonly starter?: StarterPlan | undefined;
  /** Image that a `starter: once` app was made with, and keeps. */
  readonly starterImage?: string | undefined;
  /** Objects of buckets that the run leaves unchanged, or leaves out. Default: none. */
  readonly buckets?: Pick<BucketsPlan, "left" | "leftOut"> | undefined;
  /** Their `objects` whose names are taken. Default: none. */
  readonly takenObjects?: TakenObjects | undefined;
  /** Live objects that decide how a starter app's pods are replaced. Default: none. */
  readonly rolling?: ClusterSnapshot["managedObjects"] | undefined;
  /** Kinds that could not be read, of which the run leaves alone what is there. Default: none. */
  readonly unread?: Unread | undefined;
  /** Time of creation for a Service that is made now. Default: it is not made yet. */
  readonly now?: string | undefined;
}

export type PlannedKind = StackKind | CosiKind;

/** With the member's namespace; by itself, with the namespace's name as an input; or independently of it. */
export type Lifetime = "withNamespace" | "inNamespace" | "own";

export type Place = "home" | "controller" | "gateway" | "cluster";

export const placeOf = ({ place = "home" }: Pick<Row<never>, "place">): Place => place;
export const lifetimeOf = (row: Pick<Row<never>, "place" | "lifetime">): Lifetime =>
  row.lifetime ?? (placeOf(row) === "home" ? "withNamespace" : "own");

export interface Optioned {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly ignored: readonly string[];
}

/** As Pulumi's state keeps them. */
export interface KeptOptions {
  readonly protect?: true;
  readonly retainOnDelete?: true;
  readonly replaceOnChanges?: string[];
  readonly replacementTrigger?: string;
  readonly ignoreChanges?: string[];
}

export interface Made {
  /** Value of the `*` in the row's part. */
  readonly vary?: string;
  /** Called when first needed: most questions are about names. */
  readonly build: () => Declared;
  /** Its kind, in a row of several. Default: the row's. */
  readonly kind?: PlannedKind;
  readonly apiVersion?: string;
  /** Fields that a run leaves unchanged. Default: none. */
  readonly ignored?: readonly string[];
  readonly marked?: Marked;
  readonly role?: { readonly kind: "ClusterRole" | "Role"; readonly name: string };
}

export interface Named {
  readonly member: Pick<Member, "name">;
  readonly stack: Pick<Settings, "stack">;
}

/** Parts before this one that exist and fit a pattern: `starter/*` is all of a starter app, `quota` that part alone. */
export type There = (...patterns: readonly string[]) => string[];

/** The parts that exist, which come after the others themselves; Pulumi's state is smaller without those. */
export const firstOf = (parts: string[], others: string[]): string[] => (parts.length > 0 ? parts : others);

export interface Row<Facts> {
  /** Such as `limits` in `bob/limits`; never changes once released. `*` stands for what varies between objects. */
  readonly part: string;
  /** `anyCustomKind` if each object says its own. */
  readonly kind: PlannedKind;
  readonly place?: Place;
  readonly name: (of: Named, vary: string) => string;
  /** Default: `withNamespace` at home, `own` elsewhere. */
  readonly lifetime?: Lifetime;
  /** Whether it is in force before a member has a key. */
  readonly isGuard?: true;
  /** All values of `*` that a member can have, whatever is decided. Default: none, as there is no `*`. */
  readonly varies?: (member: Member) => readonly string[];
  /** Kind of one of several. Default: the row's. */
  readonly kindOf?: (member: Member, vary: string) => PlannedKind;
  /** Parts that it is created after and deleted before, besides its namespace. Default: none. */
  readonly after?: (there: There, vary: string) => string[];
  /** Whether a live object belongs to this row rather than another of its kind and place. Default: its name decides. */
  readonly is?: (live: ApiObject) => boolean;
  /** How a live object at home is identified as the stack's. Default: by its place. */
  readonly oursBy?: OursBy;
  /** For an object to take over: why it can't become as declared. Default: it can. */
  readonly fixedIn?: (live: Found, settings: Settings) => Unfit | undefined;
  /**
   * Other objects of the kind that still guard or open something for a member with `adopt`: those with their name in the
   * same place or a label with it, those that name them as a subject, or none. Default: all in their namespace.
   */
  readonly others?: "named" | "subject" | "none";
  /** Beside the controller: only those who can change the controller can change it, so it isn't checked. */
  readonly isControllers?: true;
  readonly options?: (of: Optioned) => KeptOptions;
  /** How it is replaced. Default: as Pulumi does, and at once if the member has deleted it. */
  readonly replaced?: ReplaceOptions;
  readonly made: (facts: Facts) => readonly Made[];
}

export interface PlannedObject {
  readonly part: string;
  readonly apiVersion: string;
  readonly kind: PlannedKind;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly isDeletable: boolean;
  readonly ignored: readonly string[];
  readonly marked: Marked;
  readonly role: Made["role"];
  readonly lifetime: Lifetime;
  readonly oursBy: OursBy | undefined;
  readonly fixedIn: Row<never>["fixedIn"];
  readonly isControllers: boolean;
  readonly replaced: ReplaceOptions | undefined;
  readonly args: Declared;
}

/** An object that the program reads, and so can compare. It doesn't read requests to a driver of buckets. */
export type ReadObject = PlannedObject & ObjectName;

/** Declares only the name of an object left unchanged: nothing is written even if Pulumi's state lacks the object. */
export const nameOnly = (name: string, member: Pick<Member, "name">) => (): Declared =>
  ({ metadata: { name, namespace: namespaceName(member) } }) as Declared;
