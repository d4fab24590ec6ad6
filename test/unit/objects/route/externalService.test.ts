import assert from "node:assert/strict";
import { waysOf } from "../../../../objects/route/drivers/drivers.ts";
import { externalService } from "../../../../objects/route/externalService.ts";
import { atOnce, bob, configuration, labelsOf } from "../../samples.ts";

function made(route: object) {
  const { settings } = configuration({ members: [], route: { host: "apps.example.org", ...route } });
  return externalService(bob, settings, waysOf(settings.route.controller));
}

/** Whichever the controller is: nothing is waited for. */
const annotations = { ...atOnce, "pulumi.com/skipAwait": "true" };

describe("ExternalName Service", () => {
  it("leads an ExternalName Service to the member's own, by a name that is looked up as it is", () => {
    assert.deepEqual(made({ namespace: "edge" }), {
      metadata: { name: "bob-svc", namespace: "edge", labels: labelsOf("bob"), annotations },
      spec: {
        type: "ExternalName",
        externalName: "bob-svc.bob.svc.cluster.local.",
        ports: [{ name: "http", port: 80, protocol: "TCP", targetPort: 80 }],
      },
    });
  });

  it("says that members speak HTTPS on the ExternalName Service where the controller looks", () => {
    const https = (controller: string) => {
      const { metadata, spec } = made({ controller, place: "controller", backendProtocol: "HTTPS" });
      return { annotations: metadata.annotations, ports: spec.ports };
    };
    const ports = [{ name: "https", port: 443, protocol: "TCP", targetPort: 443 }];
    assert.deepEqual(https("traefik"), {
      annotations: {
        ...annotations,
        "traefik.ingress.kubernetes.io/service.serversscheme": "https",
        "traefik.ingress.kubernetes.io/service.serverstransport": "traefik-bob@kubernetescrd",
      },
      ports,
    });
    assert.deepEqual(https("contour"), {
      annotations: { ...annotations, "projectcontour.io/upstream-protocol.tls": "443" },
      ports,
    });
    assert.deepEqual(https("ingress-nginx"), { annotations, ports });
  });
});
