import assert from "node:assert/strict";
import type { Settings } from "../../../../config/settings.ts";
import { starterDeployment } from "../../../../objects/starter/starterDeployment.ts";
import { atOnce, bob, configuration, labelsOf, member, settings } from "../../samples.ts";

const withStarter = (starter: object, route: object = {}): Settings =>
  configuration({ members: [], starter, route: { host: "camp.example.org", ...route } }).settings;

const specOf = (of: Settings, who = bob) => starterDeployment(who, "once", of).spec;

describe("the starter app's Deployment", () => {
  it("declares in a starter app what its member's pods must have, also where nothing fills in", () => {
    const podOf = (entry: object) => specOf(settings, member({ member: "bob", type: "user", ...entry })).template.spec;
    const runtimeOf = (runtimeClasses: object) => Reflect.get(podOf({ runtimeClasses }), "runtimeClassName");
    const allowed = ["gvisor", "kata"];
    const found = [{ allowed, default: "kata" }, { allowed }, { allowed: [] }].map(runtimeOf);
    assert.deepEqual(found, ["kata", "gvisor", undefined]);
    const tolerations = [{ key: "dedicated", value: "gpu", operator: "Equal" }];
    const pool = { nodeSelector: { pool: "gpu" }, tolerations };
    assert.partialDeepStrictEqual(podOf({ pool }), pool);
    assert.partialDeepStrictEqual(podOf({ userNamespaces: "required" }), { hostUsers: false });
  });

  it("serves starter pages with few rights and within the quota", () => {
    const { metadata, spec } = starterDeployment(bob, "once", settings);
    const { template, ...rest } = spec;
    const labels = { app: "bob", "app.kubernetes.io/name": "starter" };
    const annotations = { ...atOnce, "kubecamp.dev/starter": "once", "pulumi.com/skipAwait": "true" };
    assert.deepEqual(metadata, { name: "starter", namespace: "bob", labels: labelsOf("bob"), annotations });
    assert.deepEqual(rest, {
      replicas: 1,
      revisionHistoryLimit: 2,
      selector: { matchLabels: labels },
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    });
    assert.deepEqual(template.metadata.labels, labels);
    const httpGet = { path: "/bob", port: 8080, scheme: "HTTP" };
    assert.deepEqual(template.spec, {
      automountServiceAccountToken: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 65_532,
        runAsGroup: 65_532,
        seccompProfile: { type: "RuntimeDefault" },
      },
      containers: [
        {
          name: "starter",
          image: "docker.io/library/caddy:2",
          command: ["caddy", "run", "--config", "/pages/Caddyfile", "--adapter", "caddyfile"],
          env: [
            { name: "MEMBER", value: "bob" },
            { name: "NAMESPACE", value: "bob" },
            { name: "PUBLIC_URL", value: "https://camp.example.org/bob/" },
            { name: "PUBLIC_PATH", value: "/bob" },
            { name: "PORT", value: "8080" },
            { name: "XDG_CONFIG_HOME", value: "/tmp" },
            { name: "XDG_DATA_HOME", value: "/tmp" },
          ],
          ports: [{ name: "http", containerPort: 8080, protocol: "TCP" }],
          resources: { limits: { cpu: "50m", memory: "64Mi" }, requests: { cpu: "50m", memory: "64Mi" } },
          readinessProbe: { httpGet, periodSeconds: 5, timeoutSeconds: 3 },
          livenessProbe: { httpGet, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 },
          securityContext: {
            allowPrivilegeEscalation: false,
            capabilities: { drop: ["ALL"], add: ["NET_BIND_SERVICE"] },
            readOnlyRootFilesystem: true,
          },
          volumeMounts: [
            { name: "pages", mountPath: "/pages", readOnly: true },
            { name: "scratch", mountPath: "/tmp" },
          ],
        },
      ],
      volumes: [
        { name: "pages", configMap: { name: "starter-pages" } },
        { name: "scratch", emptyDir: {} },
      ],
    });
  });

  it("makes starter pods anew when a page, the port or the prefix changes, and by nothing else", () => {
    const digest = (page: string, more: object = {}, who = bob) => {
      const { metadata } = specOf(withStarter({ pages: { "index.md": page }, ...more }), who).template;
      return metadata.annotations["kubecamp.dev/pages"];
    };
    const first = digest("a");
    assert.match(first ?? "", /^[0-9a-f]{16}$/);
    assert.equal(digest("a", { replicas: 3 }), first);
    const elsewhere = member({ member: "bob", type: "user", route: { path: "/b" } });
    for (const other of [digest("b"), digest("a", { port: 9000 }), digest("a", {}, elsewhere)]) {
      assert.notEqual(other, first);
    }
  });
});
