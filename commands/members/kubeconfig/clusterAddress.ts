import type { ApiTarget } from "../../../cluster/api/kubeconfig/kubeconfig.ts";
import { certificatesIn } from "../../../config/values/certificates.ts";
import { Problem, readNamed } from "../../common/problem.ts";

export interface ClusterAddress {
  readonly server: string;
  /** PEM text of the CA of the server's certificate. Default: a CA that machines trust anyway. */
  readonly ca?: string | undefined;
  readonly tlsServerName?: string | undefined;
}

export interface AddressOptions {
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

export const isOwnMachine = (server: string) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(server).hostname);

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
