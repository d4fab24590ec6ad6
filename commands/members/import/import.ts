import { basename, resolve } from "node:path";
import { isUnfit } from "../../../config/member/names.ts";
import { readText } from "../../../config/sources/files.ts";
import { utcDay } from "../../../config/values/days.ts";
import type { Mistake } from "../../../config/values/mistakes.ts";
import { counted, firstFew } from "../../../config/values/sentences.ts";
import { orProblem, Problem, refuseMistakes } from "../../common/problem.ts";
import { readStack } from "../../common/stackFile.ts";
import { isConfirmed } from "../../common/terminal.ts";
import { checkFiles } from "../checks.ts";
import { readListFile } from "../edit/listFile.ts";
import { type PlannedEdit, plannedEdit, writeEdit } from "../edit/plannedEdit.ts";
import { readCsv } from "./csv.ts";
import { isShrunk, type Missing } from "./missing.ts";
import { type RosterPlan, rosterPlan } from "./rosterPlan.ts";
import { type RuleOptions, rosterRules } from "./rosterRules.ts";
import { counts, rosterJson, rosterSummary, rosterTable } from "./rosterText.ts";

interface ImportOptions extends RuleOptions {
  readonly stack?: string;
  /** The most who may be missing; undefined for a tenth of those who came with the roster. */
  readonly maxLeavers?: number;
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly output: "text" | "json";
}

/** Brings a stack's list in line with a roster, after a question. The exit code is 1 if somebody says no. */
export async function importRoster(roster: string, options: ImportOptions): Promise<void> {
  const folder = process.cwd();
  const today = utcDay();
  const remedy = "Name a CSV file that is there; save it as 'CSV UTF-8'. Nothing was written.";
  const text = orProblem(`Can't read ${roster}.`, remedy, () => readText(resolve(roster)));
  const csv = readCsv(basename(roster), text);
  const { file } = csv;
  // A title above the header makes mistakes of all lines, so the header is looked at first.
  refuseRoster(file, csv.columns.length === 0 ? csv.mistakes : []);
  const list = readListFile(options.stack, folder);
  const adopts = checkFiles([list.path], folder, today).some((check) => check.adopts);
  const rules = { ...rosterRules(csv, options, today), adopts };
  refuseRoster(file, csv.mistakes);
  const { settings } = readStack(list.stack, folder).configuration;
  const plan = rosterPlan(csv, list.entries, rules, (name) => isUnfit(name, settings));
  refuseRoster(file, plan.mistakes);
  refuseShrunk(file, plan.missing, options.maxLeavers);
  const edit = plannedEdit(list, plan.edit, folder, today);
  if (options.output === "text") {
    if (edit.differences.length > 0) {
      console.log(rosterTable(plan, edit, rules, process.stdout.columns));
    }
    console.log(rosterSummary(file, plan, edit, rules));
  }
  const written = await writtenIfWanted(edit, plan, options);
  if (options.output === "json") {
    console.log(JSON.stringify(rosterJson(file, plan, edit, written), null, 2));
  }
}

const refuseRoster = (file: string, mistakes: readonly Mistake[]) =>
  refuseMistakes(`${file} has mistakes.`, mistakes, "Correct the roster, then run again. Nothing was written.");

function refuseShrunk(file: string, missing: Missing, most: number | undefined): void {
  const { imported, names } = missing;
  if (isShrunk(missing, most)) {
    throw new Problem(`${file} lacks ${names.length} of the ${imported} members who came with it.`, {
      why: `More than ${most ?? "a tenth of them"} are missing: ${firstFew(names, mostNames)}.`,
      remedy: `If the roster is whole, add --max-leavers ${names.length}. Nothing was written.`,
    });
  }
}

/** More names help nobody; `--dry-run` with `--max-leavers` shows all. */
const mostNames = 100;

/** Writes the list unless there is nothing to change or nobody wants it. Says on stderr what was done. */
async function writtenIfWanted(edit: PlannedEdit, plan: RosterPlan, options: ImportOptions): Promise<boolean> {
  const { file } = edit.list;
  const whom = counted(edit.differences.length, "member");
  if (edit.differences.length === 0) {
    console.error(`${file} is so already.`);
    return false;
  }
  if (options.dryRun) {
    console.error(`${file} would change so: ${whom}. Nothing was written.`);
    return false;
  }
  if (!options.yes && !(await isWanted(edit, plan, options))) {
    console.error("Nothing was written.");
    process.exitCode = 1;
    return false;
  }
  writeEdit(edit);
  console.error(`Wrote ${file}: ${whom}. The next 'kubecamp up' brings it to the cluster.`);
  return true;
}

async function isWanted(edit: PlannedEdit, plan: RosterPlan, { output }: ImportOptions): Promise<boolean> {
  const { added, changed } = counts(edit, plan);
  const leaving = edit.differences.length - added - changed;
  const parts = [`${added} new`, `${changed} changed`, ...(leaving > 0 ? [`${leaving} missing`] : [])];
  const remedy = "Add --yes to write without a question, or --dry-run to write nothing.";
  const question = `Write this to ${edit.list.file} (${parts.join(", ")})?`;
  return await isConfirmed(question, output, { what: "Nothing was written", remedy });
}
