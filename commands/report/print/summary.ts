import type { Report } from "../build.ts";
import type { LostBucket } from "../model.ts";
import { isNamespace } from "./sections.ts";

/** All changes in one line, such as `2 join, 1 leaves, 3 change, 1 route opens, 4 pending`. */
export function summaryOf(report: Report): string {
  const { offline, unchecked } = report;
  const seen = offline.length > 0 ? " (offline: no cluster was asked)" : " (not all of it could be checked)";
  return happening(report) + (offline.length + unchecked.length > 0 ? seen : "");
}

function happening(report: Report): string {
  const { takenOver, replacements, leaving, buckets, joining, changing, routes, putBack, shared, pending } = report;
  const bucketsThat = (fate: LostBucket["fate"]) => buckets.filter((one) => one.fate === fate).length;
  const routesThat = (change: string) => routes.filter((one) => one.change === change).length;
  const happens = [
    count(takenOver.length, "takes over what exists", "take over what exists"),
    count(replacements.length, "object is replaced", "objects are replaced"),
    count(joining.length, "joins", "join"),
    count(leaving.length, "leaves", "leave"),
    count(deletedStranded(report).length, "left behind", "left behind"),
    count(bucketsThat("deleted"), "bucket is deleted", "buckets are deleted"),
    count(bucketsThat("driver"), "bucket is left to its driver", "buckets are left to their driver"),
    count(bucketsThat("kept"), "bucket is kept on the server", "buckets are kept on the server"),
    count(changing.length, "changes", "change"),
    count(routesThat("opens"), "route opens", "routes open"),
    count(routesThat("closes"), "route closes", "routes close"),
    count(routesThat("moves"), "route moves", "routes move"),
    count(putBack.length, "object is restored", "objects are restored"),
    count(shared.length, "shared object changes", "shared objects change"),
  ].filter((part) => part !== "");
  const stays = report.deletesStranded ? 0 : leftBehind(report).length;
  const waits = [
    count(stays, "left behind", "left behind"),
    count(pending.length, "pending", "pending"),
    count(report.recorded, "object is only recorded", "objects are only recorded"),
  ]
    .filter((part) => part !== "")
    .join(", ");
  const all = [...happens, ...(waits === "" ? [] : [waits])].join(", ");
  if (!report.isThere) {
    return report.failed ? "There is no preview." : "Nothing changes.";
  }
  if (report.failed) {
    return happens.length === 0 ? "The preview failed." : `The preview failed. Until then: ${all}`;
  }
  return happens.length === 0 ? `Nothing changes.${waits === "" ? "" : ` ${waits}`}` : all;
}

function count(number: number, one: string, many: string): string {
  return number === 0 ? "" : `${number} ${number === 1 ? one : many}`;
}

/** Removed members that Pulumi's state lacks and that do not go by themselves. */
const leftBehind = ({ stranded }: Pick<Report, "stranded">) => stranded.filter(({ isOnTheirWay }) => !isOnTheirWay);

/** Removed members left behind, if the run deletes their objects. */
const deletedStranded = (report: Pick<Report, "stranded" | "deletesStranded">) =>
  report.deletesStranded ? leftBehind(report) : [];

const alarms = ["removal", "takeover", "bucket", "replacement", "pending"] as const;
type Alarm = (typeof alarms)[number];

/** Values of `--fail-on`; `change` means any change by the next up. */
export const failures = [...alarms, "change"] as const;
export type Failure = (typeof failures)[number];

export function metBy(report: Report, named: readonly Failure[]): Failure[] {
  const all: readonly Failure[] = [...alarmsIn(report), ...(isChange(report) ? (["change"] as const) : [])];
  return all.filter((one) => named.includes(one));
}

/** Whether an up would change anything but pending routes, which wait for a Service. */
function isChange(report: Report): boolean {
  const waits = new Set(report.pending.map(({ name }) => name));
  const routes = report.routes.filter(({ member, change }) => change !== "opens" || !waits.has(member));
  const { replacements, leaving, buckets, joining, changing, putBack, shared } = report;
  const all = [replacements, leaving, deletedStranded(report), buckets, joining, changing, routes, putBack, shared];
  return all.some((some) => some.length > 0);
}

export function alarmsIn(report: Report): Alarm[] {
  const { leaving, takenOver, buckets, replacements, pending } = report;
  const lists: Readonly<Record<Alarm, number>> = {
    removal: leaving.length + deletedStranded(report).length + replacements.filter(isNamespace).length,
    takeover: takenOver.length,
    // A driver's bucket counts, since nobody here knows whether it stays.
    bucket: buckets.filter(({ fate }) => fate !== "kept").length,
    replacement: replacements.length,
    pending: pending.length,
  };
  return alarms.filter((finding) => lists[finding] > 0);
}
