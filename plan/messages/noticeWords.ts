import type { Finding } from "./finding.ts";

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

const noticeWords: { readonly [C in NoticeCode]: (notice: Finding<C>) => string } = {
  driftRepaired: ({ object, facts: { change } }) => `${object} was ${change} by hand, and has been put back.`,
  routeClosed: ({ facts: { reason } }) => `Your path is closed: ${reason}.`,
  routeOpened: ({ facts: { url } }) => `${url} leads to your Service.`,
  routePending: ({ facts: { reason } }) => `Your path is not open: ${reason}.`,
};

/** The words for the member. */
export const noticeText = <C extends NoticeCode>(notice: Finding<C>): string =>
  (noticeWords[notice.code] as (notice: Finding<C>) => string)(notice);
