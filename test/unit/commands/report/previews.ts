import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import type { Report } from "../../../../commands/report/build.ts";
import { reportOf } from "../../../../commands/report/build.ts";
import { type Digest, type DigestStep, nothingFound } from "../../../../commands/report/digest.ts";
import { ClusterAccess } from "../../../../components/clusterAccess.ts";
import { MemberEnvironment } from "../../../../components/memberEnvironment.ts";
import { stackStorage } from "../../../../components/storage.ts";
import type { Settings } from "../../../../config/settings.ts";
import { starterPlan } from "../../../../plan/decisions/starterPlan.ts";
import { Drift } from "../../../../plan/live/drift.ts";
import { memberObjects, sharedObjects } from "../../../../plan/rows/manifest.ts";
import type { Finding, WarningFacts } from "../../../../plan/words/finding.ts";
import { cluster } from "../../cluster/leaving.ts";
import { type Registered, registeredBy } from "../../components/recorded.ts";
import { configuration } from "../../samples.ts";

/** An operation as the engine reports it, as far as it is read. */
export interface SampleStep {
  readonly op: string;
  readonly urn: string;
  readonly old?: object | undefined;
  readonly new?: object | undefined;
  readonly detailedDiff?: object;
}

export const stackUrn = "urn:pulumi:dev::kubecamp::pulumi:pulumi:Stack::kubecamp-dev";

/** The URN of an object of a member's, or of what all share. */
export function urn(type: string, name: string): string {
  const parent = name.startsWith("access") ? "kubecamp:index:ClusterAccess" : "kubecamp:index:MemberEnvironment";
  const isComponent = type.startsWith("kubecamp:index:") || type.startsWith("pulumi:");
  return `urn:pulumi:dev::kubecamp::${isComponent ? type : `${parent}$${type}`}::${name}`;
}

/** The report of a preview with these steps and findings. */
export const reportOn = (
  steps: readonly SampleStep[],
  found: Partial<Digest> = {},
  more: Partial<Parameters<typeof reportOf>[1]> = {},
): Report => {
  const all: readonly object[] = [{ op: "same", urn: stackUrn }, ...steps];
  return reportOf({ ...nothingFound, steps: all as readonly DigestStep[], ...found }, { stack: "dev", ...more });
};

/** An error of Pulumi's, among the messages of a preview. */
export const error = (message: string) => ({ messages: [{ severity: "error", message: `error: ${message}\n` }] });

const left = { home: undefined, routes: [], services: [], isRouteUnseen: false, bindings: 0, othersJoin: false };
export const leaving = (member: string, facts: Partial<WarningFacts["leaving"]> = {}): Finding<"leaving"> => ({
  ...{ code: "leaving", member, facts: { ...left, ...facts } },
});
/** A namespace with its contents. */
export const home = (pods: number, ...claims: readonly { readonly name: string; readonly storage: string }[]) => ({
  home: { isTerminating: false, pods, claims, services: [] },
});
export const pending = (member: string, reason = "why"): Finding<"pending"> => ({
  ...{ code: "pending", member, facts: { reason } },
});
const unedited = { isRebound: false, isAggregated: false, added: undefined };
export const editedByHand = (object: string): Finding<"changedByHand"> => ({
  ...{ code: "changedByHand", object, facts: unedited },
});

type Declared = ReadonlyMap<string, object>;

/** Remembers results: most edits of a file's tests have the same configuration on one side, and the same shared objects. */
function remembered<A extends readonly unknown[], T>(make: (...args: A) => T): (...args: A) => T {
  const known = new Map<string, T>();
  return (...args) => {
    const key = JSON.stringify(args);
    const made = known.get(key) ?? make(...args);
    known.set(key, made);
    return made;
  };
}

const sharedFor = remembered(async (settings: Settings) => {
  const made: ClusterAccess[] = [];
  const registered = await registeredBy(
    () =>
      void made.push(
        new ClusterAccess("access", { plan: { settings, shared: sharedObjects(settings) }, drift: Drift.none }, {}),
      ),
  );
  const [access = assert.fail()] = made;
  return { access, declared: byUrn(registered) };
});

/** Everything that the program registers for a configuration, by URN; the paths of these members are open. */
const declaredBy = remembered(async (raw: Record<string, unknown>, open: readonly string[]): Promise<Declared> => {
  const { settings, members } = configuration(raw);
  const { access, declared } = await sharedFor(settings);
  const registered = await registeredBy(() => {
    const storage = stackStorage(settings, cluster());
    for (const member of members) {
      const isOpen = open.includes(member.name);
      const starter = starterPlan(member, settings, { managedObjects: new Map(), services: new Map() });
      const plan = { member, settings, isOpen, ...memberObjects({ member, settings, starter }) };
      new MemberEnvironment(member.name, { plan, access, storage, drift: Drift.none }, {});
    }
  });
  return new Map([...declared, ...byUrn(registered)]);
});

const byUrn = (registered: readonly Registered[]): Declared =>
  new Map(registered.map(({ type, name, inputs }) => [urn(type, name), inputs]));

interface Edit {
  readonly before: Record<string, unknown>;
  readonly after: Record<string, unknown>;
  /** Members whose paths are open before, and after it. Default: none. */
  readonly open?: readonly [readonly string[], readonly string[]];
  readonly warnings?: readonly Finding[];
}

/** A preview of an edited configuration, made from the real program's declarations before and after it. */
export async function reportOfEdit({ before, after, open = [[], []], warnings = [] }: Edit): Promise<Report> {
  const [old, made] = [await declaredBy(before, open[0]), await declaredBy(after, open[1])];
  const steps = [...new Set([...made.keys(), ...old.keys()])].flatMap((each): SampleStep[] => {
    const [from, to] = [old.get(each), made.get(each)];
    const op = from === undefined ? "create" : to === undefined ? "delete" : "update";
    const step = { op, urn: each, old: from && { inputs: from }, new: to && { inputs: to } };
    return isDeepStrictEqual(from, to) ? [{ op: "same", urn: each }] : [step];
  });
  return reportOn(steps, { warnings });
}
