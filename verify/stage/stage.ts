import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { V1ResourceQuota } from "@kubernetes/client-node";
import { type ApiServer, withApiServer } from "../../cluster/api/client.ts";
import { messageOf } from "../../cluster/api/errors.ts";
import type { ApiTarget } from "../../cluster/api/kubeconfig/kubeconfig.ts";
import type { Answer, AskRequest } from "../../cluster/api/requests.ts";
import { hands, inParallel } from "../../cluster/inParallel.ts";
import { listPath, objectPath } from "../../cluster/kinds/kinds.ts";
import { keyOf } from "../../cluster/kinds/objectName.ts";
import { quotaInForce } from "../../cluster/write/pods.ts";
import type { Member } from "../../config/member/member.ts";
import { verifyLabel, verifyOutsideAnnotation, verifyUntilAnnotation } from "../../config/names/labels.ts";
import { namespaceName, resourceQuotaName, verifyName } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { defined } from "../../config/values/maps.ts";
import { RunError } from "../../config/values/runError.ts";
import type { ReadObject } from "../../plan/rows/row.ts";
import { type Found, isLeft, removeStage, stageOn } from "./leftovers.ts";
import { objectsOf, outsideOf, type StageObjects, sent } from "./manifest.ts";

/** A member made for a while, who asks the API server as they would themselves. */
export interface Player extends StageObjects {
  readonly member: Member;
  readonly namespace: string;
  /** As the member, and never throws for a refusal. @throws Error where the identity may impersonate nobody */
  readonly ask: (method: AskRequest["method"], path: string, body?: object, contentType?: string) => Promise<Answer>;
}

export interface Stage {
  readonly settings: Settings;
  /** Two of each type, one after the other. */
  readonly players: readonly Player[];
  /** As the kubeconfig's identity. */
  readonly api: ApiServer;
  /** Aborted by Ctrl-C and when the time is over. */
  readonly signal: AbortSignal;
  /** As another user, such as one of the staff, or as one in a group. */
  readonly askAs: (user: string, inGroup?: string) => Player["ask"];
  /** Makes an object, or changes it, as a run does. */
  readonly apply: (object: ReadObject, annotations?: Readonly<Record<string, string>>) => Promise<void>;
  /** Makes a namespace that is no member's, for what must be out of a member's reach, and gives its name. */
  readonly strange: () => Promise<string>;
  /** Says what goes on, on stderr. */
  readonly tell: (text: string) => void;
}

interface StageParts {
  readonly target: ApiTarget;
  readonly settings: Settings;
  readonly members: readonly Member[];
  readonly signal: AbortSignal;
  readonly tell: (text: string) => void;
}

/** Milliseconds: for how long a namespace is in use after a renewal, and between renewals. */
const lease = 60_000;
const renewal = 15_000;
/** Milliseconds for removal: Kubernetes ends pods within half a minute. */
const removal = 180_000;
/** Milliseconds beside that, for requests about other objects. */
const spare = 30_000;
const poll = 500;
/** Milliseconds for everything. */
export const longest = 600_000;

/**
 * Makes the members, has the trials tried, and removes all again, also after Ctrl-C. What a killed verification has left is
 * removed by the next, or by the watch.
 * @throws RunError if the members can't be made, another verification runs, or something is left
 */
export async function withStage<T>(parts: StageParts, work: (stage: Stage) => Promise<T>): Promise<T> {
  const { target, tell } = parts;
  const signal = AbortSignal.any([parts.signal, AbortSignal.timeout(longest)]);
  const all = { ...parts, signal };
  const waiting = { patience: longest, signal, notify: tell };
  await withApiServer(target, waiting, (api) => clear(api, all), "overview");
  // Without the signal: who has Ctrl-C end this request does not know whether the namespace is there.
  await withApiServer(target, { notify: tell }, (api) => begin(api, all), "overview");
  try {
    return await withApiServer(target, waiting, (api) => onStage(api, all, work), "overview");
  } finally {
    await strike(parts);
  }
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
  const body = sent(object, settings, leaseOf(first, settings));
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
  const { settings, members, tell } = all;
  const stop = new AbortController();
  const renewing = renew(api, settings, members.length, stop.signal);
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
  const there = (await stageOn(api, settings)).flatMap(({ name, terminating }) => (terminating ? [] : [name]));
  const gone = players.flatMap(({ namespace }) => (there.includes(namespace) ? [] : [namespace]));
  if (gone.length > 0) {
    throw new RunError("Somebody removed what was made for the verification while it ran.", {
      why: `Not there any more: ${gone.join(", ")}. After ${lease / 1000} s without a renewal, as on a machine that sleeps, the watch and other verifications do.`,
      remedy: "Run again.",
    });
  }
}

