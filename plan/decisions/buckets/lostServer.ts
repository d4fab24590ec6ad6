import type { ClusterSnapshot } from "../../../cluster/read/snapshot.ts";
import { bucketsAnnotation, memberLabel, stackLabel } from "../../../config/names/labels.ts";
import type { Settings } from "../../../config/settings.ts";
import type { Finding } from "../../messages/finding.ts";

/**
 * Refuses settings that no longer name the S3 server while members have buckets there: Pulumi would delete or close each,
 * and no warning could say what is lost.
 */
export function lostServer(
  { stack, storage }: Pick<Settings, "stack" | "storage">,
  { managedObjects }: Pick<ClusterSnapshot, "managedObjects">,
): Finding<"bucketServer">[] {
  if (storage?.kind === "s3") {
    return [];
  }
  const members = [...managedObjects].flatMap(([key, { labels, annotations }]) => {
    const isOne = key.startsWith("Namespace ") && labels[stackLabel] === stack;
    return isOne && annotations[bucketsAnnotation] !== undefined ? [labels[memberLabel] ?? key] : [];
  });
  return members.length === 0 ? [] : [{ code: "bucketServer", facts: { members: members.sort() } }];
}
