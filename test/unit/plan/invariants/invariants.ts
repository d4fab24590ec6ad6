import {
  closedDoors,
  guardsFirst,
  noPowers,
  noTokens,
  noWildcards,
  othersUnread,
  ownRoles,
  ownSubjects,
} from "./access.ts";
import { givenObjects, isolation, ownPlaces, ownPods, podSecurity, policiesInForce, quota } from "./homes.ts";
import type { Check, JudgedStack } from "./judged.ts";
import { loginFirst, ownBackend, pathsApart } from "./routes.ts";

/** What no configuration can break, as docs/reference/invariants.md says it. */
export const invariants: Readonly<Record<string, Check>> = {
  "own-places": ownPlaces,
  "pod-security": podSecurity,
  "no-tokens": noTokens,
  "own-pods": ownPods,
  "given-objects": givenObjects,
  quota,
  isolation,
  "no-wildcards": noWildcards,
  "no-powers": noPowers,
  "others-unread": othersUnread,
  "own-roles": ownRoles,
  "own-subjects": ownSubjects,
  "guards-first": guardsFirst,
  "closed-doors": closedDoors,
  "policies-in-force": policiesInForce,
  "paths-apart": pathsApart,
  "login-first": loginFirst,
  "own-backend": ownBackend,
};

/**
 * Broken invariants, each with the object and what is wrong.
 * @param objects those to judge. Default: all
 */
export const brokenIn = (stack: JudgedStack, objects = stack.objects) =>
  objects.flatMap((object) =>
    Object.entries(invariants).flatMap(([invariant, check]) =>
      check(object, stack).map((message) => ({
        invariant,
        object: `${object.kind} ${object.member?.name ?? "shared"}/${object.part}`,
        message,
      })),
    ),
  );
