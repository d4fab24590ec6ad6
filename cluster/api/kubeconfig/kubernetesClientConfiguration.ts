import { createConfiguration } from "@kubernetes/client-node/dist/gen/configuration.js";
import { ServerConfiguration } from "@kubernetes/client-node/dist/gen/servers.js";

/** Stands in for the client's gen/index.js: all that its config.js needs of the generated code. */
export { createConfiguration, ServerConfiguration };
