/** What `pulumi stack export` prints, as far as it matters here. */
export interface StackState {
  readonly deployment: { readonly resources?: readonly StateResource[] };
}

interface StateResource {
  readonly type: string;
  readonly custom?: boolean;
  readonly inputs?: Readonly<Record<string, unknown>>;
}

/** Objects of Kubernetes as one that kubectl takes. */
export interface ObjectList {
  readonly apiVersion: "v1";
  readonly kind: "List";
  readonly items: readonly Readonly<Record<string, unknown>>[];
}

/**
 * The very objects that a stack's program has declared, in the order in which they were made: its resources of
 * Kubernetes, as the state has their inputs.
 */
export function objectsOf({ deployment: { resources = [] } }: StackState): ObjectList {
  const objects = resources.filter(({ type, custom }) => custom === true && type.startsWith("kubernetes:"));
  return list(objects.map(({ inputs = {} }) => withoutMarks(inputs)));
}

export function list(items: ObjectList["items"]): ObjectList {
  return { apiVersion: "v1", kind: "List", items };
}

/** Without what Pulumi notes for itself, such as `__defaults`. */
function withoutMarks(inputs: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(inputs).filter(([key]) => !key.startsWith("__")));
}
