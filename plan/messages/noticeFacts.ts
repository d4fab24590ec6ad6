interface Reason {
  readonly reason: string;
}

/** Facts of the watch's actions that it reports to the member. */
export interface NoticeFacts {
  readonly driftRepaired: { readonly change: "changed" | "deleted" };
  readonly routeClosed: Reason;
  readonly routeOpened: { readonly url: string };
  readonly routePending: Reason;
}

export type NoticeCode = keyof NoticeFacts;
