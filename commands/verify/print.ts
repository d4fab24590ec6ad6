import { withPages } from "../../config/values/pages.ts";
import type { Outcome, Proof, Tried } from "../../verify/outcome.ts";
import { countsOf, results } from "../../verify/record.ts";
import { folded, table } from "../common/table.ts";

export interface Verification {
  readonly stack: string;
  readonly server: string;
  readonly kubernetes: string;
  /** Version of kubecamp. */
  readonly kubecamp: string;
  /** When it began, in UTC. */
  readonly at: string;
  /** The first figures of a digest of the stack's settings. */
  readonly settings: string;
  readonly proofs: readonly Proof[];
}

const words: Readonly<Record<Outcome["is"], string>> = { held: "held", broken: "BROKEN", unproven: "not proven" };

function summaryOf({ proofs }: Verification): string {
  const counts = countsOf(proofs);
  return results.map((result) => `${counts[result]} ${words[result].toLowerCase()}`).join(", ");
}

const titleOf = (verification: Verification): string => `Stack ${verification.stack}: ${summaryOf(verification)}`;

const circumstances = ({ at, server, kubernetes, kubecamp, settings }: Verification): string =>
  `${at}, ${server} (Kubernetes ${kubernetes}), kubecamp ${kubecamp}, settings ${settings}`;

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

/** What is broken, each with what came and the page that says what to do; what is not proven, by the reason; what is accepted. */
function troubles({ proofs }: Verification) {
  const broken = proofs
    .filter(({ result }) => result === "broken")
    .map(({ promise, page, trials }) => ({
      title: `${words.broken}: ${promise}`,
      lines: [
        ...linesOf(trials, ({ outcome }) =>
          outcome.is === "broken" ? `${outcome.tried}: ${outcome.came}` : undefined,
        ),
        `What to do: ${page}`,
      ],
    }));
  const unproven = proofs.flatMap(({ promise, page, trials }) =>
    linesOf(trials, ({ outcome }) => (outcome.is === "unproven" ? outcome.why : undefined)).map((why) => ({
      why,
      line: `${promise} (${page})`,
    })),
  );
  const accepted = proofs
    .map(({ promise, trials }) => ({
      title: `accepted: ${promise}`,
      lines: linesOf(trials, ({ outcome }) => (outcome.is === "held" ? outcome.accepted : undefined)),
    }))
    .filter(({ lines }) => lines.length > 0);
  return [
    ...broken,
    ...[...Map.groupBy(unproven, ({ why }) => why)].map(([why, same]) => ({
      title: `${words.unproven}, by ${why}`,
      lines: same.map(({ line }) => line),
    })),
    ...accepted,
  ];
}

/** The same line of several trials once, with those whom it is about. */
function linesOf(trials: readonly Tried[], textOf: (trial: Tried) => string | undefined): string[] {
  const lines = trials.map((trial) => ({ by: trial.by, text: textOf(trial) }));
  return [...Map.groupBy(lines, ({ text }) => text)].flatMap(([text, same]) =>
    text === undefined ? [] : [`${[...new Set(same.map(({ by }) => by))].join(", ")}: ${text}`],
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
    details: trials.flatMap(({ by, outcome }) =>
      outcome.is === "held" && outcome.accepted === undefined ? [] : [{ by, ...outcome }],
    ),
  })),
});
