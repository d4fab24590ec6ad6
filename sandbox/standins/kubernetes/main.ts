/**
 * The sandbox's stand-in for the official Pulumi Kubernetes plugin, for machines that can't download it. Pulumi starts it
 * with the engine's address and reads the port from its output.
 */
import { createRequire } from "node:module";
import { engineLog } from "../../../buckets/protocol/engine.ts";
import { engineAddress, servePlugin } from "../../../buckets/protocol/serve.ts";
import { provider } from "./provider.ts";

const log = engineLog(engineAddress());
await log.say("INFO", "", "this is kubecamp's sandbox stand-in, not the official Kubernetes plugin");

// Pulumi expects the plugin to have the version of the program's SDK.
const { version }: { version: string } = createRequire(import.meta.url)("@pulumi/kubernetes/package.json");
servePlugin((shutDown) => provider({ version, log, environment: process.env, onCancel: shutDown }));
