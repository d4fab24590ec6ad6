import { stringify } from "yaml";
import { issuingOf, issuingOrNone } from "../common/issuing.ts";
import { readStack } from "../common/stackFile.ts";
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
  const read = readStack(stack, process.cwd());
  const { ci } = read.configuration.settings;
  const hasJobs = ci !== undefined && ci.issuers.length > 0;
  const content = authenticationConfiguration(hasJobs ? issuingOrNone(read) : issuingOf(read), ci);
  // lineWidth 0 keeps a CA's lines as they are.
  console.log(
    output === "json"
      ? JSON.stringify(content, null, 2)
      : `# kube-apiserver --authentication-config=FILE: docs/run/sign-in.md\n${stringify(content, { lineWidth: 0 }).trimEnd()}`,
  );
}
