import type { RbacV1Subject } from "@kubernetes/client-node";
import { keyOf, type ObjectName } from "../../cluster/kinds/objectName.ts";
import { type ClusterSnapshot, contentOf, type Found } from "../../cluster/read/snapshot.ts";
import { namespaceName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { compare } from "../../config/values/sentences.ts";
import { type Unplanned, unplanned } from "../live/classify.ts";
import type { Planned } from "../members/plan.ts";
import { takenOver } from "../members/takeover.ts";
import { isRead, possibleObjects } from "../rows/manifest.ts";
import { memberRows } from "../rows/memberRows.ts";
import { type Place, placeOf, type Row } from "../rows/row.ts";
import type { Finding } from "../words/finding.ts";

type Live = Pick<ClusterSnapshot, "managedObjects" | "services" | "unread">;

/** Such as the Members operator's. Admins delete them: a wrong guess here would lock somebody out, or let them in. */
export function unmanagedObjects({ members, settings, snapshot }: Planned<Live>): ObjectName[] {
  const plans = members.filter(({ member }) => member.adopt);
  const adopted = plans.map(({ member }) => member);
  if (adopted.length === 0) {
    return [];
  }
  const homes = new Set(adopted.map(namespaceName));
  const names = new Set(adopted.map(({ name }) => name));
  const usernames = new Set(adopted.map(({ username }) => username));
  const planned = new Set(plans.flatMap(({ declared }) => declared.map(keyOf)));
  const possible = adopted.flatMap((member) => possibleObjects(member, settings)).filter(isRead);
  const keysWhere = (is: Row<never>["others"]) => new Set(possible.filter(({ others }) => others === is).map(keyOf));
  const [named, none] = [keysWhere("named"), keysWhere("none")];
  const isNamed = ({ object, live: { labels } }: Unplanned) =>
    named.has(keyOf(object)) ||
    (names.has(labels["app.kubernetes.io/instance"] ?? "") && labels["app.kubernetes.io/managed-by"] !== "Helm");
  const isConcerned = (each: Unplanned) => {
    const { kind, namespace } = each.object;
    if (none.has(keyOf(each.object))) {
      return false;
    }
    return othersOf(kind, placeIn(namespace, homes, settings)).some((others) => {
      switch (others) {
        case "none":
          return false;
        case "named":
          return isNamed(each);
        case "subject":
          return isNamed(each) || usersOf(each.live).some((user) => usernames.has(user));
        default:
          return true;
      }
    });
  };
  return unplanned(planned, snapshot)
    .filter((each) => each.standing === "strange" && isConcerned(each))
    .map(({ object }) => object)
    .sort((a, b) => compare(order(a), order(b)));
}

function placeIn(namespace: string | undefined, homes: ReadonlySet<string>, settings: Settings): Place | undefined {
  if (namespace === undefined) {
    return "cluster";
  }
  if (homes.has(namespace)) {
    return "home";
  }
  return namespace === settings.route.beside ? "controller" : undefined;
}

const othersOf = (kind: ObjectName["kind"], place: Place | undefined) =>
  memberRows.filter((row) => row.kind === kind && placeOf(row) === place).map(({ others }) => others);

export const unmanaged = (plan: Planned<Live>): Finding<"unmanaged">[] =>
  unmanagedObjects(plan).map((name) => ({ code: "unmanaged", object: keyOf(name), facts: { name } }));

/** A risk: a member who is added later would take over whatever namespace has their name. */
export function idleAdoption(plan: Planned<Live>): Finding<"idleAdoption">[] {
  const { members, snapshot } = plan;
  const adopted = members.filter(({ member }) => member.adopt);
  const isIdle =
    snapshot.unread === undefined &&
    adopted.length > 0 &&
    adopted.every((each) => takenOver(each).length === 0) &&
    unmanagedObjects(plan).length === 0;
  return isIdle ? [{ code: "idleAdoption", facts: { members: adopted.map(({ member }) => member.name) } }] : [];
}

function usersOf(live: Found): string[] {
  const { subjects } = contentOf(live) as { subjects?: readonly RbacV1Subject[] | null };
  return (subjects ?? []).filter(({ kind }) => kind === "User").map(({ name }) => name);
}

function order({ kind, name, namespace = "" }: ObjectName): string {
  return [namespace, kind, name].join("\0");
}
