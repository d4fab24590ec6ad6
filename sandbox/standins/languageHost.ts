/**
 * The sandbox's stand-in for pulumi-language-nodejs, which comes only with Pulumi's own installer. Pulumi starts it with the
 * engine's address and reads the port from its output. It only runs programs: no code generation, no debugger.
 */
import { parseArgs } from "node:util";
import { Server, ServerCredentials, type UntypedServiceImplementation } from "@grpc/grpc-js";
import languageServices from "@pulumi/pulumi/proto/language_grpc_pb.js";
import { languageRuntime } from "./language/service.ts";

// Pulumi may add further flags, such as --tracing: they must not stop the start.
const { positionals } = parseArgs({ allowPositionals: true, strict: false });
const engineAddress = positionals.at(-1) ?? "";

const unlimited = { "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 };
const server = new Server(unlimited);
const runtime = languageRuntime(engineAddress, {
  environment: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
});
// The server answers missing methods with 'unimplemented', as Pulumi expects.
server.addService(languageServices.LanguageRuntimeService, runtime.service as UntypedServiceImplementation);
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
  if (error) {
    throw error;
  }
  process.stdout.write(`${port}\n`);
});

// Pulumi ends its plugins with SIGINT, and waits five seconds for those that don't end.
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, shutDown);
}

/** A killed Pulumi sends no signal: our parent process changes. */
const parent = process.ppid;
setInterval(() => process.ppid !== parent && shutDown(), 1000).unref();

function shutDown(): void {
  void runtime.stop().finally(() => process.exit(0));
}
