import { logicalNames } from "../../naming/logicalNames.ts";
import { secretSignature } from "../../naming/pulumiMarks.ts";
import { isStackUrn, isStorageType, memberOf, storageProviderType, urnStart } from "../../naming/urns.ts";
import { contentOf, rootOf, type State, type StateResource } from "./deployment.ts";
import { unfinished } from "./unfinished.ts";

/** A resource in `pulumi stack export`, with the fields that a move needs. */
interface Resource extends Pick<StateResource, "urn" | "type" | "id" | "parent"> {
  readonly provider?: string;
  readonly dependencies?: readonly string[];
  readonly propertyDependencies?: Readonly<Record<string, readonly string[]>>;
  readonly deletedWith?: string;
  /** Whether a replacement has left it to be deleted. */
  readonly delete?: boolean;
}

/** Resources taken out of a state. */
export interface Taken {
  /** The stack of that state. */
  readonly stack: string;
  readonly resources: readonly Resource[];
}

/** Names of members whose namespace is in a state: a run that does not declare them deletes it. */
export function namespacedMembers(state: State): ReadonlySet<string> {
  const urns = (contentOf(state).resources ?? []).map(({ urn }) => urn);
  return new Set(
    urns.flatMap((urn) => {
      const name = memberOf(urn);
      return name !== undefined && urn.endsWith(`::${logicalNames.namespace({ name })}`) ? [name] : [];
    }),
  );
}

/**
 * Names of members with an unfinished change of a killed run, or with something left to delete. A pending creation is
 * no obstacle, since the object is taken over by its name, unless that name contains the old stack's.
 */
export function unfinishedIn(state: State): ReadonlySet<string> {
  const { resources = [], pending_operations: pending } = contentOf<Resource>(state);
  const known = new Set(resources.map(({ urn }) => urn));
  const urns = [
    ...resources.filter((resource) => resource.delete === true).map(({ urn }) => urn),
    ...unfinished(pending, (urn) => known.has(urn) || !staysBehind(urn)).map(({ resource }) => resource.urn),
  ];
  return new Set(urns.flatMap((urn) => memberOf(urn) ?? []));
}

/**
 * The stack's name is in the object's name: the new stack makes its own before the old one deletes this, so nobody
 * loses their view.
 */
const staysBehind = (urn: string) =>
  urn.split("::")[2]?.endsWith("$kubernetes:rbac.authorization.k8s.io/v1:ClusterRoleBinding") === true;

/**
 * Removes some members' resources from a state, except their ClusterRoleBinding, which the old stack's next run
 * deletes. That run leaves all their other objects alone.
 * @param stack of the state
 */
export function withoutMembers<S extends State>(
  state: S,
  stack: string,
  names: ReadonlySet<string>,
): { readonly state: S; readonly taken: Taken } {
  const { resources = [], pending_operations: pending } = contentOf<Resource>(state);
  const theirs = resources.filter(({ urn }) => names.has(memberOf(urn) ?? ""));
  const left = new Set(theirs.filter(({ urn }) => staysBehind(urn)).flatMap(({ urn, parent = urn }) => [urn, parent]));
  const taken = theirs.filter(({ urn }) => !staysBehind(urn));
  const out = new Set(taken.map(({ urn }) => urn).filter((urn) => !left.has(urn)));
  const kept = resources.filter(({ urn }) => !out.has(urn));
  const known = new Set(kept.map(({ urn }) => urn));
  const others = pending?.filter(({ resource }) => !names.has(memberOf(resource.urn) ?? ""));
  const deployment = {
    ...state.deployment,
    resources: kept.map((each) => pruned(each, known)),
    ...(others && { pending_operations: others }),
  };
  return {
    state: { ...state, deployment },
    taken: { stack, resources: taken },
  };
}

/**
 * Adds resources from other states: the same objects, with the field managers that applied them. Resources already in
 * the state stay. A resource encrypted with another stack's key is left out, and the next run takes its object over.
 * Pulumi encrypts plain-text secrets with this stack's key.
 * @param stack of the state
 * @param homes each member's former stack; an older state of another may have the same URNs
 * @returns undefined if no run has made the stack's provider yet, which the resources need
 */
export function withTaken<S extends State>(
  state: S,
  stack: string,
  homes: ReadonlyMap<string, string>,
  all: readonly Taken[],
): S | undefined {
  const { resources: before = [] } = contentOf<Resource>(state);
  const root = rootOf(state);
  if (root === undefined) {
    return undefined;
  }
  const providerOf = ({ type }: Resource) => (isStorageType(type) ? root.storage : root.provider);
  const has = new Set(before.map(({ urn }) => urn));
  const renamed = all
    .flatMap((taken) => renamedTo(stack, homes, taken))
    .filter(({ urn }) => !has.has(urn))
    .flatMap((resource) => {
      const on = providerOf(resource);
      const parent = isStackUrn(resource.parent) ? { parent: root.stack } : {};
      const reference = resource.provider ? { provider: `${on?.urn}::${on?.id}` } : {};
      return on === undefined ? [] : [{ ...resource, ...parent, ...reference }];
    });
  const known = new Set([...has, ...renamed.map(({ urn }) => urn)]);
  const added = renamed.map((each) => pruned(each, known));
  return { ...state, deployment: { ...state.deployment, resources: [...before, ...added] } };
}

/** Resources of members from that stack, with the URNs of another. */
function renamedTo(stack: string, homes: ReadonlyMap<string, string>, { stack: from, resources }: Taken): Resource[] {
  return resources
    .filter(({ urn }) => homes.get(memberOf(urn) ?? "") === from)
    .map((resource) => JSON.stringify(resource))
    .filter((text) => from === stack || !isSealed(text))
    .map((text) => JSON.parse(text.replaceAll(urnStart(from), urnStart(stack))) as Resource);
}

/** Whether only the stack's own key decrypts part of a resource. */
const isSealed = (text: string) => text.includes(secretSignature) && text.includes('"ciphertext":');

/** Members with resources that only their old stack's key decrypts. */
export function sealedMembers({ resources }: Taken): string[] {
  const sealed = resources.filter((resource) => isSealed(JSON.stringify(resource)));
  return [...new Set(sealed.flatMap(({ urn }) => memberOf(urn) ?? []))].sort();
}

/** Names of members with resources on the server of buckets. */
export function bucketMembersIn(state: State): ReadonlySet<string> {
  const { resources = [] } = contentOf(state);
  const theirs = resources.filter(({ type }) => isStorageType(type));
  return new Set(theirs.flatMap(({ urn }) => memberOf(urn) ?? []));
}

/** Whether a run has made the provider for buckets. */
export const knowsBuckets = (state: State): boolean =>
  contentOf(state).resources?.some(({ type }) => type === storageProviderType) === true;

/** Removes links to resources that are not in the state. */
function pruned(resource: Resource, known: ReadonlySet<string>): Resource {
  const { dependencies, propertyDependencies, deletedWith, ...rest } = resource;
  const there = (urns: readonly string[] | null) => (urns ?? []).filter((urn) => known.has(urn));
  return {
    ...rest,
    ...(dependencies && { dependencies: there(dependencies) }),
    ...(propertyDependencies && {
      propertyDependencies: Object.fromEntries(
        Object.entries(propertyDependencies).map(([property, urns]) => [property, there(urns)]),
      ),
    }),
    ...(deletedWith && known.has(deletedWith) && { deletedWith }),
  };
}
