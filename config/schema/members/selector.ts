import { z } from "zod";
import { labels, optional, text } from "../values.ts";

/** Some of the members. */
export const selectorSchema = z.strictObject(
  {
    types: optional(
      z.array(text, "must be a list of types").min(1, "must name a type"),
      "Types; a member has one of them. Default: any.",
      { examples: [["user"]] },
    ),
    labels: optional(labels, "Labels; a member has all of them. Default: any.", { examples: [{ course: "cs101" }] }),
    members: optional(
      z.array(text, "must be a list of members' names").min(1, "must name a member"),
      "Members by name. Default: any.",
      { examples: [["alice"]] },
    ),
  },
  "must be a map with types, labels or members",
);

/** Members that fit each of the keys; without a key, all. */
export type SelectorEntry = z.input<typeof selectorSchema>;
