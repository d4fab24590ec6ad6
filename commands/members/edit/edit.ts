import { utcDay } from "../../../config/values/days.ts";
import { isMap } from "../../../config/values/maps.ts";
import { nearest } from "../../../config/values/nearest.ts";
import type { Selector } from "../../../config/values/selector.ts";
import { counted, firstFew } from "../../../config/values/sentences.ts";
import { Problem } from "../../common/problem.ts";
import { checkFiles } from "../checks.ts";
import { type Described, selected, whereArguments } from "../where.ts";
import { type Assignment, assigned, fieldPath, type ListedEntry, readAssignments } from "./assignments.ts";
import { entryDifferenceJson, entryDifferencesText } from "./differences.ts";
import type { ListEdit } from "./editedText.ts";
import { type ListFile, readListFile } from "./listFile.ts";
import { type PlannedEdit, plannedEdit, writeEdit } from "./plannedEdit.ts";

interface EditOptions {
  readonly stack?: string;
  /** Members by type and labels, instead of names. */
  readonly where?: Selector;
  readonly dryRun: boolean;
  readonly output: "text" | "json";
}

interface SetOptions extends EditOptions {
  readonly set: readonly string[];
  readonly unset?: readonly string[];
  readonly type?: string;
}

export async function addMembers(names: readonly string[], options: SetOptions): Promise<void> {
  const list = readListFile(options.stack, process.cwd());
  const known = namesOf(list);
  const twice = unique(names).filter((name) => known.includes(name));
  if (twice.length > 0) {
    throw new Problem(`${quoted(twice)} ${twice.length === 1 ? "is" : "are"} in the list already.`, {
      why: `${list.file} has an entry of that name.`,
      remedy: "Change an entry with 'kubecamp members set'. Nothing was written.",
    });
  }
  const type = options.type === undefined ? {} : { type: options.type };
  const added = unique(names).map((member) => assigned({ member, ...type }, assignmentsOf(options)));
  apply(list, { changed: new Map(), added }, options);
}

export async function setMembers(names: readonly string[], options: SetOptions): Promise<void> {
  const assignments = assignmentsOf(options);
  edit(names, options, (entry) => assigned(entry, assignments));
}

export async function removeMembers(names: readonly string[], options: EditOptions): Promise<void> {
  const list = readListFile(options.stack, process.cwd());
  refuseProtected(meantIn(list, names, options), list, options.where);
  edit(names, options, () => undefined);
}

/** @throws Problem when a member is protected: without their entry, every run would stop, for all */
function refuseProtected(names: readonly string[], list: ListFile, where: Selector | undefined): void {
  const checks = checkFiles([list.path], process.cwd(), utcDay());
  const isKept = (name: string) =>
    checks.some(({ configuration }) => configuration?.members.some((each) => each.name === name && each.protect)) ||
    list.entries.some(({ member, protect }) => member === name && protect === true);
  const kept = unique(names).filter(isKept);
  if (kept.length > 0) {
    const [are, their] = kept.length === 1 ? ["is", "their entry is"] : ["are", "their entries are"];
    const whom = where === undefined ? kept.join(" ") : whereArguments(where);
    throw new Problem(
      `${firstFew(
        kept.map((name) => `'${name}'`),
        mostNames,
      )} ${are} protected.`,
      {
        why: `Once a run has made their namespace, every run stops while ${their} missing.`,
        remedy:
          `Take the protection off, and run 'kubecamp up', unless no run has made the namespace yet; then run this again:\n` +
          `kubecamp members set ${whom} --set protect=false --stack ${list.stack}\nNothing was written.`,
      },
    );
  }
}

export async function resumeMembers(names: readonly string[], options: EditOptions): Promise<void> {
  const { meant, planned } = edit(names, options, (entry) =>
    assigned(entry, [{ path: ["suspended"], value: undefined }]),
  );
  const expired = meant.filter((name) => planned.checks.some((check) => check.expired.includes(name)));
  if (expired.length > 0) {
    console.error(
      `Still without access, since their last day is over: ${expired.join(", ")}. Set expires to a later one.`,
    );
  }
}

