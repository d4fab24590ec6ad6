import { setTimeout } from "node:timers/promises";
import { messageOf } from "../../cluster/api/errors.ts";
import type { Member } from "../../config/member/member.ts";
import type { Settings } from "../../config/settings.ts";
import { RunError } from "../../config/values/runError.ts";
import type { Waited } from "../../plan/members/waiting.ts";
import { readinessNow } from "./routeCheck.ts";

/** Pace of a wait; tests use a faster one. */
interface Patience {
  readonly open: (member: Member) => void;
  readonly notify: (member: Member, message: string) => void;
  /** Milliseconds between looks. Default: two seconds. */
  readonly interval?: number;
  /** Whether anybody still needs the result. */
  readonly isWanted: () => boolean;
}

/** Looks between reports. */
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
