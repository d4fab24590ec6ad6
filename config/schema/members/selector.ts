import { z } from "zod";
import { labels, text } from "../values.ts";

/** Some of the members. */
export const selectorSchema = z.strictObject(
  {
    types: z
      .array(text, "must be a list of types")
      .min(1, "must name a type")
      .optional()
      .meta({ description: "Types; a member has one of them. Default: any.", examples: [["user"]] }),
    labels: labels.optional().meta({
      description: "Labels; a member has all of them. Default: any.",
      examples: [{ course: "cs101" }],
    }),
    members: z
      .array(text, "must be a list of members' names")
      .min(1, "must name a member")
      .optional()
      .meta({ description: "Members by name. Default: any.", examples: [["alice"]] }),
  },
  "must be a map with types, labels or members",
);

/** Members that fit each of the keys; without a key, all. */
export type SelectorEntry = z.input<typeof selectorSchema>;
