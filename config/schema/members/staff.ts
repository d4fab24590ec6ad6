import { z } from "zod";
import { staffRoles } from "../../model/members/member.ts";
import { choiceOf, identity, optional } from "../values.ts";
import { selectorSchema } from "./selector.ts";

export const staffSchema = z.strictObject(
  {
    subject: optional(
      identity,
      "Name with which a person signs in, without `oidc.usernamePrefix`. An entry has this or `group`.",
      { examples: ["tina@example.org"] },
    ),
    group: optional(identity, "A group of the issuer, without `oidc.groupsPrefix`. An entry has this or `subject`.", {
      examples: ["ta-cs101"],
    }),
    role: choiceOf(staffRoles).meta({
      description:
        "`view` reads workloads and logs, but no Secrets; `assist` also runs commands in pods, forwards ports, restarts workloads and deletes pods; `edit` may do what the member may.",
      examples: ["assist"],
    }),
    over: optional(selectorSchema, "The members in whose namespaces the role holds. Default: all.", {
      examples: [{ labels: { course: "cs101" } }],
    }),
  },
  "must be an entry of staff: a subject or a group, and a role",
);

/** Somebody who looks after some members. */
export type StaffEntry = z.input<typeof staffSchema>;
