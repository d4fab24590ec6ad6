import { createServer } from "node:https";
import { text } from "node:stream/consumers";
import { listening } from "../../../support/listening.ts";
import type { TestStack } from "../../program/stack.ts";
import { until } from "../../program/workloads.ts";
import { certificate } from "../signIn/issuer.ts";

interface Ingress {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: {
    readonly ingressClassName?: string;
    readonly rules?: readonly {
      readonly host?: string;
      readonly http?: { readonly paths: readonly { path?: string }[] };
    }[];
  };
}

interface Review {
  readonly request: {
    readonly uid: string;
    readonly kind: { readonly kind: string };
    readonly operation: string;
    readonly dryRun?: boolean;
    readonly object: Ingress & { readonly spec: { readonly type?: string } };
  };
}

/**
 * ingress-nginx's webhook, as far as its rule goes that no two Ingresses of its class have one host and path; it stands on
 * 127.0.0.1 and judges the objects of one stack alone.
 */
export class PathWebhook {
  /** Its refusals, those of previews included. */
  readonly refused: string[] = [];
  /** Runs when a route's Service is made beside the controller, with its name; false refuses the Service. */
  onRoute: (service: string) => Promise<unknown> = async () => undefined;
  readonly #stack: TestStack;
  #close: () => void = () => undefined;

  constructor(stack: TestStack) {
    this.#stack = stack;
  }

  get #name(): string {
    return `paths-${this.#stack.name}`;
  }

  async start(): Promise<void> {
    const { cert, key } = await certificate();
    // An idle connection that we closed might be the one that the API server is about to use; it closes them itself.
    const server = createServer({ cert, key, keepAliveTimeout: 0 }, (request, response) => {
      const answered = text(request).then((body) => this.#judge(JSON.parse(body) as Review));
      answered.then(
        (answer) => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer)),
        (error) => response.writeHead(500).end(String(error)),
      );
    });
    const url = `https://127.0.0.1:${await listening(server.unref())}/`;
    this.#close = () => {
      server.closeAllConnections();
      server.close();
    };
    const operations = ["CREATE", "UPDATE"];
    await this.#stack.sandbox.apply({
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: { name: this.#name },
      webhooks: [
        {
          name: "paths.kubecamp.test",
          clientConfig: { url, caBundle: Buffer.from(cert).toString("base64") },
          objectSelector: { matchLabels: { "kubecamp.dev/stack": this.#stack.name } },
          rules: [
            { apiGroups: ["networking.k8s.io"], apiVersions: ["v1"], resources: ["ingresses"], operations },
            { apiGroups: [""], apiVersions: ["v1"], resources: ["services"], operations },
          ],
          sideEffects: "None",
          admissionReviewVersions: ["v1"],
          timeoutSeconds: 30,
        },
      ],
    });
    // The API server takes a moment to notice.
    await until(async () => this.#isAsked());
    this.refused.length = 0;
  }

  async stop(): Promise<void> {
    // First, whatever becomes of the configuration.
    this.#close();
    const configurations = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
    await this.#stack.sandbox.remove(`${configurations}/${this.#name}`);
  }

  /** Whether a second Ingress with the path of a first would be refused. */
  async #isAsked(): Promise<boolean> {
    const ingress = (name: string) => ({
      apiVersion: "networking.k8s.io/v1",
      kind: "Ingress",
      metadata: { name, namespace: "default", labels: { "kubecamp.dev/stack": this.#stack.name } },
      spec: {
        ingressClassName: "nginx",
        rules: [{ host: "try.test", http: { paths: [{ path: "/", pathType: "Prefix", backend }] } }],
      },
    });
    const { apply, ask, destroy } = this.#stack.sandbox;
    await apply(ingress("first"));
    const second = await ask("POST", "/apis/networking.k8s.io/v1/namespaces/default/ingresses?dryRun=All", {
      headers: { "content-type": "application/json" },
      body: JSON.stringify(ingress("second")),
    });
    await destroy("ingress", "first");
    return /host "try.test" and path "\/" is already defined/.test(
      (JSON.parse(second.body) as { message?: string }).message ?? "",
    );
  }

  async #judge({ request }: Review): Promise<object> {
    const { uid, kind, object, dryRun } = request;
    const { name, namespace } = object.metadata;
    if (kind.kind === "Service") {
      if (object.spec.type === "ExternalName" && dryRun !== true) {
        const isAllowed = (await this.onRoute(name)) !== false;
        return review({ uid, allowed: isAllowed, status: { code: 403, message: "not now" } });
      }
      return review({ uid, allowed: true });
    }
    const { items } = JSON.parse(await this.#stack.sandbox.read("/apis/networking.k8s.io/v1/ingresses")) as {
      items: readonly Ingress[];
    };
    const others = items.filter(({ metadata }) => metadata.name !== name || metadata.namespace !== namespace);
    const places = hostPathsOf(object);
    for (const other of object.spec.ingressClassName === "nginx" ? others : []) {
      const both = hostPathsOf(other).find((place) => places.includes(place));
      if (both !== undefined && other.spec.ingressClassName === "nginx") {
        const [host, path] = both.split(" ");
        const { metadata } = other;
        const message = `host "${host}" and path "${path}" is already defined in ingress ${metadata.namespace}/${metadata.name}`;
        this.refused.push(`${namespace}/${name}: ${message}`);
        return review({ uid, allowed: false, status: { code: 400, message } });
      }
    }
    return review({ uid, allowed: true });
  }
}

const backend = { service: { name: "web", port: { number: 80 } } };

const review = (response: object) => ({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response });

const hostPathsOf = ({ spec: { rules = [] } }: Ingress) =>
  rules.flatMap(({ host, http }) => (http?.paths ?? []).map(({ path }) => `${host} ${path}`));
