import * as pulumi from "@pulumi/pulumi";
import { keyOf } from "../../cluster/kinds/objectName.ts";
import type { ObjectPatch } from "../../cluster/write/patchEach.ts";
import { unseenAnnotation } from "../../config/names/labels.ts";
import type { Settings } from "../../config/settings.ts";
import { bucketDigest, digestOn } from "../../plan/decide/differing.ts";
import type { Run } from "../../plan/decide/run.ts";
import type { Classified } from "../../plan/live/classify.ts";
import type { ReadObject } from "../../plan/rows/row.ts";
import { isCutOff } from "../givenRun.ts";
import type { MemberEnvironment } from "../memberEnvironment.ts";
import { stackDigest } from "../provider/providerArgs.ts";
import { patchOrWarn } from "../warn.ts";

/** A digest that a run brings about, of what no object shows. Another one on its object, or none, makes the next run necessary. */
export interface EndDigest {
  /** What bears it: a member's namespace, or the stack's first ClusterRole. */
  readonly bearer: Classified<ReadObject>;
  readonly member?: string;
  /** Undefined for a member without buckets. */
  readonly digest: string | undefined;
}

/** The digests that are not there yet: each member's, and in a run for everyone the stack's. */
function differing({ targeted: { settings, snapshot, members, classified }, target }: Run): EndDigest[] {
  const ofMembers = members.flatMap((plan) => {
    const bearer = plan.classified.find(({ object }) => object.part === "namespace");
    return bearer ? [{ bearer, member: plan.member.name, digest: bucketDigest(plan) }] : [];
  });
  const [first] = target.isWhole ? classified : [];
  const ofStack = first ? [{ bearer: first, digest: stackDigest(settings, snapshot.id) }] : [];
  return [...ofMembers, ...ofStack].filter(({ bearer, digest }) => digestThere(bearer) !== digest);
}

const digestThere = ({ live }: Pick<Classified, "live">): string | undefined => live && digestOn(live);

/** Takes wrong digests off before the first change: a run may fail half-way. Returns those that its end is to write. */
export async function beginRecorded(run: Run): Promise<readonly EndDigest[]> {
  const all = pulumi.runtime.isDryRun() ? [] : differing(run);
  const there = all.filter(({ bearer }) => digestThere(bearer) !== undefined);
  await patchOrWarn(
    there.map(({ bearer }) => patchOf(bearer.object, null)),
    run.targeted.settings,
  );
  return all;
}

interface RunEnd {
  readonly settings: Settings;
  /** Providers and all objects that members share: the stack's own digest waits for them. */
  readonly shared: readonly pulumi.Resource[];
  readonly environments: ReadonlyMap<string, Pick<MemberEnvironment, "made">>;
  /** Resolves when pods are stopped and sleepers settled. */
  readonly stopped: pulumi.Output<void>;
}

/** Not after an interruption. The stack's digest waits for no member to succeed. The outputs must depend on it. */
export function endRecorded(
  digests: readonly EndDigest[],
  { settings, shared, environments, stopped }: RunEnd,
): pulumi.Output<void> {
  const all = [...environments.values()].flatMap(({ made }) => made.map(unlessInterrupted));
  const written = digests.flatMap(({ bearer, member, digest }) => {
    if (digest === undefined) {
      return [];
    }
    const made = member === undefined ? [...shared.map(({ urn }) => urn), ...all] : environments.get(member)?.made;
    // One that has failed says so itself.
    const isMade =
      made &&
      pulumi.recover(
        pulumi.all(made).apply(() => true),
        () => false,
      );
    const done = isMade?.apply(async (is) => is && (await patchOrWarn([patchOf(bearer.object, digest)], settings)));
    return done ? [done] : [];
  });
  return pulumi.all([stopped, ...written]).apply(() => undefined);
}

/** Whatever becomes of a resource, unless Pulumi's end has cut it off. */
const unlessInterrupted = (urn: pulumi.Output<string>): pulumi.Output<string> =>
  pulumi.recover(urn, (error) => {
    if (isCutOff(error)) {
      throw error;
    }
    return "";
  });

const patchOf = (object: ReadObject, digest: string | null): ObjectPatch => ({
  ...object,
  what: `note on ${keyOf(object)} what this run has brought about`,
  patch: { metadata: { annotations: { [unseenAnnotation]: digest } } },
});
