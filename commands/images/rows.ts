import { printable } from "../../config/model/unseenCharacters.ts";
import type { OffList } from "../../plan/decisions/images/offList.ts";
import { table } from "../common/table.ts";

const headings = ["MEMBER", "KIND", "NAME", "PODS", "IMAGE", "IN"];
/** Columns that may be cut: the widest first, and of equally wide ones the earlier. */
const cuttable = ["MEMBER", "NAME", "IMAGE", "IN"].map((heading) => headings.indexOf(heading));

/**
 * A line for each image of each workload.
 * @param width columns of the terminal; undefined for a pipe, where nothing is cut
 */
export function offListTable(all: readonly OffList[], width: number | undefined): string {
  const rows = all.flatMap(({ member, kind, name, pods, uses }) =>
    // An image name in a pod template can contain line breaks and control characters.
    uses.map(({ of, image }) => [member, kind, name, String(pods), printable(image), printable(of)]),
  );
  return table([headings, ...rows], { width, cut: cuttable });
}

/** A workload for `-o json`; see docs/reference/commands.md for its keys. */
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
