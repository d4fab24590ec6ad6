import type { BoardModel } from "../../commands/board/model.ts";
import { upsOf } from "../../commands/board/parts/ups.ts";

/** The board's content about one member, and nothing of the others, so that no page can show it to them. */
export const ownModel = (model: BoardModel, name: string): BoardModel => ({
  ...model,
  // Labels are the admins' own words about members.
  members: model.members.filter(({ member }) => member === name).map((own) => ({ ...own, labels: {} })),
  differs: undefined,
  // Why an up failed may be about others.
  ups: model.ups && upsOf(name, model.ups).map(({ reason: _, ...up }) => up),
});
