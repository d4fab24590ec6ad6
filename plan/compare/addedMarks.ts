import { stackKinds } from "../../cluster/kinds/stackKinds.ts";
import type { ManagedObject, ObjectName } from "../../cluster/read/snapshot.ts";
import { formerStacksAnnotation, ourPrefix } from "../../naming/labels.ts";
import { drivers } from "../routes/drivers/drivers.ts";

/** Keys of labels and annotations that somebody has put beside the declared ones. */
export interface AddedMarks {
  readonly labels: readonly string[];
  readonly annotations: readonly string[];
}

interface Metadata {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** What ingress controllers read of an Ingress, and of the Service behind it. */
const ofControllers = drivers.flatMap(({ prefixes }) => prefixes);

/**
 * Labels and annotations beside the declared ones that somebody would go by: kubecamp, as by `kubecamp.dev/protected`, or an
 * ingress controller, as by a rewrite or a snippet of configuration. Undefined where there are none. Of anything else it
 * does not matter, nor of what members write at home: there the policy `reserved` sees to it.
 * @param metadata all that a run puts onto the object
 * @param adopts whether the object's member has `adopt`: what others have set for the ingress controller stays, since the path
 *   might lead nowhere without it
 */
export function addedMarks(
  kind: ObjectName["kind"],
  metadata: Metadata,
  live: Pick<ManagedObject, "labels" | "annotations">,
  adopts: boolean,
): AddedMarks | undefined {
  const { isWrittenByMembers = false, isReadByControllers = false } = stackKinds[kind];
  if (isWrittenByMembers && !isReadByControllers) {
    return undefined;
  }
  const theirs = !adopts && isReadByControllers ? ofControllers : [];
  const added = (has: Metadata["labels"], declared: Metadata["labels"], prefixes: readonly string[]) =>
    Object.keys(has)
      .filter((key) => !(key in declared) && prefixes.some((prefix) => key.startsWith(prefix)))
      .sort();
  const labels = added(live.labels, metadata.labels, [ourPrefix]);
  const annotations = added(live.annotations, metadata.annotations ?? {}, [ourPrefix, ...theirs])
    // A handover writes it, and nobody declares it.
    .filter((key) => key !== formerStacksAnnotation);
  return labels.length + annotations.length === 0 ? undefined : { labels, annotations };
}

/** The merge patch that takes them off. */
export function addedMarksPatch({ labels, annotations }: AddedMarks): object {
  const without = (field: string, keys: readonly string[]) =>
    keys.length === 0 ? {} : { [field]: Object.fromEntries(keys.map((key) => [key, null])) };
  return { metadata: { ...without("labels", labels), ...without("annotations", annotations) } };
}
