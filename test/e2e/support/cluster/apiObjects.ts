import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import type { ApiAnswer, ApiClient } from "./apiClient.ts";
import { discover, pathOf, type Resource } from "./discovery.ts";

interface Written {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

interface Live {
  readonly metadata: { readonly name: string; readonly uid: string; readonly finalizers?: readonly string[] };
}

/** What is to be listed: by default, all namespaces' and all of them. */
interface Choice {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface ApiObjects {
  /** Makes objects, one after the other; none may be there already. */
  readonly create: (...objects: readonly object[]) => Promise<void>;
  /** Makes objects, or writes over those that are there. A field that an earlier call set, and this one does not, goes. */
  readonly apply: (...objects: readonly object[]) => Promise<void>;
  /** The same as another field manager than kubectl. */
  readonly applyAs: (fieldManager: string, ...objects: readonly object[]) => Promise<void>;
  /**
   * Deletes an object, which must be there, and waits until it is gone.
   * @param kind in small letters, such as `networkpolicy`
   */
  readonly destroy: (kind: string, name: string, namespace?: string) => Promise<void>;
  /**
   * @param kind in small letters
   * @returns undefined if it is not there
   */
  readonly find: <T extends object>(kind: string, name: string, namespace?: string) => Promise<T | undefined>;
  /** Gives an object, which must be there. */
  readonly get: <T extends object>(kind: string, name: string, namespace?: string) => Promise<T>;
  /**
   * Changes an object, which must be there.
   * @param kind in small letters; `pod/status` is for changes of its status alone
   * @param change fields to merge into it, of which null removes one, and a list replaces a list; or, as a list, operations
   * of a JSON patch
   * @param fieldManager default: kubectl's own
   * @see https://kubernetes.io/docs/tasks/manage-kubernetes-objects/update-api-object-kubectl-patch/
   */
  readonly patch: (
    kind: string,
    name: string,
    namespace: string | undefined,
    change: object,
    fieldManager?: string,
  ) => Promise<void>;
  /** @param kind in small letters */
  readonly list: <T extends object>(kind: string, choice?: Choice) => Promise<readonly T[]>;
  /** Names of what `list` gives. */
  readonly names: (kind: string, choice?: Choice) => Promise<readonly string[]>;
  /** The path to which an object is posted. */
  readonly placeOf: (object: object) => Promise<string>;
  /** An object's path. @param kind in small letters */
  readonly pathTo: (kind: string, name: string, namespace?: string) => Promise<string>;
  /** A token of a ServiceAccount, good for an hour, as `kubectl create token` gets it. */
  readonly token: (account: string, namespace: string) => Promise<string>;
  /**
   * Whether RBAC lets somebody do something, as `kubectl auth can-i` asks.
   * @param user such as `oidc:bob`
   * @param resource as RBAC's messages name it, such as `deployments.apps/scale`
   * @param namespace default: in all of them
   */
  readonly may: (user: string, verb: string, resource: string, namespace?: string) => Promise<boolean>;
}

/** Whether there is no such object; of a kind that is not served, the API server says "404 page not found". */
const isAbsent = ({ code, body }: ApiAnswer) => code === 404 && body.includes('"reason":"NotFound"');

/**
 * Does what `kubectl create`, `apply --server-side`, `patch`, `delete`, `get` and `auth can-i` do, without a process for each call.
 * @param patience longest wait for a deleted object to be gone, in milliseconds
 */
export function apiObjects(
  { askPatiently, read }: Pick<ApiClient, "askPatiently" | "read">,
  patience = 180_000,
): ApiObjects {
  let known: readonly Resource[] = [];
  const resourceThat = async (what: string, isWanted: (resource: Resource) => boolean): Promise<Resource> => {
    // Kinds come with their definitions.
    if (!known.some(isWanted)) {
      known = await discover(read);
    }
    return known.find(isWanted) ?? assert.fail(`the API server has no ${what}`);
  };
  /** @param type of content @returns the answer's body, which has one of these codes */
  const send = async (method: string, path: string, body: object, codes: readonly number[], type = "json") => {
    const headers = { "content-type": `application/${type}` };
    const answer = await askPatiently(method, path, { headers, body: JSON.stringify(body) });
    assert.ok(codes.includes(answer.code), `${path}: ${answer.body}`);
    return JSON.parse(answer.body);
  };
  const placeOf = async ({ apiVersion, kind, metadata: { namespace = "default" } }: Written): Promise<string> => {
    const group = apiVersion.replace(/[^/]*$/, "");
    const resource = await resourceThat(
      `${apiVersion} ${kind}`,
      (each) => each.kind === kind && each.apiVersion.replace(/[^/]*$/, "") === group,
    );
    const root = group === "" ? `/api/${apiVersion}` : `/apis/${apiVersion}`;
    return pathOf({ ...resource, root }, namespace);
  };
  const pathTo = async (kind: string, name?: string, namespace?: string): Promise<string> =>
    pathOf(await resourceThat(kind, (each) => each.kind.toLowerCase() === kind), namespace, name);
  const list: ApiObjects["list"] = async (kind, { namespace, ...selectors } = {}) => {
    const path = await pathTo(kind, undefined, namespace);
    return JSON.parse(await read(`${path}?${new URLSearchParams(selectors)}`)).items;
  };
  const applyAs: ApiObjects["applyAs"] = async (fieldManager, ...objects) => {
    for (const object of objects) {
      const place = `${await placeOf(object as Written)}/${(object as Written).metadata.name}`;
      const path = `${place}?fieldManager=${fieldManager}&force=true&fieldValidation=Strict`;
      await send("PATCH", path, object, [200, 201], "apply-patch+yaml");
    }
  };
  return {
    create: async (...objects) => {
      for (const object of objects) {
        const path = `${await placeOf(object as Written)}?fieldManager=kubectl-create&fieldValidation=Strict`;
        await send("POST", path, object, [201]);
      }
    },
    apply: (...objects) => applyAs("kubectl", ...objects),
    applyAs,
    destroy: async (kind, name, namespace = "default") => {
      const path = await pathTo(kind, name, namespace);
      const there = JSON.parse(await read(path)) as Live;
      const { code, body } = await askPatiently("DELETE", `${path}?propagationPolicy=Background`);
      assert.ok([200, 202].includes(code), `${path}: ${body}`);
      const deadline = Date.now() + patience;
      for (;;) {
        const left = await askPatiently("GET", path);
        if (isAbsent(left)) {
          return;
        }
        assert.equal(left.code, 200, `${path}: ${left.body}`);
        const { uid, finalizers = [] } = (JSON.parse(left.body) as Live).metadata;
        // Another of the name may have taken its place.
        if (uid !== there.metadata.uid) {
          return;
        }
        assert.ok(
          Date.now() < deadline,
          `${path} is not gone after ${patience / 1000} s: end what holds it (finalizers: ${finalizers.join(", ") || "none"})`,
        );
        await setTimeout(50);
      }
    },
    find: async (kind, name, namespace = "default") => {
      const path = await pathTo(kind, name, namespace);
      const answer = await askPatiently("GET", path);
      if (isAbsent(answer)) {
        return undefined;
      }
      assert.equal(answer.code, 200, `${path}: ${answer.body}`);
      return JSON.parse(answer.body);
    },
    get: async (kind, name, namespace = "default") => JSON.parse(await read(await pathTo(kind, name, namespace))),
    patch: async (kind, name, namespace = "default", change, fieldManager = "kubectl-patch") => {
      const [main = "", subresource] = kind.split("/");
      const object = await pathTo(main, name, namespace);
      const place = subresource === undefined ? object : `${object}/${subresource}`;
      const path = `${place}?fieldManager=${fieldManager}&fieldValidation=Strict`;
      await send("PATCH", path, change, [200], `${Array.isArray(change) ? "json" : "merge"}-patch+json`);
    },
    list,
    placeOf: (object) => placeOf(object as Written),
    pathTo,
    may: async (user, verb, resource, namespace = "") => {
      const [main = "", subresource = ""] = resource.split("/");
      const [plural, ...group] = main.split(".");
      const resourceAttributes = { verb, group: group.join("."), resource: plural, subresource, namespace };
      const path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
      const headers = { "content-type": "application/json", "impersonate-user": user };
      const review = { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectAccessReview" };
      const question = JSON.stringify({ ...review, spec: { resourceAttributes } });
      const { code, body } = await askPatiently("POST", path, { headers, body: question });
      assert.equal(code, 201, body);
      return JSON.parse(body).status.allowed;
    },
    token: async (account, namespace) => {
      const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`;
      const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
      return (await send("POST", path, request, [201])).status.token;
    },
    names: async (kind, choice) => (await list<Live>(kind, choice)).map(({ metadata }) => metadata.name),
  };
}
