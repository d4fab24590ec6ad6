import { deviceIn, storageClassIn } from "../../objects/quotaClasses.ts";
import { table } from "../common/table.ts";
import { type MemberGroup, memoryText } from "../common/usage.ts";
import { byClass, classesJson, ofHard, quantities } from "./rows.ts";

/** A line for each group. @param bytes text of memory and storage. Default: rounded up to MiB */
export function groupsTable(
  label: string,
  groups: readonly MemberGroup[],
  width: number | undefined,
  bytes: (quantity: string) => string = memoryText,
): string {
  // As in the columns of 'kubectl get -L'.
  const [name = label] = label.split("/").slice(-1);
  const rows = groups.map(({ value = "(none)", members, withoutQuota, usage }) => [
    value,
    String(members),
    String(withoutQuota),
    ofHard(usage["limits.cpu"]),
    ofHard(usage["limits.memory"], bytes),
    ofHard(usage["requests.storage"], bytes),
    byClass(usage, deviceIn),
    byClass(usage, storageClassIn, bytes),
  ]);
  const headings = [name.toUpperCase(), "MEMBERS", "NO QUOTA", "CPU", "MEMORY", "STORAGE", "DEVICES", "CLASSES"];
  // Few stacks have devices or storage by class.
  const shown = headings.map((_, at) => at < headings.indexOf("DEVICES") || rows.some((row) => row[at] !== "-"));
  return table(
    [headings, ...rows].map((row) => row.filter((_, at) => shown[at])),
    { width, cut: [0] },
  );
}

/** A group for `-o json`; see docs/run/list-members.md for its keys. */
export function groupJson(label: string, { value, members, withoutQuota, usage }: MemberGroup) {
  return {
    label,
    value: value ?? null,
    members,
    withoutQuota,
    cpu: quantities(usage["limits.cpu"], "Millicores", 1000),
    memory: quantities(usage["limits.memory"], "Bytes"),
    storage: quantities(usage["requests.storage"], "Bytes"),
    ...classesJson(usage),
  };
}
