import { setTimeout } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";
import { messageOf } from "../../cluster/api/errors.ts";
import { keyOf } from "../../cluster/kinds/objectName.ts";
import { isWrittenByMembers } from "../../cluster/kinds/stackKinds.ts";
import type { Member } from "../../config/member/member.ts";
import { memberLabel, stackLabel } from "../../config/names/labels.ts";
import { namespaceName, routedPort, serviceName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { RunError } from "../../config/values/runError.ts";
import type { Readiness } from "../../plan/decisions/readiness.ts";
import type { Target } from "../../plan/decisions/target.ts";
import { unplanned } from "../../plan/live/classify.ts";
import { onTheirWay } from "../../plan/live/removedMembers.ts";
import type { Plan } from "../../plan/members/plan.ts";
import { type Waited, waitedFor } from "../../plan/members/restless.ts";
import { givenRun } from "../givenRun.ts";
import type { MemberEnvironment } from "../memberEnvironment.ts";
import { readinessNow } from "./routeCheck.ts";

type Environments = ReadonlyMap<string, MemberEnvironment>;

export interface WaitResult {
  readonly outcomes: ReadonlyMap<string, Readiness>;
  /** Names of members who timed out; each has an error of their own. */
  readonly late: ReadonlySet<string>;
}

/**
 * Opens each path as soon as its Service is there. The program waits for all at once: a hook for each would hold one of
 * Pulumi's parallel slots for minutes. A hook only fails the routes of those who timed out, after all other
 * environments, since Pulumi starts nothing new once something has failed. A run that deletes something waits for
 * nobody: Pulumi deletes at the end, and not if anything has failed, so that a route that is to close would stay open.
 * @param plan of the run's members only
 */
export async function openWaited(plan: Plan, target: Target, environments: Environments): Promise<WaitResult> {
  const { settings } = plan;
  const waited = target.waits ? waitedFor(plan) : [];
  if (waited.length === 0) {
    return { outcomes: new Map(), late: new Set() };
  }
  const deletes = hasDeletions(plan, target);
  if (pulumi.runtime.isDryRun() && !deletes) {
    for (const { member } of waited) {
      environments.get(member.name)?.openRoute();
    }
  }
  if (pulumi.runtime.isDryRun() || deletes) {
    const outcomes = new Map(waited.map((one) => [one.member.name, notYet(one, deletes)]));
    return { outcomes, late: new Set() };
  }
  return await waitAndOpen(waited, environments, settings);
}

async function waitAndOpen(
  waited: readonly Waited[],
  environments: Environments,
  settings: Settings,
): Promise<WaitResult> {
  await registered(environments);
  const late = await waitForServices(waited, settings, {
    ...patience(environments),
    open: ({ name }) => environments.get(name)?.openRoute(),
  });
  if (late.length > 0) {
    pulumi.all([...environments.values()].map(({ settled }) => settled)).apply(() => {
      for (const one of late) {
        environments.get(one.member.name)?.openRoute(vetoOf(one, settings));
      }
    });
  }
  const tooLate = new Map(late.map((one) => [one.member.name, lateReadiness(one)]));
  const ready: Readiness = { state: "ready" };
  const outcomes = new Map(waited.map(({ member: { name } }) => [name, tooLate.get(name) ?? ready]));
  return { outcomes, late: new Set(tooLate.keys()) };
}

interface Patience {
  readonly open: (member: Member) => void;
  readonly notify: (member: Member, message: string) => void;
  /** Milliseconds between looks. Default: two seconds. */
  readonly interval?: number;
  readonly isWanted: () => boolean;
}

const reportShare = 5;
/** Milliseconds for each look. */
const patienceOfLook = 10_000;

/**
 * By one LIST for any number of members. An outage counts as a missing Service: the wait goes on.
 * @returns those whose time was up, with the last reason
 * @throws RunError when nobody needs the result any more
 */
export async function waitForServices(
  waited: readonly Waited[],
  settings: Settings,
  { open, notify, interval = 2_000, isWanted }: Patience,
): Promise<Waited[]> {
  const began = performance.now();
  const late: Waited[] = [];
  let waiting = [...waited];
  for (let looks = 0; waiting.length > 0; looks++) {
    if (!isWanted()) {
      throw new RunError("nobody waits for this run any more");
    }
    const members = waiting.map(({ member }) => member);
    const [seen, trouble] = await readinessNow(members, settings, { patience: patienceOfLook }).then(
      (found) => [found, undefined] as const,
      (cause: unknown) => [undefined, messageOf(cause)] as const,
    );
    const seconds = Math.round((performance.now() - began) / 1000);
    const isOver = ({ timeoutSeconds }: Waited) => seconds >= timeoutSeconds;
    const unfit = waiting.flatMap((one): Waited[] => {
      const readiness = seen?.get(one.member.name);
      return readiness?.state === "ready" ? [] : [{ ...one, reason: readiness?.reason ?? one.reason }];
    });
    for (const member of members.filter((each) => unfit.every((one) => one.member !== each))) {
      open(member);
    }
    const told = (reason: string) => (trouble === undefined ? reason : `${reason}, as far as is known (${trouble})`);
    late.push(...unfit.filter(isOver).map((one) => ({ ...one, reason: told(one.reason) })));
    waiting = unfit.filter((one) => !isOver(one));
    if (looks % reportShare === 0) {
      for (const { member, timeoutSeconds, reason } of waiting) {
        notify(member, `waiting for its Service, ${seconds} s of ${timeoutSeconds} s: ${told(reason)}`);
      }
    }
    await (waiting.length > 0 ? setTimeout(interval) : undefined);
  }
  return late;
}

/** Resolves once Pulumi has all environments; rejects if it won't, since then nobody is to be waited for. */
async function registered(environments: Environments): Promise<void> {
  const urns = pulumi.all([...environments.values()].map(({ urn }) => urn));
  await new Promise<void>((resolve, reject) => {
    pulumi.recover(
      urns.apply(() => resolve()),
      (error) => reject(error),
    );
  });
}

function vetoOf(one: Waited, settings: Settings): pulumi.ResourceHook {
  return new pulumi.ResourceHook(`kubecamp/wait/${one.member.name}`, () => {
    throw new Error(timedOutMessage(one, settings));
  });
}

export function timedOutMessage({ member, timeoutSeconds, reason }: Waited, settings: Pick<Settings, "route">): string {
  const port = routedPort(settings.route);
  const create = `kubectl create service clusterip ${serviceName(member)} --tcp=${port}:8080 -n ${namespaceName(member)}`;
  return (
    `member '${member.name}': ${reason}, after ${timeoutSeconds} s (route.readiness.timeoutSeconds, mode: wait); have ` +
    `them make it ('${create}') or correct it, then run again; or set mode: gate, which waits for nobody`
  );
}

const lateReadiness = ({ timeoutSeconds, reason }: Waited): Readiness => ({
  state: "pending",
  reason: `${reason} (waited ${timeoutSeconds} s)`,
});

function notYet({ timeoutSeconds, reason }: Waited, deletes: boolean): Readiness {
  const next = deletes
    ? "not waited for, since this run takes something away; the next one waits"
    : `'pulumi up' waits up to ${timeoutSeconds} s for it`;
  return { state: "pending", reason: `${reason} (${next})` };
}

function patience(environments: Environments) {
  const [parent, run] = [process.ppid, givenRun()];
  return {
    notify: ({ name }: Member, message: string) =>
      void pulumi.log.info(`${name}: ${message}`, environments.get(name), undefined, true),
    // Without the language host, nothing would end a process that Pulumi has started.
    isWanted: () => (run === undefined ? process.ppid === parent : !run.ended.aborted),
  };
}

/**
 * Whether a run deletes what members can still use or what limits them. Live objects decide: the last run may have failed
 * before it deleted anything.
 */
export function hasDeletions(
  { settings, snapshot, members, removedMembers }: Plan,
  target: Pick<Target, "isWhole" | "removedMembers">,
): boolean {
  const names = new Set(members.map(({ member }) => member.name));
  const planned = new Set(members.flatMap(({ declared }) => declared.map(keyOf)));
  return (
    target.removedMembers.length > 0 ||
    (target.isWhole && !removedMembers.every(onTheirWay)) ||
    // Leftovers of a starter app, a bucket or a CA can wait. Some stay for good, and members can label such objects.
    unplanned(planned, snapshot).some(
      ({ object, live: { labels } }) =>
        labels[stackLabel] === settings.stack && names.has(labels[memberLabel] ?? "") && !isWrittenByMembers(object),
    )
  );
}
