import { isDeepStrictEqual } from "node:util";
import { isMap } from "../../config/model/maps.ts";
import { appliedAnnotation } from "../../naming/labels.ts";
import type { StateResource } from "../state/resources.ts";

/** A resource as `pulumi stack export` has it, as far as it tells whether the next run does anything with it. */
export interface KnownResource extends StateResource {
  /** What a replacement has left to be deleted. */
  readonly delete?: boolean;
  readonly taint?: boolean;
  /** What its last run did not see come about, such as a quota that got no status. */
  readonly initErrors?: readonly string[];
}

/** A resource about which the next full run does something. */
export interface Changed {
  readonly urn: string;
  /** Whether it is declared otherwise than last time: not merely changed on the cluster, or left half-done. */
  readonly isDeclaredAnew: boolean;
}

/**
 * What a full run would make, change or delete, or merely note anew: the fields compared are those of which the engine and
 * the plugin compare old and new, and those that decide what later runs do.
 * @param declared what the next run registers
 * @param known what the last ones have registered
 */
export function changesOf(declared: readonly StateResource[], known: readonly KnownResource[]): Changed[] {
  const before = new Map(known.filter((resource) => !resource.delete).map((resource) => [resource.urn, resource]));
  const now = new Map(declared.map((resource) => [resource.urn, resource]));
  const gone = known.filter(({ urn, delete: isLeft }) => isLeft || !now.has(urn));
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
  // Of what is left as it stands, the state's inputs stand as well.
  const isLeft = declared.ignoreChanges !== undefined;
  const [now, before] = [declared, known].map((resource) => comparable(resource, isLeft ? () => ({}) : cut));
  return isDeepStrictEqual(now, before);
}

function comparable(resource: StateResource, cut: (inputs: Inputs) => Inputs) {
  const { parent, provider, protect = false, retainOnDelete = false, deletedWith = "", dependencies } = resource;
  const inputs = isMap(resource.inputs) ? cut(readable(resource.inputs)) : {};
  // In which order they are named, means nothing.
  const links = new Set(Array.isArray(dependencies) ? (dependencies as readonly string[]) : []);
  return { inputs, parent, provider, protect, retainOnDelete, deletedWith, links };
}

/** What is in a Secret stays encrypted; the mark of what was applied is of that, too. */
function readable({ data, ...rest }: Inputs): Inputs {
  return rest.kind === "Secret" || data === undefined ? rest : { ...rest, data };
}

/** Without the resourceVersion that tells over which live object the declaration is applied again. */
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
