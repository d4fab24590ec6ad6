import { stringify } from "yaml";
import { hasSecret } from "../../config/sources/sources.ts";
import { Problem } from "../common/problem.ts";
import { issuingOf, issuingOrNone, readStack, type StackFile } from "../common/stackFile.ts";
import { authenticationConfiguration } from "./authenticationConfiguration.ts";

interface OidcOptions {
  readonly stack: string;
  readonly output: "yaml" | "json";
}

/**
 * Prints the API server's configuration that lets a stack's members and their CI jobs in.
 * @throws Problem when the stack does not say how they sign in
 */
export function printAuthenticationConfiguration({ stack, output }: OidcOptions): void {
  const content = authenticationConfigurationFor(stack, process.cwd());
  // lineWidth 0 keeps a CA's lines as they are.
  console.log(
    output === "json"
      ? JSON.stringify(content, null, 2)
      : `# kube-apiserver --authentication-config=FILE: docs/run/sign-in.md\n${stringify(content, { lineWidth: 0 }).trimEnd()}`,
  );
}

/**
 * @param folder the project's
 * @throws Problem when the stack does not say how its members sign in
 */
export function authenticationConfigurationFor(stack: string, folder: string) {
  const read = readStack(stack, folder);
  const { settings, members } = read.configuration;
  const hasJobs = members.some(({ ci }) => ci !== undefined && (ci.subjects.length > 0 || ci.token !== true));
  return hasJobs
    ? authenticationConfiguration(issuingOrNone(read), readableCi(read))
    : authenticationConfiguration(issuingOf(read), settings.ci);
}

/** @throws Problem when Pulumi is needed to read how CI jobs sign in */
function readableCi({ stack, configuration, source }: StackFile) {
  if (hasSecret(source.raw.ci)) {
    throw new Problem(`How CI jobs of stack '${stack}' sign in can't be read.`, {
      why: "The stack has environments of Pulumi ESC, which may set the rest of ci, and this command reads only files.",
      remedy: `Set kubecamp:ci in ${source.file} as plain text, with its audience. docs/run/pipelines.md has its keys.`,
    });
  }
  return configuration.settings.ci;
}
