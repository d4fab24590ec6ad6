/** A host and a path on it; the host `*` means all. */
interface HostPath {
  readonly host: string;
  readonly path: string;
}

/** The controller or Gateway of members' routes, as the settings name it. */
interface Server {
  readonly className: string;
  readonly gateway?: { readonly name: string };
}

type Content = Readonly<Record<string, unknown>>;

/** Reads the paths that objects of a kind open, whoever made them. */
export interface DoorReading {
  readonly hostPaths: (spec: Content) => HostPath[];
  /** Services that the object leads to, by name and port, as far as it names them. */
  readonly backends: (spec: Content) => readonly Backend[];
  /** Whether the server of members' routes may serve the object. */
  readonly isServed: (
    live: { readonly annotations: Readonly<Record<string, string>>; readonly spec: Content },
    server: Server,
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
