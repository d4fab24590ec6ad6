import { keyOf } from "../../cluster/kinds/objectName.ts";
import { isWrittenByMembers } from "../../cluster/kinds/stackKinds.ts";
import type { ClusterSnapshot, OwnedObject } from "../../cluster/read/snapshot.ts";
import type { UndeclaredMarks } from "../../cluster/write/keepMarks.ts";
import { memberLabelPrefix, ourPrefix } from "../../config/names/labels.ts";
import { isOfRoute } from "../../config/names/logicalNames.ts";
import { namespaceName } from "../../config/names/names.ts";
import type { Classified } from "../live/classify.ts";
import { isRead } from "../rows/manifest.ts";
import type { ReadObject } from "../rows/row.ts";
import type { Finding } from "../words/finding.ts";
import type { Planned } from "./plan.ts";

/** The garbage collector would delete them with that owner; server-side apply can't remove others' references. */
export function ownedByOthers(plan: Planned<Pick<ClusterSnapshot, "owned">>): OwnedObject[] {
  return declaredKeys(plan)
    .map((key) => plan.snapshot.owned.get(key))
    .filter((owned) => owned !== undefined);
}

/** Keys of objects that a run declares for the stack and for some members, except those that members write themselves. */
function declaredKeys({ members, shared }: Planned): string[] {
  return [
    ...shared
      .filter(isRead)
      .filter(({ isControllers }) => !isControllers)
      .map(keyOf),
    ...members.flatMap(({ member, declared }) =>
      declared
        // Objects that members write are theirs to give an owner: they are deleted with it, and a later run makes others. To
        // remove the owner could fail while the member changes the object, and fail the run for everybody else.
        .filter((object) => object.namespace !== namespaceName(member) || !isWrittenByMembers(object))
        .map(keyOf),
    ),
  ];
}

export const givenOwners = (owned: readonly OwnedObject[]): Finding<"owners">[] =>
  owned.flatMap((object) =>
    object.owners.map(
      ({ kind, name }) => ({ code: "owners", object: keyOf(object), facts: { owner: `${kind} '${name}'` } }) as const,
    ),
  );

/** Kubernetes writes it on every namespace, and nobody can take it off. */
const nameLabel = "kubernetes.io/metadata.name";

/** The plugin takes over from kubectl, and removes what is undeclared. Marks of routes and `objects` come and go. */
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
    Object.entries(live).filter(
      ([key]) =>
        !(key in declared) &&
        ![ourPrefix, memberLabelPrefix].some((prefix) => key.startsWith(prefix)) &&
        key !== nameLabel,
    ),
  );
