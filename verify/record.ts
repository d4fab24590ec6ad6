import type { V1ConfigMap } from "@kubernetes/client-node";
import type { ApiServer } from "../cluster/api/client.ts";
import { objectPath } from "../cluster/kinds/kinds.ts";
import { applyRequest } from "../cluster/write/apply.ts";
import { systemNamespaceName, verifyRecordName } from "../config/names/names.ts";
import type { Settings } from "../config/settings.ts";
import type { Outcome, Proof } from "./outcome.ts";

type Result = Outcome["is"];
export const results: readonly Result[] = ["held", "broken", "unproven"];

/** The last result of `kubecamp verify --record`, which the watch makes metrics of. */
export interface VerifyRecord {
  readonly at: Date;
  /** How many promises have each result. */
  readonly counts: Readonly<Record<Result, number>>;
}

export const countsOf = (proofs: readonly Proof[]): VerifyRecord["counts"] => {
  const count = (result: Result) => proofs.filter((proof) => proof.result === result).length;
  return { held: count("held"), broken: count("broken"), unproven: count("unproven") };
};

type OfStack = Pick<Settings, "stack">;

const recordOf = (of: OfStack) => {
  const object = { kind: "ConfigMap" as const, name: verifyRecordName(of), namespace: systemNamespaceName };
  return { object, path: objectPath(object), what: `the ConfigMap '${object.namespace}/${object.name}'` };
};

/** @param report for people, as the command prints it */
export async function writeRecord(
  api: Pick<ApiServer, "write">,
  of: OfStack,
  { at, counts, report }: VerifyRecord & { readonly report: string },
): Promise<void> {
  const { object, what } = recordOf(of);
  const { kind, ...metadata } = object;
  const numbers = results.map((result) => [result, String(counts[result])]);
  const data = { at: at.toISOString(), ...Object.fromEntries(numbers), report };
  const body = { apiVersion: "v1", kind, metadata, data };
  await api.write(applyRequest(`write the result into ${what}`, object, body, "kubecamp-verify"));
}

/** Undefined if there is none, or somebody has written something else there. */
export async function readRecord(api: Pick<ApiServer, "get">, of: OfStack): Promise<VerifyRecord | undefined> {
  const { path, what } = recordOf(of);
  const { data = {} } = (await api.get<V1ConfigMap>({ what, path })) ?? {};
  const at = new Date(data.at ?? "");
  const [held = Number.NaN, broken = Number.NaN, unproven = Number.NaN] = results.map((result) => Number(data[result]));
  return Number.isNaN(at.getTime() + held + broken + unproven) ? undefined : { at, counts: { held, broken, unproven } };
}
