import type { MemberRoute, RouteSettings } from "./route.ts";

type Content = Readonly<Record<string, unknown>>;

/** Reads the paths that objects of a kind open, whoever made them. */
export interface DoorReading {
  /** Hosts and paths; the host `*` means all. */
  readonly hostPaths: (spec: Content) => MemberRoute[];
  /** Services that the object leads to, by name and port, as far as it names them. */
  readonly backends: (spec: Content) => readonly Backend[];
  /** Whether the controller or Gateway of members' routes may serve the object. */
  readonly isServed: (
    live: { readonly annotations: Readonly<Record<string, string>>; readonly spec: Content },
    route: RouteSettings,
  ) => boolean;
  /**
   * The reason why the object is not served, in a sentence; undefined if it is served or has no status yet. Default: no
   * status shows it.
   */
  readonly unserved?: (live: object) => string | undefined;
  /** Spec that takes the object from its controller, as a merge patch. Default: two objects may share a path. */
  readonly parked?: Content;
}

/** A backend of a route. */
export interface Backend {
  readonly name?: string;
  readonly port?: number | { readonly number?: number };
}
