import { groupOf, hasPrefix, isReserved, prefixed, reserved, usernameOf } from "../oidc.ts";
import { type Candidate, encrypted, membersPaths, type Rule } from "../rule.ts";
import { noAddress } from "../values/emails.ts";
import { when } from "../values/maps.ts";
import { type RawMistake, valueMistake } from "../values/mistakes.ts";
import { nearest } from "../values/nearest.ts";
import { confusionOf, useOf } from "./names.ts";

export const nameRule: Rule = ({ candidates, settings, placeOf }) => {
  const names = new Map<string, number>();
  return candidates.flatMap(({ index, entry }) => {
    const { member: name } = entry;
    if (name === undefined) {
      return [];
    }
    const use = useOf(name, settings);
    const confusion = confusionOf(name, settings);
    const problem =
      use === undefined ? confusion && `${confusion}; ${otherName(entry)}` : `is ${use}; choose another name`;
    const first = names.get(name);
    names.set(name, first ?? index);
    return [
      problem,
      first === undefined ? undefined : `is the name of ${placeOf(first)} already; names must differ`,
    ].flatMap((why) => (why === undefined ? [] : [valueMistake(["members", index, "member"], name, why)]));
  });
};

/** The member's own name is how they sign in, if no subject says otherwise. */
const otherName = ({ member, subject }: Candidate["entry"]) =>
  `choose another name, such as m-${member}${subject === undefined ? `, with subject: ${member}` : ""}`;

export const subjectRule: Rule = (all) => {
  const { settings } = all;
  return all.candidates.flatMap(({ index, entry, wrong }): RawMistake[] => {
    const subject = wrong.has("subject") ? undefined : (entry.subject ?? entry.member);
    if (subject === undefined) {
      return [];
    }
    const path = ["members", index, entry.subject === undefined ? "member" : "subject"];
    const isPrefixed = entry.subject !== undefined && hasPrefix(subject, "usernamePrefix", all);
    const notSent = settings.oidc.usernameClaim === "email" ? noAddress(subject) : undefined;
    const why = isPrefixed ? prefixed("usernamePrefix") : notSent;
    const username = usernameOf(subject, settings);
    return [
      ...(why === undefined ? [] : [valueMistake(path, subject, why)]),
      ...when(isReserved(username), valueMistake(path, username, reserved)),
    ];
  });
};

export const groupRule: Rule = (all) =>
  all.candidates.flatMap(({ index, entry: { groups = [] } }) =>
    groups.flatMap((group, at): readonly RawMistake[] => {
      const path = ["members", index, "groups", at];
      if (group === undefined || groups.indexOf(group) < at) {
        return when(group !== undefined, valueMistake(path, group, "is listed twice; keep one"));
      }
      const name = groupOf(group, all.settings);
      return hasPrefix(group, "groupsPrefix", all)
        ? [valueMistake(path, group, prefixed("groupsPrefix"))]
        : when(isReserved(name), valueMistake(path, name, reserved));
    }),
  );

export const typeRule: Rule = ({ candidates, types, typeNames }) =>
  candidates.flatMap(({ index, entry: { type } }) =>
    type === undefined || typeNames === undefined || types.has(type)
      ? []
      : [
          valueMistake(
            ["members", index, "type"],
            type,
            `is no member type${nearest(type, typeNames)} (${typeNames.join(", ")})`,
          ),
        ],
  );

export const labelRule: Rule = (all) => encrypted(membersPaths(all, "labels"), all);
