import { chmod, mkdir, rename, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { Server, ServerCredentials, type UntypedServiceImplementation } from "@grpc/grpc-js";
import languageServices from "@pulumi/pulumi/proto/language_grpc_pb.js";
import providerServices from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import { service } from "../../../../buckets/plugin/service.ts";
import { engineLog, type Log } from "../../../../buckets/protocol/engine.ts";
import { openServer } from "../../../../buckets/s3/server.ts";
import { repository } from "../../../../sandbox/paths.ts";
import { kubernetesPluginFolder } from "../../../../sandbox/plugins/official.ts";
import type { PluginChoice } from "../../../../sandbox/plugins/pluginChoice.ts";
import { isAlive } from "../../../../sandbox/processes.ts";
import type { Sandbox } from "../../../../sandbox/sandbox.ts";
import { provider } from "../../../../sandbox/standins/kubernetes/provider.ts";
import { languageRuntime } from "../../../../sandbox/standins/language/service.ts";
import { listening } from "../../../support/listening.ts";
import { runWarmProgram } from "./warmProgram.ts";

/** For a `pulumi` whose plugins and program are to be processes of its own, as a person's are. */
export const ownProcesses: Readonly<Record<string, string>> = { KUBECAMP_TEST_OWN_PROCESSES: "1" };

const require = createRequire(import.meta.url);
const { version } = require("@pulumi/kubernetes/package.json") as { version: string };
const { version: ourVersion } = require("../../../../package.json") as { version: string };
const unlimited = { "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 };

type Kind = "kubernetes" | "language" | "buckets";

/** The plugin for buckets as Pulumi.yaml names it, in a project's folder. */
const bucketsPlugin = "buckets/plugin/pulumi-resource-kubecamp-buckets";

/** Milliseconds between two looks for scripts whose `pulumi` is gone. */
const lookingEvery = 500;

interface Relay {
  /** Gives a project, of which it gets the folder, the plugin for buckets in this process, as the stand-ins. */
  readonly relayBuckets: (folder: string) => Promise<void>;
  readonly end: () => void;
}

/**
 * Has the stand-ins of a sandbox work in the test's own process, where their code is warm: starting them and the program anew
 * is more than half of a small run's CPU. Pulumi starts scripts in their place, which hand over their environment and pass on
 * the port and all that is printed. Official plugins are started by Pulumi as ever.
 */
export async function relayStandIns(sandbox: Sandbox, choice: PluginChoice): Promise<Relay> {
  /** With the process id of the `pulumi` behind each, once that is known. */
  const open = new Map<Socket, number | undefined>();
  const relay = createServer((socket) => {
    open.set(socket, undefined);
    socket.once("close", () => open.delete(socket)).on("error", () => undefined);
    const serving = requestOf(socket).then((request) => {
      open.set(socket, request.pulumi);
      serveOne(socket, request);
    });
    serving.catch((error) => socket.destroy(error));
  });
  // A killed Pulumi ends nothing that it has started: its script goes on, and the plugin with it.
  const looking = setInterval(() => {
    for (const [socket, pulumi] of open) {
      if (pulumi !== undefined && !isAlive(pulumi)) {
        socket.destroy();
      }
    }
  }, lookingEvery).unref();
  const port = await listening(relay.unref());
  if (choice.kubernetes === "stand-in") {
    const folder = kubernetesPluginFolder(sandbox.pulumiHome);
    await replace(join(folder, "pulumi-resource-kubernetes"), "kubernetes", sandbox, port);
  }
  if (choice.languageHost === "stand-in") {
    await replace(join(sandbox.bin, "pulumi-language-nodejs"), "language", sandbox, port);
  }
  return {
    relayBuckets: async (folder) => {
      const script = join(folder, bucketsPlugin);
      await mkdir(dirname(script), { recursive: true });
      await writeScript(script, "buckets", join(repository, bucketsPlugin), port);
    },
    end: () => {
      clearInterval(looking);
      relay.close();
      for (const socket of open.keys()) {
        socket.destroy();
      }
    },
  };
}

/** The stand-in's own script stays beside the sandbox's folders, for whoever wants processes of their own. */
async function replace(script: string, kind: Kind, { folder }: Sandbox, port: number): Promise<void> {
  const own = join(folder, "own-processes", kind);
  await mkdir(join(folder, "own-processes"), { recursive: true });
  await rename(script, own);
  await writeScript(script, kind, own, port);
}

/**
 * All by bash itself, apart from a program's words: there are some thousand of these in a run of all tests.
 * @param own what runs as a process of its own
 */
async function writeScript(script: string, kind: Kind, own: string, port: number): Promise<void> {
  const passOn = kind === "language" ? "exec cat <&3" : `while read -r line <&3; do echo "$line"; done`;
  await writeFile(
    script,
    `#!/usr/bin/env bash
if [[ -n \${KUBECAMP_TEST_OWN_PROCESSES:-} ]]; then exec '${own}' "$@"; fi
exec 3<>/dev/tcp/127.0.0.1/${port}
mapfile -d '' -t variables </proc/$$/environ
printf '%s\\0' ${kind} $PPID "\${@: -1}" "\${variables[@]}" '' >&3
${passOn}
`,
  );
  await chmod(script, 0o755);
}

interface Request {
  readonly kind: string;
  /** Process id of the `pulumi` that has started the script. */
  readonly pulumi: number;
  /** Address of its engine. */
  readonly engine: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** One plugin for one `pulumi`: it ends when Pulumi ends the script, or is gone. */
function serveOne(socket: Socket, { kind, engine, environment }: Request): void {
  const server = new Server(unlimited);
  const over = new AbortController();
  const ends: (() => unknown)[] = [() => over.abort("pulumi has ended"), () => server.forceShutdown()];
  if (kind === "kubernetes") {
    const log = logTo(engine, ends);
    const options = { version, log, environment, signal: over.signal, onCancel: () => undefined };
    server.addService(providerServices.ResourceProviderService, provider(options));
  } else if (kind === "buckets") {
    const open = endedBy(over.signal);
    const options = { version: ourVersion, log: logTo(engine, ends), open, onCancel: () => undefined };
    server.addService(providerServices.ResourceProviderService, service(options));
  } else {
    const output = new PassThrough();
    output.pipe(socket, { end: false });
    const runtime = languageRuntime(engine, { environment, stdout: output, stderr: output }, runWarmProgram);
    ends.unshift(runtime.stop);
    server.addService(languageServices.LanguageRuntimeService, runtime.service as UntypedServiceImplementation);
  }
  socket.once("close", () => {
    for (const end of ends) {
      end();
    }
  });
  server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
    if (error === null) {
      socket.write(`${port}\n`);
    } else {
      socket.destroy(error);
    }
  });
}

/** One whose connection ends with the plugin. */
function logTo(engine: string, ends: (() => unknown)[]): Log {
  const log = engineLog(engine);
  ends.push(log.close);
  return log;
}

/** Clients of S3 servers that end with the run, as a process of its own would. */
const endedBy =
  (over: AbortSignal): typeof openServer =>
  (configuration) => {
    const server = openServer(configuration);
    const until = (signal: AbortSignal) => AbortSignal.any([signal, over]);
    return { s3: (signal) => server.s3(until(signal)), users: (signal) => server.users(until(signal)) };
  };

/** Reads texts, each with a zero byte after it, up to the first empty one. */
async function requestOf(socket: Socket): Promise<Request> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>();
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => {
    chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    if (text.endsWith("\0\0")) {
      resolve(text.slice(0, -2).split("\0"));
    }
  });
  socket.once("close", () => reject(new Error("the script ended before it had said what it wants")));
  const [kind = "", pulumi, engine = "", ...variables] = await promise;
  const environment = Object.fromEntries(
    variables.map((variable) => [variable.slice(0, variable.indexOf("=")), variable.slice(variable.indexOf("=") + 1)]),
  );
  return { kind, pulumi: Number(pulumi), engine, environment };
}
