import type { Issuing } from "../common/stackFile.ts";

/** The API server's address for members, without credentials. */
export interface ClusterAddress {
  readonly server: string;
  /** PEM text of the CA of the server's certificate. Default: a CA that machines trust anyway. */
  readonly ca?: string | undefined;
  /** The name in the server's certificate, if it differs from the server's. */
  readonly tlsServerName?: string | undefined;
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
