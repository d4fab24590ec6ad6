import type { Warning } from "./catalogue.ts";
import type { WarningCode } from "./finding.ts";
import { warningWords } from "./warningWords.ts";

/** Parses a warning from the log of a preview or an up. */
export function warningIn(logged: string): Warning {
  const [start = "", code = ""] = /^\[(\w+)\] /.exec(logged) ?? [];
  return isWarning(code) ? { code, text: logged.slice(start.length) } : { code: undefined, text: logged };
}

const isWarning = (code: string): code is WarningCode => Object.hasOwn(warningWords, code);

/** A line below a warning's title. */
interface WarningLine {
  /** Member or object. */
  readonly name: string;
  /** Empty if the line is only a name. */
  readonly text: string;
}

/** Whether a removed member's line says that the namespace is deleted: each part begins with its subject. */
export const losesNamespace = ({ text }: Pick<WarningLine, "text">): boolean => text.startsWith("namespace ");

/** Whether a removed member's line says that only a namespace is left that is already being deleted. */
export const isOnTheirWay = ({ text }: Pick<WarningLine, "text">): boolean =>
  text.startsWith("namespace, which is being deleted already,") && !text.includes("; ");

/** Bucket of a line: its name, its fate, and whether it is deleted, by the policy at the end of the line. */
export function bucketIn({ text }: Pick<WarningLine, "text">) {
  const [, bucket, what, policy] = /^'([^']+)' (.* \((Delete|Retain)\))$/s.exec(text) ?? [];
  return bucket === undefined || what === undefined ? undefined : { bucket, what, isDeleted: policy === "Delete" };
}

/** The lines below a warning's title, up to the first without an indent: `  name: text`. */
export function linesOf({ text }: Pick<Warning, "text">): WarningLine[] {
  const found: { name: string; text: string }[] = [];
  for (const line of text.split("\n").slice(1)) {
    const last = found.at(-1);
    if (!line.startsWith("  ")) {
      break;
    }
    if (!line.startsWith("   ")) {
      const [name = "", ...rest] = line.trim().split(": ");
      found.push({ name, text: rest.join(": ").trim() });
    } else if (last !== undefined) {
      last.text += `\n${line.trim()}`;
    }
  }
  return found;
}
