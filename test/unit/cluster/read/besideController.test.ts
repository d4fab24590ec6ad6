import assert from "node:assert/strict";
import type { Settings } from "../../../../config/model/settings/settings.ts";
import { ca } from "../../certificates.ts";
import { configuration, labelsOf, traefikSettings } from "../../samples.ts";
import { json } from "../fakeApiServer.ts";
import { useReading } from "../reading.ts";

const https = { backendProtocol: "HTTPS" };
const verified = { ...https, backendTls: { ca } };

describe("reading what Ingresses refer to beside their controller", () => {
  const { read, always, asked } = useReading();
  const knowing = () => {
    const bob = { metadata: { name: "bob", namespace: "traefik", labels: labelsOf("bob"), resourceVersion: "7" } };
    always("middlewares", json({ kind: "MiddlewareList", items: [bob] }));
    always("serverstransports", json({ kind: "ServersTransportList", items: [bob] }));
    always("secrets", json({ kind: "SecretList", items: [bob] }));
  };
  const kinds = ["middlewares", "secrets", "serverstransports"];

  it("asks for no more than the stack's Ingresses refer to", async () => {
    const nginx = (route: object) =>
      configuration({ members: [], route: { host: "camp.example.org", ...route } }).settings;
    const expected: readonly [Settings, readonly string[]][] = [
      [nginx({ rewrite: "strip", ...https }), []],
      [nginx(verified), ["secrets"]],
      [traefikSettings(), []],
      [traefikSettings({ rewrite: "strip" }), ["middlewares"]],
      [traefikSettings(https), ["serverstransports"]],
      [traefikSettings({ rewrite: "strip", ...verified }), kinds],
    ];
    for (const [stack, lists] of expected) {
      knowing();
      assert.deepEqual(await asked(stack, kinds), lists);
    }
  });

  for (const missing of ["middlewares", "serverstransports"]) {
    it(`stops where the API server does not know ${missing}, and says how it comes to`, async () => {
      knowing();
      always(missing, json("404 page not found", 404));
      await assert.rejects(read(traefikSettings({ rewrite: "strip", ...https })), ({ message }: Error) => {
        assert.match(
          message,
          /^Can't read the .*: it does not know the kind (Middleware|ServersTransport) \(404\)\.\nNothing/,
        );
        assert.match(message, /Traefik's own kinds, .* not\ninstalled .*: install its CustomResourceDefinitions/s);
        assert.match(message, /, or choose\nanother route\.controller \(docs\/run\/routes\.md\)\.$/);
        return true;
      });
    });
  }
});
