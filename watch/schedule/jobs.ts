import { mostTargets } from "../../plan/decisions/target.ts";
import type { Case } from "./cases.ts";

/** An up to run; `refresh` says that Pulumi looks at all of the cluster first, whatever the run finds in its state. */
export type Job =
  | { readonly kind: "full"; readonly target: undefined; readonly refresh: boolean; readonly why: string }
  | { readonly kind: "targeted"; readonly target: readonly string[]; readonly refresh: false; readonly why: string };

/** Changes come in bursts: an up waits until none has come for so many milliseconds, */
const quiet = 100;
/** and at most for so many milliseconds after the first. */
const mostQuiet = 2_000;

/** When each case is due. New cases wait for more of the burst. @param heldUntil -Infinity if no full up has failed */
export function dueTimes(present: readonly Case[], heldUntil: number, brakeUntil: number): number[] {
  // Only a full up mends shared objects.
  const isHeld = ({ finding }: Case) => finding.member === undefined && Number.isFinite(heldUntil);
  const fresh = present.filter((one) => !one.tried && !isHeld(one)).map(({ since }) => since);
  const gathered = Math.min(Math.max(...fresh) + quiet, Math.min(...fresh) + mostQuiet);
  return present.map((one) => {
    const braked = one.company === Number.POSITIVE_INFINITY ? one.notBefore : Math.max(one.notBefore, brakeUntil);
    const time = isHeld(one) ? heldUntil : braked;
    return one.tried ? time : Math.max(time, gathered);
  });
}

/** One up for as many due cases as go together; undefined if none is due. */
export function jobFor(due: readonly Case[], present: readonly Case[], mayBeFull: boolean): Job | undefined {
  if (due.length === 0) {
    return undefined;
  }
  if (due.some(({ finding }) => finding.member === undefined)) {
    return { kind: "full", target: undefined, refresh: false, why: "shared objects" };
  }
  // The least tried first: a pause between failed ups outlasts the pauses of those who fail, who would always come first.
  const members = [...new Set(due.toSorted((a, b) => a.attempts - b.attempts).map(memberOf))];
  const companies = companiesOf(present);
  const company = (member: string) => companies.get(member) ?? 1;
  // Members whose up failed share none with new cases.
  const largest = Math.max(...members.map(company));
  const together = members.filter((member) => company(member) === largest);
  if (together.length > mostTargets && largest === Number.POSITIVE_INFINITY && mayBeFull) {
    return { kind: "full", target: undefined, refresh: false, why: "many members" };
  }
  const target = together.slice(0, Math.min(largest, mostTargets)).sort();
  const theirs = due.filter((one) => target.includes(memberOf(one)));
  const why = [...new Set(theirs.map(({ finding }) => finding.what))].sort().join(", ");
  return { kind: "targeted", target, refresh: false, why };
}

/** Most members that an up with this member may have. */
function companiesOf(present: readonly Case[]): Map<string, number> {
  const companies = new Map<string, number>();
  for (const one of present) {
    const member = memberOf(one);
    companies.set(member, Math.min(one.company, companies.get(member) ?? one.company));
  }
  return companies;
}

const memberOf = ({ finding }: Case): string => finding.member ?? "";

export const isAbout = ({ target }: Job, one: Case): boolean => target === undefined || target.includes(memberOf(one));
