import type { StaffRole } from "../../config/staff.ts";
import { endOf, minuteText, untilOf, utcDay } from "../../config/values/days.ts";
import { defined } from "../../config/values/maps.ts";
import { minutesIn } from "../common/minutes.ts";
import { Problem } from "../common/problem.ts";
import { fieldsText } from "../members/edit/differences.ts";
import { idOf } from "../members/edit/editedText.ts";
import { plannedEdit, writeEdit } from "../members/edit/plannedEdit.ts";
import type { Over } from "./over.ts";
import { readStaffFile } from "./staffFile.ts";

interface GrantOptions {
  readonly subject: boolean;
  readonly role: StaffRole;
  readonly over?: Over;
  readonly for?: string;
  readonly until?: string;
  readonly reason?: string;
  readonly stack?: string;
  readonly dryRun: boolean;
  readonly output: "text" | "json";
}

const nothing = "Nothing was written.";

/** Writes an entry of staff that ends, or another end into the entry with the same people, role and members. */
export async function grantStaff(who: string, options: GrantOptions, now = new Date()): Promise<void> {
  const { role, over, dryRun, output } = options;
  const list = readStaffFile(options.stack, process.cwd());
  const until = untilIn(options, now);
  const access = { [options.subject ? "subject" : "group"]: who, role, ...defined({ over }) };
  const id = idOf("staff", access);
  const former = list.entries.filter((each) => idOf("staff", each) === id);
  const reason = options.reason ?? former[0]?.reason;
  const entry = { ...access, ...defined({ until, reason }) };
  if (former.some((each) => each.until === undefined)) {
    throw new Problem(`'${who}' has this access already, without an end.`, {
      why: `kubecamp:staff in ${list.file} has an entry with the same role over the same members, without until.`,
      remedy: `Set until in that entry to end its access. ${nothing}`,
    });
  }
  const edit =
    former.length > 0 ? { changed: new Map([[id, entry]]), added: [] } : { changed: new Map(), added: [entry] };
  const planned = plannedEdit(list, edit, process.cwd(), utcDay(now));
  const [difference] = planned.differences;
  const isWritten = !dryRun && difference !== undefined;
  if (isWritten) {
    writeEdit(planned);
  }
  const { stack, file } = list;
  if (output === "json") {
    const action = difference?.action ?? null;
    console.log(JSON.stringify({ stack, file, action, entry, written: isWritten }, null, 2));
    return;
  }
  if (difference !== undefined) {
    console.log(`${difference.action}  ${fieldsText(difference.fields)}`);
  }
  console.error(outcome(file, difference !== undefined, isWritten));
}

function outcome(file: string, differs: boolean, isWritten: boolean): string {
  if (!differs) {
    return `${file} is so already.`;
  }
  return isWritten
    ? `Wrote ${file}. The next 'kubecamp up' gives access, and the first run after the end takes it\nback; kubecamp watch does both in time.`
    : `${file} would change so. ${nothing}`;
}

/** The end as the file has it. @throws Problem when it is none, or over */
function untilIn({ for: time, until = "" }: GrantOptions, now: Date): string {
  if (time !== undefined) {
    const minute = 60_000;
    const end = now.getTime() + minutesIn(time, "give --until a day") * minute;
    return minuteText(new Date(Math.ceil(end / minute) * minute));
  }
  const end = untilOf(until);
  if (end === undefined || endOf(end) <= now) {
    throw new Problem(`'--until ${until}' is no valid end.`, {
      why: end === undefined ? "It is neither a day nor a time to the minute with its zone." : "It is over already.",
      remedy: `Give a day or a time to come, such as 2026-12-20 or 2026-12-20T18:00Z, or --for 4h. ${nothing}`,
    });
  }
  return until;
}
