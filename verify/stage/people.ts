import { membersBeside } from "../../config/configuration.ts";
import type { Member } from "../../config/member/member.ts";
import { verifyName } from "../../config/names/names.ts";
import type { Configuration } from "../../config/settings.ts";
import { staffAt } from "../../config/staff.ts";

/** Environments of each type: one of two members tries what the other must not let them. */
const ofEachType = 2;

/**
 * Two members of each type in use, or of the built-in `user` for an empty list, with what the settings give to everybody
 * of the type.
 * @param sign differs between verifications, and is in the user names: nobody has a token for one
 */
export function throwaways(
  configuration: Configuration,
  raw: Readonly<Record<string, unknown>>,
  { today, sign }: { readonly today: string; readonly sign: string },
): readonly Member[] {
  const { settings, members } = configuration;
  const types = [...new Set(members.map(({ type }) => type.name))];
  const entries = (types.length === 0 ? ["user"] : types)
    .toSorted()
    .flatMap((type) => Array.from({ length: ofEachType }, () => type))
    .map((type, index) => {
      const member = verifyName(settings, index + 1);
      return { member, type, subject: `${member}-${sign}`, ...(settings.ci === undefined ? {} : ofCi) };
    });
  return staffAt(membersBeside(entries, configuration, raw, today), settings, new Date()).map(bare);
}

/** A token of the ServiceAccount: no issuer has jobs of a member made up. */
const ofCi = { ci: [{ token: true as const }] };

/** Without what would come to a member by a schedule, a starter app or given objects: trials bring their own. */
const bare = ({ starter: _, objects: __, schedule: ___, ci, ...member }: Member): Member => ({
  ...member,
  // Jobs do what a member who may run something may.
  ...(ci !== undefined && member.type.home === "edit" ? { ci } : {}),
  adopt: false,
  protect: false,
});
