import { keyOf, objectNameOf } from "../../cluster/kinds/objectName.ts";
import { urlsOf } from "../../cluster/read/hostPaths.ts";
import type { ClusterSnapshot } from "../../cluster/read/snapshot.ts";
import type { GivenPath } from "../../cluster/write/giveUpPath.ts";
import type { Member } from "../../config/member/member.ts";
import { memberLabel, stackLabel } from "../../config/names/labels.ts";
import { routeUrl, serviceName } from "../../config/names/names.ts";
import { serversOf } from "../../config/route/route.ts";
import type { Settings } from "../../config/settings.ts";
import { driverOf, objectOf } from "../../objects/route/drivers/drivers.ts";
import { isOpening } from "../decisions/readiness.ts";
import { removes, type Target } from "../decisions/target.ts";
import type { Finding } from "../words/finding.ts";
import type { Plan } from "./plan.ts";

export interface PathTransfers {
  readonly given: readonly GivenPath[];
  /** Names of members who get a path that another object still has, even their own in another namespace. */
  readonly takers: ReadonlySet<string>;
  /** Refusals for members who can't get a path because the run doesn't cover its present owner. */
  readonly obstacles: readonly Finding<"pathTaken">[];
}

/** ingress-nginx refuses an Ingress with another's path, and Pulumi may change or delete the former one only later. */
export function pathTransfers(plan: Plan, target: Target): PathTransfers {
  const { list, settings, snapshot } = plan;
  const { stack } = settings;
  const exclusive = serversOf(settings).filter((server) => driverOf(server).isPathExclusive);
  if (exclusive.length === 0) {
    return { given: [], takers: new Set(), obstacles: [] };
  }
  const opening = plan.members.flatMap(({ member, readiness }) => (isOpening(readiness) ? [member] : []));
  const wanted = new Map(opening.flatMap(({ name, route: own }) => (own ? [[routeUrl(own), name] as const] : [])));
  const isOfRun = ofRun(list, target);
  const given: GivenPath[] = [];
  const takers = new Set(movedFrom(opening, settings, snapshot));
  const obstacles: Finding<"pathTaken">[] = [];
  for (const [key, live] of snapshot.managedObjects) {
    const { kind, name, namespace } = objectNameOf(key);
    const { [stackLabel]: owner, [memberLabel]: giver = "" } = live.labels;
    const isOwn =
      owner === stack &&
      exclusive.some((server) => key === keyOf(objectOf(driverOf(server).door, { name: giver }, server)));
    for (const url of isOwn ? urlsOf(live) : []) {
      const taker = wanted.get(url);
      if (taker === undefined || taker === giver) {
        continue;
      }
      if (isOfRun(giver)) {
        given.push({ kind, name, namespace, url, taker });
        takers.add(taker);
      } else {
        obstacles.push({ code: "pathTaken", member: taker, facts: { url, giver, stack } });
      }
    }
  }
  return { given, takers, obstacles };
}

function ofRun(list: readonly Member[], target: Target): (name: string) => boolean {
  const targeted = new Set(target.members.map(({ name }) => name));
  const listed = new Set(list.map(({ name }) => name));
  const leaves = (name: string) => !listed.has(name) && (target.isWhole || target.removedMembers.includes(name));
  return (name) => target.isWhole || targeted.has(name) || (removes(target) && leaves(name));
}

/** Members whose route was beside another controller: the Service of that route is still there. */
function movedFrom(members: readonly Member[], settings: Settings, { services }: ClusterSnapshot): string[] {
  const elsewhere = new Set(
    [...services].flatMap(([key, { type, labels }]) => {
      const [namespace, name] = key.split("/");
      const { [stackLabel]: owner, [memberLabel]: member = "" } = labels;
      const isTwin = type === "ExternalName" && owner === settings.stack && name === serviceName({ name: member });
      return isTwin && namespace !== settings.route.beside ? [member] : [];
    }),
  );
  return members.flatMap(({ name }) => (elsewhere.has(name) ? [name] : []));
}
