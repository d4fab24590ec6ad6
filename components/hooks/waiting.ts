import * as pulumi from "@pulumi/pulumi";
import { findApiTarget } from "../../cluster/api/kubeconfig/kubeconfig.ts";
import type { Settings } from "../../config/model/settings.ts";
import type { Target } from "../../config/model/target.ts";
import { namespaceName, routedPort, serviceName } from "../../naming/names.ts";
import type { Readiness } from "../../plan/decisions/readiness.ts";
import type { Plan } from "../../plan/plan.ts";
import { type Waited, waitedFor } from "../../plan/waiting.ts";
import { hasDeletions } from "../hasDeletions.ts";
import type { MemberEnvironment } from "../memberEnvironment.ts";
import { type Patience, waitForServices } from "./waitForServices.ts";

type Environments = ReadonlyMap<string, MemberEnvironment>;

/** What has come of the waiting. */
export interface WaitResult {
  /** Of each who was waited for, by name. */
  readonly outcomes: ReadonlyMap<string, Readiness>;
  /** Names of those whose time was up; an error of its own tells of each. */
  readonly late: ReadonlySet<string>;
}

/**
 * Waits for the Services of members whose path the run is to open, and opens each as soon as its own is there. The waiting
 * is the program's, for all at once: in a resource hook of each it would take one of Pulumi's parallel slots for minutes.
 * What a hook does is to fail the routes of those whose time was up; after all that others have is made, since Pulumi
 * begins nothing new once something has failed.
 * A run that also takes something away waits for nobody. Pulumi does that at its end, and not if anything has failed: a
 * door that is to close would stay open for minutes, or for good.
 * @param plan of those whom the run is about
 * @see https://www.pulumi.com/docs/iac/concepts/resources/options/hooks/
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
  const outcomes = waitForServices(waited, settings, findApiTarget(settings.cluster.context), patience(environments));
  const entries = await Promise.all(
    waited.map(async (one) => {
      const { name } = one.member;
      const outcome = (await outcomes.get(name)) ?? { state: "pending" as const, reason: one.reason };
      if (outcome.state === "ready") {
        environments.get(name)?.openRoute();
      }
      return { ...one, outcome };
    }),
  );
  const late = entries.flatMap(({ outcome, ...one }) =>
    outcome.state === "ready" ? [] : [{ ...one, reason: outcome.reason }],
  );
  if (late.length > 0) {
    pulumi.all([...environments.values()].map(({ settled }) => settled)).apply(() => {
      for (const one of late) {
        environments.get(one.member.name)?.openRoute(vetoOf(one, settings));
      }
    });
  }
  const reported = new Map([
    ...entries.map(({ member, outcome }) => [member.name, outcome] as const),
    ...late.map((one) => [one.member.name, tooLate(one)] as const),
  ]);
  return { outcomes: reported, late: new Set(late.map(({ member }) => member.name)) };
}

/** Once Pulumi has all environments; throws if it is not to have them, since nobody then is to be waited for. */
async function registered(environments: Environments): Promise<void> {
  const urns = pulumi.all([...environments.values()].map(({ urn }) => urn));
  await new Promise<void>((resolve, reject) => {
    pulumi.recover(
      urns.apply(() => resolve()),
      (error) => reject(error),
    );
  });
}

/** The hook that fails a member's route. */
function vetoOf(one: Waited, settings: Settings): pulumi.ResourceHook {
  return new pulumi.ResourceHook(`kubecamp/wait/${one.member.name}`, () => {
    throw new Error(timedOutMessage(one, settings));
  });
}

/** What is told of a member whose time was up. */
export function timedOutMessage({ member, timeoutSeconds, reason }: Waited, settings: Pick<Settings, "route">): string {
  const port = routedPort(settings.route);
  const create = `kubectl create service clusterip ${serviceName(member)} --tcp=${port}:8080 -n ${namespaceName(member)}`;
  return (
    `member '${member.name}': ${reason}, after ${timeoutSeconds} s (route.readiness.timeoutSeconds, mode: wait); have ` +
    `them make it ('${create}') or mend it, then run again; or set mode: gate, which waits for nobody`
  );
}

const tooLate = ({ timeoutSeconds, reason }: Waited): Readiness => ({
  state: "pending",
  reason: `${reason} (waited ${timeoutSeconds} s)`,
});

function notYet({ timeoutSeconds, reason }: Waited, deletes: boolean): Readiness {
  const next = deletes
    ? "not waited for, since this run takes something away; the next one waits"
    : `'pulumi up' waits up to ${timeoutSeconds} s for it`;
  return { state: "pending", reason: `${reason} (${next})` };
}

/** Told in Pulumi's display, on the member's line, and nowhere else. */
function patience(environments: Environments): Patience {
  const parent = process.ppid;
  return {
    interval: 10_000,
    notify: ({ name }, message) => void pulumi.log.info(`${name}: ${message}`, environments.get(name), undefined, true),
    // When the language host is gone, nobody is left who could end this process.
    isWanted: () => process.ppid === parent,
  };
}
