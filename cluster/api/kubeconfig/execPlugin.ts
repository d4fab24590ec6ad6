import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { isMap, jsonIn } from "../../../config/values/maps.ts";
import { CredentialError, DeadlineError } from "../errors.ts";
import type { ApiTarget } from "./kubeconfig.ts";
import type { KubeconfigEntry } from "./kubeconfigFile.ts";

const execute = promisify(execFile);

/** Milliseconds before a credential expires from which on it is got anew. */
const early = 60_000;

/** Milliseconds that a command may take: somebody waits for it all the time where a watch follows many kinds. */
const longest = 60_000;

interface Run {
  readonly key: string;
  readonly credential: Promise<KubeconfigEntry>;
  readonly stop: AbortController;
  waiting: number;
  /** Undefined while the command runs. */
  printed?: { readonly credential: KubeconfigEntry; readonly expires: number };
}

const runs = new Map<string, Run>();

/**
 * Credentials from the kubeconfig's command, which can't prompt. As in client-go, they are kept until shortly before
 * they expire, or for ever if they don't say when; those who ask meanwhile share a run.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins
 */
export async function runPlugin(
  exec: KubeconfigEntry,
  target: ApiTarget,
  signal: AbortSignal,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<KubeconfigEntry> {
  checkEntry(exec, commandOf(exec));
  signal.throwIfAborted();
  const key = JSON.stringify([exec, target.cluster, environment]);
  const known = runs.get(key);
  const isOver = known?.printed !== undefined && known.printed.expires <= Date.now() + early;
  const run = known === undefined || isOver ? begin(key, exec, target, environment) : known;
  run.waiting += 1;
  try {
    return await unlessAborted(run.credential, signal);
  } catch (cause) {
    throw cause instanceof CredentialError ? cause : failure(commandOf(exec), exec, cause);
  } finally {
    run.waiting -= 1;
    if (run.waiting === 0 && run.printed === undefined) {
      forget(run);
      run.stop.abort();
    }
  }
}

/** Has a credential got anew that the API server does not accept; one that was got since then stays. */
export function forgetCredential(refused: KubeconfigEntry): void {
  for (const run of runs.values()) {
    if (run.printed?.credential === refused) {
      forget(run);
    }
  }
}

function forget(run: Run): void {
  if (runs.get(run.key) === run) {
    runs.delete(run.key);
  }
}

function begin(key: string, exec: KubeconfigEntry, target: ApiTarget, environment: NodeJS.ProcessEnv): Run {
  const stop = new AbortController();
  const args = Array.isArray(exec.args) ? exec.args.map(String) : [];
  const env = { ...environment, ...variables(exec.env), KUBERNETES_EXEC_INFO: execInfo(exec, target) };
  const running = execute(commandOf(exec), args, {
    ...{ env, signal: stop.signal, killSignal: "SIGKILL", maxBuffer: 10 * 1024 * 1024 },
  });
  running.child.stdin?.end();
  const read = ({ stdout }: { readonly stdout: string }): KubeconfigEntry => {
    run.printed = credentialIn(stdout, commandOf(exec));
    return run.printed.credential;
  };
  const limit = setTimeout(() => stop.abort(new DeadlineError(longest)), longest);
  const credential = unlessAborted(running.then(read), stop.signal).finally(() => clearTimeout(limit));
  const run: Run = { key, credential, stop, waiting: 0 };
  runs.set(key, run);
  return run;
}

const commandOf = ({ command }: KubeconfigEntry) => String(command ?? "");

/** @throws the signal's reason once it is aborted */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort);
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** Refuses what client-go does: the command may work, and then kubectl and Pulumi fail in the middle of a run. */
function checkEntry({ apiVersion, interactiveMode }: KubeconfigEntry, command: string): void {
  const group = "client.authentication.k8s.io";
  const isKnown = apiVersion === `${group}/v1` || apiVersion === `${group}/v1beta1`;
  if (isKnown && (interactiveMode !== undefined || apiVersion === `${group}/v1beta1`)) {
    return;
  }
  const version = apiVersion === undefined ? "missing" : JSON.stringify(apiVersion);
  throw new CredentialError(
    isKnown
      ? "exec has no interactiveMode, without which kubectl and Pulumi refuse the entry."
      : `exec.apiVersion is ${version}, and kubectl and Pulumi take ${group}/v1 and v1beta1 alone.`,
    `Have '${command}', or the tool that made the kubeconfig, write it anew in a present version, then run again.`,
  );
}

