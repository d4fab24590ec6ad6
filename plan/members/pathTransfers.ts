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

/**
 * Where two have a path, visitors get the former one's pages until its own run. ingress-nginx even refuses the second Ingress,
 * and Pulumi may change or delete the former one only later.
 */
export function pathTransfers(plan: Plan, target: Target): PathTransfers {
  const { list, settings, snapshot } = plan;
  const { stack } = settings;
  const drivers = serversOf(settings).map((server) => ({ ...driverOf(server), server }));
  const opening = plan.members.flatMap(({ member, readiness }) => (isOpening(readiness) ? [member] : []));
  const wanted = new Map(opening.flatMap(({ name, route: own }) => (own ? [[routeUrl(own), name] as const] : [])));
  const isOfRun = ofRun(list, target);
  const given: GivenPath[] = [];
  const isExclusive = drivers.some(({ isPathExclusive }) => isPathExclusive);
  const takers = new Set(isExclusive ? movedFrom(opening, settings, snapshot) : []);
  // By URL: two servers' objects may have it.
  const obstacles = new Map<string, Finding<"pathTaken">>();
  for (const [key, live] of snapshot.managedObjects) {
    const { kind, name, namespace } = objectNameOf(key);
    const { [stackLabel]: owner, [memberLabel]: giver = "" } = live.labels;
    const driver =
      owner === stack
        ? drivers.find(({ door, server }) => key === keyOf(objectOf(door, { name: giver }, server)))
        : undefined;
    for (const url of driver === undefined ? [] : urlsOf(live)) {
      const taker = wanted.get(url);
      if (taker === undefined || taker === giver) {
        continue;
      }
      if (!isOfRun(giver)) {
        obstacles.set(url, { code: "pathTaken", member: taker, facts: { url, giver, stack } });
      } else if (driver?.isPathExclusive) {
        given.push({ kind, name, namespace, url, taker });
        takers.add(taker);
      }
    }
  }
  return { given, takers, obstacles: [...obstacles.values()] };
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
