import { spawn } from "node:child_process";
import { mkdir, open, readFile, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Interrupted, Problem } from "../../commands/common/problem.ts";
import { freePort } from "../cluster/ports.ts";
import { onFreePorts, PortTaken } from "../portTaken.ts";
import { endProcesses, processesStartedFrom } from "../processes.ts";
import { keepEndpoint, newAccess, readAccess, type S3Access } from "./s3Access.ts";

export interface S3Spec {
  /** Folder of this server alone: objects, users, keys, log. */
  readonly folder: string;
  /** Path of the program. */
  readonly versitygw: string;
}

interface StartedS3 extends S3Access {
  readonly state: "running" | "started" | "created";
}

/** Milliseconds for a server's first answer. */
const patience = 30_000;

/**
 * Makes sure that an S3 server runs on 127.0.0.1. Returns whether it ran, was started with its content, or was created.
 * @see https://github.com/versity/versitygw/wiki/Posix-Backend
 */
export async function ensureS3(spec: S3Spec, signal: AbortSignal): Promise<StartedS3> {
  const access = await readAccess(spec.folder);
  if (access === undefined) {
    return { ...(await onFreePorts(() => create(spec, signal))), state: "created" };
  }
  if (await isAnswering(spec)) {
    return { ...access, state: "running" };
  }
  await start(spec, access, signal);
  return { ...access, state: "started" };
}

/** Ends the server's process, no other. Acknowledged writes are in its files. */
export async function stopS3({ folder }: Pick<S3Spec, "folder">): Promise<void> {
  await endProcesses(processesStartedFrom(folder));
}

/** Ends the server, and removes its content. */
export async function removeS3(spec: Pick<S3Spec, "folder">): Promise<void> {
  await stopS3(spec);
  await rm(spec.folder, { recursive: true, force: true });
}

/** Folder of the objects, as files: a folder for each bucket. */
export function objectsFolder({ folder }: Pick<S3Spec, "folder">): string {
  return join(folder, "objects");
}

async function create(spec: S3Spec, signal: AbortSignal): Promise<S3Access> {
  // An attempt that has failed, or a run that was interrupted, may have left a partial server.
  await removeS3(spec);
  const access = await newAccess(spec.folder, await freePort());
  await start(spec, access, signal);
  await keepEndpoint(spec.folder, access);
  return access;
}

async function start(spec: S3Spec, access: S3Access, signal: AbortSignal): Promise<void> {
  await stopS3(spec);
  const { folder } = spec;
  // The path of this link identifies the process as the sandbox's.
  const program = join(folder, "versitygw");
  await rm(program, { force: true });
  await symlink(spec.versitygw, program);
  const [iam, versions] = [join(folder, "users"), join(folder, "versions")];
  for (const each of [iam, versions, objectsFolder(spec)]) {
    await mkdir(each, { recursive: true });
  }
  // The cache of users would open buckets for two minutes after a key has ended.
  const users = ["--iam-dir", iam, "--iam-cache-disable"];
  const listen = ["--port", new URL(access.endpoint).host, ...users, "--health", healthPath(access), "--quiet"];
  const log = await open(logFile(spec), "w", 0o600);
  const child = spawn(program, [...listen, "posix", "--versioning-dir", versions, objectsFolder(spec)], {
    // A clean environment: versitygw also reads flags from variables. Keys among the arguments would be visible to all.
    env: { ROOT_ACCESS_KEY_ID: access.accessKeyId, ROOT_SECRET_ACCESS_KEY: access.secretAccessKey },
    // The server outlives this command, and Ctrl-C must not reach it.
    detached: true,
    stdio: ["ignore", log.fd, log.fd],
  });
  let ended: string | undefined;
  child.once("error", (error) => {
    ended = error.message;
  });
  child.once("exit", (code, by) => {
    ended = `It ended with ${code ?? by}.`;
  });
  child.unref();
  await log.close();
  try {
    const deadline = Date.now() + patience;
    for (;;) {
      if (signal.aborted) {
        throw new Interrupted();
      }
      if (ended !== undefined) {
        throw await problem(spec, access, ended);
      }
      if (await answers(access)) {
        return;
      }
      if (Date.now() > deadline) {
        throw await problem(spec, access, `It has not answered for ${patience / 1000} s.`);
      }
      await sleep(50);
    }
  } catch (error) {
    await stopS3(spec);
    throw error;
  }
}

/** Whether the server runs and answers. */
export async function isAnswering({ folder }: Pick<S3Spec, "folder">): Promise<boolean> {
  const access = await readAccess(folder);
  return access !== undefined && processesStartedFrom(folder).length > 0 && (await answers(access));
}

/** A health path that only this server knows, in case another one has its port. No bucket can have this name. */
function healthPath({ accessKeyId }: S3Access): string {
  return `/_${accessKeyId}`;
}

function answers(access: S3Access): Promise<boolean> {
  return fetch(new URL(healthPath(access), access.endpoint), { signal: AbortSignal.timeout(2000) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function problem(spec: S3Spec, { endpoint }: S3Access, fallback: string): Promise<Problem> {
  const lastLines = (await readFile(logFile(spec), "utf8").catch(() => "")).trim().split("\n").slice(-3).join("\n");
  if (lastLines.includes("address already in use")) {
    return new PortTaken("The port of the sandbox's S3 server is taken.", {
      why: `Another program listens on ${new URL(endpoint).host}, which this sandbox's S3 server has had since it was made.`,
      remedy: "End that program, or have all made anew: run 'kubecamp sandbox down', then 'kubecamp sandbox up'.",
    });
  }
  return new Problem("The sandbox's S3 server does not start.", {
    why: lastLines || fallback,
    remedy: `Run 'kubecamp sandbox down', then 'kubecamp sandbox up'. The full log is in ${logFile(spec)}`,
  });
}

function logFile({ folder }: S3Spec): string {
  return join(folder, "log");
}
