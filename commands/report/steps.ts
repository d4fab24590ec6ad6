import { kindOfType } from "../../cluster/kinds/kinds.ts";
import { stackLabel } from "../../config/names/labels.ts";
import { isProviderType, isStackUrn, isStorageType, memberOf } from "../../config/names/urns.ts";
import { isMap } from "../../config/values/maps.ts";
import type { Inputs } from "../../objects/field.ts";
import { marksIn } from "../../objects/shown/values.ts";
import type { Digest, DigestStep } from "./digest.ts";

export interface Step {
  readonly change: "made" | "changed" | "deleted" | "replaced";
  /** Such as `kubernetes:core/v1:Namespace`. */
  readonly type: string;
  readonly kind: string;
  /** Owner; undefined for shared resources. */
  readonly member: string | undefined;
  /** Logical name without the member's, such as `binding/edit`; empty for the component itself. */
  readonly part: string;
  /** Declared inputs before the run; empty for a new object. */
  readonly before: Inputs;
  readonly after: Inputs;
  /** Paths in which Pulumi sees a difference, even if their values are not shown. */
  readonly paths: readonly string[];
  /** Whether a deletion only ends the declaration, and leaves the object (retainOnDelete). */
  readonly isKept: boolean;
  /** Whether a refresh has found it gone. */
  readonly wasGone: boolean;
}

const idle = ["same", "read", "refresh", "discard", "diff", "remove-pending-replace", "extend-parameterize"];
const replacing = [
  ...["replace", "create-replacement", "delete-replaced", "discard-replaced", "read-replacement", "import-replacement"],
];

/** A step for each object that changes, and the number of those that Pulumi only records in its state. */
export function readSteps({ steps, standing }: Pick<Digest, "steps" | "standing">): {
  steps: Step[];
  recorded: number;
} {
  const busy = steps.filter(({ op, urn }) => !idle.includes(op) && !isStackUrn(urn));
  const byUrn = Map.groupBy(busy, ({ urn }) => urn);
  const all = [...byUrn.values()].flatMap((of) => stepOf(of));
  const changes = all.flatMap((step) => againstCluster(step, standing));
  return { steps: changes, recorded: all.length - changes.length };
}

/** A lost or old state has Pulumi make what is there already: the plan says what changes on the cluster. */
function againstCluster(step: Step, standing: Digest["standing"]): Step[] {
  const found = step.change === "made" && !step.wasGone ? standing.get(objectName(step)) : undefined;
  if (found === undefined) {
    return [step];
  }
  return found.isFine ? [] : [{ ...step, change: "changed", before: found.inputs }];
}

/** After a refresh, the first of two steps is the refresh's result, and the last the run's. */
function stepOf(all: readonly DigestStep[]): Step[] {
  const last = all.at(-1);
  if (last === undefined) {
    return [];
  }
  const isReplaced = all.some(({ op, old }) => replacing.includes(op) || (op === "delete" && old?.delete === true));
  const whole = all.find(({ op }) => op === "replace") ?? last;
  const old = whole.old ?? all.find((each) => each.old !== undefined)?.old;
  const made = whole.new ?? all.find((each) => each.new !== undefined)?.new;
  const wasGone = !isReplaced && all.length > 1 && all[0]?.op === "delete" && last.op === "create";
  const isKept = old?.retainOnDelete === true;
  const [, , types = "", name = ""] = last.urn.split("::");
  const type = types.split("$").at(-1) ?? "";
  const member = memberOf(last.urn);
  const after = last.op === "delete" && !isReplaced ? {} : (made?.inputs ?? {});
  const before = last.op === "create" && !isReplaced ? {} : (old?.inputs ?? {});
  const [from, to] = [before, after].map((inputs) => marksIn(inputs, "labels")[stackLabel]);
  // Its name has the stack's, so that a member's move to another stack replaces it.
  const isMoved = isReplaced && type.endsWith(":ClusterRoleBinding") && from !== to;
  // An object that is kept is only applied again.
  const replaced = isKept || isMoved ? "changed" : "replaced";
  return [
    {
      change: isReplaced ? replaced : (changes[last.op] ?? "changed"),
      type,
      // A custom kind has its group, as in the program's own warnings.
      kind: kindOfType(type),
      member,
      part: member === undefined ? name : name.slice(`${member}/`.length),
      before: isMoved ? JSON.parse(JSON.stringify(before).replaceAll(`:${from}:`, `:${to}:`)) : before,
      after,
      paths: Object.keys(last.detailedDiff ?? {}),
      isKept,
      wasGone,
    },
  ];
}

const changes: Readonly<Record<string, Step["change"]>> = {
  create: "made",
  import: "made",
  update: "changed",
  delete: "deleted",
};

/** Name of an object in messages: `ResourceQuota bob/quota`, as in the program's own warnings. */
export function objectName({ kind, type, part, before, after, member }: Step): string {
  const { metadata, bucketName } = Object.keys(after).length > 0 ? after : before;
  const { name, namespace } = isMap(metadata) ? metadata : {};
  if (isStorageType(type)) {
    return typeof bucketName === "string" ? `bucket ${bucketName}` : `keys of member ${member} to buckets`;
  }
  if (typeof name !== "string") {
    return isProviderType(type) ? `Pulumi's provider '${part}'` : `${kind} ${part}`.trim();
  }
  return typeof namespace === "string" ? `${kind} ${namespace}/${name}` : `${kind} ${name}`;
}
