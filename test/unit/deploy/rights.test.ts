import assert from "node:assert/strict";
import { cosiKinds, isCosiKind } from "../../../cluster/kinds/bucketKinds.ts";
import { resourceOf } from "../../../cluster/kinds/kinds.ts";
import { type StackKind, stackKindsOf } from "../../../cluster/kinds/stackKinds.ts";
import { requestsOf, selectionsFor } from "../../../cluster/read/stackObjects.ts";
import { apiGroup } from "../../../config/names/customKinds.ts";
import { stackLabel } from "../../../config/names/labels.ts";
import type { Configuration } from "../../../config/settings.ts";
import { watchedKinds } from "../../../watch/live/watchedKinds.ts";
import { everyObject, type KubernetesObject, sharedObjects } from "../everyObject.ts";
import {
  fenced,
  grants,
  listIn,
  manifests,
  manifestsIn,
  previewFolder,
  printed,
  type Right,
  rightsOf,
  textOf,
} from "./manifests.ts";
import { featured, stack } from "./stacks.ts";

const declaredIn = ({ members, settings }: Configuration): KubernetesObject[] => [
  ...members.flatMap((member) => everyObject(member, settings)),
  ...sharedObjects(settings),
];

const pluralOf = (kind: string) => (isCosiKind(kind) ? cosiKinds[kind] : resourceOf(kind as StackKind));

/** Requests with these verbs about an object. */
function asks({ apiVersion, kind, metadata }: KubernetesObject, verbs: readonly string[]): Right[] {
  const namespace = kind === "Namespace" ? metadata.name : metadata.namespace;
  const place = namespace === undefined ? {} : { namespace };
  const resource = pluralOf(kind);
  return verbs.map((verb) => ({ verb, group: apiGroup(apiVersion), resource, name: metadata.name, ...place }));
}

/** What the API server checks for a LIST or a watch: with a field selector for a name, it checks that name. */
function rightOfPath(verb: string, path: string): Right {
  const { pathname, searchParams } = new URL(path, "https://api");
  const [, group = "", namespace, resource = ""] =
    /^\/(?:api|apis\/([^/]+))\/[^/]+(?:\/namespaces\/([^/]+)(?=\/))?\/([^/]+)$/.exec(pathname) ?? [];
  const [, name] = /^metadata\.name=(.+)$/.exec(searchParams.get("fieldSelector") ?? "") ?? [];
  const place = namespace === undefined ? {} : { namespace };
  return { verb, group, resource, ...(name === undefined ? {} : { name }), ...place };
}

/** Lists of a run. */
const listsOf = (configuration: Configuration): Right[] =>
  stackKindsOf(configuration.settings).flatMap((kind) =>
    selectionsFor({ ...configuration, mutates: true }, kind).flatMap((selection) =>
      requestsOf(kind, selection, configuration.settings).map(({ path }) => rightOfPath("list", path)),
    ),
  );

const isPolicy = ({ kind }: KubernetesObject) => /^(Mutating|Validating)AdmissionPolicy/.test(kind);
const missing = (rights: readonly Right[], asked: readonly Right[]) => {
  assert.ok(asked.length > 20);
  return asked.filter((ask) => !grants(rights, ask)).map(textOf);
};

