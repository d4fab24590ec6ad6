import { groupOf, usernameOf } from "../resolve/members/member.ts";
import type { Valid } from "../schema/issues.ts";
import { type StaffEntry, staffSchema } from "../schema/members/staff.ts";
import { plainMistake, type RawMistake, valueAt, valueMistake } from "../sources/mistakes.ts";
import { noAddress } from "./emails.ts";
import {
  type Candidate,
  encrypted,
  hasPrefix,
  isReserved,
  prefixed,
  type RulesContext,
  reserved,
  selectorFindings,
} from "./rules.ts";

/** Mistakes: staff who are nobody or two, have names that nobody signs in with, or are over what is not there. */
export function staffFindings(candidates: readonly Candidate[], context: RulesContext): RawMistake[] {
  const { staff = [] } = context.entry;
  return [
    ...(context.raw.staff === undefined ? [] : encrypted([["staff"]], context)),
    ...staff.flatMap((entry, index) => {
      const at = ["staff", index];
      return entry === undefined
        ? []
        : [
            ...whoFindings(entry, at, context),
            ...nameFindings(entry, at, context),
            ...selectorFindings([...at, "over"], entry.over, candidates, context),
          ];
    }),
  ];
}

/** A name may be there under a wrong key, which is a mistake already. */
function whoFindings(entry: Valid<StaffEntry>, at: PropertyKey[], { raw }: RulesContext): RawMistake[] {
  const isRight = staffSchema.safeParse(valueAt(raw, at)).success;
  if (!isRight || (entry.subject === undefined) !== (entry.group === undefined)) {
    return [];
  }
  return [
    plainMistake(
      at,
      entry.subject === undefined
        ? "is nobody; set subject to a person, or group to a group"
        : "has both a subject and a group; make it two entries",
    ),
  ];
}

/** The same as of members' subjects and groups. */
function nameFindings({ subject, group }: Valid<StaffEntry>, at: PropertyKey[], context: RulesContext): RawMistake[] {
  const { settings } = context;
  const checks = [
    { key: "subject", prefix: "usernamePrefix", value: subject, nameOf: usernameOf },
    { key: "group", prefix: "groupsPrefix", value: group, nameOf: groupOf },
  ] as const;
  return checks.flatMap(({ key, prefix, value, nameOf }): RawMistake[] => {
    if (value === undefined) {
      return [];
    }
    const path = [...at, key];
    const name = nameOf(value, settings);
    const notSent = key === "subject" && settings.oidc.usernameClaim === "email" ? noAddress(value) : undefined;
    const why = hasPrefix(value, prefix, context) ? prefixed(prefix) : notSent;
    return [
      ...(why === undefined ? [] : [valueMistake(path, value, why)]),
      ...(isReserved(name) ? [valueMistake(path, name, reserved)] : []),
    ];
  });
}
