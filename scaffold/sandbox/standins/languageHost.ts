/**
 * The sandbox's stand-in for pulumi-language-nodejs, which only comes with Pulumi's own installer. Pulumi starts it with the
 * engine's address and reads the port from its output. It runs programs and nothing else: no code generation, no debugger.
 */
import { parseArgs } from "node:util";
import { Server, ServerCredentials, type UntypedServiceImplementation } from "@grpc/grpc-js";
import languageServices from "@pulumi/pulumi/proto/language_grpc_pb.js";
import { languageRuntime } from "./language/service.ts";

// Other flags, such as --tracing, are Pulumi's to add: they must not stop us.
const { positionals } = parseArgs({ allowPositionals: true, strict: false });
const engineAddress = positionals.at(-1) ?? "";

const unlimited = { "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 };
const server = new Server(unlimited);
const runtime = languageRuntime(engineAddress, {
  environment: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
});
// The server answers the methods that are not there with 'unimplemented', as Pulumi expects.
server.addService(languageServices.LanguageRuntimeService, runtime.service as UntypedServiceImplementation);
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  process.stdout.write(`${port}\n`);
});

// Pulumi ends its plugins with SIGINT, and waits five seconds for those that don't heed it.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, shutDown);

/** A Pulumi that was killed says no goodbye: we become somebody else's child. */
const parent = process.ppid;
setInterval(() => process.ppid !== parent && shutDown(), 1000).unref();

function shutDown(): void {
  void runtime.stop().finally(() => process.exit(0));
}
