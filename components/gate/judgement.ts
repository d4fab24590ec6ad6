import type { Member } from "../../config/model/members/member.ts";
import { hasQuota } from "../../config/model/members/standing.ts";
import type { Settings } from "../../config/model/settings/settings.ts";
import { closedDoors, guardsFirst, ownRoles, ownSubjects } from "./invariants/bindings.ts";
import { givenObjects } from "./invariants/givenObjects.ts";
import { environmentMember, strangeness } from "./invariants/kinds.ts";
import { loginFirst } from "./invariants/login.ts";
import { noTokens, podSecurity } from "./invariants/namespaces.ts";
import { isolation } from "./invariants/networkPolicies.ts";
import { ownPlaces } from "./invariants/places.ts";
import { isLeftPolicy, policiesInForce } from "./invariants/policies.ts";
import { quota } from "./invariants/quotas.ts";
import { noPowers, noWildcards, othersUnread } from "./invariants/roles.ts";
import { ownBackend, pathsApart } from "./invariants/routes.ts";
import { isLeftAlone, ownPods } from "./invariants/workloads.ts";
import { broken, type InvariantName, type Violation } from "./invariants.ts";
import { type GateContext, type GateObject, type Judge, Objects, objectOf } from "./object.ts";
import { openedBy, Paths } from "./paths.ts";
import { laterPlaces, type Registration } from "./registration.ts";

/** Violation in one resource. */
export interface BrokenInvariant extends Violation {
  /** Undefined for the stack's shared objects. */
  readonly member: string | undefined;
  /** Such as `Role bob/kubecamp-edit`. */
  readonly object: string;
}

const judges: Readonly<Record<Exclude<InvariantName, "known-kinds" | "plain-values">, Judge>> = {
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

/** Checks registrations against the invariants, and remembers them for the check of later ones. */
export class Judgement {
  readonly #members: ReadonlyMap<string, Member>;
  readonly #context: GateContext;
  readonly #ending: ReadonlySet<string>;

  /**
   * @param list all members, also those outside the run's targets
   * @param ending names of members whose namespace is being deleted: a run writes nothing of theirs
   * (`ignoreStandingChanges`)
   */
  constructor(list: readonly Member[], settings: Settings, ending: ReadonlySet<string> = new Set()) {
    this.#ending = ending;
    this.#members = new Map(list.map((member) => [member.name, member]));
    this.#context = { settings, before: new Objects(), paths: new Paths() };
    for (const { name, route, standing } of list) {
      if (route !== undefined && standing === "active") {
        this.#context.paths.add(name, route);
      }
    }
  }

  /** Violations in registrations that were made together, in their order. */
  brokenInvariants(batch: readonly Registration[]): BrokenInvariant[] {
    const found: BrokenInvariant[] = [];
    const homes: GateObject[] = [];
    for (const registration of batch) {
      const strange = strangeness(registration, this.#members, this.#context.settings);
      if (strange !== undefined || !registration.type.startsWith("kubernetes:")) {
        found.push(...(strange === undefined ? [] : [brokenInvariant(registration, strange)]));
        continue;
      }
      const object = objectOf(registration, environmentMember(registration, this.#members));
      if (isLeftAlone(object, registration) || this.#ending.has(object.member?.name ?? "")) {
        this.#context.before.follow(object);
        continue;
      }
      const unknown = unknownIn(registration, object);
      const violations = unknown.length > 0 ? unknown : this.#violations(object);
      found.push(...violations.map((violation) => brokenInvariant(registration, violation, object)));
      this.#remember(object);
      if (object.kind === "Namespace") {
        homes.push(object);
      }
    }
    return [...found, ...homes.flatMap((home) => this.#unguarded(home))];
  }

  #violations(object: GateObject): Violation[] {
    return Object.values(judges).flatMap((judge) => judge(object, this.#context));
  }

  #remember(object: GateObject): void {
    const { before, paths, settings } = this.#context;
    before.add(object);
    for (const { host, path } of openedBy(object.kind, object.args, settings)) {
      if (host !== undefined && path !== undefined && object.member !== undefined) {
        paths.add(object.member.name, { host, path });
      }
    }
  }

  /** Guards that are missing beside a namespace that is registered in the same batch. */
  #unguarded(home: GateObject): BrokenInvariant[] {
    const { member } = home;
    if (member === undefined) {
      return [];
    }
    const lacking = (kind: string) => this.#context.before.of(kind, member).length === 0;
    const reported = (invariant: InvariantName, kind: string) => ({
      ...broken(invariant, "metadata.name", `there is no ${kind} in it`),
      member: member.name,
      object: `Namespace ${home.name}`,
    });
    return [
      ...(hasQuota(member) && lacking("ResourceQuota") ? [reported("quota", "ResourceQuota")] : []),
      ...(lacking("NetworkPolicy") ? [reported("isolation", "NetworkPolicy")] : []),
    ];
  }
}

/**
 * Parts of a registration that the gate can't judge. A namespace is judged as soon as it is known. The SDK hides a
 * Secret's data, which no invariant needs. Policies may stay as they are if this identity can't write them.
 */
function unknownIn({ args, ignored }: Registration, object: GateObject): Violation[] {
  const mayComeLater = ["metadata.namespace", ...(args.kind === "Secret" ? ["data"] : [])];
  return [
    ...laterPlaces(args)
      .filter((place) => !mayComeLater.includes(place))
      .map((place) => broken("plain-values", place, "is known only once Pulumi runs; give the value itself")),
    ...(isLeftPolicy(object, ignored) ? [] : ignored).map((place) =>
      broken("plain-values", place, "stays what it was (ignoreChanges), whatever that is"),
    ),
  ];
}

function brokenInvariant({ type, name }: Registration, violation: Violation, object?: GateObject): BrokenInvariant {
  const place = object?.namespace === undefined ? "" : `${object.namespace}/`;
  return {
    ...violation,
    member: object?.member?.name,
    object: object === undefined ? `${type} ${name}` : `${object.kind} ${place}${object.name}`,
  };
}
