import { hasQuota } from "../../config/memberTypes.ts";
import type { Member, Settings } from "../../config/settings.ts";
import { closedDoors, guardsFirst, ownRoles, ownSubjects } from "./invariants/bindings.ts";
import { podSecurity } from "./invariants/namespaces.ts";
import { isolation } from "./invariants/networkPolicies.ts";
import { ownPlaces, typeOf } from "./invariants/places.ts";
import { policiesInForce } from "./invariants/policies.ts";
import { quota } from "./invariants/quotas.ts";
import { noPowers, noWildcards, othersUnread } from "./invariants/roles.ts";
import { ownBackend, pathsApart } from "./invariants/routes.ts";
import { broken, type InvariantName, type Violation } from "./invariants.ts";
import { type GateContext, type GateObject, type Judge, Objects, objectOf, shown } from "./object.ts";
import { openedBy, Paths } from "./paths.ts";
import { keyOf, laterPlaces, type Registration } from "./registration.ts";

/** What is wrong with one resource. */
export interface Finding extends Violation {
  /** Undefined for what the stack has once. */
  readonly member: string | undefined;
  /** Such as `Role bob/kubecamp-edit`. */
  readonly object: string;
}

const judges: Readonly<Record<Exclude<InvariantName, "known-kinds" | "plain-values">, Judge>> = {
  "own-places": ownPlaces,
  "pod-security": podSecurity,
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
  "own-backend": ownBackend,
};

const provider = "pulumi:providers:kubernetes cluster";
const shared = "kubecamp:index:ClusterAccess";
const environment = "kubecamp:index:MemberEnvironment";

/** Holds what a program registers against the invariants, and remembers it: what comes later is judged beside it. */
export class Judgement {
  readonly #members: ReadonlyMap<string, Member>;
  readonly #context: GateContext;

  /** @param list all members, also those whom the run is not aimed at */
  constructor(list: readonly Member[], settings: Settings) {
    this.#members = new Map(list.map((member) => [member.name, member]));
    this.#context = { settings, before: new Objects(), paths: new Paths() };
    for (const { name, route, standing } of list) {
      if (route !== undefined && standing === "active") {
        this.#context.paths.add(name, route);
      }
    }
  }

  /** What is wrong with registrations that were made together, in their order. */
  findings(batch: readonly Registration[]): Finding[] {
    const found: Finding[] = [];
    const homes: GateObject[] = [];
    for (const registration of batch) {
      const strange = this.#strange(registration);
      if (strange !== undefined || !registration.type.startsWith("kubernetes:")) {
        found.push(...(strange === undefined ? [] : [findingOf(registration, strange)]));
        continue;
      }
      const object = objectOf(registration, this.#memberOf(registration));
      const unknown = laterPlaces(registration.args).filter((place) => !mayComeLater(object.kind, place));
      const violations =
        unknown.length > 0
          ? unknown.map((place) =>
              broken("plain-values", place, "is known only once Pulumi runs; give the value itself"),
            )
          : Object.values(judges).flatMap((judge) => judge(object, this.#context));
      found.push(...violations.map((violation) => findingOf(registration, violation, object)));
      this.#remember(object);
      if (object.kind === "Namespace") {
        homes.push(object);
      }
    }
    return [...found, ...homes.flatMap((home) => this.#unguarded(home))];
  }

  #memberOf({ parent }: Registration): Member | undefined {
    const [type, name = ""] = parent?.split(" ") ?? [];
    return type === environment ? this.#members.get(name) : undefined;
  }

  /** Why a resource can't be judged as what it is, if it can't. */
  #strange(registration: Registration): Violation | undefined {
    const { type, name, parent, args, isRead } = registration;
    const own = registration.provider;
    const strange = (field: string, message: string) => broken("known-kinds", field, message);
    if (keyOf(registration) === provider) {
      return undefined;
    }
    if (keyOf(registration) === `${shared} access` || (type === environment && this.#members.has(name))) {
      return own === provider ? undefined : strange("provider", "is not the stack's own, which goes to its cluster");
    }
    const kind = String(args.kind);
    if (type !== typeOf(kind) || `kubernetes:${String(args.apiVersion).replace(/^v1$/, "core/v1")}:${kind}` !== type) {
      return strange("kind", `the gate has no invariants for a ${type} of kind ${shown(args.kind)}: give it some`);
    }
    if (isRead) {
      return strange("id", "is looked up instead of made, so that nobody can say what is there");
    }
    if (own !== undefined && own !== provider) {
      return strange("provider", "is not the stack's own, which goes to its cluster");
    }
    return parent === `${shared} access` || this.#memberOf(registration) !== undefined
      ? undefined
      : strange("parent", `${shown(parent)} is no member's environment, nor what the stack has once`);
  }

  #remember(object: GateObject): void {
    const { before, paths } = this.#context;
    before.add(object);
    for (const { host, path } of openedBy(object.kind, object.args)) {
      if (host !== undefined && path !== undefined && object.member !== undefined) {
        paths.add(object.member.name, { host, path });
      }
    }
  }

  /** What a namespace lacks that is registered together with it. */
  #unguarded(home: GateObject): Finding[] {
    const { member } = home;
    if (member === undefined) {
      return [];
    }
    const lacking = (kind: string) => this.#context.before.of(kind, member).length === 0;
    const told = (invariant: InvariantName, kind: string) => ({
      ...broken(invariant, "metadata.name", `there is no ${kind} in it`),
      member: member.name,
      object: `Namespace ${home.name}`,
    });
    return [
      ...(hasQuota(member) && lacking("ResourceQuota") ? [told("quota", "ResourceQuota")] : []),
      ...(lacking("NetworkPolicy") ? [told("isolation", "NetworkPolicy")] : []),
    ];
  }
}

/** A namespace is judged as soon as it is known; and what is in a Secret, the SDK hides, and no invariant asks for. */
const mayComeLater = (kind: string, place: string) =>
  place === "metadata.namespace" || (kind === "Secret" && place === "data");

function findingOf({ type, name }: Registration, violation: Violation, object?: GateObject): Finding {
  const place = object?.namespace === undefined ? "" : `${object.namespace}/`;
  return {
    ...violation,
    member: object?.member?.name,
    object: object === undefined ? `${type} ${name}` : `${object.kind} ${place}${object.name}`,
  };
}
