import type { ObjectChange, Report, ShownDifference } from "../model.ts";
import { alarmsIn, summaryOf } from "./summary.ts";

/** A report for `-o json`; see docs/run/report.md for its keys. */
export function jsonOf(report: Report) {
  return {
    report: "kubecamp",
    version: 1,
    stack: report.stack,
    failed: report.failed,
    summary: summaryOf(report),
    found: alarmsIn(report),
    errors: report.errors,
    access: report.access.map(({ member, where, who }) => ({ member: member || null, where, who })),
    takenOver: named(report.takenOver, "member", "objects"),
    replacements: report.replacements.map(objectJson),
    leaving: report.leaving.map((one) => ({ ...one, lost: one.lost ?? null })),
    buckets: report.buckets,
    joining: report.joining.map((one) => ({ ...one, quota: one.quota ?? null, url: one.url ?? null })),
    changing: report.changing.map(({ member, differences }) => ({
      member,
      differences: differences.map(differenceJson),
    })),
    routes: report.routes.map((one) => ({ ...one, from: one.from ?? null, reason: one.reason || null })),
    pending: named(report.pending, "member", "reason"),
    putBack: named(report.putBack, "object", "note"),
    shared: report.shared.map(objectJson),
    recorded: report.recorded,
    leftBehind: named(report.stranded, "member", "what"),
    offline: named(report.offline, "what", "why"),
    unchecked: named(report.unchecked, "what", "why"),
    budgets: named(report.budgets, "budget", "quotas"),
    quotas: named(report.quotas, "member", "used"),
    warnings: report.warnings,
    findings: report.findings,
  };
}

function objectJson({ object, change, differences, member }: ObjectChange) {
  return { object, member: member ?? null, change, differences: differences.map(differenceJson) };
}

function differenceJson({ what, from, to, added = [], removed = [] }: ShownDifference) {
  return { what, from: from ?? null, to: to ?? null, added, removed };
}

function named<Name extends string, Text extends string>(
  all: readonly { readonly name: string; readonly text: string }[],
  name: Name,
  text: Text,
) {
  return all.map((one) => ({ [name]: one.name, [text]: one.text }) as Record<Name | Text, string>);
}
