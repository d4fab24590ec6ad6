import { pendingTitle, warningTitles } from "../../../naming/warnings.ts";
import { plainText } from "../../../runs/pulumiWords.ts";
import type { Digest } from "../digest.ts";

/** A line below a warning's title: `  name: text`. */
export interface Notice {
  readonly name: string;
  /** Empty where the line has a name alone. */
  readonly text: string;
}

/** Those of whom one line tells together, since they are many. */
export interface Rest {
  /** Such as `with 3 unfinished pods and no PersistentVolumeClaims in all`. */
  readonly text: string;
  readonly names: readonly string[];
}

/** What a preview said beside its steps. */
export interface Notices {
  readonly leaving: readonly Notice[];
  readonly leavingRest: Rest | undefined;
  /** By their member, with the bucket's name in the text. */
  readonly buckets: readonly Notice[];
  readonly closing: readonly Notice[];
  readonly changedByHand: readonly Notice[];
  readonly pending: readonly Notice[];
  readonly offline: readonly Notice[];
  readonly unchecked: readonly Notice[];
  /** Every other warning, as it was worded. */
  readonly warnings: readonly string[];
  readonly errors: readonly string[];
  /** Whether the preview has failed, also where nothing says why: a policy pack's words are not in the JSON. */
  readonly failed: boolean;
}

/** Sorts what a preview said by the titles that the program's own warnings have. */
export function readNotices({ diagnostics }: Pick<Digest, "diagnostics">): Notices {
  const said = (severity: string) =>
    diagnostics
      .filter((each) => each.severity === severity)
      .map(({ urn, message }) => reported(message, severity, urn));
  const warnings = [...new Set(said("warning"))];
  const titled = (title: string) => warnings.filter((text) => titleOf(text).endsWith(title));
  const known = Object.values(warningTitles).flatMap(titled);
  const pending = titled(pendingTitle);
  const of = (title: string) => titled(title).flatMap((text) => linesOf(text).notices);
  return {
    leaving: of(warningTitles.leaving),
    leavingRest: together(titled(warningTitles.leaving).flatMap((text) => linesOf(text).rest ?? [])),
    buckets: of(warningTitles.buckets),
    closing: of(warningTitles.closing),
    changedByHand: of(warningTitles.changedByHand),
    pending: of(pendingTitle),
    offline: of(warningTitles.offline),
    unchecked: of(warningTitles.unchecked),
    warnings: togetherUnreachable(
      warnings.filter((text) => text !== "" && !known.includes(text) && !pending.includes(text)),
    ),
    // Last of all the engine says that something failed.
    errors: togetherUnreachable(
      [...new Set(said("error"))].filter((text) => !["", "preview failed", "update failed"].includes(text)),
    ),
    failed: diagnostics.some(({ severity }) => severity === "error"),
  };
}

/** Of several shards, each has told of its own. */
function together(all: readonly Rest[]): Rest | undefined {
  return all.length === 0
    ? undefined
    : { text: all.map(({ text }) => text).join("; "), names: all.flatMap(({ names }) => names) };
}

/**
 * Of an API server that gives no answer, Pulumi's plugin tells once for each object, and has advice that is for clusters
 * that are gone for good.
 */
function togetherUnreachable(all: readonly string[]): string[] {
  const [unreachable = [], others = []] = [true, false].map((is) =>
    all.filter((text) => /cluster is unreachable|due to unreachable cluster/.test(text) === is),
  );
  const causes = new Set(unreachable.flatMap((text) => /cluster is unreachable: (.*)/.exec(text)?.[1] ?? []));
  return unreachable.length < 2
    ? [...unreachable, ...others]
    : [
        [
          `The API server can't be reached, so that ${unreachable.length} objects could not be looked at.`,
          ...[...causes].slice(0, 3).map((cause) => `  ${cause}`),
          "Mend that and preview again. Leave PULUMI_K8S_DELETE_UNREACHABLE unset, whatever Pulumi says: with it, Pulumi's",
          "state would forget everything that is on the cluster.",
        ].join("\n"),
        ...others,
      ];
}

/** Without the word that Pulumi puts before it, and with the resource that it is about, if it is not the stack. */
function reported(message: string, severity: string, urn: string | undefined): string {
  const text = plainText(message.replace(new RegExp(`^\\s*${severity}: `), ""));
  const name = urn?.split("::")[3];
  return name === undefined || urn?.includes("::pulumi:pulumi:Stack::") ? text : `${name}: ${text}`;
}

const titleOf = (text: string) => text.split("\n", 1)[0] ?? "";

/** How the line of the many begins and ends (plan/membership/offboarding/deletionPlan.ts); their names stand below it. */
const restLine = /^ {2}and \d+ more, (.*) in all:$/;

/** What stands below a title, up to the first line without an indent. */
function linesOf(warning: string): { readonly notices: readonly Notice[]; readonly rest: Rest | undefined } {
  const notices: { name: string; text: string }[] = [];
  let rest: { text: string; names: string[] } | undefined;
  for (const line of warning.split("\n").slice(1)) {
    const [, sum] = restLine.exec(line) ?? [];
    const last = notices.at(-1);
    if (!line.startsWith("  ")) {
      break;
    }
    if (sum !== undefined) {
      rest = { text: sum, names: [] };
    } else if (rest !== undefined && line.startsWith("    ")) {
      rest.names.push(...line.split(/[\s,]+/).filter((name) => name !== ""));
    } else if (line.startsWith("   ") && last !== undefined) {
      last.text += `\n${line.trim()}`;
    } else {
      const at = line.indexOf(": ");
      notices.push(
        at < 0 ? { name: line.trim(), text: "" } : { name: line.slice(0, at).trim(), text: line.slice(at + 2).trim() },
      );
    }
  }
  return { notices, rest };
}
