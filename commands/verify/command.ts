import { type Command, InvalidArgumentError } from "commander";
import { type Part, parts } from "../../verify/outcome.ts";
import { onOneCluster, outputOption, run } from "../common/run.ts";

const examples = `
Examples:
  Try each promise on the stack's cluster; ten minutes at most:
  $ kubecamp verify --stack prod
  $ kubecamp verify --stack prod --only network,route -o json
  A table for a ticket; fails also where something could not be tried:
  $ kubecamp verify --stack prod --strict -o markdown

Exit codes: 0 no promise is broken; 1 one is, or with --strict one is not
proven; 2 wrong usage.
See docs/security/verify.md`;

/** It has `sh`, `nc`, `nslookup` and `httpd`. @see https://hub.docker.com/_/busybox */
const probeImage =
  "docker.io/library/busybox:1.37.0@sha256:9db7b59979c38555a39def84a31fb98b5296952f9e3afd4f6f11f05b07adfab0";

export function addVerifyCommand(program: Command): void {
  program
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
    .addOption(outputOption("text", "markdown", "json"))
    .addHelpText("after", examples)
    .action((options) =>
      run((signal) => onOneCluster(async () => (await import("./verify.ts")).verifyStack(options, signal))),
    );
}

function partsIn(text: string): readonly Part[] {
  const named = text.split(",");
  const wrong = named.find((each) => !parts.some((part) => part === each));
  if (wrong !== undefined) {
    throw new InvalidArgumentError(`'${wrong}' is none of ${parts.join(", ")}.`);
  }
  return parts.filter((part) => named.includes(part));
}
