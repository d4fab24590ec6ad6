import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { resourceOf } from "../../../cluster/kinds/kinds.ts";
import { stackKindsWhere } from "../../../cluster/kinds/stackKinds.ts";

/** The server's answer to one request. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;

export const metadataList = (...items: object[]) => ({ kind: "PartialObjectMetadataList", items });
export const kubeSystem = { metadata: { name: "kube-system", uid: "1234", labels: {} } };
/** Answers of a cluster without members, by the last part of the path: a list of every kind that all clusters have. */
export const emptyCluster: Readonly<Record<string, object>> = {
  ...Object.fromEntries(
    stackKindsWhere(({ isOptional }) => !isOptional).map((kind) => [
      resourceOf(kind),
      { kind: `${kind}List`, items: [] },
    ]),
  ),
  namespaces: metadataList(kubeSystem),
  pods: metadataList(),
  persistentvolumeclaims: { kind: "PersistentVolumeClaimList", items: [] },
  replicasets: { kind: "ReplicaSetList", items: [] },
  replicationcontrollers: { kind: "ReplicationControllerList", items: [] },
};

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Answer => {
  return (_, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  };
};

/** An answer to a watch that goes on: lines now, and more of them, or its end, by what a test does with `response`. */
export const stream = (...lines: readonly (object | string)[]): Answer => {
  return (_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).flushHeaders();
    for (const line of lines) {
      response.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
    }
  };
};

/** A request that is more than a question. */
interface Written {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly contentType: string | undefined;
  readonly body: string;
  readonly token: string | undefined;
}

/**
 * A server for each test of the suite that calls this, which KUBECONFIG leads to meanwhile. None outlives its test: a
 * request of the one before that is late would take an answer of the next.
 */
export function useApiServer(): FakeApiServer {
  const server = new FakeApiServer();
  const { KUBECONFIG } = process.env;
  beforeEach(async () => {
    await server.start();
    process.env.KUBECONFIG = await server.kubeconfig();
  });
  afterEach(async () => {
    await server.stop();
    server.reset();
    restore("KUBECONFIG", KUBECONFIG);
  });
  return server;
}

/** Gives a variable of the environment the value that it had, or none. */
export function restore(name: string, value: string | undefined): void {
  if (value === undefined) {
    delete process.env[name];
  } else {
    process.env[name] = value;
  }
}

/** A server on 127.0.0.1 that says what a test has it say, and a kubeconfig that leads there. */
export class FakeApiServer {
  /** Paths that were asked for, in their order. */
  readonly asked: string[] = [];
  readonly tokens: (string | undefined)[] = [];
  /** All but the GETs, in their order. */
  readonly writes: Written[] = [];
  folder = "";
  /** Requests whose answer has not ended, and whose connection is open. */
  underWay = 0;
  #http: Server | undefined;
  #answers: Record<string, Answer[]> = {};

  /**
   * Sets the answers of a kind, each given once; after that, and for all other kinds, the cluster is empty. `watch services`
   * sets those of a watch of services; after that, and for all other watches, nothing happens.
   */
  answers(kind: string, ...answers: Answer[]): void {
    this.#answers[kind] = answers;
  }

  /** @param port any that is free by default */
  async start(port = 0): Promise<void> {
    this.folder = await mkdtemp(join(tmpdir(), "kubecamp-unit-"));
    this.#http = createServer(async (request, response) => {
      this.underWay++;
      response.on("close", () => this.underWay--);
      const [path = "", query = ""] = (request.url ?? "").split("?");
      const isWatch = query.includes("watch=true");
      const kind = `${isWatch ? "watch " : ""}${path.split("/").at(-1) ?? ""}`;
      this.asked.push(kind);
      this.tokens.push(request.headers.authorization);
      if (request.method !== "GET") {
        const { method, url, headers } = request;
        const { "content-type": contentType, authorization: token } = headers;
        this.writes.push({ method, url, contentType, body: await text(request), token });
      }
      const otherwise = isWatch ? stream() : json(emptyCluster[kind], kind in emptyCluster ? 200 : 404);
      const answer = this.#answers[kind]?.shift() ?? otherwise;
      answer(request, response);
    });
    await new Promise<void>((resolve) => this.#http?.listen(port, "127.0.0.1", resolve));
  }

  async stop(): Promise<void> {
    this.#http?.closeAllConnections();
    await new Promise((resolve) => this.#http?.close(resolve));
    await rm(this.folder, { recursive: true });
  }

  reset(): void {
    this.#answers = {};
    this.asked.length = 0;
    this.tokens.length = 0;
    this.writes.length = 0;
  }

  get url(): string {
    const address = this.#http?.address();
    return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  }

  /** Writes a kubeconfig, and gives its path. */
  async kubeconfig(user: object = {}, server = this.url): Promise<string> {
    const path = join(this.folder, "config");
    const config = {
      "current-context": "here",
      contexts: [{ name: "here", context: { cluster: "fake", user: "somebody" } }],
      clusters: [{ name: "fake", cluster: { server } }],
      users: [{ name: "somebody", user }],
    };
    await writeFile(path, JSON.stringify(config));
    return path;
  }
}
