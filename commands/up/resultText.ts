import { firstFew } from "../../config/values/sentences.ts";
import { nextRunText } from "../../plan/decide/nextRun.ts";
import { type Warning, warningsOf } from "../../plan/words/catalogue.ts";
import type { Finding } from "../../plan/words/finding.ts";
import type { Change } from "../../runs/progress.ts";
import { folded, table } from "../common/table.ts";
import { outcomeWords, type StackResult } from "./upStack.ts";

/** Components are no objects. */
const objectsIn = (changes: readonly Change[]) => changes.filter(({ type }) => type.startsWith("kubernetes:"));

/** Numbers of created, updated and deleted objects; a replaced one counts as updated. */
function countsOf(changes: readonly Change[]) {
  const objects = objectsIn(changes);
  const of = (...operations: readonly Change["operation"][]) =>
    objects.filter(({ operation }) => operations.includes(operation)).length;
  return { created: of("create"), updated: of("update", "replace"), deleted: of("delete") };
}

/** Names in a cell; `-o json` has all. */
const mostNames = 4;

export function resultText(results: readonly StackResult[], width: number | undefined): string {
  const rows = results.map((result) => {
    const { created, updated, deleted } = countsOf(result.changes);
    const names =
      result.members.length === 0 ? "-" : `${result.members.length}: ${firstFew(result.members, mostNames)}`;
    return [result.stack, outcomeWords[result.outcome], ...[created, updated, deleted].map(String), names];
  });
  const headings = ["STACK", "RESULT", "CREATED", "UPDATED", "DELETED", "MEMBERS CHANGED"];
  const notes = results.flatMap(({ stack, reason, warnings, remarks }) => [
    ...(reason === undefined ? [] : ["", `${stack} was not updated:`, ...indented(reason, width)]),
    ...[...worded(warnings).map(({ text }) => text), ...new Set(remarks)].flatMap((text) => [
      "",
      `${stack} warns:`,
      ...indented(text, width),
    ]),
  ]);
  // The shards of a list tell the same of the whole list.
  const notices = worded(results.flatMap((result) => result.notices));
  return [
    table([headings, ...rows], { width, cut: [0, 5] }),
    ...notes,
    ...notices.flatMap(({ text }) => ["", ...text.split("\n").flatMap((line) => folded(line, width))]),
  ].join("\n");
}

const worded = (findings: readonly Finding[]): Warning[] => warningsOf(findings, "kubecamp up");

const indented = (text: string, width: number | undefined) =>
  text.split("\n").flatMap((line) => (isCommand.test(line) ? [`  ${line}`] : folded(`  ${line}`, width)));

/** Messages indent commands by six spaces, so that you can copy them. */
const isCommand = /^ {6}/;

/** Results for `-o json`; see docs/run/up.md for the keys. */
export function resultJson(results: readonly StackResult[]) {
  return {
    report: "kubecamp up",
    version: 1,
    failed: results.some(isFailure),
    stacks: results.map(({ stack, plan, outcome, reason, changes, members, warnings, remarks }) => ({
      stack,
      plan: plan === undefined ? null : nextRunText(plan),
      result: outcome,
      reason: reason ?? null,
      members,
      ...countsOf(changes),
      changes: objectsIn(changes),
      warnings: [...worded(warnings).map(({ text }) => text), ...new Set(remarks)],
      findings: worded(warnings),
    })),
  };
}

export const isFailure = ({ outcome }: StackResult): boolean => outcome !== "succeeded" && outcome !== "unchanged";
