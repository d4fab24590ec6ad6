import type { ComingCode } from "../messages/coming/noticeFacts.ts";
import type { Finding } from "../messages/finding.ts";
import type { Planned } from "../plan.ts";
import { expiry, removal } from "./days.ts";
import { quotas } from "./quotas.ts";
import type { ComingRow, Expected, Look } from "./row.ts";
import { sleep } from "./sleep.ts";

/** All kinds of things that come. plan/messages/coming/noticeFacts.ts has their facts. */
const rows: { readonly [C in ComingCode]: ComingRow<C> } = {
  expires: expiry,
  quotaNearlyFull: quotas,
  removal,
  sleepsSoon: sleep,
};

/** A thing that comes, as a finding for members and admins. */
export interface Coming extends Pick<Expected<ComingCode>, "at" | "step" | "isForgotten"> {
  readonly finding: Finding<ComingCode> & { readonly member: string };
  /** Code and what it is about: tells a member's things apart. */
  readonly key: string;
  readonly isForAdmins: boolean;
}

export const comingCodes = Object.keys(rows) as ComingCode[];

/**
 * All that comes to these members, near or not: what has a `step` is to be told at `look.now`. Events, annotations,
 * metrics, messages and reports go by this.
 */
export const comingOf = (look: Look): Coming[] => comingCodes.flatMap((code) => ofKind(code, look));

function ofKind<C extends ComingCode>(code: C, look: Look): Coming[] {
  const { isForAdmins, of } = rows[code];
  return of(look).map(({ member, object, facts, about, at, step, isForgotten }) => ({
    // TypeScript can't see that the facts are those of the code.
    finding: { code, member, ...(object === undefined ? {} : { object }), facts } as Coming["finding"],
    key: `${code} ${about}`,
    ...(at === undefined ? {} : { at }),
    step,
    isForgotten,
    isForAdmins,
  }));
}

/** A look at a plan's members. */
export const lookOf = ({ members, settings, snapshot }: Planned<Look["snapshot"]>, now = new Date()): Look => ({
  members: members.map(({ member }) => member),
  settings,
  snapshot,
  now,
});

/** Findings of some kinds that are near. */
export const nearOf = (look: Look, ...codes: readonly ComingCode[]): Finding<ComingCode>[] =>
  codes.flatMap((code) => ofKind(code, look).flatMap(({ step, finding }) => (step === undefined ? [] : [finding])));
