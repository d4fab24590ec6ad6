/**
 * The plugin of buckets/resources.ts: Pulumi starts it with the engine's address, and reads its port from the output.
 */
import { createRequire } from "node:module";
import { engineLog } from "../protocol/engine.ts";
import { engineAddress, servePlugin } from "../protocol/serve.ts";
import { openServer } from "../s3/server.ts";
import { service } from "./service.ts";

const { version }: { version: string } = createRequire(import.meta.url)("../../package.json");
const log = engineLog(engineAddress());
servePlugin((shutDown) => service({ version, log, open: openServer, onCancel: shutDown }));
