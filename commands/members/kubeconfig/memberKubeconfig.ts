import { type ApiTarget, findApiTarget, type Surroundings } from "../../../cluster/api/kubeconfig/kubeconfig.ts";
import type { Member } from "../../../config/member/member.ts";
import { issuerTrouble, type OidcSettings } from "../../../config/oidc.ts";
import { certificatesIn } from "../../../config/values/certificates.ts";
import { Problem, readNamed } from "../../common/problem.ts";
import { type Issuing, issuingOf, memberNamed, readStack, type StackFile } from "../../common/stackFile.ts";

export interface KubeconfigOptions extends AddressOptions {
  readonly stack: string;
  readonly context?: string;
}

export function kubeconfigFor(name: string, options: KubeconfigOptions, folder: string, surroundings?: Surroundings) {
  const file = readStack(options.stack, folder);
  const member = memberNamed(name, file);
  const { oidc, cluster } = signInTo(file, options, surroundings);
  return {
    kubeconfig: memberKubeconfig(member, file, oidc, cluster),
    notes: notesOn(member, cluster.server, oidc),
  };
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

export function notesOn({ name, standing, expires }: Member, server: string, oidc: OidcSettings): string[] {
  const closed = "the kubeconfig gives no access until that changes and 'pulumi up' has run.";
  const trouble = issuerTrouble(oidc);
  return [
    ...(trouble === undefined ? [] : [`${trouble}.`]),
    ...(standing === "suspended" ? [`${name} is suspended; ${closed}`] : []),
    ...(standing === "expired" ? [`${name}'s last day was ${expires}; ${closed}`] : []),
    ...(isOwnMachine(server) ? [`${server} is the machine of whoever uses it: name another with --server.`] : []),
  ];
}

/**
 * A kubeconfig, with a context for each of a person's environments, with which a member signs in through their browser: kubectl gets a token from kubelogin, which gets it
 * from the issuer. All of it is public and does not expire, so you can send it by mail.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins
 * @see https://github.com/int128/kubelogin
 */
export function memberKubeconfig(
  { name, username }: Pick<Member, "name" | "username">,
  { stack, configuration }: Pick<StackFile, "stack" | "configuration">,
  oidc: Issuing,
  { server, ca, tlsServerName }: ClusterAddress,
) {
  const own = configuration.members.filter((member) => member.username === username).map((member) => member.name);
  // Unique names, since people merge the file into their own kubeconfig.
  const cluster = `kubecamp-${stack}`;
  const user = `${cluster}-${own[0]}`;
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
    contexts: own.map((namespace) => ({ name: `${cluster}-${namespace}`, context: { cluster, user, namespace } })),
    "current-context": `${cluster}-${name}`,
  };
}

const installHint =
  "You sign in with kubelogin, which is not installed, or not on the PATH. Install it with\n" +
  "'kubectl krew install oidc-login', 'brew install kubelogin' or 'winget install int128.kubelogin',\n" +
  "or as https://github.com/int128/kubelogin says.";

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

interface ClusterAddress {
  readonly server: string;
  /** PEM text of the CA of the server's certificate. Default: a CA that machines trust anyway. */
  readonly ca?: string | undefined;
  readonly tlsServerName?: string | undefined;
}

interface AddressOptions {
  readonly server?: string | undefined;
  readonly certificateAuthority?: string | undefined;
}

/** The API server's address for members, from the options or the admin's kubeconfig; nothing else of that gets out. */
export function clusterAddress(
  { server, certificateAuthority: file }: AddressOptions,
  target: () => ApiTarget,
): ClusterAddress {
  if (server !== undefined && file !== undefined) {
    return { server: safe(server, "--server"), ca: certificates(read(file), file) };
  }
  const { cluster, source, server: ofAdmin } = target();
  const name = cluster["tls-server-name"];
  const ca = file === undefined ? caOf(cluster, source) : certificates(read(file), file);
  if (ca === undefined && cluster["insecure-skip-tls-verify"] === true) {
    throw new Problem("Members would hand their tokens to any server that answers in the API server's place.", {
      why: `The context in ${source} does not verify the server's certificate (insecure-skip-tls-verify).`,
      remedy: "Name the file of the CA that signed it with --certificate-authority.",
    });
  }
  return {
    server: server === undefined ? safe(ofAdmin, source) : safe(server, "--server"),
    ca,
    tlsServerName: server === undefined && typeof name === "string" && name !== "" ? name : undefined,
  };
}

const isOwnMachine = (server: string) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(server).hostname);

/** Accepts only a URL with nothing but the server's address, so that no credentials get out. */
function safe(server: string, source: string): string {
  const url = URL.parse(server);
  if (url?.protocol !== "https:" || `${url.username}${url.password}${url.search}${url.hash}` !== "") {
    throw new Problem("There is no address of the API server for members.", {
      why: `The server in ${source} is no https URL without user, query and fragment, such as https://k8s.example.org:6443.`,
      remedy: "Name one with --server that members reach.",
    });
  }
  return server.replace(/\/+$/, "");
}

/** The CA of the kubeconfig's context; as for client-go, data wins over a file. */
function caOf(cluster: ApiTarget["cluster"], source: string): string | undefined {
  const { "certificate-authority-data": data, "certificate-authority": path } = cluster;
  if (typeof data === "string" && data !== "") {
    return certificates(Buffer.from(data, "base64").toString(), source);
  }
  return typeof path === "string" && path !== "" ? certificates(read(path), path) : undefined;
}

const read = (file: string) =>
  readNamed(
    file,
    `Can't read the CA of the API server's certificate in ${file}.`,
    "Name another file with --certificate-authority.",
  );

/** Extracts the certificates: such a file may contain private keys as well. */
function certificates(text: string, source: string): string {
  const found = certificatesIn(text);
  if (found.length === 0) {
    throw new Problem(`There is no certificate in ${source}.`, {
      why: "The CA of the API server must be a valid certificate in PEM.",
      remedy: "Name the file of the CA with --certificate-authority.",
    });
  }
  return `${found.join("\n")}\n`;
}
