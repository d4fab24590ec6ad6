import assert from "node:assert/strict";
import type { Settings } from "../../../../../config/model/settings/settings.ts";
import { ca } from "../../../certificates.ts";
import { gatewaySettings, labelsOf, settings } from "../../../samples.ts";
import { json } from "../../fakeApiServer.ts";
import { useReading } from "../../reading.ts";

const https = { backendProtocol: "HTTPS" };

describe("reading what a Gateway's routes take", () => {
  const { read, always, asked } = useReading();
  /** Answers of a cluster with the Gateway API. */
  const knowing = (gateways: readonly object[] = []) => {
    const bob = { metadata: { name: "bob", namespace: "bob", labels: labelsOf("bob"), resourceVersion: "7" } };
    always("gateways", json({ kind: "GatewayList", items: gateways }));
    always("httproutes", json({ kind: "HTTPRouteList", items: [bob] }));
    always("backendtlspolicies", json({ kind: "BackendTLSPolicyList", items: [bob] }));
    always("configmaps", json({ kind: "ConfigMapList", items: [bob] }));
  };
  const kinds = ["backendtlspolicies", "configmaps", "gateways", "httproutes"];

  it("asks for no more than the stack's routes are made of", async () => {
    const expected: readonly [Settings, readonly string[]][] = [
      [settings, []],
      [gatewaySettings(), ["gateways", "httproutes"]],
      [gatewaySettings(https), ["backendtlspolicies", "gateways", "httproutes"]],
      [gatewaySettings({ ...https, backendTls: { ca } }), kinds],
    ];
    for (const [stack, lists] of expected) {
      knowing();
      assert.deepEqual(await asked(stack, kinds), lists);
    }
  });

  it("knows whether there is a Gateway, and whether for long", async () => {
    const gateway = { name: "public", namespace: "gateways", labels: { team: "net" } };
    knowing([{ metadata: gateway }]);
    assert.deepEqual((await read(gatewaySettings())).gateway, {
      labels: { team: "net" },
      terminating: false,
      unprogrammed: "no controller has said anything of it",
    });
    knowing([{ metadata: { ...gateway, deletionTimestamp: "2026-01-01T00:00:00Z" } }]);
    assert.equal((await read(gatewaySettings())).gateway?.terminating, true);
    knowing();
    assert.equal((await read(gatewaySettings())).gateway, undefined);
  });

  for (const missing of ["httproutes", "backendtlspolicies", "gateways"]) {
    it(`stops where the API server does not know ${missing}, and says how it comes to`, async () => {
      knowing();
      always(missing, json("404 page not found", 404));
      await assert.rejects(read(gatewaySettings(https)), ({ message }: Error) => {
        assert.match(
          message,
          /^Can't read the .*: it does not know the kind (HTTPRoute|BackendTLSPolicy|Gateway) \(404\)\.$/m,
        );
        assert.match(message, /\nNothing was changed: /);
        assert.match(
          message,
          /The Gateway API, version 1\.4 or later, which 'route\.kind: gateway' takes, is not installed/,
        );
        assert.match(message, /install\nits CustomResourceDefinitions .*, or set route\.kind to ingress\.$/);
        return true;
      });
    });
  }
});
