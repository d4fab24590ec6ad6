import type { Issuing } from "../common/issuing.ts";

/** How members reach the API server; nothing in it lets anybody in. */
export interface ClusterAddress {
  readonly server: string;
  /** PEM text of the CA of its certificate. Default: one that machines trust anyway. */
  readonly ca?: string | undefined;
  /** The name in its certificate, where that is another than the server's. */
  readonly tlsServerName?: string | undefined;
}

/**
 * A kubeconfig with which a member signs in through their browser: kubectl asks kubelogin for a token, and kubelogin the
 * issuer. Everything in it is public, so that it can be sent by mail and be the same tomorrow.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins
 * @see https://github.com/int128/kubelogin
 */
export function memberKubeconfig(member: string, stack: string, oidc: Issuing, address: ClusterAddress) {
  const { server, ca, tlsServerName } = address;
  // Names of their own, since people merge it into a kubeconfig that they have.
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
          ...(ca === undefined ? {} : { "certificate-authority-data": base64(ca) }),
          ...(tlsServerName === undefined ? {} : { "tls-server-name": tlsServerName }),
        },
      },
    ],
    users: [
      {
        name: user,
        user: {
          exec: {
            apiVersion: "client.authentication.k8s.io/v1",
            // As itself rather than as kubectl's plugin, so that the hint is shown to whoever has not got it.
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
