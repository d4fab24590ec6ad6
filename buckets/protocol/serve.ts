/** A plugin's process: started by Pulumi with the engine's address, it tells its port on standard output. */
import { fstatSync } from "node:fs";
import { Server, ServerCredentials, type UntypedServiceImplementation } from "@grpc/grpc-js";
import providerServices from "@pulumi/pulumi/proto/provider_grpc_pb.js";

/** The address that Pulumi gives; without one, whoever started this is told who should have. */
export function engineAddress(): string {
  const address = process.argv.slice(2).findLast((argument) => !argument.startsWith("-"));
  if (address) return address;
  process.stderr.write("usage: main.ts ENGINE_ADDRESS (Pulumi starts this plugin, not a person)\n");
  process.exit(2);
}

/** Serves until Pulumi wants no more of it (`shutDown`, which the implementation calls), or is gone itself. */
export function servePlugin(implementation: (shutDown: () => void) => UntypedServiceImplementation): void {
  const unlimited = { "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 };
  const server = new Server(unlimited);
  /** Lets what is under way answer, but not for long. */
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

/** A Pulumi that was killed says no goodbye: its end of our input closes, or we are somebody else's child. */
function exitWithParent(): void {
  const input = fstatSync(0);
  if (input.isFIFO() || input.isSocket()) process.stdin.on("end", () => process.exit(0)).resume();
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && process.exit(0), 1000).unref();
}
