/**
 * Small models of how ingress controllers choose among the paths of a host, after their documentation and source:
 * https://kubernetes.github.io/ingress-nginx/user-guide/ingress-path-matching/
 * https://nginx.org/en/docs/http/ngx_http_core_module.html#location
 * https://doc.traefik.io/traefik/reference/routing-configuration/http/routing/rules-and-priority/
 */

/** As far as an Ingress decides who gets a request. */
export interface IngressLike {
  readonly metadata: { readonly name: string; readonly annotations: Readonly<Record<string, string>> };
  readonly spec: {
    readonly rules: readonly {
      readonly host: string;
      readonly http: { readonly paths: readonly { readonly path: string; readonly pathType: string }[] };
    }[];
  };
}

/** The member that gets a request, and the path that their Service sees. */
export interface Served {
  readonly by: string;
  readonly as: string;
}

const pathsOf = (host: string, ingresses: readonly IngressLike[]) =>
  ingresses.flatMap(({ metadata: { name, annotations }, spec }) =>
    spec.rules
      .filter((rule) => rule.host === host)
      .flatMap(({ http }) => http.paths.map((each) => ({ ...each, name, annotations }))),
  );

const descending = (a: string, b: string) => Number(b > a) - Number(b < a);

/** ingress-nginx: one rewrite or regular expression on a host makes all its locations regular expressions. */
export function servedByNginx(
  ingresses: readonly IngressLike[],
  { host, path }: { host: string; path: string },
): Served | undefined {
  const key = (annotation: string) => `nginx.ingress.kubernetes.io/${annotation}`;
  const paths = pathsOf(host, ingresses).map((each) => {
    const target = each.annotations[key("rewrite-target")];
    return { ...each, target, isRegex: target !== undefined || each.annotations[key("use-regex")] === "true" };
  });
  const locations = paths.flatMap((each) =>
    each.pathType !== "Prefix" || each.isRegex || each.path === "/"
      ? [each]
      : [
          { ...each, path: each.path.replace(/\/?$/, "/") },
          { ...each, pathType: "Exact" },
        ],
  );
  const inOrder = locations
    .toSorted((a, b) => descending(a.path, b.path))
    .toSorted((a, b) => b.path.length - a.path.length);
  const found = paths.some(({ isRegex }) => isRegex)
    ? inOrder.find((location) => new RegExp(`^${location.path}`, "i").test(path))
    : (inOrder.find((location) => location.pathType === "Exact" && location.path === path) ??
      inOrder.find((location) => location.pathType !== "Exact" && path.startsWith(location.path)));
  if (found === undefined) {
    return undefined;
  }
  const [, ...groups] = new RegExp(found.path, "i").exec(path) ?? [];
  const rewritten = found.target?.replaceAll(/\$(\d)/g, (_, group) => groups[Number(group) - 1] ?? "");
  return { by: found.name, as: rewritten ?? path };
}

/** Traefik, as it is without `strictPrefixMatching`: a prefix is one letter by letter, and the longest rule wins. */
export function servedByTraefik(
  ingresses: readonly IngressLike[],
  { host, path }: { host: string; path: string },
): Served | undefined {
  const [found] = pathsOf(host, ingresses)
    .filter((each) => (each.pathType === "Exact" ? each.path === path : path.startsWith(each.path)))
    .toSorted((a, b) => b.path.length - a.path.length);
  return found === undefined ? undefined : { by: found.name, as: path };
}
