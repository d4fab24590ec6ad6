import { type ApiObject, logicalName, type NamedObject } from "../../../cluster/kinds/liveObject.ts";
import { manifestKind } from "../../../config/model/members/customKinds.ts";
import { accessType, environmentType, typeOf } from "../../../naming/urns.ts";
import { byOrder, keptOptions, linksOf } from "../../../plan/manifest/manifest.ts";
import type { StackRoot, StateResource } from "../../../runs/state/deployment.ts";

/** A further resource of a member, on which their objects depend. */
interface Beside {
  readonly member: string;
  readonly part: string;
  readonly urn: string;
}

/**
 * Resources that a run would have in its state for declared objects: components, and the objects in them, with what decides
 * whether a run changes them.
 * @param objects of one stack
 */
export function resourcesOf(
  objects: readonly NamedObject[],
  root: StackRoot,
  beside: readonly Beside[] = [],
): StateResource[] {
  const besideOf = Map.groupBy(beside, ({ member }) => member);
  const byMember = Map.groupBy(objects, ({ member }) => member);
  const shared = byMember.get(undefined) ?? [];
  const resourcesOfOne = (mine: readonly NamedObject[], others: readonly Beside[] = []) => {
    const all = new Map([
      ...[...shared, ...mine].map((object) => [object.part, urnOf(object, root)] as const),
      ...others.map(({ part, urn }) => [part, urn] as const),
    ]);
    return mine.toSorted((a, b) => byOrder(a.part, b.part)).map((object) => resource(object, all, root));
  };
  const members = [...byMember].filter(([member]) => member !== undefined);
  return [
    component(undefined, root),
    ...members.map(([member]) => component(member, root)),
    ...resourcesOfOne(shared),
    ...members.flatMap(([member, mine]) => resourcesOfOne(mine, besideOf.get(member ?? ""))),
  ];
}

const componentType = (member: string | undefined) => (member === undefined ? accessType : environmentType);

/** Prefix of all URNs of a stack in its project, such as `urn:pulumi:prod::kubecamp::`. */
export const projectStart = ({ stack }: Pick<StackRoot, "stack">) => `${stack.split("::").slice(0, 2).join("::")}::`;

/** URN of a member's component, or without a member the shared one's. */
export const componentUrn = (member: string | undefined, root: Pick<StackRoot, "stack">) =>
  `${projectStart(root)}${componentType(member)}::${member ?? "access"}`;

/**
 * URN of a resource in a member's component.
 * @param logical such as `bob/bucket/data`
 */
export const memberUrn = (type: string, logical: string, root: Pick<StackRoot, "stack">) =>
  `${projectStart(root)}${environmentType}$${type}::${logical}`;

export function component(member: string | undefined, root: StackRoot): StateResource {
  return { urn: componentUrn(member, root), custom: false, type: componentType(member), parent: root.stack };
}

/** @see https://www.pulumi.com/docs/iac/concepts/resources/names/#urns */
function urnOf(object: NamedObject, root: StackRoot): string {
  return `${projectStart(root)}${componentType(object.member)}$${typeOf(object.live)}::${logicalName(object)}`;
}

function resource(object: NamedObject, all: ReadonlyMap<string, string>, root: StackRoot): StateResource {
  const { member, part, ignored = [] } = object;
  const live = { ...object.live, kind: manifestKind(object.live.kind) } as ApiObject;
  const { after, lifetime } = linksOf(part, [...all.keys()]);
  const urnsOf = (parts: readonly string[]) => parts.flatMap((each) => all.get(each) ?? []);
  const onHome = lifetime === "own" ? [] : urnsOf(["namespace"]);
  const dependencies = [...urnsOf(after), ...onHome];
  return {
    urn: urnOf(object, root),
    custom: true,
    type: typeOf(live),
    inputs: live,
    parent: componentUrn(member, root),
    ...(dependencies.length === 0 ? {} : { dependencies }),
    provider: `${root.provider.urn}::${root.provider.id}`,
    ...(lifetime === "withNamespace" && onHome.length > 0 ? { deletedWith: onHome[0] } : {}),
    ...keptOptions(part, live.metadata, ignored),
  };
}