function edit(names: readonly string[], options: EditOptions, change: (entry: ListedEntry) => ListedEntry | undefined) {
  const list = readListFile(options.stack, process.cwd());
  const meant = meantIn(list, names, options);
  const entries = list.entries.filter(({ member }) => meant.includes(String(member)));
  const changed = new Map(entries.map((entry) => [String(entry.member), change(entry)]));
  return { meant, planned: apply(list, { changed, added: [] }, options) };
}

/** The names of those who are named, or chosen by `--where`. */
function meantIn(list: ListFile, names: readonly string[], { where }: EditOptions): string[] {
  if (where !== undefined) {
    return selected(list.entries, describedEntry, where).map(({ member }) => String(member));
  }
  const known = namesOf(list);
  const unknown = unique(names).filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new Problem(`There is no member ${quoted(unknown)} in the list of stack '${list.stack}'.`, {
      why: unknown.map((name) => `${list.file} has no '${name}'${nearest(name, known)}`).join("\n"),
      remedy: "Name members of the list, or add them with 'kubecamp members add'. Nothing was written.",
    });
  }
  return unique(names);
}

const describedEntry = ({ type, labels }: ListedEntry): Described => ({
  type: typeof type === "string" ? type : undefined,
  labels: Object.fromEntries(Object.entries(isMap(labels) ? labels : {}).map(([key, value]) => [key, String(value)])),
});

function apply(list: ListFile, wanted: ListEdit, { dryRun, output }: EditOptions): PlannedEdit {
  const planned = plannedEdit(list, wanted, process.cwd(), utcDay());
  const { differences } = planned;
  const isWritten = !dryRun && differences.length > 0;
  if (isWritten) {
    writeEdit(planned);
  }
  if (output === "json") {
    const { stack, file } = list;
    console.log(
      JSON.stringify({ stack, file, changes: differences.map(entryDifferenceJson), written: isWritten }, null, 2),
    );
    return planned;
  }
  if (differences.length > 0) {
    console.log(entryDifferencesText(differences, process.stdout.columns));
  }
  console.error(outcome(planned, isWritten));
  return planned;
}

function outcome(planned: PlannedEdit, isWritten: boolean): string {
  const { file } = planned.list;
  if (planned.differences.length === 0) {
    return `${file} is so already.`;
  }
  const removal = removalText(planned);
  const whom = counted(planned.differences.length, "member");
  return isWritten
    ? `Wrote ${file}: ${whom}. The next 'kubecamp up' brings it to the cluster${removal && `: it ${removal}`}.`
    : `${file} would change so: ${whom}. Nothing was written.${removal && ` With it, the next 'kubecamp up' ${removal}.`}`;
}

/** The lines above have them all. */
const mostNames = 10;

/** Tells what an up does with removed members. Of several stacks with this list, the one that waits least counts. */
function removalText({ list: { stack }, differences, checks }: PlannedEdit): string {
  const removed = differences.flatMap(({ member, action }) => (action === "remove" ? [member] : []));
  if (removed.length === 0) {
    return "";
  }
  const names = removed.length > mostNames ? `these ${removed.length} members` : removed.join(", ");
  const [environment, losses] =
    removed.length === 1
      ? ["environment", "their namespace with everything in it"]
      : ["environments", "their namespaces with everything in them"];
  const stacks = checks.map(({ configuration }) => configuration?.settings.offboarding);
  const days = Math.min(...stacks.map((offboarding) => offboarding?.graceDays ?? 0));
  const look = `; 'kubecamp report --stack ${stack}' shows what`;
  if (days === 0 && stacks.every((offboarding) => offboarding?.archive !== undefined)) {
    return `suspends ${names}; the up after that archives them, and deletes ${losses}${look}`;
  }
  return days === 0
    ? `deletes the ${environment} of ${names} AT ONCE, ${losses}${look}`
    : `suspends ${names}; after ${counted(days, "day")}, a run deletes ${losses}${look}`;
}

function assignmentsOf({ set, unset = [] }: SetOptions): Assignment[] {
  return [...readAssignments(set, utcDay()), ...unset.map((field) => ({ path: fieldPath(field), value: undefined }))];
}

const namesOf = ({ entries }: ListFile) => entries.map(({ member }) => String(member));
const unique = (names: readonly string[]) => [...new Set(names)];
const quoted = (names: readonly string[]) => names.map((name) => `'${name}'`).join(", ");
