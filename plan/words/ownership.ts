import type { ObjectName } from "../../cluster/kinds/objectName.ts";
import { kubectlDelete } from "../../cluster/kinds/objectName.ts";
import { adoptAnnotation } from "../../config/names/labels.ts";
import { firstFew } from "../../config/values/sentences.ts";
import type { Unfit } from "../../objects/declared.ts";
import { type About, each, eachMember, type Reported, type WordsOf } from "./wording.ts";

export interface OwnershipRefusals {
  readonly foreign: Foreign;
  readonly lostRoute: { readonly foreign: Foreign; readonly stack: string; readonly isStateKnown: boolean };
  readonly unfit: { readonly name: ObjectName; readonly unfit: Unfit };
  /** A takeover for which a file of members asks, and to which no admin has agreed. */
  readonly unmarked: {
    /** Such as `Namespace zoe`. */
    readonly objects: readonly string[];
    readonly isHomeThere: boolean;
    /** The stack for which to mark the namespace; for shards, their family. */
    readonly stack: string;
  };
}

export interface OwnershipWarnings {
  readonly takenOver: {
    readonly closed: readonly string[];
  };
  readonly unmanaged: { readonly name: ObjectName };
  readonly idleAdoption: { readonly members: readonly string[] };
  readonly owners: { readonly owner: string };
}

interface Foreign {
  /** Another stack or another member; neither for an object that kubecamp has not made. */
  readonly stack?: string | undefined;
  readonly owner?: string | undefined;
  readonly adopts: boolean;
}

export const ownershipWords: WordsOf<OwnershipRefusals & OwnershipWarnings> = {
  foreign: eachMember((one) => foreignText(one, one.facts)),
  lostRoute: eachMember(({ facts: { foreign, stack, isStateKnown }, ...one }) => {
    const has = isStateKnown ? "has" : "could not be read, and may have";
    return (
      `${foreignText(one, foreign)}. Pulumi's state ${has} their route under that name, and 'route: false' would ` +
      "delete it: rename it, or have the state forget the route " +
      `('pulumi stack --show-urns --stack ${stack}', then 'pulumi state delete URN --stack ${stack}')`
    );
  }),
  unfit: eachMember(({ object, facts }) => `${object} ${unfitText(facts)}, then run again`),
  unmarked: eachMember(({ member, facts: { objects, isHomeThere, stack } }) => {
    const make = isHomeThere ? "" : `kubectl create namespace ${member} && `;
    return (
      `adopt would take over ${firstFew(objects, 5)}, and whoever edits the members file can't decide that: ` +
      "choose another name, or mark the namespace if the member is to have it with everything in it: " +
      `${make}kubectl annotate namespace ${member} ${adoptAnnotation}=${stack}`
    );
  }),
  takenOver: (all) => [
    [
      "Taken over (adopt) by 'pulumi up', without deleting or recreating them:",
      ...[...Map.groupBy(all, ({ member }) => member)].map(
        ([member, own]) => `  ${member}: ${own.map(takenOverText).join(", ")}`,
      ),
    ].join("\n"),
  ],
  unmanaged: (all) => [
    [
      "Not kubecamp's, not changed, and still limiting or granting access of members with adopt. Check them",
      "after 'pulumi up', and delete what nobody needs before you remove adopt:",
      ...[...Map.groupBy(all, ({ facts: { name } }) => name.namespace).values()].map(
        (some) => `  ${kubectlDelete(some.map(({ facts: { name } }) => name))}`,
      ),
    ].join("\n"),
  ],
  idleAdoption: each(
    ({ facts: { members } }) =>
      `Nothing is left to take over, but adopt is still set for ${firstFew(members, 5)}: remove it, ` +
      "so that it never takes over a namespace by accident.",
  ),
  owners: (all) => [
    [
      "Owner references, removed by 'pulumi up' so that nothing is deleted together with its owner. If a later run",
      "names them again, something restores them: stop that first (is the Members operator still running?).",
      ...[...Map.groupBy(all, ({ facts: { owner } }) => owner)].map(
        ([owner, owns]) => `  ${owner}: ${owns.map(({ object }) => object).join(", ")}`,
      ),
    ].join("\n"),
  ],
};

function foreignText({ object, member }: About, { stack, owner, adopts }: Foreign): string {
  if (stack !== undefined) {
    // The other stack's state keeps the object after a takeover.
    const later = adopts ? ", which would delete it one day: adopt can't take it over" : "";
    const ways = "choose another name, or remove the member from that stack first";
    return `${object} belongs to stack '${stack}'${later}; a member can be in one stack only: ${ways}`;
  }
  if (owner !== undefined) {
    return `${object} belongs to member '${owner}'; choose another name`;
  }
  const ways =
    member === undefined
      ? "delete it if nobody needs it"
      : "choose another name, delete it if nobody needs it, or set adopt: true on the member to take it over";
  return `${object} exists already and is not kubecamp's; ${ways}`;
}

function unfitText({ name, unfit }: OwnershipRefusals["unfit"]): string {
  const remove = `; delete it if nobody needs it ('${kubectlDelete([name])}')`;
  switch (unfit.why) {
    case "terminating":
      return "is being deleted; wait until it is gone";
    case "role":
      return `is to the ${unfit.role}, and a binding's role can't be changed${remove}`;
    case "scopes":
      return `has scopes, which can't be removed${remove}`;
    case "type":
      return `is of type ${unfit.type}, and would lose its address${remove}`;
    case "port":
      return `has port ${unfit.port} without a name of its own; give it one ('kubectl edit service ${name.name} -n ${name.namespace}')`;
  }
}

export const takenOverText = ({ object, facts: { closed } }: Reported<OwnershipWarnings["takenOver"]>): string =>
  `${object}${closed.length === 0 ? "" : ` (no longer at ${closed.join(" and ")})`}`;
