import { findApiTarget, type Surroundings } from "../../../cluster/api/kubeconfig/kubeconfig.ts";
import type { Member } from "../../../config/member/member.ts";
import { type Issuing, issuingOf, memberNamed, readStack, type StackFile } from "../../common/stackFile.ts";
import { type AddressOptions, type ClusterAddress, clusterAddress, isOwnMachine } from "./clusterAddress.ts";

export interface KubeconfigOptions extends AddressOptions {
  readonly stack: string;
  readonly context?: string;
}

export function kubeconfigFor(name: string, options: KubeconfigOptions, folder: string, surroundings?: Surroundings) {
  const file = readStack(options.stack, folder);
  const member = memberNamed(name, file);
  const { oidc, cluster } = signInTo(file, options, surroundings);
  return { kubeconfig: memberKubeconfig(name, options.stack, oidc, cluster), notes: notesOn(member, cluster.server) };
}

export function signInTo(
  file: StackFile,
  { context, ...address }: AddressOptions & Pick<KubeconfigOptions, "context">,
  surroundings?: Surroundings,
): { readonly oidc: Issuing; readonly cluster: ClusterAddress } {
  const chosen = context ?? file.configuration.settings.cluster.context;
  const setting = context === undefined ? "cluster.context" : "--context";
  const oidc = issuingOf(file);
  return { oidc, cluster: clusterAddress(address, () => findApiTarget(chosen, surroundings, setting)) };
}

export function notesOn({ name, standing, expires }: Member, server: string): string[] {
  const closed = "the kubeconfig gives no access until that changes and 'pulumi up' has run.";
  return [
    ...(standing === "suspended" ? [`${name} is suspended; ${closed}`] : []),
    ...(standing === "expired" ? [`${name}'s last day was ${expires}; ${closed}`] : []),
    ...(isOwnMachine(server) ? [`${server} is the machine of whoever uses it: name another with --server.`] : []),
  ];
}

/**
 * A kubeconfig with which a member signs in through their browser: kubectl gets a token from kubelogin, which gets it
 * from the issuer. All of it is public and does not expire, so you can send it by mail.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins
 * @see https://github.com/int128/kubelogin
 */
export function memberKubeconfig(member: string, stack: string, oidc: Issuing, address: ClusterAddress) {
  const { server, ca, tlsServerName } = address;
  // Unique names, since people merge the file into their own kubeconfig.
  const cluster = `kubecamp-${stack}`;
  const user = `${cluster}-${member}`;
  return {
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      {
        name: cluster,
        cluster: {
          server,
          ...(ca && { "certificate-authority-data": base64(ca) }),
          ...(tlsServerName && { "tls-server-name": tlsServerName }),
        },
      },
    ],
    users: [
      {
        name: user,
        user: {
          exec: {
            apiVersion: "client.authentication.k8s.io/v1",
            // The binary itself rather than kubectl's plugin, so that the hint appears where it is not installed.
            command: "kubectl-oidc_login",
            args: ["get-token", ...flags(oidc)],
            installHint,
            interactiveMode: "IfAvailable",
            provideClusterInfo: false,
          },
        },
      },
    ],
    contexts: [{ name: user, context: { cluster, user, namespace: member } }],
    "current-context": user,
  };
}

const installHint =
  "You sign in with kubelogin, which is not installed, or not on the PATH. Install it with\n" +
  "'kubectl krew install oidc-login' or 'brew install kubelogin', or as https://github.com/int128/kubelogin says.";

/** @see https://github.com/int128/kubelogin/blob/master/docs/usage.md */
function flags({ issuerUrl, clientId, ca, scopes, usernameClaim }: Issuing): string[] {
  const wanted = new Set([...(usernameClaim === "email" ? ["email"] : []), ...scopes]);
  return [
    `--oidc-issuer-url=${issuerUrl}`,
    `--oidc-client-id=${clientId}`,
    ...[...wanted].map((scope) => `--oidc-extra-scope=${scope}`),
    ...(ca === undefined ? [] : [`--certificate-authority-data=${base64(ca)}`]),
  ];
}

const base64 = (text: string) => Buffer.from(text).toString("base64");
