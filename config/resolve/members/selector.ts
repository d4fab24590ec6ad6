import { defined, present } from "../../model/maps.ts";
import type { Member, Selector } from "../../model/members/member.ts";
import type { Valid } from "../../schema/issues.ts";
import type { SelectorEntry } from "../../schema/members/selector.ts";

/** @param entry undefined for all members */
export const selectorOf = ({ types, labels = {}, members }: Valid<SelectorEntry> = {}): Selector => ({
  labels,
  ...defined({ types: types && present(types), members: members && present(members) }),
});

/** Whether a selector fits a member: each of its keys does. */
export const isSelected = ({ name, type, labels }: Pick<Member, "name" | "type" | "labels">, selector: Selector) =>
  selector.types?.includes(type.name) !== false &&
  selector.members?.includes(name) !== false &&
  Object.entries(selector.labels).every(([key, value]) => labels[key] === value);
