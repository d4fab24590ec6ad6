import { readFile, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { execa } from "execa";
import { parseAllDocuments, stringify } from "yaml";
import { freePort } from "../../../sandbox/cluster/ports.ts";
import { clusterOf } from "../../../sandbox/sandbox.ts";
import type { Right } from "../../unit/deploy/manifests.ts";
import { until } from "../program/workloads.ts";
import { apiClient, isReady } from "../support/cluster/apiClient.ts";
import { lastLines } from "../support/lastLines.ts";
import type { TestSandbox } from "../support/sandbox.ts";

/**
 * One more API server on the etcd of the tests' cluster, which writes down what its authorizer is asked about one user.
 * Before RBAC decides it asks a webhook, which takes notes and has no opinion. So nothing is missed: an audit log would
 * not have the `create` of a server-side apply, nor `bind` and `escalate`.
 * @see https://kubernetes.io/docs/reference/access-authn-authz/authorization/#using-configuration-file-for-authorization
 */
export class FrontDoor {
  readonly #sandbox: TestSandbox;
  readonly #user: string;
  readonly #asked = new Map<string, Right>();
  readonly #notes = createServer((request, response) => {
    // The API server is killed at the end, maybe while it asks.
    this.#note(request, response).catch(() => response.destroy());
  });
  readonly #stop = new AbortController();
  #server: Promise<unknown> | undefined;
  #port = 0;

  constructor(sandbox: TestSandbox, user: string) {
    this.#sandbox = sandbox;
    this.#user = user;
  }

  /** Its address. */
  get url(): string {
    return `https://127.0.0.1:${this.#port}`;
  }

  /** The rights that it was asked about, each once. */
  get asked(): readonly Right[] {
    return [...this.#asked.values()];
  }

  /** @param folder for its files */
  async open(folder: string): Promise<void> {
    await new Promise<void>((resolve) => this.#notes.listen(0, "127.0.0.1", resolve).unref());
    this.#port = await freePort();
    const { binary, args } = await this.#original();
    const replaced = ["--authorization-mode=", "--secure-port="];
    const log = join(folder, "front-door.log");
    let hasEnded = false;
    this.#server = execa(
      // From the cluster's folder, so that whatever ends the cluster ends this too.
      binary,
      [
        ...args.filter((arg) => !replaced.some((start) => arg.startsWith(start))),
        `--secure-port=${this.#port}`,
        `--authorization-config=${await this.#configuration(folder)}`,
        // The cluster's own API server stays the one that pods would find.
        "--endpoint-reconciler-type=none",
      ],
      {
        stdin: "ignore",
        stdout: "ignore",
        stderr: { file: log },
        reject: false,
        cancelSignal: this.#stop.signal,
        killSignal: "SIGKILL",
      },
    ).then(() => {
      hasEnded = true;
    });
    const client = apiClient(this.#sandbox.kubeconfig, this.url);
    await until(async () => {
      if (hasEnded) {
        throw new Error(`the further API server has ended:\n${await lastLines(log)}`);
      }
      return isReady(client);
    });
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#server;
    this.#notes.closeAllConnections();
    this.#notes.close();
  }

  /** How kwokctl started the cluster's own. */
  async #original(): Promise<Component> {
    const { folder, name } = clusterOf(this.#sandbox.sandbox, this.#sandbox.tools);
    const documents = parseAllDocuments(await readFile(join(folder, "clusters", name, "kwok.yaml"), "utf8"));
    const components = documents.flatMap(
      (document) => (document.toJS() as { components?: Component[] }).components ?? [],
    );
    const found = components.find((component) => component.name === "kube-apiserver");
    if (found === undefined) {
      throw new Error("kwokctl's file has no kube-apiserver");
    }
    return found;
  }

  async #configuration(folder: string): Promise<string> {
    const { port } = this.#notes.address() as AddressInfo;
    const kubeConfigFile = join(folder, "notes-kubeconfig");
    const name = "notes";
    const kubeconfig = {
      apiVersion: "v1",
      kind: "Config",
      "current-context": name,
      contexts: [{ name, context: { cluster: name, user: name } }],
      clusters: [{ name, cluster: { server: `http://127.0.0.1:${port}` } }],
      users: [{ name, user: {} }],
    };
    const webhook = {
      timeout: "10s",
      // The least there is: what was asked a moment ago is known.
      authorizedTTL: "1s",
      unauthorizedTTL: "1s",
      subjectAccessReviewVersion: "v1",
      matchConditionSubjectAccessReviewVersion: "v1",
      failurePolicy: "Deny",
      connectionInfo: { type: "KubeConfigFile", kubeConfigFile },
      matchConditions: [{ expression: `request.user == '${this.#user}'` }],
    };
    const configuration = {
      apiVersion: "apiserver.config.k8s.io/v1",
      kind: "AuthorizationConfiguration",
      authorizers: [
        { type: "Webhook", name, webhook },
        { type: "RBAC", name: "rbac" },
      ],
    };
    const path = join(folder, "authorization.yaml");
    await writeFile(kubeConfigFile, stringify(kubeconfig));
    await writeFile(path, stringify(configuration));
    return path;
  }

  async #note(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const review = JSON.parse(await text(request)) as { spec: { resourceAttributes?: Attributes } };
    const attributes = review.spec.resourceAttributes;
    if (attributes !== undefined) {
      this.#asked.set(JSON.stringify(attributes), rightOf(attributes));
    }
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify({ ...review, status: { allowed: false, denied: false } }));
  }
}

/** A process of the cluster, as kwokctl's own file has it. */
interface Component {
  readonly name: string;
  readonly binary: string;
  readonly args: readonly string[];
}

/** @see https://kubernetes.io/docs/reference/kubernetes-api/authorization-resources/subject-access-review-v1/ */
interface Attributes {
  readonly verb: string;
  readonly group?: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly name?: string;
  readonly namespace?: string;
}

function rightOf({ verb, group = "", resource, subresource, name, namespace }: Attributes): Right {
  return {
    verb,
    group,
    resource: subresource === undefined ? resource : `${resource}/${subresource}`,
    ...(name === undefined ? {} : { name }),
    ...(namespace === undefined ? {} : { namespace }),
  };
}
