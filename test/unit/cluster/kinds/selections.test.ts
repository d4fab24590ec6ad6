import assert from "node:assert/strict";
import type { Concerned } from "../../../../cluster/kinds/selections.ts";
import { listedKinds } from "../../../../cluster/kinds/stackKinds.ts";
import { stackObjects } from "../../../../cluster/read/stackObjects.ts";
import type { Configuration, Settings } from "../../../../config/settings.ts";
import { ca } from "../../certificates.ts";
import { bob, configuration, gatewaySettings, member, settings, traefikSettings, withBuckets } from "../../samples.ts";

const https = { backendProtocol: "HTTPS" };
const verified = { ...https, backendTls: { ca } };
const ingresses = "/apis/networking.k8s.io/v1/ingresses";
const own = "/apis/traefik.io/v1alpha1";
const secret = (namespace: string) =>
  `/api/v1/namespaces/${namespace}/secrets?fieldSelector=metadata.name%3Dkubecamp-backend-ca-dev`;
const gatewayApi = "/apis/gateway.networking.k8s.io/v1";
const configMap = "/api/v1/configmaps?fieldSelector=metadata.name%3D";

describe("what a stack reads of kinds that not every stack has", () => {
  const alone = (of: Settings): Concerned => ({ settings: of, members: [] });
  const nginx = (route: object): Configuration =>
    configuration({ members: [], route: { host: "camp.example.org", ...route } });
  const starting = [bob, ...["ana", "ben"].map((name) => member({ member: name, type: "user", starter: "once" }))];
  const ana = { member: "ana", type: "user" };
  const schedule = { sleep: "0 20 * * *", wake: "0 7 * * *" };
  const sleeping = [member({ ...ana, schedule: { ...schedule, wakeFor: "2h" } })];
  const rows: [what: string, stack: Concerned, asked: string[]][] = [
    ["nothing but Ingresses of kinds that not every stack has, by default", alone(settings), [ingresses]],
    ["no further object for a route that only needs annotations", nginx({ rewrite: "strip", ...https }), [ingresses]],
    ["the CA that Ingresses refer to", nginx(verified), [ingresses, secret("ingress-nginx")]],
    [
      "Middlewares for paths that are stripped",
      alone(traefikSettings({ rewrite: "strip" })),
      [ingresses, `${own}/middlewares`],
    ],
    [
      "ServersTransports for HTTPS at Traefik",
      alone(traefikSettings(verified)),
      [ingresses, secret("traefik"), `${own}/serverstransports`],
    ],
    ["HTTPRoutes of anybody", alone(gatewaySettings()), [`${gatewayApi}/httproutes`, ingresses]],
    [
      "a Gateway's policies, and the CA by its name alone",
      alone(gatewaySettings(verified)),
      [`${gatewayApi}/backendtlspolicies`, `${configMap}kubecamp-backend-ca`, `${gatewayApi}/httproutes`, ingresses],
    ],
    [
      "starter apps by their two names, for any number of members",
      { settings, members: starting },
      [`${configMap}starter-pages`, "/apis/apps/v1/deployments?fieldSelector=metadata.name%3Dstarter", ingresses],
    ],
    [
      "the metadata of ConfigMaps by which members ask to be awake, which they may fill",
      { settings, members: sleeping },
      [`${configMap}wake metadata`, ingresses],
    ],
    ["no such ConfigMap where nobody may ask", { settings, members: [member({ ...ana, schedule })] }, [ingresses]],
    ["nothing of buckets where nobody has one", withBuckets(ana), [ingresses]],
    [
      "the metadata of buckets' objects",
      withBuckets({ ...ana, buckets: [{ name: "data" }] }),
      ["/api/v1/configmaps metadata", ingresses, "/api/v1/secrets metadata"],
    ],
  ];
  for (const [what, stack, asked] of rows) {
    it(`reads ${what}`, async () => {
      const paths: string[] = [];
      const list = async ({ path, metadataOnly }: { path: string; metadataOnly?: boolean }) => {
        paths.push(metadataOnly ? `${path} metadata` : path);
        return [];
      };
      const always =
        /\/(clusterroles|clusterrolebindings|limitranges|networkpolicies|resourcequotas|roles|rolebindings|serviceaccounts|validating\w+)(\?|$)/;
      for (const kind of listedKinds(stack.settings)) {
        await stackObjects(kind, stack, { list });
      }
      const further = paths.filter((path) => !always.test(path));
      assert.deepEqual(further, asked);
    });
  }
});
