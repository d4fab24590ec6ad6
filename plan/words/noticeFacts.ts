/** Facts of what comes, which members and admins are told beforehand. */
export interface ComingFacts {
  /** `days` until the last day: 0 on that day. */
  readonly expires: { readonly lastDay: string; readonly days: number };
  /** `days` until the first day on which a run removes a member who has left the list. */
  readonly removal: { readonly day: string; readonly days: number };
  /** When a member's pods stop for a sleep: a moment as ISO 8601 has it, in the schedule's zone, and minutes until then. */
  readonly sleepsSoon: { readonly at: string; readonly timeZone: string; readonly minutes: number };
  readonly quotaNearlyFull: {
    /** Such as `limits.cpu`. */
    readonly resource: string;
    /** Quantities as the API server writes them. */
    readonly used: string;
    readonly hard: string;
    /** Part of it that is used; 1 for all. */
    readonly ratio: number;
    /** Objects that a full quota refuses. */
    readonly refused: string;
  };
}

export type ComingCode = keyof ComingFacts;

interface Reason {
  readonly reason: string;
}

/** Facts of what the watch reports to the member: its actions, and what comes. */
export interface NoticeFacts extends ComingFacts {
  readonly driftRepaired: { readonly change: "changed" | "deleted" };
  readonly fellAsleep: { readonly text: string };
  readonly routeClosed: Reason;
  readonly routeOpened: { readonly url: string };
  readonly routePending: Reason;
  readonly wokeUp: Readonly<Record<string, never>>;
}

export type NoticeCode = keyof NoticeFacts;