describe("the rights of kubecamp watch", () => {
  for (const [what, configuration] of Object.entries(featured)) {
    it(`suffice for a stack with ${what}`, () => {
      const { members, settings } = configuration;
      const rights = rightsOf(printed(configuration).objects);
      const followed = watchedKinds({ settings, members, mutates: true }).flatMap(({ path, fieldSelector = "" }) =>
        ["list", "watch"].map((verb) =>
          rightOfPath(verb, `${path}?fieldSelector=${encodeURIComponent(fieldSelector)}`),
        ),
      );
      // It only reads objects that an admin's run makes.
      const written = declaredIn(configuration).flatMap((object) =>
        asks(object, isPolicy(object) ? ["get"] : ["get", "create", "patch"]),
      );
      assert.deepEqual(missing(rights, [...listsOf(configuration), ...followed, ...written]), []);
    });
  }

  it("grant in no file what gives everything: wildcards, containers, Pods, tokens, impersonation", () => {
    const texts = rightsOf(manifests("**/*.yaml")).map(textOf);
    const forbidden = /\*|pods\/|impersonate|serviceaccounts\/|(create|patch|update) (pods|serviceaccounts$)/;
    assert.deepEqual(
      texts.filter((text) => forbidden.test(text)),
      [],
    );
    const own = ["staff-assist", "staff-spawn", "staff-view", "ci-token"].map((name) => `kubecamp:${name}`);
    const roles = ["kubecamp-edit", "kubecamp-view", ...own];
    assert.deepEqual(
      texts.filter((text) => /^(bind|escalate)/.test(text)).sort(),
      ["bind", "escalate"]
        .flatMap((verb) => roles.map((name) => `${verb} roles.rbac.authorization.k8s.io ${name}`))
        .sort(),
    );
  });

  it("leave Secrets, admission policies and volumes to files of their own", () => {
    const writing = rightsOf(manifests("rbac.yaml"))
      .filter(
        ({ verb, resource }) =>
          resource === "secrets" || (!["get", "list", "watch"].includes(verb) && /admission|volume/.test(resource)),
      )
      .map(textOf);
    const ca = `secrets kubecamp-backend-ca-${stack} in ingress-nginx`;
    assert.deepEqual(
      writing.sort(),
      ["create", "get", "list", "patch"].map((verb) => `${verb} ${ca}`),
    );
    assert.deepEqual(
      rightsOf(manifests("**/*.yaml")).filter(
        ({ verb, group }) => group.startsWith("admission") && verb.startsWith("delete"),
      ),
      [],
    );
  });

  it("lets through the fence what runs declare outside of members' homes, and nothing else", () => {
    const objects = Object.values(featured).flatMap(declaredIn);
    const homes = objects.filter(({ kind }) => kind === "Namespace").map(({ metadata }) => metadata.name);
    const outside = objects.filter(
      ({ metadata: { namespace } }) => namespace !== undefined && !homes.includes(namespace),
    );
    assert.deepEqual(
      [...new Set(outside.map(({ kind }) => pluralOf(kind)))].sort(),
      listIn(fenced("besideController")),
    );
    for (const { kind, metadata } of objects) {
      const { labels } = metadata as { labels?: Record<string, string> };
      assert.equal(labels?.[stackLabel], stack, `${kind} ${metadata.name}`);
    }
  });
});

describe("the rights of previews", () => {
  for (const [what, configuration] of Object.entries(featured)) {
    it(`suffice for a stack with ${what}, with their files`, () => {
      const rights = rightsOf(manifestsIn(previewFolder, "**/*.yaml"));
      const custom = (right: Right) => right.group === "example.org";
      const asked = [
        ...listsOf(configuration),
        ...declaredIn(configuration).flatMap((object) => asks(object, ["get"])),
      ];
      assert.deepEqual(
        missing(
          rights,
          asked.filter((right) => !custom(right)),
        ),
        [],
      );
    });
  }

  it("let nothing be written or followed, and no Secret be read without a file that says so", () => {
    const all = rightsOf(manifestsIn(previewFolder, "**/*.yaml"));
    assert.deepEqual([...new Set(all.map(({ verb }) => verb))].sort(), ["get", "list"]);
    assert.deepEqual(all.filter(({ resource }) => /[*/]/.test(resource)).map(textOf), []);
    const common = rightsOf(manifestsIn(previewFolder, "rbac.yaml"));
    assert.deepEqual(
      common.filter(
        ({ resource, name }) => resource === "secrets" || (resource === "configmaps" && name === undefined),
      ),
      [],
    );
  });
});
