import { withPages } from "../../config/values/pages.ts";
import type { Outcome, Proof, Tried } from "../../verify/outcome.ts";
import { folded, table } from "../common/table.ts";

export interface Verification {
  readonly stack: string;
  readonly server: string;
  readonly kubernetes: string;
  /** When it began, in UTC. */
  readonly at: string;
  /** The first figures of a digest of the stack's settings. */
  readonly settings: string;
  readonly proofs: readonly Proof[];
}

const words: Readonly<Record<Outcome["is"], string>> = { held: "held", broken: "BROKEN", unproven: "not proven" };

const summaryOf = ({ proofs }: Verification): string =>
  (["held", "broken", "unproven"] as const)
    .map((result) => `${proofs.filter((proof) => proof.result === result).length} ${words[result].toLowerCase()}`)
    .join(", ");

const titleOf = (verification: Verification): string => `Stack ${verification.stack}: ${summaryOf(verification)}`;

const circumstances = ({ at, server, kubernetes, settings }: Verification): string =>
  `${at}, ${server} (Kubernetes ${kubernetes}), settings ${settings}`;

export function verificationText(verification: Verification, width: number | undefined): string {
  const rows = verification.proofs.map(({ part, result, promise }) => [part, words[result], promise]);
  return withPages(
    [
      ...folded(titleOf(verification), width),
      ...folded(circumstances(verification), width),
      "",
      table([["PART", "RESULT", "PROMISE"], ...rows], { width, wrapLast: true }),
      ...troubles(verification).flatMap(({ title, lines }) => [
        "",
        ...folded(title, width),
        ...lines.flatMap((line) => folded(`  ${line}`, width)),
      ]),
    ].join("\n"),
  );
}

/** What is not held, each with what came, and the page that says what to do. */
function troubles({ proofs }: Verification) {
  return proofs
    .filter(({ result }) => result !== "held")
    .map(({ result, promise, page, trials }) => ({
      title: `${words[result]}: ${promise}`,
      lines: [...linesOf(trials), `What to do: ${page}`],
    }));
}

/** The same line of several trials once, with those whom it is about. */
function linesOf(trials: readonly Tried[]): string[] {
  const lines = trials.flatMap(({ by, outcome }) => {
    if (outcome.is === "held") {
      return [];
    }
    return [{ by, text: outcome.is === "broken" ? `${outcome.tried}: ${outcome.came}` : outcome.why }];
  });
  return [...Map.groupBy(lines, ({ text }) => text)].map(
    ([text, same]) => `${[...new Set(same.map(({ by }) => by))].join(", ")}: ${text}`,
  );
}

export function verificationMarkdown(verification: Verification): string {
  const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ");
  return withPages(
    [
      `### ${titleOf(verification)}`,
      "",
      circumstances(verification),
      "",
      "| part | result | promise |",
      "|---|---|---|",
      ...verification.proofs.map(
        ({ part, result, promise }) =>
          `| ${part} | ${result === "broken" ? "**broken**" : words[result]} | ${cell(promise)} |`,
      ),
      ...troubles(verification).flatMap(({ title, lines }) => [
        "",
        `**${title}**`,
        "",
        ...lines.map((line) => `- ${line}`),
      ]),
    ].join("\n"),
  );
}

/** For `-o json`; docs/security/verify.md has its keys. */
export const verificationJson = ({ proofs, ...rest }: Verification) => ({
  verify: "kubecamp",
  version: 1,
  ...rest,
  proofs: proofs.map(({ trials, ...proof }) => ({
    ...proof,
    trials: trials.length,
    details: trials.flatMap(({ by, outcome }) => (outcome.is === "held" ? [] : [{ by, ...outcome }])),
  })),
});
