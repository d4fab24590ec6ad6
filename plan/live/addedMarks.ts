import type { ObjectName } from "../../cluster/kinds/objectName.ts";
import { stackKind } from "../../cluster/kinds/stackKinds.ts";
import type { ManagedObject } from "../../cluster/read/snapshot.ts";
import {
  adoptAnnotation,
  awakeUntilAnnotation,
  formerStacksAnnotation,
  memberLabelPrefix,
  noticesAnnotation,
  ourPrefix,
  ownWakesAnnotation,
  sleptAnnotation,
  unseenAnnotation,
} from "../../config/names/labels.ts";
import { controllerPrefixes } from "../../config/route/controllers.ts";
import type { AddedMarks } from "../words/drift.ts";

/** Annotations that admins, transfers, the watch, and runs beside what they declare write. */
const undeclared: readonly string[] = [
  adoptAnnotation,
  formerStacksAnnotation,
  noticesAnnotation,
  sleptAnnotation,
  awakeUntilAnnotation,
  ownWakesAnnotation,
  unseenAnnotation,
];

interface Metadata {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/**
 * Labels and annotations that are not declared and have an effect: on kubecamp, such as `kubecamp.dev/protected`, or on
 * an ingress controller. Not on kinds that members write at home: the policy `reserved` covers them.
 * @param adopts annotations for the controller then stay, since the path might lead nowhere without them
 */
export function addedMarks(
  kind: ObjectName["kind"],
  metadata: Metadata,
  live: Pick<ManagedObject, "labels" | "annotations">,
  adopts: boolean,
): AddedMarks | undefined {
  const { isWrittenByMembers = false, isReadByControllers = false } = stackKind(kind);
  if (isWrittenByMembers && !isReadByControllers) {
    return undefined;
  }
  const theirs = !adopts && isReadByControllers ? controllerPrefixes : [];
  const added = (has: Metadata["labels"], declared: Metadata["labels"], prefixes: readonly string[]) =>
    Object.keys(has)
      .filter((key) => !(key in declared) && prefixes.some((prefix) => key.startsWith(prefix)))
      .sort();
  const labels = added(live.labels, metadata.labels, [ourPrefix, memberLabelPrefix]);
  const annotations = added(live.annotations, metadata.annotations ?? {}, [ourPrefix, ...theirs]).filter(
    (key) => !undeclared.includes(key),
  );
  return labels.length + annotations.length === 0 ? undefined : { labels, annotations };
}

export function addedMarksPatch({ labels, annotations }: AddedMarks): object {
  const without = (field: string, keys: readonly string[]) =>
    keys.length === 0 ? {} : { [field]: Object.fromEntries(keys.map((key) => [key, null])) };
  return { metadata: { ...without("labels", labels), ...without("annotations", annotations) } };
}
