import type { Deployment } from "@pulumi/pulumi/automation/index.js";
import { logicalNames } from "../naming/logicalNames.ts";
import { secretSignature } from "../naming/pulumiMarks.ts";
import { memberOf, urnStart } from "../naming/urns.ts";
import { type PendingOperation, unfinished } from "./unfinished.ts";

/** A resource as `pulumi stack export` has it, as far as moving it takes. */
interface Resource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly parent?: string;
  readonly provider?: string;
  readonly dependencies?: readonly string[];
  readonly propertyDependencies?: Readonly<Record<string, readonly string[]>>;
  readonly deletedWith?: string;
  /** What a replacement has left to be deleted. */
  readonly delete?: boolean;
}

interface Content {
  readonly resources?: readonly Resource[];
  readonly pending_operations?: readonly PendingOperation[];
}

type State = Pick<Deployment, "deployment">;

const contentOf = ({ deployment }: State): Content => deployment ?? {};

/** What was taken out of a state. */
export interface Taken {
  /** The stack that it is out of. */
  readonly stack: string;
  readonly resources: readonly Resource[];
}

/** Names of the members whose namespace a state has, so that a run that does not declare them deletes it. */
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
 * Names of the members with whom a run has begun that was killed, or that has something left to delete. What it was only
 * making is no obstacle, since it is taken over by its name, but for what has the old stack's name in its own.
 */
export function unfinishedIn(state: State): ReadonlySet<string> {
  const { resources = [], pending_operations: pending } = contentOf(state);
  const known = new Set(resources.map(({ urn }) => urn));
  const urns = [
    ...resources.filter((resource) => resource.delete === true).map(({ urn }) => urn),
    ...unfinished(pending, (urn) => known.has(urn) || !staysBehind(urn)).map(({ resource }) => resource.urn),
  ];
  return new Set(urns.flatMap((urn) => memberOf(urn) ?? []));
}

/** Its name carries the stack, so that the new one makes another before the old one deletes it: nobody loses their view. */
const staysBehind = (urn: string) =>
  urn.split("::")[2]?.endsWith("$kubernetes:rbac.authorization.k8s.io/v1:ClusterRoleBinding") === true;

/**
 * A state without what some members have, but for the ClusterRoleBinding, which the old stack's next run deletes. All else
 * that this run then finds nothing of, it leaves alone.
 * @param stack the state's
 */
export function withoutMembers<S extends State>(
  state: S,
  stack: string,
  names: ReadonlySet<string>,
): { readonly state: S; readonly taken: Taken } {
  const { resources = [], pending_operations: pending } = contentOf(state);
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
 * A state with what was taken out of another: the same objects, with the field managers by which they were applied. What it
 * has already stays; what is encrypted by the other's key can't come along, and is taken over by the next run instead. What is
 * secret in plain text Pulumi encrypts by this one's.
 * @param stack the state's
 * @param homes the stack that each member comes from. An older state of another may have had them, too, under the same URNs.
 * @returns undefined where no run has made the stack's provider yet, which they would hang on
 */
export function withTaken<S extends State>(
  state: S,
  stack: string,
  homes: ReadonlyMap<string, string>,
  all: readonly Taken[],
): S | undefined {
  const { resources: before = [] } = contentOf(state);
  const provider = before.find(({ type }) => type === "pulumi:providers:kubernetes");
  const root = before.find(({ type }) => type === "pulumi:pulumi:Stack");
  if (provider === undefined || root === undefined) {
    return undefined;
  }
  const storage = storageIn(state);
  const providerOf = ({ type }: Resource) => (type.startsWith("kubecamp-buckets:") ? storage : provider);
  const has = new Set(before.map(({ urn }) => urn));
  const renamed = all
    .flatMap((taken) => renamedTo(stack, homes, taken))
    .filter(({ urn }) => !has.has(urn))
    .flatMap((resource) => {
      const on = providerOf(resource);
      const parent = resource.parent?.includes("::pulumi:pulumi:Stack::") ? { parent: root.urn } : {};
      const reference = resource.provider ? { provider: `${on?.urn}::${on?.id}` } : {};
      return on === undefined ? [] : [{ ...resource, ...parent, ...reference }];
    });
  const known = new Set([...has, ...renamed.map(({ urn }) => urn)]);
  const added = renamed.map((each) => pruned(each, known));
  return { ...state, deployment: { ...state.deployment, resources: [...before, ...added] } };
}

/** What members who come from there have of what was taken out, under the URNs of another stack. */
function renamedTo(stack: string, homes: ReadonlyMap<string, string>, { stack: from, resources }: Taken): Resource[] {
  return resources
    .filter(({ urn }) => homes.get(memberOf(urn) ?? "") === from)
    .map((resource) => JSON.stringify(resource))
    .filter((text) => !isSealed(text))
    .map((text) => JSON.parse(text.replaceAll(urnStart(from), urnStart(stack))) as Resource);
}

/** Whether a resource has anything that its stack's key alone decrypts. */
const isSealed = (text: string) => text.includes(secretSignature) && text.includes('"ciphertext":');

/** Whose keys are in what was taken out of a state, and so that no other can read them. */
export function sealedMembers({ resources }: Taken): string[] {
  const sealed = resources.filter((resource) => isSealed(JSON.stringify(resource)));
  return [...new Set(sealed.flatMap(({ urn }) => memberOf(urn) ?? []))].sort();
}

/** Names of the members who have something on the server of buckets. */
export function bucketMembersIn(state: State): ReadonlySet<string> {
  const { resources = [] } = contentOf(state);
  const theirs = resources.filter(({ type }) => type.startsWith("kubecamp-buckets:"));
  return new Set(theirs.flatMap(({ urn }) => memberOf(urn) ?? []));
}

/** Whether a run has made the provider that they hang on. */
export const knowsBuckets = (state: State): boolean => storageIn(state) !== undefined;

const storageIn = (state: State) =>
  contentOf(state).resources?.find(({ type }) => type === "pulumi:providers:kubecamp-buckets");

/** A resource without the links to what is not there. */
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
