/** A plugin's process: Pulumi starts it with the engine's address and reads its port from standard output. */
import { fstatSync } from "node:fs";
import { Server, ServerCredentials, type UntypedServiceImplementation } from "@grpc/grpc-js";
import providerServices from "@pulumi/pulumi/proto/provider_grpc_pb.js";

/** The engine's address from the command line; without one, prints a usage message and exits. */
export function engineAddress(): string {
  const address = process.argv.slice(2).findLast((argument) => !argument.startsWith("-"));
  if (address) return address;
  process.stderr.write("usage: main.ts ENGINE_ADDRESS (Pulumi starts this plugin, not a person)\n");
  process.exit(2);
}

/** Serves until the implementation calls `shutDown` on Pulumi's request, or Pulumi is gone. */
export function servePlugin(implementation: (shutDown: () => void) => UntypedServiceImplementation): void {
  const unlimited = { "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 };
  const server = new Server(unlimited);
  /** Lets running requests answer, for a second at most. */
  const shutDown = (): void => {
    server.tryShutdown(() => process.exit(0));
    setTimeout(() => process.exit(0), 1000).unref();
  };
  server.addService(providerServices.ResourceProviderService, implementation(shutDown));
  server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
    if (error) throw error;
    process.stdout.write(`${port}\n`);
  });
  process.on("SIGTERM", shutDown);
  exitWithParent();
}

/** A killed Pulumi sends nothing: its end of our standard input closes, or our parent process changes. */
function exitWithParent(): void {
  const input = fstatSync(0);
  if (input.isFIFO() || input.isSocket()) process.stdin.on("end", () => process.exit(0)).resume();
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && process.exit(0), 1000).unref();
}
