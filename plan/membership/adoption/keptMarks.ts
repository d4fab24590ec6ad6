import { isWrittenByMembers } from "../../../cluster/kinds/stackKinds.ts";
import type { ClusterSnapshot } from "../../../cluster/read/snapshot.ts";
import type { UndeclaredMarks } from "../../../cluster/write/keepMarks.ts";
import { ourPrefix } from "../../../config/names/labels.ts";
import { isOfRoute } from "../../../config/names/logicalNames.ts";
import type { Classified } from "../../compare/classify.ts";
import type { ReadObject } from "../../manifest/row.ts";
import type { Planned } from "../../plan.ts";

/** Kubernetes writes it on every namespace, and nobody can take it off. */
const nameLabel = "kubernetes.io/metadata.name";

/**
 * Labels and annotations that are on objects that this run changes, and are not declared. Pulumi's plugin takes over what
 * kubectl has written, and so would take that off. Not of routes and of what members are given: their own labels and
 * annotations come and go with the settings.
 */
export const marksToKeep = ({ members, classified }: Planned<Pick<ClusterSnapshot, "managedObjects">>) =>
  [...classified, ...members.flatMap((plan) => plan.classified)]
    .filter(isChanged)
    .flatMap(({ object, live }): UndeclaredMarks[] => {
      const { labels, annotations = {} } = object.args.metadata;
      const marks = { labels: besides(live?.labels, labels), annotations: besides(live?.annotations, annotations) };
      const isAny = Object.keys({ ...marks.labels, ...marks.annotations }).length > 0;
      const { kind, name, namespace } = object;
      return isAny ? [{ kind, name, namespace, ...marks }] : [];
    });

const isChanged = ({ object, verdict }: Classified<ReadObject>): boolean =>
  !isOfRoute(object) &&
  !object.part.startsWith("object/") &&
  !isWrittenByMembers(object) &&
  (verdict === "declaredAnew" || verdict === "changedByHand");

type Texts = Readonly<Record<string, string>>;

const besides = (live: Texts = {}, declared: Texts): Texts =>
  Object.fromEntries(
    Object.entries(live).filter(([key]) => !(key in declared) && !key.startsWith(ourPrefix) && key !== nameLabel),
  );
