import { applyRequest } from "../../../cluster/write/apply.ts";
import { homeRules } from "../../../objects/rbac/role.ts";
import { rbac } from "../../../objects/rbac/subjects.ts";
import type { Player, Stage } from "../../stage/stage.ts";
import type { Asker } from "./attempt.ts";

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** One of each type: admission makes no difference between two. */
export const oneOfEach = (players: readonly Player[]): readonly Player[] =>
  [...Map.groupBy(players, ({ member }) => member.type.name).values()].flatMap(([first]) => first ?? []);

/** The member, or where they may only look, somebody who may do what other members may. */
export async function askerOf(player: Player, stage: Stage): Promise<Asker> {
  const { type } = player.member;
  return type.home === "edit"
    ? { by: `a member of type ${type.name}`, ask: player.ask }
    : await byHand(player, stage, { name: "edit", rules: homeRules("edit", player.member, stage.settings) });
}

/** A user to whom somebody gave a role in a member's namespace by hand. */
export async function byHand(
  { member, namespace }: Player,
  { api, askAs }: Stage,
  { name, rules }: { readonly name: string; readonly rules: readonly Rule[] },
): Promise<Asker> {
  const user = `${member.username}:${name}`;
  const metadata = { name: `by-hand-${name}` };
  const roleRef = { apiGroup: rbac, kind: "Role", name: metadata.name };
  const make = (kind: "Role" | "RoleBinding", content: object) =>
    api.write(
      applyRequest(
        `make ${kind} '${metadata.name}' in namespace '${namespace}'`,
        { kind, name: metadata.name, namespace },
        { apiVersion: `${rbac}/v1`, kind, metadata, ...content },
      ),
    );
  const made = make("Role", { rules }).then(() =>
    make("RoleBinding", { roleRef, subjects: [{ apiGroup: rbac, kind: "User", name: user }] }),
  );
  // Without the role, each request says why, and so proves nothing.
  const ask = await made.then(
    () => askAs(user),
    (cause: unknown) => () => Promise.reject(cause),
  );
  return { by: `a user with a hand-made role (type ${member.type.name})`, ask };
}
