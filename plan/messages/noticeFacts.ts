interface Reason {
  readonly reason: string;
}

/** Facts of the watch's actions that it reports to the member. */
export interface NoticeFacts {
  readonly driftRepaired: { readonly change: "changed" | "deleted" };
  readonly fellAsleep: { readonly text: string };
  readonly routeClosed: Reason;
  readonly routeOpened: { readonly url: string };
  readonly routePending: Reason;
  readonly wokeUp: Readonly<Record<string, never>>;
}

export type NoticeCode = keyof NoticeFacts;
