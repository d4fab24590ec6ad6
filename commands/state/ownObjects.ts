import { type ApiObject, logicalName, type NamedObject } from "../../cluster/kinds/liveObject.ts";
import { isWrittenByMembers } from "../../cluster/kinds/stackKinds.ts";
import type { Settings } from "../../config/model/settings/settings.ts";
import { appliedAnnotation, memberLabel, stackLabel } from "../../naming/labels.ts";
import { hasMarks } from "../../naming/pulumiMarks.ts";
import { isMadeUp, memberPart, sharedPart } from "../../plan/manifest/liveParts.ts";

/** An object of the stack that is left out of its state. */
interface LeftOut {
  readonly live: ApiObject;
  readonly why: string;
}

/** Objects of a stack on the cluster. */
export interface OwnObjects {
  readonly named: readonly NamedObject[];
  readonly leftOut: readonly LeftOut[];
}

/**
 * Selects objects that the stack's runs have made, by labels and names. An object without labels still counts if it has
 * a run's annotation, and so does a namespace around a member's guard rails. Objects that are being deleted are left
 * out.
 */
export function ownObjects(objects: readonly ApiObject[], stack: Pick<Settings, "stack" | "route">): OwnObjects {
  const labelled = objects.filter((live) => labelOf(live, stackLabel) === stack.stack);
  const guarded = new Set(labelled.filter(({ kind }) => !isWrittenByMembers({ kind })).map(homeOf));
  const namespaces = objects.filter(({ kind }) => kind === "Namespace");
  const ending = new Set(namespaces.filter(isEnding).map(({ metadata }) => metadata.name));
  const homes = new Set(
    namespaces.flatMap((live) => (isHome(live) || guarded.has(live.metadata.name) ? live.metadata.name : [])),
  );
  const isAtHome = ({ kind, metadata: { namespace = "" } }: ApiObject) =>
    isWrittenByMembers({ kind }) && homes.has(namespace);
  const members = new Set(
    labelled.filter((live) => !isAtHome(live)).flatMap((live) => labelOf(live, memberLabel) ?? []),
  );
  const ownHomes = new Set(
    namespaces
      .filter((live) => labelOf(live, stackLabel) === stack.stack || guarded.has(live.metadata.name))
      .map(({ metadata }) => metadata.name),
  );
  const byHome = Map.groupBy(labelled, ({ metadata }) => metadata.namespace);
  const named = new Map<string, NamedObject>();
  const leftOut: LeftOut[] = [];
  // Of two route objects with one name, the one in the ingress controller's current namespace is in use.
  const isElsewhere = ({ metadata: { namespace } }: ApiObject) => Number(namespace !== stack.route.namespace);
  for (const live of objects.toSorted((a, b) => isElsewhere(a) - isElsewhere(b))) {
    const { name, namespace = "", annotations = {} } = live.metadata;
    const isLabelled = labelOf(live, stackLabel) === stack.stack;
    const hasLost =
      labelOf(live, stackLabel) === undefined &&
      (annotations[appliedAnnotation] !== undefined || (live.kind === "Namespace" && guarded.has(name)));
    const isTheirs = isAtHome(live);
    const owner = labelOf(live, memberLabel) ?? (isTheirs ? namespace : undefined);
    const isForged =
      isTheirs &&
      (owner !== namespace ||
        !ownHomes.has(namespace) ||
        isMadeUp(live, { name: namespace }, stack, byHome.get(namespace) ?? []));
    if ((!isLabelled && !hasLost) || isForged) {
      continue;
    }
    const found = nameOf(live, owner, members, stack);
    if (isEnding(live) || ending.has(namespace)) {
      leftOut.push({ live, why: "is being deleted already" });
    } else if (found !== undefined && hasMarks(live)) {
      // A run leaves it out, too.
      leftOut.push({ live, why: "has a text that Pulumi takes for a mark of its own" });
    } else if (found !== undefined && named.has(keyOf(found))) {
      leftOut.push({ live, why: "is a duplicate; delete it if nobody needs it" });
    } else if (found !== undefined) {
      named.set(keyOf(found), found);
    } else if (isLabelled && !isTheirs) {
      leftOut.push({ live, why: "has the stack's labels, but no name of kubecamp's" });
    }
  }
  return { named: [...named.values()], leftOut };
}

const labelOf = ({ metadata }: ApiObject, label: string) => metadata.labels?.[label];

/** Whether a namespace is a member's, in any stack. */
const isHome = (live: ApiObject) => labelOf(live, memberLabel) !== undefined;

const isEnding = ({ metadata }: ApiObject) => metadata.deletionTimestamp !== undefined;

/** The namespace of an object, if it is its member's own. */
function homeOf(live: ApiObject): string | undefined {
  const member = labelOf(live, memberLabel);
  return member === live.metadata.namespace ? member : undefined;
}

/**
 * @param owner by its label or namespace; if neither names one, the object is a shared one or belongs to the first
 * member whose name fits
 */
function nameOf(
  live: ApiObject,
  owner: string | undefined,
  members: ReadonlySet<string>,
  stack: Pick<Settings, "stack">,
): NamedObject | undefined {
  const shared = owner === undefined ? sharedPart(live, stack) : undefined;
  if (shared !== undefined) {
    return { live, member: undefined, part: shared };
  }
  for (const member of owner === undefined ? members : [owner]) {
    const part = memberPart(live, { name: member }, stack);
    if (part !== undefined) {
      return { live, member, part };
    }
  }
  return undefined;
}

/** No member has an empty name, while one may well be called `access`. */
const keyOf = (object: NamedObject) => `${object.member ?? ""} ${logicalName(object)}`;
