import { html } from "@remix-run/html-template";
import type { BoardModel } from "./model.ts";
import type { PageOptions } from "./options.ts";
import { page } from "./page.ts";

/** A member's own page, which shows nothing of other members; undefined if there is no such member. */
export function memberPage({ members }: BoardModel, name: string, { language }: PageOptions): string | undefined {
  const found = members.find(({ member }) => member === name);
  return found && page(name, language, html`<main><h1>${name}</h1><p>${found.state} ${found.reason}</p></main>`);
}
