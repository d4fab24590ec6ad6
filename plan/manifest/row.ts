import type { CosiKind } from "../../cluster/kinds/cosi.ts";
import type { ApiObject } from "../../cluster/kinds/liveObject.ts";
import type { StackKind } from "../../cluster/kinds/stackKinds.ts";
import type { ClusterSnapshot, Found, ObjectName } from "../../cluster/read/snapshot.ts";
import type { Member, Settings } from "../../config/model/settings.ts";
import type { OursBy } from "../compare/foreign.ts";
import type { BucketsPlan } from "../decisions/buckets/plan.ts";
import type { ManagedService } from "../decisions/managedService.ts";
import type { StarterPlan } from "../decisions/starter/plan.ts";
import type { Unfit } from "../messages/refusalFacts.ts";
import type { Declared, ReplaceOptions } from "../objects/declared.ts";

/** What has been decided about a member by the time that their objects are listed. */
export interface MemberFacts {
  readonly member: Member;
  readonly settings: Settings;
  /** The Service that the path leads to; undefined where the member makes it. */
  readonly service?: ManagedService | undefined;
  /** What the run does about their starter app; undefined for who is to have none. */
  readonly starter?: StarterPlan | undefined;
  /** What that was made once with, and keeps. */
  readonly starterImage?: string | undefined;
  /** What the run does about what buckets come with. Default: it makes all of it. */
  readonly buckets?: Pick<BucketsPlan, "left" | "leftOut"> | undefined;
  /** Those live objects by which a run decides how a starter app's pods are replaced. Default: none. */
  readonly rolling?: ClusterSnapshot["managedObjects"] | undefined;
  /** The time that a Service bears which is made now. Default: it is not made yet. */
  readonly now?: string | undefined;
}

/** Kinds of everything that a stack has. */
export type PlannedKind = StackKind | CosiKind;

/**
 * What becomes of an object with its member's namespace: it goes with it; its name is an input of the object, which is
 * deleted by itself; or neither.
 */
export type Lifetime = "withNamespace" | "inNamespace" | "own";

/** What an object's options go by, so that they are known of a live one too. */
export interface Optioned {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** Fields that a run leaves as they stand. */
  readonly left: readonly string[];
}

/**
 * The options by which Pulumi treats an object otherwise than others, as its state keeps them.
 * @see https://www.pulumi.com/docs/iac/concepts/resources/options/
 */
export interface KeptOptions {
  readonly protect?: true;
  readonly retainOnDelete?: true;
  readonly replaceOnChanges?: string[];
  readonly replacementTrigger?: string;
  readonly ignoreChanges?: string[];
}

/** One object that a row comes to. */
export interface Made {
  /** What stands for the `*` of the row's part. */
  readonly vary?: string;
  /** Made when it is first asked for: most questions are about names. */
  readonly build: () => Declared;
  /** Where that is not the kind's own. */
  readonly apiVersion?: string;
  /** Fields that a run leaves as they stand. Default: none. */
  readonly left?: readonly string[];
  /**
   * How much of it a run marks as applied, and so sees what was changed of it by hand; of what is only named, it tells what was
   * put beside it. Default: all.
   */
  readonly marked?: "whole" | "metadata" | "named" | "none";
  /** Of a binding: what it is to. */
  readonly role?: { readonly kind: "ClusterRole" | "Role"; readonly name: string };
}

/** Who an object is asked about. */
export interface Named {
  readonly member: Pick<Member, "name">;
  readonly stack: Pick<Settings, "stack">;
}

/** Which of the parts that come before it there are, by their names: `starter/*` is all of a starter app's, `quota` that one alone. */
export type There = (...patterns: readonly string[]) => string[];

/** One object, or several of a kind, that a member or a stack has. */
export interface Row<Facts> {
  /**
   * What a run calls it after the member's name, such as `limits` of `bob/limits`; it never changes once released. `*` is
   * what several differ in.
   */
  readonly part: string;
  readonly kind: PlannedKind;
  /** Where it is: in the member's namespace, beside the ingress controller, or in no namespace. */
  readonly place: "home" | "controller" | "cluster";
  /** @param vary what stands for the `*` */
  readonly name: (of: Named, vary: string) => string;
  readonly lifetime: Lifetime;
  /** Whether it is in force before a member has a key. */
  readonly isGuard?: true;
  /** All that can stand for the `*` with a member, whatever else becomes of them. Default: nothing, as there is no `*`. */
  readonly varies?: (member: Member) => readonly string[];
  /** What it is made after, and deleted before, beside the namespace that it is in. Default: nothing. */
  readonly after?: (there: There, vary: string) => string[];
  /** What tells it from another row's object of the same kind and place. Default: its name. */
  readonly is?: (live: ApiObject) => boolean;
  /** Of a kind that members write: what else of the member's tells that a run has made it. Default: nothing needs to. */
  readonly vouchedBy?: (other: ApiObject) => boolean;
  /** By what a live one at home is the stack's. Default: by its place. */
  readonly oursBy?: OursBy;
  /** Of what is taken over: in what it can't be made as it is declared. Default: in nothing. */
  readonly fixedIn?: (live: Found, settings: Settings) => Unfit | undefined;
  /**
   * Which others of its kind still guard or open something for a member with `adopt`: those with their name in the same place or
   * a label that says so, those that name them, or none. Default: all in their namespace.
   */
  readonly others?: "named" | "subject" | "none";
  /** Of what is beside the controller: that it is nobody's to change but those who could change that, and so is not looked after. */
  readonly isControllers?: true;
  /** What Pulumi's state keeps of how it is treated. Default: nothing. */
  readonly options?: (of: Optioned) => KeptOptions;
  /** How another takes its place. Default: as Pulumi has it, and at once where the member has deleted it. */
  readonly replaced?: ReplaceOptions;
  /** What a run makes or registers of it. */
  readonly made: (facts: Facts) => readonly Made[];
}

/** An object as a run registers it. */
export interface PlannedObject {
  /** What the run calls it, after the member's name if it is a member's. */
  readonly part: string;
  readonly apiVersion: string;
  readonly kind: PlannedKind;
  readonly name: string;
  readonly namespace: string | undefined;
  /** Whether members can delete it: it is of a kind that they write at home. */
  readonly isDeletable: boolean;
  readonly left: readonly string[];
  readonly marked: NonNullable<Made["marked"]>;
  readonly role: Made["role"];
  readonly lifetime: Lifetime;
  readonly oursBy: OursBy | undefined;
  readonly fixedIn: Row<never>["fixedIn"];
  readonly isControllers: boolean;
  readonly replaced: ReplaceOptions | undefined;
  /** As its builder makes it. */
  readonly args: Declared;
}

/** One that the program reads, and so can compare: what asks a driver for buckets, nobody looks at. */
export type ReadObject = PlannedObject & ObjectName;
