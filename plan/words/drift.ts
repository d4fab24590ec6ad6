import { firstFew } from "../../config/values/sentences.ts";
import { each, lineOf, listed, type None, type Reported, type Why, type WordsOf } from "./wording.ts";

export interface DriftWarnings {
  readonly changedByHand: {
    readonly isRebound: boolean;
    readonly isAggregated: boolean;
    readonly added: AddedMarks | undefined;
  };
  readonly missing: None;
  /** Fields that a run restored, and that something has set again; values as JSON. */
  readonly notKept: { readonly fields: readonly ChangedField[] };
  readonly notTakenOff: Why;
  /** Left by a killed run or a lost state, absent from the state, and no longer planned. */
  readonly unrecorded: { readonly stack: string };
  readonly leftDeleted: None;
  readonly leftPolicy: None;
}

/** Keys that somebody has added to the declared ones. */
export interface AddedMarks {
  readonly labels: readonly string[];
  readonly annotations: readonly string[];
}

/** A declared field with another value on the cluster. Values are JSON, undefined where there is none. */
export interface ChangedField {
  readonly field: string;
  readonly live: string | undefined;
  readonly declared: string | undefined;
}

export const driftWords: WordsOf<DriftWarnings> = {
  changedByHand: listed("Changed by hand; 'pulumi up' restores it:", (one) => lineOf(one, handText(one))),
  missing: listed("Deleted by hand; 'pulumi up --refresh' creates it again:", lineOf),
  notKept: listed(
    "Restored by the last run, and did not stay: a webhook, a policy or another program sets it again. Find and stop that:",
    (one) => lineOf(one, notKeptText(one)),
  ),
  notTakenOff: each(({ object, facts: { why } }) => `${object} is not as it should be: ${why}`),
  unrecorded: listed(
    ([one]) =>
      "Neither in the list nor in Pulumi's state, since a run was killed or the state lost. Pulumi alone leaves it; " +
      `'kubecamp up --stack ${one?.facts.stack}' deletes it (docs/run/state.md#the-state-is-lost):`,
    lineOf,
    20,
  ),
  leftDeleted: listed("Deleted, since neither the list nor Pulumi's state has it:", lineOf),
  leftPolicy: listed(
    "Admission policies that differ from their declaration, and that this identity may not write. They stay so until\n" +
      "an admin runs 'pulumi up' (docs/run/watch-in-cluster.md):",
    lineOf,
  ),
};

export const notKeptText = ({ facts }: Reported<DriftWarnings["notKept"]>): string =>
  firstFew(facts.fields.map(fieldText), 5);

/** Shows values of labels alone: logs and comments have more readers than other fields. */
function fieldText({ field, live, declared }: DriftWarnings["notKept"]["fields"][number]): string {
  const isLabel = field.startsWith("label ");
  if (declared === undefined) {
    return `${field} is ${isLabel ? live : "set"}, which nobody declares`;
  }
  return isLabel
    ? `${field} is ${live ?? "gone"}, declared ${declared}`
    : `${field} is ${live === undefined ? "gone" : "not as declared"}`;
}

/** Changes that the declaration doesn't show; and what reverts those that applying it again doesn't. */
export function handText({ facts }: Reported<DriftWarnings["changedByHand"]>): string {
  const { isRebound, isAggregated, added } = facts;
  const marks = [
    ...(added?.labels ?? []).map((key) => `label ${key}`),
    ...(added?.annotations ?? []).map((key) => `annotation ${key}`),
  ];
  return [
    ...(isRebound ? ["it is bound to another role, and only 'pulumi up --refresh' replaces it"] : []),
    ...(isAggregated
      ? ["it has an aggregationRule; if the next run names it again, remove that with 'kubectl edit'"]
      : []),
    ...(marks.length === 0 ? [] : [`removes what nobody declares: ${marks.join(", ")}`]),
  ].join("; ");
}
