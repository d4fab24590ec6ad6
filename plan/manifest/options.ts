import { madeAnnotation, protectedLabel, starterAnnotation } from "../../naming/labels.ts";
import type { PlannedKind } from "./row.ts";

/** An object as far as its options go by it. */
export interface Optioned {
  readonly part: string;
  readonly kind: PlannedKind;
  readonly metadata: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
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

/** They follow from what an object is, and from what stands on it, so that they are known of a live one too. */
export function keptOptions({ part, kind, metadata: { labels = {}, annotations = {} }, left }: Optioned): KeptOptions {
  const leaving = left.length === 0 ? {} : { ignoreChanges: [...left] };
  if (kind === "Namespace") {
    return labels[protectedLabel] === "true" ? { protect: true } : {};
  }
  if (part === "service") {
    return {
      // To an update, the plugin takes over whatever kubectl has written, and so takes away what is not declared: the
      // member's other ports, labels and annotations. A replacement in place applies what is declared, and no more.
      replaceOnChanges: ["*"],
      // Both a replacement and the end of its declaration would delete it otherwise.
      retainOnDelete: true,
      ...leaving,
      // A member may delete it at any time. Pulumi's state would take it for unchanged, and the path would lead nowhere: the
      // trigger, which only the live Service remembers, has it made anew instead. One that the member can change would have it
      // written over what they made of it.
      ...(left.length === 0 && annotations[madeAnnotation] ? { replacementTrigger: annotations[madeAnnotation] } : {}),
    };
  }
  if (part.startsWith("starter/")) {
    // What is the member's stays, whatever becomes of its declaration.
    const isTheirs = annotations[starterAnnotation] === "once" || left.length > 0;
    return { ...(isTheirs ? { retainOnDelete: true } : {}), ...leaving };
  }
  return leaving;
}
