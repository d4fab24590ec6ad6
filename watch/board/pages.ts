import { hash } from "node:crypto";
import { boardPage } from "../../commands/board/boardPage.ts";
import { memberPage } from "../../commands/board/memberPage.ts";
import { type BoardModel, type BoardUp, boardModel, turnsOf } from "../../commands/board/model.ts";
import type { Language } from "../../commands/board/options.ts";
import { upsOf } from "../../commands/board/parts/ups.ts";
import { plainInvitation } from "../../commands/members/invite/invite.ts";
import { utcDay } from "../../config/values/days.ts";
import type { Planned } from "../../plan/members/plan.ts";
import type { Divergence } from "../live/findings.ts";
import type { LiveSnapshot } from "../live/liveObjects.ts";
import type { Job } from "../schedule/jobs.ts";
import type { UpResult } from "../stackRunner.ts";
import { overviewsOf } from "./overviews.ts";
import type { Visitor } from "./visitor.ts";

export interface BoardLook {
  readonly plan: Planned<LiveSnapshot>;
  readonly differs: readonly Divergence[];
  readonly moment: Date;
}

/** A page as visitors get it, encoded and hashed once: a board of a thousand members has megabytes. */
export interface RenderedPage {
  readonly bytes: Buffer;
  /** Changes with the bytes, as a header has it. */
  readonly etag: string;
}

const mostUps = 20;
const mostPages = 200;
const ofMember = "/members/";

/** The board's pages, from the watch's last comparison. Each is made once until the next one. */
export class BoardPages {
  #look: BoardLook | undefined;
  #ups: readonly BoardUp[] = [];
  #model: BoardModel | undefined;
  readonly #pages = new Map<string, RenderedPage>();

  look(look: BoardLook): void {
    this.#look = look;
    this.#forget();
  }

  ended({ target, why }: Job, result: UpResult, seconds: number, at: Date): void {
    const up: BoardUp = { at: at.toISOString(), seconds, members: target, why, ...endOf(result) };
    this.#ups = [up, ...this.#ups].slice(0, mostUps);
    this.#forget();
  }

  get isThere(): boolean {
    return this.#look !== undefined;
  }

  /** The page at a path without query; undefined if there is none for this visitor. Members have their own at `/`. */
  at(path: string, visitor: Visitor, language: Language): RenderedPage | undefined {
    const name = path.startsWith(ofMember) ? path.slice(ofMember.length) : undefined;
    if (path !== "/" && name === undefined) {
      return undefined;
    }
    if (visitor.sees === "all") {
      return this.#page(`${language} ${path}`, (model) => pageOf(model, name, language));
    }
    const own = visitor.members.map((member) => member.name);
    if (name !== undefined && !own.includes(name)) {
      return undefined;
    }
    const [first = "", ...others] = own;
    return others.length === 0
      ? this.#page(`${language} ${first}`, (model) => memberPage(ownModel(model, own), first, { language }))
      : this.#page(`${language} ${own.join()} ${path}`, (model) => pageOf(ownModel(model, own), name, language));
  }

  #page(key: string, make: (model: BoardModel) => string | undefined): RenderedPage | undefined {
    const known = this.#pages.get(key);
    if (known !== undefined) {
      return known;
    }
    this.#model ??= this.#look && modelOf(this.#look, this.#ups);
    const html = this.#model && make(this.#model);
    if (html === undefined) {
      return undefined;
    }
    const bytes = Buffer.from(html);
    const page = { bytes, etag: `"${hash("sha256", bytes, "base64url")}"` };
    const [oldest] = this.#pages.size < mostPages ? [] : this.#pages.keys();
    this.#pages.delete(oldest ?? "");
    this.#pages.set(key, page);
    return page;
  }

  #forget(): void {
    this.#model = undefined;
    this.#pages.clear();
  }
}

const pageOf = (model: BoardModel, name: string | undefined, language: Language) =>
  name === undefined
    ? boardPage(model, { language, memberHref: (member) => `${ofMember}${member}` })
    : memberPage(model, name, { language, boardHref: "/" });

function endOf(result: UpResult): Pick<BoardUp, "outcome" | "reason" | "changes"> {
  const { outcome } = result;
  switch (outcome) {
    case "locked":
      return { outcome, reason: `locked by ${result.by}`, changes: [] };
    case "failed":
      return { outcome, reason: result.reason, changes: result.changes };
    default:
      return { outcome, changes: result.changes };
  }
}

function modelOf({ plan, differs, moment }: BoardLook, ups: readonly BoardUp[]): BoardModel {
  const members = plan.members.map(({ member }) => member);
  const byName = new Map(members.map((member) => [member.name, member]));
  return boardModel({
    stack: plan.settings.stack,
    members: overviewsOf(plan, utcDay(moment)),
    readAt: moment,
    ups,
    differs,
    invitations: (name) => {
      const member = byName.get(name);
      return member && { markdown: plainInvitation(member, plan.settings), language: "en" };
    },
    labels: new Map(members.map(({ name, labels }) => [name, labels])),
    turns: turnsOf(members, plan.snapshot, moment),
  });
}

/** The board's content about one person's environments, and nothing of the others, so that no page can show it to them. */
export const ownModel = (model: BoardModel, names: readonly string[]): BoardModel => ({
  ...model,
  // Labels are the admins' own words about members.
  members: model.members.filter(({ member }) => names.includes(member)).map((own) => ({ ...own, labels: {} })),
  differs: undefined,
  // Why an up failed may be about others.
  ups: model.ups?.flatMap((up) => names.flatMap((name) => upsOf(name, [up])).map(({ reason: _, ...own }) => own)),
});
