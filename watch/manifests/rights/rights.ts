/** A rule of a role, without wildcards and URLs: deploy/ has none. */
export interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** A verb on a resource. */
export interface Right {
  readonly verb: string;
  readonly group: string;
  /** With the subresource, such as `pods/exec`. */
  readonly resource: string;
  /** The only object that it covers. Default: all. */
  readonly name?: string;
  /** The only namespace that it covers. Default: all. */
  readonly namespace?: string;
}

/** Rights that rules grant, in a namespace or in the whole cluster. */
export function rightsIn(rules: readonly Rule[], namespace?: string): Right[] {
  return rules.flatMap(({ apiGroups, resources, resourceNames, verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        verbs.flatMap((verb): Right[] => {
          const right = { verb, group, resource, ...(namespace === undefined ? {} : { namespace }) };
          return resourceNames === undefined ? [right] : resourceNames.map((name) => ({ ...right, name }));
        }),
      ),
    ),
  );
}

/** A right as text, such as `patch roles.rbac.authorization.k8s.io kubecamp-edit` or `create services in ingress-nginx`. */
export function textOf({ verb, group, resource, name, namespace }: Right): string {
  const what = group === "" ? resource : `${resource}.${group}`;
  return [
    verb,
    what,
    ...(name === undefined ? [] : [name]),
    ...(namespace === undefined ? [] : ["in", namespace]),
  ].join(" ");
}

/** Whether RBAC allows a request: one matching right is enough. */
export function grants(rights: readonly Right[], asked: Right): boolean {
  return rights.some(
    (right) =>
      right.verb === asked.verb &&
      right.group === asked.group &&
      right.resource === asked.resource &&
      (right.name === undefined || right.name === asked.name) &&
      (right.namespace === undefined || right.namespace === asked.namespace),
  );
}

/** The right that the API server checks for a LIST or a watch: with a field selector for a name, it checks that name. */
export function rightOfPath(verb: string, path: string): Right {
  const { pathname, searchParams } = new URL(path, "https://api");
  const [, group = "", namespace, resource = ""] =
    /^\/(?:api|apis\/([^/]+))\/[^/]+(?:\/namespaces\/([^/]+)(?=\/))?\/([^/]+)$/.exec(pathname) ?? [];
  const [, name] = /^metadata\.name=(.+)$/.exec(searchParams.get("fieldSelector") ?? "") ?? [];
  return {
    verb,
    group,
    resource,
    ...(name === undefined ? {} : { name }),
    ...(namespace === undefined ? {} : { namespace }),
  };
}
