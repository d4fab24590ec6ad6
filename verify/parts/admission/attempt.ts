import { setTimeout as sleep } from "node:timers/promises";
import type { Answer } from "../../../cluster/api/requests.ts";
import { hands, inParallel } from "../../../cluster/inParallel.ts";
import { broken, held, type Outcome, type Promised, type Tried, tried, unproven } from "../../outcome.ts";
import { type Player, wordsOf } from "../../stage/stage.ts";

export interface Request {
  readonly method: "PATCH" | "POST";
  readonly path: string;
  readonly body: object;
  readonly contentType?: string;
}

/** A request to refuse. */
export interface Attempt extends Request {
  /** A permitted one of its sort: where that is refused too, the refusal proves nothing. */
  readonly like: Request;
}

/** Attempts against a promise, by what they do, such as `made a Service of type ExternalName`. */
export interface Attempts extends Promised {
  readonly attempts: Readonly<Record<string, Attempt>>;
}

/** Who asks. */
export interface Asker {
  readonly by: string;
  readonly ask: Player["ask"];
}

export interface Tries extends Asker {
  readonly all: readonly Attempts[];
}

/** Asks by dry run, which admission judges as any request. */
export const dryRun = ({ method, path, body, contentType }: Request, ask: Asker["ask"]): Promise<Answer> =>
  ask(method, `${path}?dryRun=All&fieldValidation=Strict`, body, contentType);

/** @param patience milliseconds until what is permitted has to be accepted */
export async function tryAll(
  tries: readonly Tries[],
  signal: AbortSignal,
  patience = usualPatience,
): Promise<readonly Tried[]> {
  const each = tries.flatMap(({ by, ask, all }) => {
    const answerTo = once((permitted: Request) => dryRunPatiently(permitted, ask, signal, patience));
    return all.flatMap(({ promise, page, attempts }) =>
      Object.entries(attempts).map(([what, attempt]) => ({ by, ask, answerTo, promise, page, what, attempt })),
    );
  });
  return await inParallel(each, hands, ({ by, ask, answerTo, promise, page, what, attempt }) =>
    tried({ promise, page }, by, async () => {
      const permitted = await answerTo(attempt.like);
      return isFine(permitted) ? outcomeOf(what, await dryRun(attempt, ask)) : refusedToo(attempt.like, permitted);
    }),
  );
}

export const isFine = ({ status }: Answer): boolean => status < 300;

export const refusedToo = ({ method, path }: Request, answer: Answer): Outcome =>
  unproven(`what is permitted is refused too (${method} ${path}): ${wordsOf(answer)}`);

/** Statuses by which an API server refuses a request for what it asks, also by a webhook or as no such object at all. */
const refusing = [400, 403, 422];

/** Whoever refuses it, nobody has it. */
export function outcomeOf(what: string, answer: Answer): Outcome {
  if (isFine(answer)) {
    return broken(what, "the API server accepted it (in a dry run)");
  }
  return refusing.includes(answer.status) ? held : unproven(`${what}: ${wordsOf(answer)}`);
}

/** Milliseconds until rights and quotas are in force that were just written, and between looks. */
const usualPatience = 5_000;
const pause = 500;

/** The answer to a permitted request: a refusal only if it stays one. */
export async function dryRunPatiently(
  request: Request,
  ask: Asker["ask"],
  signal: AbortSignal,
  patience = usualPatience,
): Promise<Answer> {
  const end = performance.now() + patience;
  for (;;) {
    const answer = await dryRun(request, ask);
    if (isFine(answer) || performance.now() > end) {
      return answer;
    }
    await sleep(pause, undefined, { signal });
  }
}

const once = <T, R>(act: (of: T) => R) => {
  const done = new Map<T, R>();
  return (of: T): R => {
    const result = done.get(of) ?? act(of);
    done.set(of, result);
    return result;
  };
};
