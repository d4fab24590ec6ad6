import { setTimeout as sleep } from "node:timers/promises";
import { type ApiServer, withApiServer } from "../../cluster/api/client.ts";
import { messageOf } from "../../cluster/api/errors.ts";
import { hands, inParallel } from "../../cluster/inParallel.ts";
import { listPath, objectPath } from "../../cluster/kinds/kinds.ts";
import { keyOf } from "../../cluster/kinds/objectName.ts";
import type { Member } from "../../config/member/member.ts";
import { namespaceName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { RunError } from "../../config/values/runError.ts";
import { type Found, isLeft, removeStage, stageOn } from "./leftovers.ts";
import { lease, leaseOf, objectsOf, outsideOf, runOf, sent, untilNow } from "./manifest.ts";
import { make, type Stage, type StageParts, stageOf, wordsOf } from "./stage.ts";

/** Milliseconds between renewals. */
const renewal = 15_000;
/** Milliseconds for removal: Kubernetes ends pods within half a minute. */
const removal = 180_000;
/** Milliseconds beside that, for requests about other objects. */
const spare = 30_000;
const poll = 500;
/** Milliseconds for everything. */
const longest = 600_000;

/**
 * Makes the members, has the trials tried, and removes all again, also after Ctrl-C. What a killed verification has left is
 * removed by the next, or by the watch.
 * @throws RunError if the members can't be made, or another verification runs
 */
export async function withStage<T>(parts: StageParts, work: (stage: Stage) => Promise<T>): Promise<Done<T>> {
  const { target, tell } = parts;
  const late = new AbortController();
  const timer = setTimeout(() => {
    tell(`The ${longest / 60_000} minutes of a verification are over: what was not tried yet is not proven`);
    late.abort();
  }, longest).unref();
  const signal = AbortSignal.any([parts.signal, late.signal]);
  const all = { ...parts, signal };
  const waiting = { patience: longest, signal, notify: tell };
  await withApiServer(target, waiting, (api) => clear(api, all), "overview");
  // Without the signal: who has Ctrl-C end this request does not know whether the namespace is there.
  await withApiServer(target, { notify: tell }, (api) => begin(api, all), "overview");
  try {
    const done = await withApiServer(target, waiting, (api) => onStage(api, all, work), "overview");
    return { done, left: await strike(parts) };
  } catch (error) {
    const left = await strike(parts);
    if (left !== undefined) {
      tell(left.message);
    }
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

interface Done<T> {
  readonly done: T;
  /** What could not be removed. */
  readonly left: RunError | undefined;
}

/** Removes what a killed verification has left. */
async function clear(api: ApiServer, all: StageParts): Promise<void> {
  const found = await stageOn(api, all.settings);
  const isOver = (each: Found) => isLeft(each, new Date());
  const used = found.find((each) => !isOver(each));
  if (used !== undefined) {
    throw another(`namespace '${used.name}' is in use until ${used.until.toISOString()}`);
  }
  const why = await removed(all.settings, api, isOver);
  if (why !== undefined) {
    throw notRemoved(
      found.map(({ name }) => name),
      why,
    );
  }
}

/** Makes the first namespace, which only one verification can. */
async function begin(api: ApiServer, { settings, members }: StageParts): Promise<void> {
  const [first] = members;
  const [object] = first === undefined ? [] : objectsOf(first, settings).base;
  if (first === undefined || object === undefined) {
    return;
  }
  const body = sent(object, settings, leaseOf(first, members, settings));
  const answer = await api.ask({ what: `make ${keyOf(object)}`, method: "POST", path: listPath("Namespace"), body });
  if (answer.status === 409) {
    throw another(wordsOf(answer));
  }
  if (answer.status >= 300) {
    throw new RunError("No member can be made to try the promises as.", {
      why: wordsOf(answer),
      remedy:
        "Give the identity in the kubeconfig the rights of one that runs 'kubecamp up', then run again. Nothing was made.",
    });
  }
}

const another = (why: string) =>
  new RunError("Another verification of this stack runs, or was killed within the last minute.", {
    why,
    remedy: "Run again in a minute: what a killed one has left is removed then. Nothing was made.",
  });

async function onStage<T>(api: ApiServer, all: StageParts, work: (stage: Stage) => Promise<T>): Promise<T> {
  const { members, tell } = all;
  const stop = new AbortController();
  const renewing = renew(api, all, stop.signal);
  try {
    tell(`Making ${members.length} members for a while, two of each type`);
    const stage = stageOf(api, all);
    await inParallel(stage.players, hands, (player) => make(player, stage));
    const done = await work(stage);
    if (!all.signal.aborted) {
      await refuseRemoved(stage);
    }
    return done;
  } finally {
    stop.abort();
    await renewing;
  }
}

/** Trials without their members show nothing. @throws RunError if some were removed meanwhile */
async function refuseRemoved({ api, settings, players }: Stage): Promise<void> {
  const own = (await stageOn(api, settings)).filter(isOf(players.map(({ member }) => member)));
  const there = own.flatMap(({ name, terminating }) => (terminating ? [] : [name]));
  const gone = players.flatMap(({ namespace }) => (there.includes(namespace) ? [] : [namespace]));
  if (gone.length > 0) {
    throw new RunError("Somebody removed what was made for the verification while it ran.", {
      why: `Not there any more: ${gone.join(", ")}. After ${lease / 1000} s without a renewal, as on a machine that sleeps, the watch and other verifications do.`,
      remedy: "Run again.",
    });
  }
}

/** Removes all, and waits until it is gone. @returns what may be left */
async function strike({ target, settings, members, tell }: StageParts): Promise<RunError | undefined> {
  tell("Removing what was made");
  const why = await withApiServer(
    target,
    { patience: removal + spare, notify: tell },
    async (api) => (await removed(settings, api, isOf(members))) ?? (await removedElsewhere(settings, members, api)),
    "overview",
  ).catch(messageOf);
  return why === undefined ? undefined : notRemoved(members.map(namespaceName), why);
}

const notRemoved = (names: readonly string[], why: string) =>
  new RunError("Not all is removed that was made for the verification.", {
    why,
    remedy: `The next verification removes the rest, and the watch does. See what keeps it: kubectl get namespace ${names.join(" ")} -o yaml`,
  });

/**
 * Removes all that is there, and what comes late: a request that was given up may still be carried out.
 * @returns why something is left
 */
async function removed(
  settings: Settings,
  api: ApiServer,
  isOurs: (found: Found) => boolean,
): Promise<string | undefined> {
  const seen = new Set<string>();
  for (const end = performance.now() + removal; ; await sleep(poll)) {
    const left = (await stageOn(api, settings)).filter(isOurs);
    const refused = await removeStage(
      left.filter(({ name }) => !seen.has(name)),
      settings,
      api,
    );
    if (refused.length > 0) {
      return refused.join("\n");
    }
    if (left.length === 0) {
      return undefined;
    }
    for (const each of left) {
      seen.add(each.name);
    }
    if (performance.now() > end) {
      return `Still there after ${removal / 1000} s: ${left.map(({ name }) => name).join(", ")}`;
    }
  }
}

/** What came late, or whose namespace somebody else has deleted: nobody would find it any more. */
async function removedElsewhere(
  settings: Settings,
  members: readonly Member[],
  api: ApiServer,
): Promise<string | undefined> {
  const all = members.map((member) => ({
    name: namespaceName(member),
    outside: outsideOf(objectsOf(member, settings), member),
    terminating: true,
  }));
  return (await removeStage(all, settings, api)).join("\n") || undefined;
}

async function renew(api: ApiServer, { settings, members }: StageParts, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(renewal, undefined, { signal }).catch(() => undefined);
    const found = signal.aborted ? [] : await stageOn(api, settings).catch(() => []);
    const body = { metadata: { annotations: untilNow(members) } };
    await inParallel(found.filter(isOf(members)), hands, ({ name }) => {
      const path = objectPath({ kind: "Namespace", name, namespace: undefined });
      return api.ask({ what: `renew '${name}'`, method: "PATCH", path, body }).catch(() => undefined);
    });
  }
}

const isOf = (members: readonly Member[]) => (found: Found) => found.run === runOf(members);
