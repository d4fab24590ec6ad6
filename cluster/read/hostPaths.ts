import type { MemberRoute } from "../../config/model/settings.ts";
import { urlAnnotation } from "../../naming/labels.ts";
import { routeUrl } from "../../naming/names.ts";
import type { ManagedObject } from "./snapshot.ts";

/** What an Ingress and an HTTPRoute say of hosts and paths. */
interface Opening {
  readonly hostnames?: readonly string[];
  readonly rules?: readonly {
    readonly host?: string;
    readonly http?: {
      readonly paths: readonly {
        readonly path?: string;
        readonly backend?: { readonly service?: { readonly port?: { readonly number?: number } } };
      }[];
    };
    readonly matches?: readonly { readonly path?: { readonly value?: string } }[];
    readonly backendRefs?: readonly { readonly port?: number }[];
  }[];
}

/** The hosts and paths that an Ingress or HTTPRoute opens, whoever made it; the host `*` stands for all. */
export function hostPathsOf(content: object): MemberRoute[] {
  const { hostnames = ["*"], rules = [] } = (Reflect.get(content, "spec") ?? {}) as Opening;
  return rules.flatMap(({ host = "*", http, matches }) => [
    ...(http?.paths ?? []).map(({ path = "/" }) => ({ host, path })),
    ...(matches ?? []).flatMap(({ path }) => hostnames.map((name) => ({ host: name, path: path?.value ?? "/" }))),
  ]);
}

/** Port of the Service that it leads to; undefined where it names none. */
export function backendPortOf(content: object): number | undefined {
  const { rules: [rule] = [] } = (Reflect.get(content, "spec") ?? {}) as Opening;
  return rule?.backendRefs?.[0]?.port ?? rule?.http?.paths[0]?.backend?.service?.port?.number;
}

/** The addresses that it opens: the one that it is annotated with, or else what its hosts and paths say. */
export function urlsOf({ annotations, content }: Pick<ManagedObject, "annotations" | "content">): string[] {
  const url = annotations[urlAnnotation];
  return url === undefined ? hostPathsOf(content).map(routeUrl) : [url];
}
