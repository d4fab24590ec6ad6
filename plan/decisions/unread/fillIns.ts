import type { ClusterSnapshot, Unread } from "../../../cluster/read/snapshot/snapshot.ts";

const fillIn = "access/admission/mutating/fill-in";
/** Policies that hold what is filled in, which every API server has. */
const holding = ["pools", "runtimes", "users"].map((policy) => `access/admission/${policy}`);

/**
 * Whether the API server can fill in what pods leave out. If no cluster was asked, it can unless the last run found that
 * it can't.
 */
export function mutatesAsLast(
  { mutates }: Pick<ClusterSnapshot, "mutates">,
  unread: Unread | undefined,
): boolean | undefined {
  if (unread?.offline !== true) {
    return mutates;
  }
  const { last } = unread;
  return last === undefined || last.has(fillIn) || !holding.some((name) => last.has(name));
}
