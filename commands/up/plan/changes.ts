import { isDeepStrictEqual } from "node:util";
import { isMap } from "../../../config/model/maps.ts";
import { appliedAnnotation } from "../../../naming/labels.ts";
import type { StateResource } from "../../../runs/state/deployment.ts";

/** A resource in `pulumi stack export`, with the fields that decide whether the next run changes it. */
export interface KnownResource extends StateResource {
  /** Whether a replacement has left it to be deleted. */
  readonly delete?: boolean;
  readonly taint?: boolean;
  /** Conditions that its last run waited for in vain, such as a quota's status. */
  readonly initErrors?: readonly string[];
}

/** A resource that the next full run changes. */
export interface Changed {
  readonly urn: string;
  /** Whether its declaration differs from the last run's. False if it only changed on the cluster, or is unfinished. */
  readonly isDeclaredAnew: boolean;
}

/**
 * Resources that a full run would make, change, delete or record anew. Compares the fields that the engine and the
 * plugin compare, and those that decide on later runs.
 * @param declared resources that the next run registers
 * @param known resources that earlier runs have registered
 */
export function changesOf(declared: readonly StateResource[], known: readonly KnownResource[]): Changed[] {
  const before = new Map(known.filter((resource) => !resource.delete).map((resource) => [resource.urn, resource]));
  const now = new Map(declared.map((resource) => [resource.urn, resource]));
  const gone = known.filter(({ urn, delete: isPendingDeletion }) => isPendingDeletion || !now.has(urn));
  return [
    ...gone.map(({ urn }) => ({ urn, isDeclaredAnew: true })),
    ...declared.flatMap((resource) => {
      const last = before.get(resource.urn);
      const isDeclaredAnew = last === undefined || !isSame(resource, last, withoutMark);
      const isUnfinished = last?.taint === true || (last?.initErrors ?? []).length > 0;
      return isDeclaredAnew || isUnfinished || !isSame(resource, last, (inputs) => inputs)
        ? [{ urn: resource.urn, isDeclaredAnew }]
        : [];
    }),
  ];
}

type Inputs = Readonly<Record<string, unknown>>;

function isSame(declared: StateResource, known: KnownResource, cut: (inputs: Inputs) => Inputs): boolean {
  // With ignoreChanges, the state's inputs stay.
  const ignoresChanges = declared.ignoreChanges !== undefined;
  const [now, before] = [declared, known].map((resource) => comparable(resource, ignoresChanges ? () => ({}) : cut));
  return isDeepStrictEqual(now, before);
}

function comparable(resource: StateResource, cut: (inputs: Inputs) => Inputs) {
  const { parent, provider, protect = false, retainOnDelete = false, deletedWith = "", dependencies } = resource;
  const inputs = isMap(resource.inputs) ? cut(readable(resource.inputs)) : {};
  // Their order has no meaning.
  const links = new Set(Array.isArray(dependencies) ? (dependencies as readonly string[]) : []);
  return { inputs, parent, provider, protect, retainOnDelete, deletedWith, links };
}

/** A Secret's data stays encrypted, and the annotation covers it. */
function readable({ data, ...rest }: Inputs): Inputs {
  return rest.kind === "Secret" || data === undefined ? rest : { ...rest, data };
}

/** Drops the resourceVersion of the live object over which the declaration is applied again. */
function withoutMark(inputs: Inputs): Inputs {
  const { metadata } = inputs;
  const annotations = isMap(metadata) && isMap(metadata.annotations) ? metadata.annotations : {};
  const mark = annotations[appliedAnnotation];
  return typeof mark !== "string" || !isMap(metadata)
    ? inputs
    : {
        ...inputs,
        metadata: { ...metadata, annotations: { ...annotations, [appliedAnnotation]: mark.split(".")[0] } },
      };
}
