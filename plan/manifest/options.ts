import { madeAnnotation, protectedLabel, starterAnnotation } from "../../naming/labels.ts";
import type { KeptOptions, Optioned } from "./row.ts";

/** Of a namespace: that it stays, whatever else is deleted. */
export const namespaceOptions = ({ labels }: Optioned): KeptOptions =>
  labels[protectedLabel] === "true" ? { protect: true } : {};

/** Of the Service that a run makes for a member. */
export const serviceOptions = ({ annotations, left }: Optioned): KeptOptions => ({
  // To an update, the plugin takes over whatever kubectl has written, and so takes away what is not declared: the
  // member's other ports, labels and annotations. A replacement in place applies what is declared, and no more.
  replaceOnChanges: ["*"],
  // Both a replacement and the end of its declaration would delete it otherwise.
  retainOnDelete: true,
  // A member may delete it at any time. Pulumi's state would take it for unchanged, and the path would lead nowhere: the
  // trigger, which only the live Service remembers, has it made anew instead. One that the member can change would have it
  // written over what they made of it.
  ...(left.length === 0 && annotations[madeAnnotation] ? { replacementTrigger: annotations[madeAnnotation] } : {}),
});

/** Of a starter app: what is the member's stays, whatever becomes of its declaration. */
export const starterOptions = ({ annotations, left }: Optioned): KeptOptions =>
  annotations[starterAnnotation] === "once" || left.length > 0 ? { retainOnDelete: true } : {};
