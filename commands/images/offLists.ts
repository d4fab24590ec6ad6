import { withApiServer } from "../../cluster/api/client.ts";
import type { ApiTarget } from "../../cluster/api/kubeconfig/kubeconfig.ts";
import { objectPath } from "../../cluster/kinds/kinds.ts";
import { readWorkloads, type WorkloadLists } from "../../cluster/read/workloads.ts";
import { refuseAnotherCluster } from "../../cluster/write/ownCluster.ts";
import { writeEach } from "../../cluster/write/patchEach.ts";
import { imageRulesAnnotation, stackLabel } from "../../config/names/labels.ts";
import { isMeant } from "../../config/sources/shardSource.ts";
import { printable } from "../../config/values/mistakes.ts";
import { counted } from "../../config/values/sentences.ts";
import { type OffList, offListOf } from "../../plan/live/offList.ts";
import { apiTargetOf, noMembers, ownClusterOf, refuseUnknownStack, type StackPlace } from "../common/stackTarget.ts";
import { table } from "../common/table.ts";
import { isConfirmed } from "../common/terminal.ts";

interface ImagesOptions extends StackPlace {
  readonly stack: string;
  readonly output: "table" | "json";
  readonly delete: boolean;
  readonly yes: boolean;
}

const waiting = { notify: (message: string) => console.error(message) };

/** Prints workloads with images off their lists, and deletes them on request. The exit code is 1 if any remains. */
export async function showOffLists(options: ImagesOptions): Promise<void> {
  const { stack, output } = options;
  const target = apiTargetOf(options);
  if (options.delete) {
    const cluster = { id: ownClusterOf(options)?.id };
    // Throws if the stack is on another cluster (`cluster.id`).
    await withApiServer(target, waiting, (api) => refuseAnotherCluster(api, { cluster }), "overview");
  }
  const lists = await readWorkloads(target, waiting);
  const found = offListOf(lists, isMeant(process.cwd(), stack));
  reportNone(lists, stack, found.length);
  if (output === "table" && found.length > 0) {
    console.log(offListTable(found, process.stdout.columns));
  }
  const gone = options.delete && found.length > 0 ? await deleted(found, options, target) : new Set();
  if (output === "json") {
    const all = found.map((each) => offListJson(each, gone.has(each)));
    console.log(JSON.stringify(all, null, 2));
  }
  if (found.some((each) => !gone.has(each))) {
    if (!options.delete) {
      console.error("Allow these images in the stack's settings, or delete the workloads with --delete.");
    }
    process.exitCode ??= 1;
  }
}

function reportNone({ namespaces }: WorkloadLists, stack: string, found: number): void {
  const stacks = Map.groupBy(namespaces, ({ metadata }) => metadata?.labels?.[stackLabel] ?? "");
  const isTheirs = isMeant(process.cwd(), stack);
  const members = [...stacks].flatMap(([other, theirs]) => (isTheirs(other) ? theirs : []));
  const listed = members.filter(({ metadata }) => metadata?.annotations?.[imageRulesAnnotation] !== undefined);
  if (members.length === 0) {
    refuseUnknownStack(stack, [...stacks.keys()]);
    console.error(noMembers(stack));
  } else if (found === 0) {
    console.error(
      `All workloads have allowed images. Members with a list of images: ${listed.length} of ${members.length}`,
    );
  }
}

async function deleted(
  found: readonly OffList[],
  options: ImagesOptions,
  target: ApiTarget,
): Promise<ReadonlySet<OffList>> {
  if (!options.yes && !(await isWanted(found, options))) {
    console.error("Nothing is deleted.");
    return new Set();
  }
  const doomed = options.yes ? found : await stillOff(found, options.stack, target);
  const refused = await writeEach(doomed, deletion, () => target, waiting);
  const gone = doomed.filter((each) => !refused.has(each));
  for (const { kind, namespace, name } of gone) {
    console.error(`Deleted ${kind} ${namespace}/${name}`);
  }
  for (const reason of refused.values()) {
    console.error(`Error: ${reason}`);
    process.exitCode = 2;
  }
  return new Set(gone);
}

/**
 * Deletes a workload, and in the background its dependents. The UID excludes a later one of the same name.
 * @see https://kubernetes.io/docs/concepts/architecture/garbage-collection/#background-deletion
 */
const deletion = ({ kind, namespace, name, uid }: OffList) => ({
  what: `delete ${kind} '${namespace}/${name}'`,
  method: "DELETE" as const,
  path: objectPath({ kind, namespace, name }),
  body: { apiVersion: "v1", kind: "DeleteOptions", propagationPolicy: "Background", preconditions: { uid } },
});

/** Drops workloads that were corrected or deleted while the question was open. */
async function stillOff(found: readonly OffList[], stack: string, target: ApiTarget): Promise<readonly OffList[]> {
  const lists = await readWorkloads(target, waiting);
  const now = new Set(offListOf(lists, isMeant(process.cwd(), stack)).map(({ uid }) => uid));
  return found.filter(({ uid }) => now.has(uid));
}

async function isWanted(found: readonly OffList[], { output }: ImagesOptions): Promise<boolean> {
  const pods = found.reduce((sum, each) => sum + each.pods, 0);
  const question = `Delete ${counted(found.length, "workload")} with ${counted(pods, "pod")}, for good?`;
  const remedy = "Add --yes to delete without a question.";
  return await isConfirmed(question, output, { what: "Nothing is deleted", remedy });
}

const headings = ["MEMBER", "KIND", "NAME", "PODS", "IMAGE", "IN"];
/** Columns that may be cut: the widest first, and of equally wide ones the earlier. */
const cuttable = ["MEMBER", "NAME", "IMAGE", "IN"].map((heading) => headings.indexOf(heading));

export function offListTable(all: readonly OffList[], width: number | undefined): string {
  const rows = all.flatMap(({ member, kind, name, pods, uses }) =>
    // An image name in a pod template can contain line breaks and control characters.
    uses.map(({ of, image }) => [member, kind, name, String(pods), printable(image), printable(of)]),
  );
  return table([headings, ...rows], { width, cut: cuttable });
}

/** A workload for `-o json`; see docs/reference/images.md for its keys. */
export function offListJson({ stack, member, namespace, kind, name, pods, uses, allowed }: OffList, deleted: boolean) {
  return {
    stack,
    member,
    namespace,
    kind,
    name,
    pods,
    images: uses.map(({ of, image }) => ({ image, in: of })),
    allowed,
    deleted,
  };
}
