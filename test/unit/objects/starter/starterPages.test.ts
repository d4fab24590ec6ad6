import assert from "node:assert/strict";
import { firstApp } from "../../../../commands/members/invite/firstApp.ts";
import type { Settings } from "../../../../config/settings.ts";
import { starterPages } from "../../../../objects/starter/starterPages.ts";
import { atOnce, bob, configuration, labelsOf, member, settings } from "../../samples.ts";

const withStarter = (starter: object, route: object = {}): Settings =>
  configuration({ members: [], starter, route: { host: "camp.example.org", ...route } }).settings;

const dataOf = (of: Settings, who = bob) => starterPages(who, "once", of).data as Readonly<Record<string, string>>;

describe("the ConfigMap with starter pages", () => {
  it("makes the ConfigMap of starter pages the member's, with what Caddy serves the pages by", () => {
    const { metadata, data } = starterPages(bob, "kept", settings);
    assert.deepEqual(metadata, {
      name: "starter-pages",
      namespace: "bob",
      labels: labelsOf("bob"),
      annotations: { ...atOnce, "kubecamp.dev/starter": "kept" },
    });
    assert.deepEqual(Object.keys(data), ["index.md", "Caddyfile", "page.html"]);
  });

  it("puts what is the member's into the stack's starter pages, and replaces nothing else", () => {
    const pages = {
      "index.md": "# {member}\n{namespace} {url} {limits}",
      "more.md": "{{member}} {other} {constructor} {}",
    };
    const data = dataOf(withStarter({ pages, image: "ghcr.io/acme/start" }));
    assert.deepEqual(Object.keys(data), ["index.md", "more.md"]);
    assert.equal(data["more.md"], "{bob} {other} {constructor} {}");
    assert.equal(
      data["index.md"],
      `# bob
bob https://camp.example.org/bob/ | what | at most |
|---|---|
| CPU of all containers | 500m |
| memory of all containers | 500Mi |
| what they write outside of volumes | 10000Mi |
| pods | 50 |
| volumes (PersistentVolumeClaims) | 5 |
| Services, and as many autoscalers | 40 |
| objects of most other kinds | 100 |
| size of a volume | 1000Mi |
| CPU of a container that states none | 100m |
| memory of a container that states none | 100Mi |`,
    );
  });

  it("tells no sums to who has no quota, and the address within the cluster to who has no path", () => {
    const pages = { "index.md": "{limits}", "where.md": "{url}" };
    const hidden = member({ member: "alice", type: "admin", route: false });
    const data = dataOf(withStarter({ pages }), hidden);
    assert.doesNotMatch(data["index.md"] ?? "", /of all containers/);
    assert.equal(data["where.md"], "http://alice-svc.alice.svc:80/");
  });

  it("names the label of the invitation's first app in the standard starter page", () => {
    const first = firstApp(member({ member: "bob", type: "user", starter: "once" }), settings);
    assert.ok(first !== undefined && "app" in first);
    const [deployment] = first.app.manifests;
    assert.deepEqual(deployment?.spec.selector, { matchLabels: { "app.kubernetes.io/name": "web" } });
    const page = dataOf(settings)["index.md"] ?? "";
    assert.match(page, /`"app\.kubernetes\.io\/name": "web"` for `"app": "my-app"`/);
    assert.match(page, /kubectl create deployment my-app .*\n.*\n.*"value": {"app": "my-app"}}/);
  });

  it("makes Caddy take the member's prefix off, where there is one", () => {
    assert.match(dataOf(settings).Caddyfile ?? "", /^\t\turi @prefixed strip_prefix \/bob$/m);
    assert.match(dataOf(settings).Caddyfile ?? "", /^\t\t@first path \/ \/bob \/bob\/$/m);
    const own = withStarter({}, { host: "{member}.example.org" });
    const [erin] = configuration({
      members: [{ member: "erin", type: "user" }],
      route: { host: "{member}.example.org" },
    }).members;
    const data = dataOf(own, erin);
    assert.doesNotMatch(data.Caddyfile ?? "", /strip_prefix/);
    assert.match(data.Caddyfile ?? "", /^\t\t@first path \/$/m);
    assert.match(data["page.html"] ?? "", /<base href="\/">/);
  });
});
