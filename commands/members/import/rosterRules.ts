import { memberSchema } from "../../../config/member/member.ts";
import { dayOf } from "../../../config/values/days.ts";
import { schemasAt } from "../../../config/values/issues.ts";
import { defined } from "../../../config/values/maps.ts";
import { mistakeLine } from "../../../config/values/mistakes.ts";
import { nearest } from "../../../config/values/nearest.ts";
import { Problem } from "../../common/problem.ts";
import { fieldPath, readAssignments, refuseRename, typedValue } from "../edit/assignments.ts";
import { type Csv, columnName, headerBelow } from "./csv.ts";
import { type Leavers, labelsIn, rosterMarks } from "./missing.ts";
import { type ColumnOf, placeholder, type RosterRules } from "./rosterPlan.ts";

export interface RuleOptions {
  readonly match: string;
  readonly name: readonly string[];
  readonly take: readonly string[];
  readonly set: readonly string[];
  readonly default: readonly string[];
  readonly leavers: string;
}

export function rosterRules(csv: Csv, options: RuleOptions, today: string): RosterRules {
  const match = columnOf(options.match, "--match");
  const take = options.take.map((text) => columnOf(text, "--take"));
  const [pattern] = options.name.filter((text) => text.search(placeholder) >= 0);
  const name =
    pattern === undefined
      ? options.name.map(columnName)
      : [...pattern.matchAll(placeholder)].map(([, column = ""]) => columnName(column));
  for (const { path } of take) {
    refuseRename(path);
  }
  if (name.length > 0 && match.path.join() === "member") {
    throw new Problem("--name has no use with --match member.", {
      why: "People are found by the name that the matched column gives, so new ones get that name.",
      remedy: "Leave out --name, or match people by another key, such as subject. Nothing was written.",
    });
  }
  if (
    pattern !== undefined &&
    (options.name.length > 1 || labelsIn(readAssignments(options.set, today)).length === 0)
  ) {
    throw new Problem(`--name ${pattern} is a pattern for environments of this roster alone.`, {
      why: "It is the only --name, and needs a label in --set, by which the next import knows these environments.",
      remedy: "Add --set labels.course=cs101, or another label, and leave out other --name. Nothing was written.",
    });
  }
  const wanted = [match.column, ...name, ...take.map(({ column }) => column)];
  assertColumns([...new Set(wanted)], csv);
  const set = readAssignments(options.set, today);
  const leavers = leaversIn(options.leavers, today);
  if (leavers.kind !== "list" && rosterMarks(set).length === 0) {
    throw new Problem("It is unknown which members came with this roster.", {
      why: "Nothing marks them: --set gives no label.",
      remedy: "Add --set labels.course=cs101, or another label. Nothing was written.",
    });
  }
  return {
    match,
    name,
    ...defined({ pattern }),
    take,
    set,
    defaults: readAssignments(options.default, today),
    leavers,
    today,
  };
}

function columnOf(text: string, option: string): ColumnOf {
  const [, field = "", column = ""] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  const path = fieldPath(field.trim());
  const keys = Object.keys(memberSchema.shape);
  if (column === "" || schemasAt(memberSchema, path).length === 0) {
    throw new Problem(`${option} must be KEY=COLUMN, and is '${text}'.`, {
      why:
        column === "" ? "There is no '=' with a column after it." : `Members have no '${field}'${nearest(field, keys)}`,
      remedy: `Write it as ${option} ${option === "--match" ? "subject=email" : "labels.group=Group"}. Nothing was written.`,
    });
  }
  return { path, column: columnName(column) };
}

function assertColumns(wanted: readonly string[], csv: Csv): void {
  const { file, columns } = csv;
  const several = wanted.filter((column) => columns.indexOf(column) !== columns.lastIndexOf(column));
  if (several.length > 0) {
    throw new Problem(`${file} has several columns ${several.map((column) => `'${column}'`).join(", ")}.`, {
      why: "It is not clear which of them is meant.",
      remedy: "Give each a name of its own in the file. Nothing was written.",
    });
  }
  const unknown = wanted.filter((column) => !columns.includes(column));
  if (unknown.length > 0) {
    const names = unknown.map((column) => `'${column}'${nearest(column, columns)}`).join(", ");
    const [why, remedy] = whyUnknown(wanted, csv);
    throw new Problem(`${file} has no column ${names}${names.endsWith("?") ? "" : "."}`, {
      why,
      remedy: `${remedy} Nothing was written.`,
    });
  }
}

function whyUnknown(wanted: readonly string[], csv: Csv): [why: string, remedy: string] {
  const list = mistakeLine({ path: "", message: csv.columns.join(", ") });
  const header = headerBelow(csv, wanted);
  if (header !== undefined) {
    return [`Its first line has ${list}, and line ${header} seems to be the header.`, "Delete the lines above that."];
  }
  return csv.columns.some((column) => column.includes("@"))
    ? [`Its first line looks like a person: ${list}.`, "Put a line with the names of the columns before it."]
    : [`Its columns are ${list}.`, "Name one of these."];
}

function leaversIn(text: string, today: string): Leavers {
  if (text === "list" || text === "suspend") {
    return { kind: text };
  }
  const on = text.startsWith("expire=") ? typedValue(["expires"], text.slice("expire=".length), today) : undefined;
  if (typeof on !== "string" || dayOf(on) === undefined || on < today) {
    throw new Problem(`--leavers can't be '${text}'.`, {
      why: "It takes list, suspend, or expire= with a number of days or a day that is not over.",
      remedy: "Write it as --leavers expire=+30d. Nothing was written.",
    });
  }
  return { kind: "expire", on };
}
