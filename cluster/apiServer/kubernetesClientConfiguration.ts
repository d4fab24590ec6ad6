import { createConfiguration } from "@kubernetes/client-node/dist/gen/configuration.js";
import { ServerConfiguration } from "@kubernetes/client-node/dist/gen/servers.js";

/** All that the client's config.js needs of its generated code. */
export { createConfiguration, ServerConfiguration };
