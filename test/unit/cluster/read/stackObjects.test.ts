import assert from "node:assert/strict";
import { stackKind } from "../../../../cluster/kinds/stackKinds.ts";
import { stackObjects } from "../../../../cluster/read/stackObjects.ts";
import type { Configuration } from "../../../../config/settings.ts";
import { isRead, sharedObjects } from "../../../../plan/rows/manifest.ts";
import { ca } from "../../certificates.ts";
import { configurationOf, customized, given } from "../../deploy/stacks.ts";
import { planned } from "../../plan/planned.ts";
import { configuration, gatewaySettings, traefikSettings, withBuckets } from "../../samples.ts";

describe("what is read of a stack", () => {
  const members = ["admin", "user", "guest-user"].map((type) => ({ member: type.slice(0, 5), type }));
  const starting = members.map((each) => ({ ...each, starter: "kept" }));
  const https = { backendProtocol: "HTTPS", backendTls: { ca } };
  const stacks: Readonly<Record<string, Configuration>> = {
    "with Ingresses and starter apps": configuration({ members: starting }),
    "with Ingresses over TLS": configuration({ members, route: { host: "camp.example.org", ...https } }),
    "with Traefik's routes": {
      ...configuration({ members }),
      settings: traefikSettings({ ...https, rewrite: "strip" }),
    },
    "with a Gateway's routes": { ...configuration({ members }), settings: gatewaySettings(https) },
    "with user namespaces that are filled in": configuration({
      members: members.map((each) => ({ ...each, userNamespaces: "required" })),
    }),
    "with objects for members": configurationOf(given),
    "with objects of custom kinds": configurationOf(customized),
    "with buckets": withBuckets({ member: "bob", type: "user", buckets: [{ name: "data" }] }),
  };
  for (const [what, stack] of Object.entries(stacks)) {
    it(`reads everything that a run declares, ${what}`, async () => {
      const objects = [
        ...sharedObjects(stack.settings, { mutates: true }),
        ...stack.members.flatMap((member) => {
          const { base, route } = planned(member, stack.settings);
          return [...base, ...route];
        }),
      ].filter(isRead);
      assert.ok(objects.length > 20);
      for (const { kind, name, namespace } of objects) {
        const server = {
          list: async <T>({ path }: { readonly path: string }): Promise<T[]> => {
            const { pathname, searchParams } = new URL(path, "http://localhost");
            const [, place] = /\/namespaces\/([^/]+)\/[^/]+$/.exec(pathname) ?? [];
            const only = searchParams.get("fieldSelector")?.replace("metadata.name=", "");
            const isAsked = (place ?? namespace) === namespace && (only ?? name) === name;
            return (isAsked ? [{ metadata: { name, namespace } }] : []) as T[];
          },
        };
        const found = await stackObjects(kind, { ...stack, mutates: true }, server);
        assert.ok(found.length > 0, `${kind} ${namespace}/${name}, of ${stackKind(kind).selections.length} selections`);
      }
    });
  }
});
