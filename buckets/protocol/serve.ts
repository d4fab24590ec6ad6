/** A plugin's process: Pulumi starts it with the engine's address and reads its port from standard output. */
import { fstatSync } from "node:fs";
import { Server, ServerCredentials, type UntypedServiceImplementation } from "@grpc/grpc-js";
import providerServices from "@pulumi/pulumi/proto/provider_grpc_pb.js";

export function engineAddress(): string {
  const address = process.argv.slice(2).findLast((argument) => !argument.startsWith("-"));
  if (address) {
    return address;
  }
  process.stderr.write("usage: main.ts ENGINE_ADDRESS (Pulumi starts this plugin, not a person)\n");
  process.exit(2);
}

/** Milliseconds for running requests after Pulumi's Cancel: 30 seconds to take a bucket back, and some to answer. */
const patience = 35_000;

/** Serves until the implementation calls `shutDown` on Pulumi's request, or Pulumi is gone. */
export function servePlugin(implementation: (shutDown: () => void) => UntypedServiceImplementation): void {
  const unlimited = { "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 };
  const server = new Server(unlimited);
  const shutDown = () => shutDownServer(server, () => process.exit(0));
  server.addService(providerServices.ResourceProviderService, implementation(shutDown));
  server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
    if (error) {
      throw error;
    }
    process.stdout.write(`${port}\n`);
  });
  process.on("SIGTERM", shutDown);
  exitWithParent();
}

/**
 * Lets running requests answer first. Pulumi waits for them after its Cancel, and ends the process itself after that.
 * @see https://github.com/pulumi/pulumi/blob/v3.270.0/pkg/resource/deploy/deployment_executor.go
 */
export function shutDownServer(server: Pick<Server, "tryShutdown">, exit: () => void): void {
  server.tryShutdown(exit);
  setTimeout(exit, patience).unref();
}

/** A killed Pulumi sends nothing: its end of our standard input closes, or our parent process changes. */
function exitWithParent(): void {
  const input = fstatSync(0);
  if (input.isFIFO() || input.isSocket()) {
    process.stdin.on("end", () => process.exit(0)).resume();
  }
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && process.exit(0), 1000).unref();
}
