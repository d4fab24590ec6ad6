import { madeAnnotation, objectLabel, protectedLabel, starterAnnotation } from "../../config/names/labels.ts";
import type { KeptOptions, Optioned } from "./row.ts";

/** Options of a namespace: Pulumi never deletes a protected one. */
export const namespaceOptions = ({ labels }: Optioned): KeptOptions =>
  labels[protectedLabel] === "true" ? { protect: true } : {};

/** Options of the Service that a run makes for a member. */
export const serviceOptions = ({ annotations, ignored }: Optioned): KeptOptions => ({
  // In an update, the plugin takes over fields that kubectl wrote, and so removes undeclared ones: the member's other
  // ports, labels and annotations. A replacement in place applies the declared fields only.
  replaceOnChanges: ["*"],
  // Otherwise a replacement, or the end of its declaration, would delete it.
  retainOnDelete: true,
  // A member may delete it at any time. Pulumi's state wouldn't show that, and the path would lead nowhere. The trigger,
  // which only the live Service holds, makes Pulumi recreate it. A Service that the member may change has no trigger,
  // since a replacement would overwrite their changes.
  ...(ignored.length === 0 && annotations[madeAnnotation] ? { replacementTrigger: annotations[madeAnnotation] } : {}),
});

/** Options of a starter app: the member's own app stays after its declaration ends. */
export const starterOptions = ({ annotations, ignored }: Optioned): KeptOptions =>
  annotations[starterAnnotation] === "once" || ignored.length > 0 ? { retainOnDelete: true } : {};

/** Options of an object of `objects`: the member's own stays after its declaration ends. */
export const objectOptions = ({ labels, ignored }: Optioned): KeptOptions =>
  labels[objectLabel] === "theirs" || ignored.includes("*") ? { retainOnDelete: true } : {};
