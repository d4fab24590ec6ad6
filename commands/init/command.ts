import { type Command, InvalidArgumentError, Option } from "commander";
import { type IngressController, ingressControllers } from "../../config/route/controllers.ts";
import { report } from "../common/run.ts";
import { type Answers, firstMember, gatewayRoute } from "./answers.ts";

function memberArgument(text: string, before: Answers["members"] = []): Answers["members"] {
  const member = firstMember(text);
  if (member === undefined) {
    throw new InvalidArgumentError("It takes name and type, such as ada:user.");
  }
  return [...before, member];
}

function gatewayArgument(text: string): Answers["route"] {
  const route = gatewayRoute(text);
  if (route === undefined) {
    throw new InvalidArgumentError("It takes namespace and name, such as gateways/public.");
  }
  return route;
}

const controllerOf = (controller: IngressController | undefined) => controller && { controller };

const examples = `
Examples:
  Ask for the settings:
  $ kubecamp init camp
  Take them from the command line:
  $ kubecamp init camp --host apps.example.org --gateway gateways/public --member ada:user --yes

If a value is wrong, it writes no file.
Exit codes: 0 written, 1 refused, 2 wrong usage, 130 after Ctrl-C.
See docs/start/project.md`;

export function addInitCommand(program: Command): void {
  program
    .command("init")
    .description("Write a project of your own, with kubecamp as a package")
    .argument("<folder>", "a new or empty folder")
    .option("--host <name>", "host of members' URLs, such as apps.example.org")
    .addOption(
      new Option("--gateway <namespace/name>", "Gateway of members' routes")
        .argParser(gatewayArgument)
        .conflicts("controller"),
    )
    .addOption(
      new Option("--controller <name>", "ingress controller instead; docs/run/routes.md says what each is for").choices(
        ingressControllers,
      ),
    )
    .option("--issuer <url>", "OpenID Connect issuer (default: none)")
    .option("--client-id <id>", "its OAuth client for kubectl (default: kubernetes)")
    .addOption(
      new Option("--member <name:type>", "a first member; may be given several times").argParser(memberArgument),
    )
    .option("--yes", "don't ask: use the options and defaults", false)
    .addHelpText("after", examples)
    .action((folder, { member: members, controller, gateway = controllerOf(controller), ...options }) =>
      report(async () => (await import("./init.ts")).init(folder, { ...options, route: gateway, members })),
    );
}
