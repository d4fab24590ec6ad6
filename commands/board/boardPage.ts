import { html } from "@remix-run/html-template";
import type { BoardModel } from "./model.ts";
import type { BoardOptions } from "./options.ts";
import { page } from "./page.ts";

/** A page with all members, what differs, and the last runs. */
export function boardPage({ stack, members }: BoardModel, { language, memberHref }: BoardOptions): string {
  const title = stack === undefined ? "Members" : `Members of ${stack}`;
  const rows = members.map(
    ({ member, state, reason }) =>
      html`<li><a href="${memberHref?.(member) ?? ""}">${member}</a> ${state} ${reason}</li>`,
  );
  return page(title, language, html`<main><h1>${title}</h1><ul>${rows}</ul></main>`);
}
