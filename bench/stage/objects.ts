import { memberLabel } from "../../config/names/labels.ts";

/** The parts of `pulumi stack export` that are used here. */
export interface StackState {
  readonly deployment: { readonly resources?: readonly StateResource[] };
}

interface StateResource {
  readonly type: string;
  readonly custom?: boolean;
  readonly inputs?: Readonly<Record<string, unknown>>;
}

export type Item = Readonly<Record<string, unknown>>;

/** A Kubernetes List, which kubectl accepts. */
export interface ObjectList {
  readonly apiVersion: "v1";
  readonly kind: "List";
  readonly items: readonly Item[];
}

/** The objects that a stack's program declares, in order of creation: inputs of the Kubernetes resources in the state. */
export function objectsOf({ deployment: { resources = [] } }: StackState): ObjectList {
  const objects = resources.filter(({ type, custom }) => custom === true && type.startsWith("kubernetes:"));
  return list(objects.map(({ inputs = {} }) => withoutMarks(inputs)));
}

export function list(items: ObjectList["items"]): ObjectList {
  return { apiVersion: "v1", kind: "List", items };
}

/** The member that an object belongs to; undefined if it is shared. */
export function memberOf(item: Item): string | undefined {
  return metadataOf(item).labels?.[memberLabel];
}

export function metadataOf({ metadata }: Item) {
  return (metadata ?? {}) as { name?: string; namespace?: string; labels?: Readonly<Record<string, string>> };
}

/** Without Pulumi's own fields, such as `__defaults`. */
function withoutMarks(inputs: Item): Item {
  return Object.fromEntries(Object.entries(inputs).filter(([key]) => !key.startsWith("__")));
}
