interface Reason {
  readonly reason: string;
}

/** The facts of what the watch has seen to, and tells the member of. */
export interface NoticeFacts {
  readonly driftRepaired: { readonly change: "changed" | "deleted" };
  readonly routeClosed: Reason;
  readonly routeOpened: { readonly url: string };
  readonly routePending: Reason;
}

export type NoticeCode = keyof NoticeFacts;
