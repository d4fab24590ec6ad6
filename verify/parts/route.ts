import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../cluster/api/errors.ts";
import { codesOf, innermost } from "../../cluster/api/networkErrors.ts";
import { hands, inParallel } from "../../cluster/inParallel.ts";
import { objectPath } from "../../cluster/kinds/kinds.ts";
import { keyOf } from "../../cluster/kinds/objectName.ts";
import { routeUrl, serviceName } from "../../config/names/names.ts";
import { withArticle } from "../../config/values/sentences.ts";
import { broken, held, type Outcome, type Promised, type Tried, tried, unproven } from "../outcome.ts";
import type { Player } from "../stage/stage.ts";
import type { Trial } from "../trial.ts";
import { expose, placeOf, runPod, servingScript } from "./pods.ts";
import { type Visit, visit } from "./route/visit.ts";

const trouble = "docs/run/routes.md#when-it-does-not-work";
const leads: Promised = { promise: "A member's path leads to their Service", page: trouble };
const asks: Promised = {
  promise: "A path lets in nobody who has not signed in",
  page: "docs/run/login.md#when-it-does-not-work",
};
const trusted: Promised = {
  promise: "Paths have a certificate that this machine trusts",
  page: "docs/run/routes.md#the-public-certificate",
};
const closes: Promised = { promise: "A path that closes leads nowhere, and the others stay open", page: trouble };

/** How paths are looked at. */
export interface Visitor {
  readonly look: typeof visit;
  /** Milliseconds for a path to open and to close, and between looks. */
  readonly opening: number;
  readonly closing: number;
  readonly pause: number;
}

const fromHere: Visitor = { look: visit, opening: 60_000, closing: 30_000, pause: 1000 };

/** A member's path. */
interface Page {
  readonly player: Player;
  readonly url: string;
  readonly path: string;
  /** What the app behind it serves, and nobody else knows. */
  readonly text: string;
}

/** A path as it answered, or why it did not. */
type Seen = Page & { readonly seen: Visit | string };

/** Opens each member's path as a run does, and then closes one. @param visitor default: from this machine */
export async function tryRoute(trial: Trial, visitor: Visitor = fromHere): Promise<readonly Tried[]> {
  const { players, settings } = trial.stage;
  const pages = players.flatMap((player): Page[] => {
    const { route } = player.member;
    const text = randomBytes(8).toString("hex");
    return route === undefined ? [] : [{ player, url: routeUrl(route), path: route.path, text }];
  });
  const all = await inParallel(pages, hands, async (page): Promise<Seen> => {
    const isWanted = isOpen(page, trial);
    const seen = open(page, trial).then(() => lookUntil(isWanted, page, visitor.opening, { trial, visitor }));
    return { ...page, seen: await seen.catch(messageOf) };
  });
  const shown = all.flatMap((page): Tried[] => {
    const by = byOf(page);
    return [
      { ...(settings.route.login === undefined ? leads : asks), by, outcome: opened(page, trial) },
      { ...trusted, by, outcome: trust(page) },
    ];
  });
  return [...shown, ...(await tryClosing(all, trial, visitor))];
}

const byOf = ({ player }: Page) => withArticle(player.member.type.name);

async function open({ player, path, text }: Page, { stage, options: { image } }: Trial): Promise<void> {
  if (stage.settings.route.backend.protocol === "HTTPS") {
    throw new Error("routes lead to members' apps by HTTPS, and the app of a verification has no certificate");
  }
  const place = placeOf(player, stage);
  const name = "page";
  await expose(place, serviceName(player.member), name);
  await runPod(stage, place, { name, image, script: servingScript, args: [text, path], listens: true });
  for (const object of player.route) {
    await stage.apply(object);
  }
}

/** Redirects of a login, and what it answers otherwise. */
const refusals = [301, 302, 303, 307, 308, 401, 403];

const isOpen =
  ({ text }: Page, { stage }: Trial) =>
  ({ status, body }: Visit): boolean =>
    stage.settings.route.login === undefined ? body.includes(text) : refusals.includes(status) || body.includes(text);

interface Looking {
  readonly trial: Trial;
  readonly visitor: Visitor;
}

/** The first answer that is as wanted, or the last. @throws Error if there is none in the end */
async function lookUntil(
  isWanted: (seen: Visit) => boolean,
  { url }: Page,
  milliseconds: number,
  { trial, visitor }: Looking,
): Promise<Visit> {
  const end = performance.now() + milliseconds;
  for (;;) {
    const seen = await visitor.look(url).catch((cause: unknown) => new Error(unanswered(url, cause), { cause }));
    const isOver = performance.now() > end;
    if (seen instanceof Error && isOver) {
      throw seen;
    }
    if (!(seen instanceof Error) && (isOver || isWanted(seen))) {
      return seen;
    }
    await sleep(visitor.pause, undefined, { signal: trial.stage.signal });
  }
}

const unanswered = (url: string, cause: unknown) =>
  codesOf(cause).some((code) => code === "ENOTFOUND" || code === "EAI_AGAIN")
    ? `the name ${new URL(url).hostname} is not known in DNS here`
    : `this machine gets no answer from ${url}: ${innermost(cause)}`;

function opened(page: Seen, trial: Trial): Outcome {
  const { seen, url, text } = page;
  if (typeof seen === "string") {
    return unproven(seen);
  }
  const isLetIn = seen.body.includes(text);
  const isAsked = trial.stage.settings.route.login !== undefined;
  if (isAsked && isLetIn) {
    return broken(`GET ${url}, without signing in`, "the answer of the app behind it");
  }
  return isOpen(page, trial)(seen)
    ? held
    : broken(`GET ${url}`, `${seen.status}, from something else than the app behind it`);
}

/** A CA that nobody but the company's machines may know. */
const unknownCa = /^(SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.*)$/;

function trust({ seen, url }: Seen): Outcome {
  if (typeof seen === "string" || seen.distrust === undefined) {
    return typeof seen === "string" ? unproven(seen) : held;
  }
  return unknownCa.test(seen.distrust)
    ? unproven(`${url}: ${seen.distrust}. If the CA is your own, set NODE_EXTRA_CA_CERTS to the file with it`)
    : broken(`GET ${url}`, seen.distrust);
}

/** Closes the first of two open paths. */
async function tryClosing(all: readonly Seen[], trial: Trial, visitor: Visitor): Promise<readonly Tried[]> {
  const [first, other] = all.filter((page) => opened(page, trial).is === "held");
  if (first === undefined || other === undefined) {
    return all.slice(0, 1).map((page) => ({ ...closes, by: byOf(page), outcome: unproven("no two paths opened") }));
  }
  const closed = await tried(closes, byOf(first), async () => {
    await close(first, trial);
    const isLeft = isOpen(first, trial);
    const act = `closed ${first.url}`;
    const last = await lookUntil((seen) => !isLeft(seen), first, visitor.closing, { trial, visitor });
    if (isLeft(last)) {
      return broken(act, `it still answers after ${visitor.closing / 1000} s`);
    }
    const after = await visitor.look(other.url);
    return isOpen(other, trial)(after) ? held : broken(act, `${other.url} answers ${after.status} since`);
  });
  return [closed];
}

async function close({ player }: Page, { stage }: Trial): Promise<void> {
  const service = { kind: "Service", name: serviceName(player.member), namespace: player.namespace } as const;
  for (const object of [service, ...player.route.toReversed()]) {
    await stage.api.write({ what: `delete ${keyOf(object)}`, method: "DELETE", path: objectPath(object) });
  }
}