function failure(command: string, { installHint }: KubeconfigEntry, cause: unknown): CredentialError {
  if (cause instanceof DeadlineError) {
    return new CredentialError(
      `the command '${command}', which gets them, is ${cause.message}`,
      `Does it ask or wait for something? Sign in as '${command}' wants it, see that kubectl works, then run again.`,
    );
  }
  const { code, stderr } = Object(cause) as { code?: unknown; stderr?: unknown };
  if (code === "ENOENT" || code === "EACCES") {
    const hint = typeof installHint === "string" && installHint !== "" ? `\n${installHint.trim()}` : "";
    return new CredentialError(
      `the command '${command}', which gets them, can't be run (${code}).`,
      `Install it, or correct exec.command in the kubeconfig, then run again.${hint}`,
    );
  }
  const output = String(stderr ?? "").trim();
  const last = output === "" ? "" : `:\n${output.split("\n").slice(-5).join("\n")}`;
  return new CredentialError(
    `the command '${command}', which gets them, failed (exit code ${code})${last}`,
    `Sign in as '${command}' wants it, see that kubectl works, then run again.`,
  );
}

function credentialIn(stdout: string, command: string): NonNullable<Run["printed"]> {
  const { token, clientCertificateData, clientKeyData, expirationTimestamp } = statusIn(stdout);
  if (typeof token !== "string" && typeof clientCertificateData !== "string") {
    throw new CredentialError(
      `the command '${command}', which gets them, printed no ExecCredential with a token or a certificate.`,
      "Correct exec in the kubeconfig, see that kubectl works, then run again.",
    );
  }
  const credential = {
    ...(typeof token === "string" ? { token } : {}),
    ...base64("client-certificate-data", clientCertificateData),
    ...base64("client-key-data", clientKeyData),
  };
  return { credential, expires: Date.parse(String(expirationTimestamp)) || Number.POSITIVE_INFINITY };
}

function statusIn(stdout: string): KubeconfigEntry {
  const credential = jsonIn(stdout);
  return isMap(credential) && isMap(credential.status) ? credential.status : {};
}

function base64(key: string, pem: unknown): KubeconfigEntry {
  return typeof pem === "string" ? { [key]: Buffer.from(pem).toString("base64") } : {};
}

function variables(env: unknown): Record<string, string> {
  const list = Array.isArray(env) ? env.filter(isMap) : [];
  return Object.fromEntries(list.map(({ name, value }) => [String(name), String(value ?? "")]));
}

function execInfo({ apiVersion, provideClusterInfo }: KubeconfigEntry, { cluster }: ApiTarget): string {
  const spec = { interactive: false, ...(provideClusterInfo === true ? { cluster: clusterInfo(cluster) } : {}) };
  return JSON.stringify({ kind: "ExecCredential", apiVersion, spec });
}

/** The cluster as a plugin expects it: the certificate as data, and the plugin's own settings, from an extension. */
function clusterInfo({ extensions, "certificate-authority": caFile, ...cluster }: KubeconfigEntry): KubeconfigEntry {
  const own = Array.isArray(extensions)
    ? extensions.filter(isMap).find(({ name }) => name === "client.authentication.k8s.io/exec")
    : undefined;
  return {
    ...(typeof caFile === "string" ? { "certificate-authority-data": readFileSync(caFile).toString("base64") } : {}),
    ...cluster,
    ...(own === undefined ? {} : { config: own.extension }),
  };
}
