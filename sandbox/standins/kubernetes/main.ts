/**
 * The sandbox's stand-in for the official Pulumi Kubernetes plugin, for machines that cannot download it.
 * Pulumi starts it with the engine's address and reads the port from its output.
 */
import { fstatSync } from "node:fs";
import { createRequire } from "node:module";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import providerServices from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import { engineLog } from "./engine.ts";
import { provider } from "./provider.ts";

const engineAddress = process.argv.slice(2).findLast((argument) => !argument.startsWith("-"));
if (!engineAddress) {
  process.stderr.write("usage: main.ts ENGINE_ADDRESS (Pulumi starts this plugin, not a person)\n");
  process.exit(2);
}
const log = engineLog(engineAddress);
await log.say("INFO", "", "this is kubecamp's sandbox stand-in, not the official Kubernetes plugin");

// The program's own SDK sets the version that Pulumi expects of the plugin.
const { version }: { version: string } = createRequire(import.meta.url)("@pulumi/kubernetes/package.json");
const unlimited = { "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 };
const server = new Server(unlimited);
server.addService(providerServices.ResourceProviderService, provider({ version, log, onCancel: shutDown }));
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  process.stdout.write(`${port}\n`);
});

process.on("SIGTERM", shutDown);
exitWithParent();

/** Lets what is under way answer, but not for long. */
function shutDown(): void {
  server.tryShutdown(() => process.exit(0));
  setTimeout(() => process.exit(0), 1000).unref();
}

/** A Pulumi that was killed says no goodbye: its end of our input closes, or we are somebody else's child. */
function exitWithParent(): void {
  const input = fstatSync(0);
  if (input.isFIFO() || input.isSocket()) process.stdin.on("end", () => process.exit(0)).resume();
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && process.exit(0), 1000).unref();
}