/** Removes all, and waits until it is gone. @throws RunError that names what may be left */
async function strike({ target, settings, members, signal, tell }: StageParts): Promise<void> {
  tell("Removing what was made");
  const why = await withApiServer(
    target,
    { patience: removal + spare, notify: tell },
    async (api) => (await removed(settings, api, () => true)) ?? (await removedElsewhere(settings, members, api)),
    "overview",
  ).catch(messageOf);
  if (why === undefined) {
    return;
  }
  const error = notRemoved(members.map(namespaceName), why);
  if (signal.aborted) {
    // A command that was interrupted says nothing else.
    tell(error.message);
  }
  throw error;
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

async function renew(api: ApiServer, settings: Settings, count: number, signal: AbortSignal): Promise<void> {
  const names = Array.from({ length: count + 1 }, (_, number) => verifyName(settings, number));
  while (!signal.aborted) {
    await sleep(renewal, undefined, { signal }).catch(() => undefined);
    const body = { metadata: { annotations: untilNow() } };
    const patch = (name: string) =>
      api.ask({ what: `renew '${name}'`, method: "PATCH", path: pathOf(name), body }).catch(() => undefined);
    await inParallel(signal.aborted ? [] : names, hands, patch);
  }
}

const pathOf = (name: string) => objectPath({ kind: "Namespace", name, namespace: undefined });
const untilNow = () => ({ [verifyUntilAnnotation]: new Date(Date.now() + lease).toISOString() });

/** Annotations by which whoever finds a namespace knows when it is nobody's, and what else to remove. */
const leaseOf = (member: Member, settings: Settings) => ({
  ...untilNow(),
  [verifyOutsideAnnotation]: outsideOf(objectsOf(member, settings), member).map(keyOf).join("\n"),
});

async function make({ base, member, namespace }: Player, { api, settings, apply }: Stage): Promise<void> {
  for (const object of base) {
    await apply(object, object.kind === "Namespace" ? leaseOf(member, settings) : {});
  }
  if (base.some(({ kind }) => kind === "ResourceQuota")) {
    const path = objectPath({ kind: "ResourceQuota", name: resourceQuotaName, namespace });
    await quotaInForce(
      () => api.get<V1ResourceQuota>({ what: `the ResourceQuota of '${namespace}'`, path }),
      (quota) => isDeepStrictEqual(quota?.status?.hard, quota?.spec?.hard),
      (milliseconds) => sleep(milliseconds),
    );
  }
}

function stageOf(api: ApiServer, { settings, members, signal, tell }: StageParts): Stage {
  const askAs =
    (user: string, inGroup?: string): Player["ask"] =>
    async (method, path, body, contentType) => {
      const what = `${method} ${path} as ${user}`;
      const answer = await api.ask({ what, method, path, body, as: user, ...defined({ contentType, inGroup }) });
      const words = answer.status === 403 ? wordsOf(answer) : "";
      if (words.includes("cannot impersonate")) {
        throw new Error(`give this identity the verb 'impersonate' on users, groups and serviceaccounts: ${words}`);
      }
      return answer;
    };
  const apply: Stage["apply"] = async (object, annotations) => {
    await api.write({
      what: `make ${keyOf(object)}`,
      method: "PATCH",
      path: `${objectPath(object)}${applying}`,
      contentType: applyPatch,
      body: sent(object, settings, annotations),
    });
  };
  return {
    settings,
    players: members.map((member) => ({
      member,
      namespace: namespaceName(member),
      ask: askAs(member.username),
      ...objectsOf(member, settings),
    })),
    api,
    signal,
    tell,
    askAs,
    apply,
    strange: async () => {
      const name = verifyName(settings, 0);
      const labels = { [verifyLabel]: settings.stack, ...restricted };
      const body = { apiVersion: "v1", kind: "Namespace", metadata: { name, labels, annotations: untilNow() } };
      const path = `${pathOf(name)}${applying}`;
      await api.write({ what: `make namespace '${name}'`, method: "PATCH", path, contentType: applyPatch, body });
      return name;
    },
  };
}

const restricted = { "pod-security.kubernetes.io/enforce": "restricted" };
/** Server-side apply: a controller may have made it by then, as the ServiceAccount of each namespace. */
const applying = "?fieldManager=kubecamp&force=true";
const applyPatch = "application/apply-patch+yaml";

/** A refusal in the API server's words. */
export function wordsOf({ status, body }: Answer): string {
  const { message } = Object(body) as { message?: unknown };
  return typeof message === "string" ? message : `${status} ${String(body).slice(0, 200)}`;
}
