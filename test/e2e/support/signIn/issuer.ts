import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { builtInCiIssuers } from "../../../../config/member/ci.ts";
import { goEnvironment } from "../../../../sandbox/tools/go.ts";
import { listening } from "../../../support/listening.ts";
import { atEnd } from "../atEnd.ts";

/** A token's claims. A test can also set `iss`, `aud` and `exp`, to make a wrong token. */
export interface TokenClaims extends JWTPayload {
  readonly sub: string;
  readonly groups?: readonly string[];
}

export interface TokenOptions {
  /** In seconds; one that has expired already has a negative one. Default: an hour. */
  readonly expiresIn?: number;
  /** Signs in place of the issuer's own, under the same key id. */
  readonly key?: CryptoKey;
  /** Path of another issuer on the same server. Test clusters trust `emailIssuer` too. Default: none. */
  readonly path?: string;
}

/**
 * A real OpenID Connect issuer on 127.0.0.1, for an API server that is to take its tokens: HTTPS with a CA of its own, which is
 * made when it starts, discovery and a key set.
 *
 * Every test cluster has one and trusts it, so that `(await testSandbox()).issuer.token({ sub: "bob", groups: ["class-a"] })`
 * is a token with which `bob` signs in, as `oidc:bob`. `signedIn` in signedIn.ts is the client for it.
 */
export interface Issuer {
  /** Such as `https://127.0.0.1:41243`. */
  readonly url: string;
  /** The audience of its tokens. */
  readonly clientId: string;
  /** PEM text. */
  readonly ca: string;
  readonly token: (claims: TokenClaims, options?: TokenOptions) => Promise<string>;
}

/**
 * Path of a second issuer that test clusters trust: its users are their email addresses, and neither these nor groups get
 * a prefix.
 */
export const emailIssuer = "/email";

/** Path of a self-managed GitLab that test clusters trust for CI jobs. */
export const gitlabIssuer = "/gitlab";

/** Path of the discovery document of GitHub's issuer for CI jobs, which test clusters look up here. */
export const githubDiscovery = "/github";
const githubUrl = builtInCiIssuers.github?.issuerUrl ?? "";

/** The audience of CI jobs' tokens at test clusters. */
export const ciAudience = "https://k8s.example.org";

const algorithm = "RS256";
const kid = "test";
const clientId = "kubernetes";
const anHour = 3600;

export async function startIssuer(): Promise<Issuer> {
  const [{ cert, key }, pair] = await Promise.all([certificate(), generateKeyPair(algorithm)]);
  const keys = JSON.stringify({ keys: [{ ...(await exportJWK(pair.publicKey)), kid, alg: algorithm, use: "sig" }] });
  const server = createServer({ cert, key }, ({ url: path = "" }, response) => {
    const [, issuer] = /^(.*)\/\.well-known\/openid-configuration$/.exec(path) ?? [];
    const body =
      path === "/keys"
        ? keys
        : issuer === undefined
          ? undefined
          : discovery(issuer === githubDiscovery ? githubUrl : `${url}${issuer}`, url);
    response.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" }).end(body);
  });
  const url = `https://127.0.0.1:${await listening(server)}`;
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url,
    clientId,
    ca: cert,
    token: (claims, { expiresIn = anHour, key = pair.privateKey, path = "" } = {}) => {
      const now = Math.floor(Date.now() / 1000);
      // Issued before it expires, whenever that is.
      const times = { iat: Math.min(now, now + expiresIn) - 1, exp: now + expiresIn };
      return new SignJWT({ iss: url + path, aud: clientId, ...times, ...claims })
        .setProtectedHeader({ alg: algorithm, kid, typ: "JWT" })
        .sign(key);
    },
  };
}

/** @see https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderMetadata */
function discovery(issuer: string, server: string): string {
  return JSON.stringify({
    issuer,
    jwks_uri: `${server}/keys`,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: [algorithm],
  });
}

/**
 * Certificates of a CA and its server, for 127.0.0.1 and `camp.test`, by a program that comes with Go, with which the tools
 * are built. To build and run that takes a second: all servers of a process share them.
 */
export function certificate(): Promise<Certificate> {
  made ??= makeCertificate();
  return made;
}

let made: Promise<Certificate> | undefined;

interface Certificate {
  readonly cert: string;
  readonly key: string;
}

async function makeCertificate(): Promise<Certificate> {
  const env = await goEnvironment(process.env);
  const folder = await mkdtemp(join(tmpdir(), "kubecamp-issuer-"));
  try {
    const { stdout: root } = await execa("go", ["env", "GOROOT"], { env, extendEnv: false });
    const program = join(root, "src/crypto/tls/generate_cert.go");
    const args = ["--host", "127.0.0.1,camp.test", "--ca", "--ecdsa-curve", "P256"];
    await execa("go", ["run", program, ...args], { cwd: folder, env, extendEnv: false });
    const [cert, key] = await Promise.all(["cert.pem", "key.pem"].map((file) => readFile(join(folder, file), "utf8")));
    return { cert: cert ?? "", key: key ?? "" };
  } finally {
    await rm(folder, { recursive: true });
  }
}
