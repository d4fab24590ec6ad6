import type { BoardModel, BoardUp } from "../../commands/board/model.ts";

/** The board's content about one member, and nothing of the others, so that no page can show it to them. */
export const ownModel = (model: BoardModel, name: string): BoardModel => ({
  ...model,
  members: model.members.filter(({ member }) => member === name),
  differs: undefined,
  ups: model.ups?.flatMap((up) => ownUp(up, name)),
});

/** An up about this member alone, or as far as it changed their objects. Why it ran or failed may be about others. */
function ownUp({ at, seconds, members, why, outcome, changes }: BoardUp, name: string): BoardUp[] {
  const own = changes.filter((change) => change.name === name || change.name.startsWith(`${name}/`));
  const isAlone = members?.length === 1 && members[0] === name;
  return own.length === 0 && !isAlone
    ? []
    : [{ at, seconds, members: [name], why: isAlone ? why : "", outcome, changes: own }];
}
