/** An API server of a few lines, for what a real one cannot be made to do: count the calls, and have no controllers. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Props } from "../../../../../../buckets/protocol/values.ts";
import { kubeconfigText } from "./kubeconfigs.ts";

interface FakeApi {
  kubeconfig: string;
  /** All requests so far: method and path with query. */
  requests: string[];
  /** Deletes an object, and tells who watches its kind. @param path such as `/api/v1/namespaces/any/configmaps/one` */
  remove(path: string): void;
  close(): void;
}

/** It knows ConfigMaps, ResourceQuotas and Services, and keeps what it is given. */
export async function fakeApi(): Promise<FakeApi> {
  const requests: string[] = [];
  const stored = new Map<string, Props>();
  const watches: { readonly collection: string; readonly response: ServerResponse }[] = [];
  const server = createServer(async (request, response) => {
    const path = request.url ?? "";
    requests.push(`${request.method} ${path}`);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const answer = (code: number, body: unknown): void => {
      response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    if (path === "/api") return answer(200, discovery);
    if (path === "/apis") return answer(200, { items: [] });
    const [collection = ""] = path.split("?");
    // A watch tells only of what is removed: everything else the stand-in makes before it watches.
    if (path.includes("watch=true")) {
      watches.push({ collection, response });
      return response.writeHead(200).flushHeaders();
    }
    if (request.method === "GET" && /s$/.test(collection)) {
      const items = [...stored].flatMap(([key, object]) => (key.startsWith(`${collection}/`) ? [object] : []));
      return answer(200, { metadata: {}, items });
    }
    if (request.method !== "POST") return answer(stored.has(path) ? 200 : 404, stored.get(path) ?? {});
    const object = JSON.parse(Buffer.concat(chunks).toString());
    stored.set(`${collection}/${object.metadata.name}`, object);
    answer(201, object);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const remove = (path: string): void => {
    const object = stored.get(path);
    stored.delete(path);
    for (const { collection, response } of watches) {
      if (path.startsWith(`${collection}/`)) response.write(`${JSON.stringify({ type: "DELETED", object })}\n`);
    }
  };
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { kubeconfig: kubeconfigText(`http://127.0.0.1:${port}`, undefined, "any"), requests, remove, close };
}

const discovery = {
  items: [
    {
      versions: [
        {
          version: "v1",
          resources: ["ConfigMap", "ResourceQuota", "Service"].map((kind) => ({
            resource: `${kind.toLowerCase()}s`,
            responseKind: { kind },
            scope: "Namespaced",
          })),
        },
      ],
    },
  ],
};
