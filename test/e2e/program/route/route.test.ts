import assert from "node:assert/strict";
import type { V1Ingress, V1Secret, V1Service } from "@kubernetes/client-node";
import { ca } from "../../../unit/certificates.ts";
import { historyOf } from "../history.ts";
import { refusedInProcess } from "../inProcess.ts";
import type { LiveObject } from "../inventory.ts";
import { type Entry, type Run, useStack } from "../stack.ts";
import { makeService, served } from "../workloads.ts";

const dan: Entry = { member: "dan", type: "user" };
const eve: Entry = { member: "eve", type: "guest-user" };

const created = [
  "create kubernetes:core/v1:Service dan/route/service",
  "create kubernetes:networking.k8s.io/v1:Ingress dan/route/ingress",
];
const deleted = [
  "delete kubernetes:networking.k8s.io/v1:Ingress dan/route/ingress",
  "delete kubernetes:core/v1:Service dan/route/service",
];

describe("a member's route", () => {
  const stack = useStack("route");
  /** Names of the Ingresses and of the Services beside the controller. */
  const routed = () =>
    Promise.all(["ingress", "service"].map((kind) => stack.sandbox.names(kind, { namespace: "ingress-nginx" })));
  const ingress = () => stack.sandbox.get<V1Ingress>("ingress", "dan", "ingress-nginx");

  let first: Run;

  before(async () => {
    await served(stack, "dan", { type: "ExternalName", externalName: "eve-svc.eve" });
    await stack.configure([dan, eve]);
    first = await stack.upFine();
  });

  it("is pending without a Service, or with one that leads elsewhere", async () => {
    assert.match(first.output, /2 routes are pending/);
    assert.match(first.output, /dan: Service 'dan-svc' is of type ExternalName, not ClusterIP/);
    assert.match(first.output, /eve: no Service 'eve-svc' in namespace 'eve'/);
    const diagnostics = first.output.slice(first.output.indexOf("Diagnostics:"));
    assert.equal(diagnostics.match(/routes? (is|are) pending/g)?.length, 1);
    assert.deepEqual(await routed(), [[], []]);
  });

  it("opens with the first up that finds the Service, and nothing else changes", async () => {
    await stack.delete("service", "dan-svc", "dan");
    await makeService(stack, "dan");
    assert.deepEqual((await stack.upFine()).steps, created);
    assert.deepEqual(await routed(), [["dan"], ["dan-svc"]]);
    assert.deepEqual(await stack.outputs(), {
      members: {
        dan: { type: "user", namespace: "dan", state: "ready", url: "https://camp.test/dan/" },
        eve: {
          type: "guest-user",
          namespace: "eve",
          state: "pending",
          reason: "no Service 'eve-svc' in namespace 'eve'",
        },
      },
      pending: ["eve"],
    });
  });

  it("leads, as its Ingress says, to the ExternalName Service and on to the member's own", async () => {
    assert.deepEqual((await ingress()).spec, {
      ingressClassName: "nginx",
      rules: [
        {
          host: "camp.test",
          http: {
            paths: [
              { path: "/dan", pathType: "Prefix", backend: { service: { name: "dan-svc", port: { number: 80 } } } },
            ],
          },
        },
      ],
    });
    const { spec } = await stack.sandbox.get<V1Service>("service", "dan-svc", "ingress-nginx");
    assert.equal(spec?.externalName, "dan-svc.dan.svc.cluster.local.");
  });

  it("has members' certificates verified by the stack's CA, and stays so", async () => {
    const annotations = async () => {
      const found = Object.entries({ ...(await ingress()).metadata?.annotations });
      return found.filter(([key]) => key.startsWith("nginx.ingress."));
    };
    await stack.delete("service", "dan-svc", "dan");
    await makeService(stack, "dan", "443:8443");
    const route = { host: "camp.test", rewrite: "strip", backendProtocol: "HTTPS", backendTls: { ca } };
    await stack.configure([dan, eve], { route });
    assert.deepEqual((await stack.upFine()).steps, [
      "create kubernetes:core/v1:Secret access/backend-ca",
      "update kubernetes:core/v1:Service dan/route/service",
      "update kubernetes:networking.k8s.io/v1:Ingress dan/route/ingress",
    ]);
    const secret = ["secret", "kubecamp-backend-ca-route", "ingress-nginx"] as const;
    const { get, patch } = stack.sandbox;
    const stored = (await get<V1Secret>(...secret)).data?.["ca.crt"] ?? "";
    assert.equal(Buffer.from(stored, "base64").toString(), ca);
    const expected = await annotations();
    assert.deepEqual(Object.fromEntries(expected), {
      "nginx.ingress.kubernetes.io/use-regex": "true",
      "nginx.ingress.kubernetes.io/rewrite-target": "/$2",
      "nginx.ingress.kubernetes.io/backend-protocol": "HTTPS",
      "nginx.ingress.kubernetes.io/proxy-ssl-secret": "ingress-nginx/kubecamp-backend-ca-route",
      "nginx.ingress.kubernetes.io/proxy-ssl-verify": "on",
      "nginx.ingress.kubernetes.io/proxy-ssl-name": "dan-svc.dan.svc",
      "nginx.ingress.kubernetes.io/proxy-ssl-server-name": "on",
    });

    const off = { "nginx.ingress.kubernetes.io/proxy-ssl-verify": "off" };
    await patch("ingress", "dan", "ingress-nginx", { metadata: { annotations: off } });
    await patch(...secret, { data: { "ca.crt": "eA==" } });
    const { output, steps } = await stack.upFine();
    assert.match(
      output,
      /Changed by hand.*\n +Secret ingress-nginx\/kubecamp-backend-ca-route\n +Ingress ingress-nginx\/dan/,
    );
    assert.equal(steps.length, 2);
    assert.deepEqual(await annotations(), expected);
    assert.equal((await get<V1Secret>(...secret)).data?.["ca.crt"], stored);

    await patch(...secret, { metadata: { labels: { "app.kubernetes.io/managed-by": "Helm" } } });
    await refusedInProcess(stack, [
      "Secret 'ingress-nginx/kubecamp-backend-ca-route' exists already and is not kubecamp's",
    ]);
    await patch(...secret, { metadata: { labels: { "app.kubernetes.io/managed-by": "kubecamp" } } });
  });

  it("has nothing any more of what a run that was killed has applied", async () => {
    const home = () => stack.sandbox.get<LiveObject>("namespace", "dan");
    const { metadata = {}, spec } = await ingress();
    const { name, namespace, labels, annotations } = metadata;
    // As the run's declaration was another one.
    const mark = { "kubecamp.dev/applied": "0badcafe0badcafe" };
    const applied = [
      {
        apiVersion: "networking.k8s.io/v1",
        kind: "Ingress",
        metadata: { name, namespace, labels, annotations: { ...annotations, ...mark } },
        spec,
      },
      {
        apiVersion: "v1",
        kind: "Namespace",
        metadata: {
          name: "dan",
          labels: { ...(await home()).metadata.labels, "kubecamp.dev/protected": "true" },
          annotations: { "kubecamp.dev/images": "docker.io/library/nginx:1.29", ...mark },
        },
      },
    ];
    await stack.sandbox.applyAs("kubecamp", ...applied);
    await stack.configure([dan, eve], { route: { host: "camp.test", backendProtocol: "HTTPS", backendTls: { ca } } });
    await stack.upFine();
    const [{ metadata: left }, { metadata: leftHome }] = [await ingress(), await home()];
    assert.equal(left?.annotations?.["nginx.ingress.kubernetes.io/backend-protocol"], "HTTPS");
    for (const gone of ["nginx.ingress.kubernetes.io/use-regex", "nginx.ingress.kubernetes.io/rewrite-target"]) {
      assert.equal(left?.annotations?.[gone], undefined, gone);
    }
    assert.equal(leftHome.labels?.["kubecamp.dev/protected"], undefined);
    assert.equal(leftHome.annotations?.["kubecamp.dev/images"], undefined);
    assert.equal(leftHome.labels?.["kubecamp.dev/stack"], "route");
  });

  it("closes when the Service is gone, the Ingress before what it points at", async () => {
    await stack.delete("service", "dan-svc", "dan");
    const history = await historyOf(
      stack,
      (name) => name.startsWith("dan"),
      async () => {
        const { steps, output } = await stack.upFine();
        assert.deepEqual(steps, deleted);
        assert.match(output, /Routes that were open, and that 'pulumi up' closes:\n +dan: no Service 'dan-svc'/);
      },
    );
    assert.deepEqual(history, ["DELETED Ingress ingress-nginx/dan", "DELETED Service ingress-nginx/dan-svc"]);
    assert.deepEqual(await routed(), [[], []]);
  });
});
