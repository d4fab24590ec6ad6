import type { ComingFacts } from "./comingFacts.ts";

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
