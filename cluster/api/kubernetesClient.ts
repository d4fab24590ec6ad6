import { createRequire, registerHooks } from "node:module";
import { extname } from "node:path";

type Config = typeof import("@kubernetes/client-node/dist/config.js");
type Fetch = typeof import("@kubernetes/client-node/dist/gen/http/isomorphic-fetch.js");
type Http = typeof import("@kubernetes/client-node/dist/gen/http/http.js");

const require = createRequire(import.meta.url);
const library = "@kubernetes/client-node/dist";

// The client's index loads 800 files of generated models, a third of the program's start, and its config.js loads them
// for two small ones. This loads only the parts in use.
const hooks = registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "./gen/index.js" && context.parentURL?.endsWith(`${library}/config.js`)
      ? // The compiler leaves this name as it is, and a package has JavaScript.
        next(import.meta.resolve(`./kubernetesClientConfiguration${extname(import.meta.filename)}`), context)
      : next(specifier, context),
});
export const { KubeConfig } = require(`${library}/config.js`) as Config;
export const { IsomorphicFetchHttpLibrary } = require(`${library}/gen/http/isomorphic-fetch.js`) as Fetch;
const http = require(`${library}/gen/http/http.js`) as Http;
export const { HttpMethod, RequestContext } = http;
export type KubeConfig = InstanceType<typeof KubeConfig>;
export type HttpMethod = import("@kubernetes/client-node").HttpMethod;
export type RequestContext = import("@kubernetes/client-node").RequestContext;
hooks.deregister();

export function requestTo(server: string, method: HttpMethod, path: string): RequestContext {
  const request = new RequestContext(server + path, method);
  request.setHeaderParam("User-Agent", "kubecamp");
  return request;
}

export const metadataAs = (kind: "PartialObjectMetadata" | "PartialObjectMetadataList") =>
  `application/json;as=${kind};g=meta.k8s.io;v=v1`;
