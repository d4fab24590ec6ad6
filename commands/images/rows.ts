import type { OffList } from "../../plan/decisions/images/offList.ts";
import { table } from "../common/table.ts";

const headings = ["MEMBER", "KIND", "NAME", "PODS", "IMAGE", "IN"];
/** Of those that may be cut, an image is what is left longest. */
const cuttable = ["MEMBER", "NAME", "IMAGE", "IN"].map((heading) => headings.indexOf(heading));

/**
 * A line for each image of each workload.
 * @param width columns of the terminal; undefined for what is piped, where nothing is cut
 */
export function offListTable(all: readonly OffList[], width: number | undefined): string {
  const rows = all.flatMap(({ member, kind, name, pods, uses }) =>
    uses.map(({ of, image }) => [member, kind, name, String(pods), oneLine(image), oneLine(of)]),
  );
  return table([headings, ...rows], { width, cut: cuttable });
}

/** Nothing keeps an image's name in a pod template from having a line break, or what moves the cursor. */
const oneLine = (text: string) => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "?");

/** A workload as `-o json` prints it; docs/reference/commands.md says what each key means. */
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
