import { createRequire } from "node:module";
import { PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import {
  type handleUnaryCall,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServiceDefinition,
  status,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import languageServices from "@pulumi/pulumi/proto/language_grpc_pb.js";
import type { LanguageHandshakeRequest } from "@pulumi/pulumi/proto/language_pb.js";
import type { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb.js";
import providerServices from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import emptyMessages, { type Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import { engineLog } from "../../../protocol/engine.ts";
import type { PluginChoice } from "../../../sandbox/plugins/pluginChoice.ts";
import { provider } from "../../../sandbox/standins/kubernetes/provider.ts";
import { languageRuntime } from "../../../sandbox/standins/language/service.ts";

export interface AttachedStandIns {
  /** Variables by which `pulumi` finds them. */
  readonly environment: Record<string, string>;
  /** Ends them, and gives all that the program has printed past Pulumi. */
  stop(): Promise<string>;
}

const { version }: { version: string } = createRequire(import.meta.url)("@pulumi/kubernetes/package.json");
const unlimited = { "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 };

/**
 * Serves our stand-ins for one `pulumi` in the test's own process, where their code is warm. Starting them anew costs a
 * quarter of a small run's CPU. Official plugins are started by Pulumi as ever.
 * @see https://www.pulumi.com/docs/iac/cli/environment-variables/ PULUMI_DEBUG_PROVIDERS, PULUMI_DEBUG_LANGUAGES
 */
export async function attachStandIns(
  { kubernetes, languageHost }: PluginChoice,
  environment: NodeJS.ProcessEnv,
): Promise<AttachedStandIns> {
  if (kubernetes === "official" && languageHost === "official") {
    return { environment: {}, stop: async () => "" };
  }
  const server = new Server(unlimited);
  const over = new AbortController();
  const output = new PassThrough();
  const printed = buffer(output);
  const runtimes: { stop(): Promise<void> }[] = [];

  // Each attachment is a connection of its own, with its own configuration, as each plugin is a process of its own.
  const providers = byConnection(providerServices.ResourceProviderService, "attach", (request: PluginAttach) => {
    const log = engineLog(request.getAddress());
    const attach: handleUnaryCall<PluginAttach, Empty> = (_, answer) => answer(null, new emptyMessages.Empty());
    return { ...provider({ version, log, environment, signal: over.signal, onCancel: () => undefined }), attach };
  });
  const hosts = byConnection(
    languageServices.LanguageRuntimeService,
    "handshake",
    (request: LanguageHandshakeRequest) => {
      const caller = { environment, stdout: output, stderr: output };
      const runtime = languageRuntime(request.getEngineAddress(), caller);
      runtimes.push(runtime);
      return runtime.service as UntypedServiceImplementation;
    },
  );
  server.addService(providerServices.ResourceProviderService, providers);
  server.addService(languageServices.LanguageRuntimeService, hosts);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) =>
    error === null ? resolve(port) : reject(error),
  );
  const port = await promise;
  return {
    environment: {
      ...(kubernetes === "stand-in" ? { PULUMI_DEBUG_PROVIDERS: `kubernetes:${port}` } : {}),
      ...(languageHost === "stand-in" ? { PULUMI_DEBUG_LANGUAGES: `nodejs:${port}` } : {}),
    },
    stop: async () => {
      await Promise.all(runtimes.map((runtime) => runtime.stop()));
      // Watches and waits of theirs would go on in the test's process.
      over.abort("pulumi has ended");
      server.forceShutdown();
      output.end();
      return (await printed).toString();
    },
  };
}

/**
 * A service that is implemented anew for each connection.
 * @param first the call with which Pulumi begins a connection
 */
function byConnection<First>(
  service: ServiceDefinition,
  first: string,
  implement: (request: First) => UntypedServiceImplementation,
): UntypedServiceImplementation {
  const connections = new Map<string, UntypedServiceImplementation>();
  const dispatch =
    (name: string): handleUnaryCall<unknown, unknown> =>
    (call, answer) => {
      const peer = call.getPeer();
      if (name === first) connections.set(peer, implement((call as ServerUnaryCall<First, unknown>).request));
      const method = connections.get(peer)?.[name] as handleUnaryCall<unknown, unknown> | undefined;
      if (method === undefined) answer({ code: status.UNIMPLEMENTED, details: `${name} is not implemented` });
      else method(call, answer);
    };
  const unaryMethods = Object.entries(service).filter(([, method]) => !method.responseStream && !method.requestStream);
  return Object.fromEntries(unaryMethods.map(([name]) => [name, dispatch(name)]));
}
