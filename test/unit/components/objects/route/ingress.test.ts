import assert from "node:assert/strict";
import { externalService } from "../../../../../components/objects/route/externalService.ts";
import { ingress } from "../../../../../components/objects/route/ingress.ts";
import { bob, configuration, labelsOf } from "../../../samples.ts";

const { settings } = configuration({
  members: [],
  route: { host: "apps.example.org", namespace: "traefik", className: "traefik" },
});

describe("route", () => {
  it("has an ExternalName Service beside the ingress controller that leads to the member's own", () => {
    assert.deepEqual(externalService(bob, settings), {
      metadata: { name: "bob-svc", namespace: "traefik", labels: labelsOf("bob") },
      spec: {
        type: "ExternalName",
        externalName: "bob-svc.bob.svc.cluster.local",
        ports: [{ name: "http", port: 80, protocol: "TCP", targetPort: 80 }],
      },
    });
  });

  it("has an Ingress for the member's path, with the labels of the Members operator", () => {
    assert.deepEqual(ingress(bob, { host: "apps.example.org", path: "/bob" }, settings), {
      metadata: {
        name: "bob",
        namespace: "traefik",
        labels: {
          ...labelsOf("bob"),
          "app.kubernetes.io/name": "member-route",
          "app.kubernetes.io/created-by": "kubecamp",
          group: "traefik",
        },
        annotations: {
          "pulumi.com/skipAwait": "true",
          "pulumi.com/deletionPropagationPolicy": "background",
        },
      },
      spec: {
        ingressClassName: "traefik",
        rules: [
          {
            host: "apps.example.org",
            http: {
              paths: [
                {
                  path: "/bob",
                  pathType: "Prefix",
                  backend: { service: { name: "bob-svc", port: { number: 80 } } },
                },
              ],
            },
          },
        ],
      },
    });
  });
});
