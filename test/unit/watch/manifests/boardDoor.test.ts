import assert from "node:assert/strict";
import type { Configuration } from "../../../../config/settings.ts";
import { valueAt } from "../../../../config/values/mistakes.ts";
import { type Manifest, printed } from "../../deploy/manifests.ts";
import { configuration } from "../../samples.ts";

describe("kubecamp watch manifests of a stack with a board", () => {
  const boards = { host: "board.example.org", admins: ["tina"] };
  const signIn = "https://apps.example.org/oauth2/start";
  const withBoard = (route: object, more: object = {}) =>
    configuration({
      members: [{ member: "bob", type: "user" }],
      route: { host: "{member}.apps.example.org", ...route },
      board: boards,
      ...more,
    });
  const ofBoard = (stack: Configuration, name = "kubecamp-watch") => {
    const { objects } = printed(stack, { name, image: "ghcr.io/example/kubecamp:1" });
    const { board: _, ...settings } = stack.settings;
    const without = printed({ ...stack, settings }, { name, image: "ghcr.io/example/kubecamp:1" }).objects;
    const isNew = (object: Manifest) => !without.some((other) => JSON.stringify(other) === JSON.stringify(object));
    return objects.filter(isNew);
  };
  const labels = { "app.kubernetes.io/name": "kubecamp-watch", "app.kubernetes.io/part-of": "kubecamp" };

  it("lets the board be reached through the stack's controller and its login alone", () => {
    const login = { kind: "oauth2-proxy", url: "http://proxy.login.svc:4180", signIn, allow: ["staff"] };
    const nginx = withBoard(
      {
        login,
        tls: { clusterIssuer: "letsencrypt" },
        limits: { bodyMiB: 8 },
        backendProtocol: "HTTPS",
        rewrite: "strip",
      },
      { network: { ingressPodLabels: { app: "nginx" } } },
    );
    const [deployment, policy, service, ...beside] = ofBoard(nginx);
    assert.deepEqual(valueAt(deployment, ["spec", "template", "spec", "containers", 0, "ports"]), [
      { name: "http", containerPort: 9464 },
      { name: "board", containerPort: 9465 },
    ]);
    assert.deepEqual(valueAt(policy, ["spec"]), {
      podSelector: { matchLabels: { "app.kubernetes.io/name": "kubecamp-watch" } },
      policyTypes: ["Ingress"],
      ingress: [
        {
          from: [
            {
              namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "monitoring" } },
              podSelector: { matchLabels: { "app.kubernetes.io/name": "prometheus" } },
            },
          ],
          ports: [{ port: 9464, protocol: "TCP" }],
        },
        {
          from: [
            {
              namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "ingress-nginx" } },
              podSelector: { matchLabels: { app: "nginx" } },
            },
          ],
          ports: [{ port: 9465, protocol: "TCP" }],
        },
      ],
    });
    assert.deepEqual(service, {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "kubecamp-watch-board", namespace: "kubecamp-system", labels },
      spec: {
        selector: { "app.kubernetes.io/name": "kubecamp-watch" },
        publishNotReadyAddresses: true,
        ports: [{ name: "board", port: 9465, targetPort: "board", protocol: "TCP" }],
      },
    });
    const backend = { service: { name: "kubecamp-watch-board", port: { number: 9465 } } };
    assert.deepEqual(beside, [
      {
        apiVersion: "v1",
        kind: "Service",
        metadata: { name: "kubecamp-watch-board", namespace: "ingress-nginx", labels },
        spec: {
          type: "ExternalName",
          externalName: "kubecamp-watch-board.kubecamp-system.svc.cluster.local.",
          ports: [{ name: "http", port: 9465, protocol: "TCP", targetPort: 9465 }],
        },
      },
      {
        apiVersion: "networking.k8s.io/v1",
        kind: "Ingress",
        metadata: {
          name: "kubecamp-watch.board",
          namespace: "ingress-nginx",
          labels,
          annotations: {
            "nginx.ingress.kubernetes.io/auth-url": "http://proxy.login.svc:4180/oauth2/auth",
            "nginx.ingress.kubernetes.io/auth-signin": signIn,
            "nginx.ingress.kubernetes.io/auth-response-headers":
              "X-Auth-Request-User,X-Auth-Request-Email,X-Auth-Request-Groups,X-Auth-Request-Preferred-Username",
            "cert-manager.io/cluster-issuer": "letsencrypt",
          },
        },
        spec: {
          ingressClassName: "nginx",
          tls: [{ hosts: ["board.example.org"], secretName: "board.example.org-tls" }],
          rules: [{ host: "board.example.org", http: { paths: [{ path: "/", pathType: "Prefix", backend }] } }],
        },
      },
    ]);
  });

  it("lets Traefik ask the login by a Middleware of a name that no member's has", () => {
    const login = { kind: "oauth2-proxy", url: "http://proxy.login.svc:4180", allow: "member" };
    const stack = withBoard(
      { controller: "traefik", place: "controller", login },
      { members: [{ member: "bob", type: "user", subject: "bob@example.org" }] },
    );
    const [, policy, , , middleware, ingress] = ofBoard(stack, "camp-b");
    // Without labels of the controller's pods, every pod of its namespace.
    assert.deepEqual(valueAt(policy, ["spec", "ingress", 1, "from"]), [
      { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "traefik" } } },
    ]);
    assert.deepEqual(
      [middleware?.apiVersion, middleware?.kind, middleware?.metadata.namespace, middleware?.metadata.name],
      ["traefik.io/v1alpha1", "Middleware", "traefik", "0-camp-b-board"],
    );
    assert.deepEqual(valueAt(middleware, ["spec"]), {
      forwardAuth: {
        address: "http://proxy.login.svc:4180/",
        authResponseHeaders: [
          "X-Auth-Request-User",
          "X-Auth-Request-Email",
          "X-Auth-Request-Groups",
          "X-Auth-Request-Preferred-Username",
        ],
      },
    });
    assert.deepEqual(valueAt(ingress, ["metadata", "annotations"]), {
      "traefik.ingress.kubernetes.io/router.middlewares": "traefik-0-camp-b-board@kubernetescrd",
    });
    assert.equal(valueAt(ingress, ["spec", "tls"]), undefined);
  });

  it("has both controllers that serve paths serve the board, each where it has its Ingresses", () => {
    const login = { kind: "oauth2-proxy", url: "http://proxy.login.svc:4180", signIn };
    const stack = withBoard({
      controller: "ingress-nginx",
      login,
      also: { controller: "traefik", ingressPodLabels: { app: "traefik" } },
    });
    const objects = ofBoard(stack);
    assert.deepEqual(
      objects
        .filter(({ kind }) => ["Ingress", "Middleware"].includes(kind))
        .map(
          ({ kind, metadata, spec }) => `${kind} ${metadata.namespace} ${valueAt(spec, ["ingressClassName"]) ?? ""}`,
        ),
      ["Ingress ingress-nginx nginx", "Middleware kubecamp-system ", "Ingress kubecamp-system traefik"],
    );
    const named = (name: string) => ({ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": name } } });
    const policy = objects.find(({ kind }) => kind === "NetworkPolicy");
    assert.deepEqual(valueAt(policy, ["spec", "ingress", 1, "from"]), [
      named("ingress-nginx"),
      { ...named("traefik"), podSelector: { matchLabels: { app: "traefik" } } },
    ]);
    const gateway = { kind: "gateway", namespace: "gateways", gateway: { name: "public" } };
    const second = ofBoard(withBoard({ controller: "traefik", login: { ...login, signIn: undefined }, also: gateway }));
    assert.deepEqual(
      second.map(({ kind }) => kind).filter((kind) => ["HTTPRoute", "Ingress"].includes(kind)),
      ["Ingress"],
    );
  });

  it("grants no right for the board, and writes no board without an image", () => {
    const login = { kind: "oauth2-proxy", url: "http://proxy.login.svc:4180", signIn };
    const stack = withBoard({ login });
    const { board: _, ...settings } = stack.settings;
    assert.equal(printed(stack).text, printed({ ...stack, settings }).text);
    const rights = ofBoard(stack).filter(({ kind }) => /Role|Policy$/.test(kind) && kind !== "NetworkPolicy");
    assert.deepEqual(rights, []);
  });
});
