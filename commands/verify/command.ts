import { type Command, InvalidArgumentError, Option } from "commander";
import { cronProblem } from "../../config/schedule.ts";
import { type Part, parts } from "../../verify/outcome.ts";
import { onOneCluster, outputOption, report, run } from "../common/run.ts";

const examples = `
Examples:
  Try each promise on the stack's cluster; ten minutes at most:
  $ kubecamp verify --stack prod
  $ kubecamp verify --stack prod --only network,route -o json
  A table for a ticket; fails also where something could not be tried:
  $ kubecamp verify --stack prod --strict -o markdown

  Every night, by a CronJob; the watch then has metrics and alerts of it:
  $ kubecamp verify --stack prod --schedule --kubecamp-image ghcr.io/example/kubecamp:1.0.0 | kubectl apply -f -

Exit codes: 0 no promise is broken, or printed; 1 one is, or with --strict one
is not proven; 2 wrong usage.
See docs/security/verify.md`;

/** It has `sh`, `nc`, `nslookup` and `httpd`. @see https://hub.docker.com/_/busybox */
export const probeImage =
  "docker.io/library/busybox:1.37.0@sha256:9db7b59979c38555a39def84a31fb98b5296952f9e3afd4f6f11f05b07adfab0";

/** Not in an hour that daylight saving time skips or repeats. */
const nightly = "17 4 * * *";

/** What a CronJob runs. */
export interface VerifyJob {
  readonly stack: string;
  /** A cron line. */
  readonly schedule: string;
  readonly kubecampImage: string;
  readonly only: readonly Part[];
  readonly image: string;
  readonly strict: boolean;
}

/** @param printJob prints the manifests of a CronJob */
export function addVerifyCommand(program: Command, printJob: (job: VerifyJob) => Promise<void>): void {
  const verify = program
    .command("verify")
    .description("Try each promise on the stack's cluster, as members made for a while")
    .requiredOption("--stack <name>", "the stack, with its files in this folder")
    .option("--context <name>", "context of your kubeconfig (default: the stack's, or the current one)")
    .option("--only <parts>", `some of ${parts.join(", ")}`, partsIn, parts)
    .option(
      "--image <image>",
      "image of the pods that try the network, with BusyBox's sh, nc, nslookup and httpd",
      probeImage,
    )
    .option("--strict", "exit with 1 also if a promise is not proven", false)
    .option("--record", "keep the result on the cluster, for metrics and alerts of the watch", false)
    .addOption(
      new Option("--schedule [cron]", `print manifests of a CronJob that does this (default: "${nightly}")`)
        .argParser(cronLine)
        .conflicts(["context", "output"]),
    )
    .option("--kubecamp-image <image>", "with --schedule: the image of kubecamp that the watch has")
    .addOption(outputOption("text", "markdown", "json"))
    .addHelpText("after", examples)
    .action(async (options) => {
      const { schedule, kubecampImage } = options;
      if (schedule === undefined) {
        return await run((signal) =>
          onOneCluster(async () => (await import("./verify.ts")).verifyStack(options, signal)),
        );
      }
      if (kubecampImage === undefined) {
        verify.error("error: required option '--kubecamp-image <image>' of --schedule not specified", {
          code: "commander.missingMandatoryOptionValue",
        });
      }
      return await report(() =>
        printJob({ ...options, kubecampImage, schedule: schedule === true ? nightly : schedule }),
      );
    });
}

function cronLine(line: string): string {
  const problem = cronProblem(line);
  if (problem !== undefined) {
    throw new InvalidArgumentError(`It ${problem}.`);
  }
  return line;
}

function partsIn(text: string): readonly Part[] {
  const named = text.split(",");
  const wrong = named.find((each) => !parts.some((part) => part === each));
  if (wrong !== undefined) {
    throw new InvalidArgumentError(`'${wrong}' is none of ${parts.join(", ")}.`);
  }
  return parts.filter((part) => named.includes(part));
}
