import type { OidcSettings } from "../../config/model/settings/settings.ts";
import { hasSecret } from "../../config/sources/sources.ts";
import { Problem } from "./problem.ts";
import type { StackFile } from "./stackFile.ts";

/** OIDC settings with everything that others need of an issuer. */
export type Issuing = OidcSettings & Required<Pick<OidcSettings, "issuerUrl" | "clientId">>;

/**
 * Sign-in settings of a stack's members.
 * @throws Problem when the stack has none, or Pulumi is needed to read them
 */
export function issuingOf(read: StackFile): Issuing {
  const issuing = issuingOrNone(read);
  if (issuing === undefined) {
    throw new Problem(`Stack '${read.stack}' does not say how its members sign in.`, {
      why: `kubecamp:oidc in ${read.source.file} has no issuerUrl and no clientId.`,
      remedy:
        "Set both: the issuer's URL, and the public client that it has for this cluster. docs/run/sign-in.md says how.",
    });
  }
  return issuing;
}

/**
 * The same, or undefined if the stack has none.
 * @throws Problem when Pulumi is needed to read them
 */
export function issuingOrNone({ stack, configuration, source }: StackFile): Issuing | undefined {
  const { oidc } = configuration.settings;
  const { issuerUrl, clientId } = oidc;
  if (hasSecret(source.raw.oidc)) {
    throw new Problem(`How members of stack '${stack}' sign in can't be read.`, {
      why: `Something in oidc is encrypted in ${source.file}, or may be set by an environment of Pulumi ESC; this command reads only files.`,
      remedy: `Set every key of kubecamp:oidc in ${source.file} as plain text, its defaults too: none is a secret. docs/run/sign-in.md has them.`,
    });
  }
  return issuerUrl === undefined || clientId === undefined ? undefined : { ...oidc, issuerUrl, clientId };
}
