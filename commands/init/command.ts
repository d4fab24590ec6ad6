import { type Command, InvalidArgumentError, Option } from "commander";
import { type IngressController, ingressControllers } from "../../config/route/controllers.ts";
import { report } from "../common/run.ts";

/** Answers that a new project needs. */
export interface Answers {
  /** Host of members' URLs, such as `apps.example.org`. */
  readonly host: string;
  readonly controller: IngressController;
  /** URL of the OpenID Connect issuer; undefined for a cluster with another way to sign in. */
  readonly issuer?: string | undefined;
  /** OAuth client of the issuer that members' kubectl signs in with. */
  readonly clientId: string;
  /** The first members of the list; at least one. */
  readonly members: readonly FirstMember[];
}

/** A member of the new list. */
interface FirstMember {
  readonly member: string;
  readonly type: string;
}

/** Parses `ada:user`; undefined for anything else. */
export function firstMember(text: string): FirstMember | undefined {
  const [, member, type] = /^([^:]+):([^:]+)$/.exec(text) ?? [];
  return member === undefined || type === undefined ? undefined : { member, type };
}

/** Parses the value of an option, and adds it to those before. */
export function memberArgument(text: string, before: readonly FirstMember[] = []): readonly FirstMember[] {
  const member = firstMember(text);
  if (member === undefined) throw new InvalidArgumentError("It takes name and type, such as ada:user.");
  return [...before, member];
}

const examples = `
Examples:
  Ask for the settings:
  $ kubecamp init camp
  Take them from the command line:
  $ kubecamp init camp --host apps.example.org --member ada:user --yes

If a value is wrong, it writes no file.
Exit codes: 0 written, 1 refused, 2 wrong usage, 130 after Ctrl-C.
See docs/start/project.md`;

/** Loads the implementation only when the command runs, so that other commands start fast. */
export function addInitCommand(program: Command): void {
  program
    .command("init")
    .description("Write a project of your own, with kubecamp as a package")
    .argument("<folder>", "a new or empty folder")
    .option("--host <name>", "host of members' URLs, such as apps.example.org")
    .addOption(
      new Option("--controller <name>", "ingress controller (default: ingress-nginx)").choices(ingressControllers),
    )
    .option("--issuer <url>", "OpenID Connect issuer (default: none)")
    .option("--client-id <id>", "its OAuth client for kubectl (default: kubernetes)")
    .addOption(
      new Option("--member <name:type>", "a first member; may be given several times").argParser(memberArgument),
    )
    .option("--yes", "don't ask: use the options and defaults", false)
    .addHelpText("after", examples)
    .action((folder, { member: members, ...options }) =>
      report(async () => (await import("./init.ts")).init(folder, { ...options, members })),
    );
}
