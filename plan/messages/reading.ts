import type { Warning } from "./catalogue.ts";
import type { WarningCode } from "./finding.ts";
import { warningWords } from "./warningWords.ts";

/** A warning as a preview or an up has logged it, by its code. */
export function warningIn(logged: string): Warning {
  const [start = "", code = ""] = /^\[(\w+)\] /.exec(logged) ?? [];
  return isWarning(code) ? { code, text: logged.slice(start.length) } : { code: undefined, text: logged };
}

const isWarning = (code: string): code is WarningCode => Object.hasOwn(warningWords, code);

/** A line below a warning's title. */
export interface WarningLine {
  /** Whom or what it is about; empty where it is about many. */
  readonly name: string;
  /** Empty where the line has a name alone. */
  readonly text: string;
  /** Those of whom it is told together, since they are many. */
  readonly names?: readonly string[];
}

/** Whether a line of somebody who leaves says that their namespace goes: its parts begin with what they are about. */
export const losesNamespace = ({ text }: Pick<WarningLine, "text">): boolean => text.startsWith("namespace ");

/** What a line says of a bucket: its name, what becomes of it, and whether it is deleted, as the policy at its end has it. */
export function bucketIn({ text }: Pick<WarningLine, "text">) {
  const [, bucket, what, policy] = /^'([^']+)' (.* \((Delete|Retain)\))$/s.exec(text) ?? [];
  return bucket === undefined || what === undefined ? undefined : { bucket, what, isDeleted: policy === "Delete" };
}

/** What stands below a warning's title, up to the first line without an indent: `  name: text`. */
export function linesOf({ code, text }: Warning): WarningLine[] {
  const found: { name: string; text: string; names?: string[] }[] = [];
  for (const line of text.split("\n").slice(1)) {
    const last = found.at(-1);
    if (!line.startsWith("  ")) {
      break;
    }
    if (!line.startsWith("   ")) {
      const [name = "", ...rest] = line.trim().split(": ");
      found.push({ name, text: rest.join(": ").trim() });
    } else if (last === undefined) {
      break;
    } else if (code === "leaving") {
      // What indents so far below those who leave are the names of the many.
      if (last.names === undefined) {
        Object.assign(last, { name: "", text: last.name.slice(last.name.indexOf(", ") + 2, -1) });
      }
      last.names ??= [];
      last.names.push(...line.split(/[\s,]+/).filter((name) => name !== ""));
    } else {
      last.text += `\n${line.trim()}`;
    }
  }
  return found;
}
