import { messageOf } from "../cluster/api/errors.ts";

/** Parts of a verification, in the order of their trials; `--only` names some. */
export const parts = ["guards", "access", "admission", "limits", "network", "route", "buckets", "sign-in"] as const;
export type Part = (typeof parts)[number];

export type Outcome =
  /** @param accepted what goes beyond the promise, and why somebody has accepted that */
  | { readonly is: "held"; readonly accepted?: string }
  /** @param tried what was done, such as `made a Service of type ExternalName`; @param came what the cluster said to it */
  | { readonly is: "broken"; readonly tried: string; readonly came: string }
  | { readonly is: "unproven"; readonly why: string };

/** A promise of the documentation, as a sentence, with the page that makes it and says what to do. */
export interface Promised {
  readonly promise: string;
  readonly page: string;
}

/** One trial of a promise. */
export interface Tried extends Promised {
  /** As whom or from where, such as `a guest-user`; part of messages. */
  readonly by: string;
  readonly outcome: Outcome;
}

export const held: Outcome = { is: "held" };
export const broken = (tried: string, came: string): Outcome => ({ is: "broken", tried, came });
export const unproven = (why: string): Outcome => ({ is: "unproven", why });

/** A trial that throws proves nothing, whatever the reason. */
export async function tried(promised: Promised, by: string, act: () => Promise<Outcome>): Promise<Tried> {
  const outcome = await act().catch((cause: unknown) => unproven(messageOf(cause)));
  return { ...promised, by, outcome };
}

/** A promise with all trials of it. It is held if some were, and none was otherwise. */
export interface Proof extends Promised {
  readonly part: Part;
  readonly result: Outcome["is"];
  readonly trials: readonly Tried[];
}

export const proofsOf = (part: Part, all: readonly Tried[]): readonly Proof[] =>
  [...Map.groupBy(all, ({ promise }) => promise)].map(([promise, trials]) => ({
    part,
    promise,
    page: trials[0]?.page ?? "",
    result: resultOf(trials),
    trials,
  }));

function resultOf(trials: readonly Tried[]): Outcome["is"] {
  const all = new Set(trials.map(({ outcome }) => outcome.is));
  if (all.has("broken")) {
    return "broken";
  }
  return all.has("unproven") ? "unproven" : "held";
}
