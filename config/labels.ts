import { z } from "zod";
import type { Member } from "./member/member.ts";
import { memberLabelPrefix } from "./names/labels.ts";
import { encrypted, type Rule } from "./rule.ts";
import type { Settings } from "./settings.ts";
import type { EntryOf } from "./values/issues.ts";
import { flag, optional, plainLabelKey } from "./values/values.ts";

const entrySchema = z.strictObject(
  {
    onCluster: optional(
      flag,
      `Whether the label is also on the members' Namespaces, as \`${memberLabelPrefix}KEY\`. Whoever may read Namespaces then sees it.`,
      { default: false, examples: [true] },
    ),
  },
  "must be a map with onCluster",
);

export const labelsSchema = optional(
  z.record(plainLabelKey, entrySchema, "must be a map of labels' keys"),
  "What happens to members' labels, by key. See [costs.md](../run/costs.md).",
  { examples: [{ course: { onCluster: true } }] },
);

/** Keys of the labels that go to the cluster; undefined without any. */
export function labelKeysOnCluster(entries: EntryOf<typeof labelsSchema> = {}): readonly string[] | undefined {
  const keys = Object.keys(entries).filter((key) => entries[key]?.onCluster === true);
  return keys.length === 0 ? undefined : keys;
}

/** A member's labels as their Namespace has them. */
export const labelsOnCluster = ({ labels }: Pick<Member, "labels">, { labelKeys = [] }: Pick<Settings, "labelKeys">) =>
  Object.fromEntries(
    Object.entries(labels)
      .filter(([key]) => labelKeys.includes(key))
      .map(([key, value]) => [`${memberLabelPrefix}${key}`, value]),
  );

/** Commands read the settings without their secrets, and would take the labels off. */
export const onClusterRule: Rule = (all) => (all.raw.labels === undefined ? [] : encrypted([["labels"]], all));
