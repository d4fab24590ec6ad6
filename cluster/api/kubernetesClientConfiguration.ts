import { createConfiguration } from "@kubernetes/client-node/dist/gen/configuration.js";
import { ServerConfiguration } from "@kubernetes/client-node/dist/gen/servers.js";

/** Replaces the client's gen/index.js, with all that its config.js needs of the generated code. */
export { createConfiguration, ServerConfiguration };
