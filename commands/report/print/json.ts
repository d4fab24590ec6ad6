import type { ObjectChange, Report, ShownDifference } from "../model.ts";
import { alarmsIn, summaryOf } from "./summary.ts";

/** A report for `-o json`; see docs/run/report.md for its keys. */
export function jsonOf(report: Report) {
  return {
    report: "kubecamp",
    version: 1,
    stack: report.stack ?? null,
    failed: report.failed,
    summary: summaryOf(report),
    found: alarmsIn(report),
    errors: report.errors,
    access: report.access.map(({ member, where, who }) => ({ member: member || null, where, who })),
    takenOver: named(report.takenOver, "member", "objects"),
    replacements: report.replacements.map(objectJson),
    leaving: report.leaving.map(({ member, type, namespaceDeleted, lost, objects }) => ({
      member,
      type,
      namespaceDeleted,
      lost: lost ?? null,
      objects,
    })),
    buckets: report.buckets.map(({ bucket, member, fate, what }) => ({ bucket, member, fate, what })),
    joining: report.joining.map(({ member, type, subjects, quota, notes, url }) => ({
      member,
      type,
      subjects,
      quota: quota ?? null,
      notes,
      url: url ?? null,
    })),
    changing: report.changing.map(({ member, differences }) => ({
      member,
      differences: differences.map(differenceJson),
    })),
    routes: report.routes.map(({ member, change, url, from, reason }) => ({
      member,
      change,
      url,
      from: from ?? null,
      reason: reason === "" ? null : reason,
    })),
    pending: named(report.pending, "member", "reason"),
    putBack: named(report.putBack, "object", "note"),
    shared: report.shared.map(objectJson),
    leftBehind: named(report.stranded, "member", "what"),
    offline: named(report.offline, "what", "why"),
    unchecked: named(report.unchecked, "what", "why"),
    budgets: named(report.budgets, "budget", "quotas"),
    quotas: named(report.quotas, "member", "used"),
    warnings: report.warnings,
    findings: report.findings.map(({ code, text }) => ({ code, text })),
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
