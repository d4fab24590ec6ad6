import assert from "node:assert/strict";
import { join } from "node:path";
import type { ApiTarget } from "../../../../../cluster/api/kubeconfig/kubeconfig.ts";
import { Problem } from "../../../../../commands/common/problem.ts";
import { clusterAddress } from "../../../../../commands/members/kubeconfig/memberKubeconfig.ts";
import { ca, serverCertificate } from "../../../certificates.ts";
import { useFolder } from "../../../testFolder.ts";

const server = "https://10.0.0.1:6443";
const data = (text: string) => ({ "certificate-authority-data": Buffer.from(text).toString("base64") });
const user = { token: "the admin's", "client-key-data": "the admin's" };

/** An admin's context with such a cluster. */
const admins = (cluster: Record<string, unknown>) => (): ApiTarget => ({
  source: "the kubeconfig k",
  server: String(cluster.server ?? server),
  cluster: { server, ...cluster },
  user,
});

const key = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n";

/** The error when options and context give no address. */
function reported(options: Parameters<typeof clusterAddress>[0], cluster: Record<string, unknown>): string {
  try {
    return JSON.stringify(clusterAddress(options, admins(cluster)));
  } catch (error) {
    assert.ok(error instanceof Problem, String(error));
    return `${error.message} ${error.why} ${error.remedy}`;
  }
}

describe("the address of a cluster", () => {
  const folder = useFolder({ "ca.crt": `subject=camp\n${ca}${key}`, "empty.crt": key });

  it("the address is the admin's server, CA and certificate's name, and nothing else of theirs", () => {
    const cluster = { "tls-server-name": "kubernetes", "proxy-url": "http://admin:secret@proxy", ...data(ca) };
    assert.deepEqual(clusterAddress({}, admins(cluster)), { server, ca, tlsServerName: "kubernetes" });
  });

  it("takes certificates alone, from data before a file, and never a key that lies beside them", () => {
    const file = { "certificate-authority": join(folder.path, "ca.crt") };
    assert.equal(clusterAddress({}, admins(file)).ca, ca);
    assert.equal(clusterAddress({}, admins({ ...file, ...data(serverCertificate) })).ca, serverCertificate);
    assert.equal(clusterAddress({}, admins(data(key + ca + serverCertificate))).ca, ca + serverCertificate);
  });

  it("the address is what the options say; the name in the certificate was another server's", () => {
    const cluster = { "tls-server-name": "kubernetes", ...data(serverCertificate) };
    const options = { server: "https://k8s.example.org/" };
    assert.deepEqual(clusterAddress(options, admins(cluster)), {
      server: "https://k8s.example.org",
      ca: serverCertificate,
      tlsServerName: undefined,
    });
    const file = { certificateAuthority: join(folder.path, "ca.crt") };
    assert.deepEqual(clusterAddress(file, admins({ ...cluster, "insecure-skip-tls-verify": true })), {
      server,
      ca,
      tlsServerName: "kubernetes",
    });
    const nobody = () => assert.fail("nobody needs the admin's kubeconfig");
    assert.deepEqual(clusterAddress({ ...options, ...file }, nobody), { server: "https://k8s.example.org", ca });
  });

  it("the address is not one where members would hand their tokens to anybody", () => {
    assert.match(
      reported({}, { "insecure-skip-tls-verify": true }),
      /^Members would hand their tokens .* \(insecure-skip-tls-verify\)\. Name the file .* with --certificate-authority\.$/,
    );
    assert.match(
      reported({}, { server: "http://10.0.0.1:8080" }),
      /^There is no address .* The server in the kubeconfig k is no https URL .* Name one with --server that members reach\.$/,
    );
    for (const own of ["https://admin:secret@k8s", "http://k8s", "https://k8s?x=1", "https://k8s/#a", "k8s:6443"]) {
      const words = reported({ server: own }, data(ca));
      assert.match(words, /^There is no address .* The server in --server is no https URL/);
      assert.doesNotMatch(words, /secret/);
    }
  });

  it("the address needs a CA that is there and is one", () => {
    const missing = join(folder.path, "missing.crt");
    assert.match(
      reported({ certificateAuthority: missing }, {}),
      /^Can't read the CA .*missing\.crt\. ENOENT.* Name another/,
    );
    assert.match(reported({}, { "certificate-authority": missing }), /^Can't read the CA .*missing\.crt\. ENOENT/);
    for (const [options, cluster] of [
      [{ certificateAuthority: join(folder.path, "empty.crt") }, {}],
      [{}, data("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")],
    ] as const) {
      assert.match(reported(options, cluster), /^There is no certificate in .* Name the file of the CA/);
    }
  });
});
