import type { ApiObject } from "../../../cluster/kinds/liveObject.ts";
import type { DoorKind, KindOfRoute } from "../../../cluster/kinds/stackKinds.ts";
import type { ClusterSnapshot, Found } from "../../../cluster/read/snapshot.ts";
import type { Member, PlannedRoute, Settings } from "../../../config/model/settings.ts";
import type { BucketsPlan } from "../../decisions/buckets/plan.ts";
import type { StarterPlan } from "../../decisions/starter/plan.ts";
import type { Finding } from "../../messages/finding.ts";
import type { Unfit } from "../../messages/refusalFacts.ts";
import type { Declared, ReplaceOptions } from "../../objects/declared.ts";

type Named = Pick<Member, "name">;

/** One object that an open route can consist of. */
export interface RoutePart {
  /** What follows `<member>/route/` in its logical name, which never changes. */
  readonly part: string;
  readonly kind: KindOfRoute;
  /** In the member's namespace, or beside the ingress controller. */
  readonly place: "home" | "controller";
  readonly name: (member: Named) => string;
  /** Whether it has the path, is what that leads to, or sees to what becomes of requests on the way. */
  readonly purpose: "door" | "backend" | "treatment";
  readonly build: (member: Member, route: PlannedRoute, settings: Settings) => Declared;
  /** What tells it from another object of the same name and kind. Default: nothing. */
  readonly is?: (live: ApiObject) => boolean;
  /** Of a treatment: what an object of the route that refers to it has in it, and of which kind that is. */
  readonly reference?: {
    readonly from: KindOfRoute;
    readonly words: (member: Member, settings: Settings) => string;
  };
  /** Of what is taken over: in what it can't be made as it is declared. Default: in nothing. */
  readonly fixedIn?: (live: Found, settings: Settings) => Unfit | undefined;
  /** How another takes its place. Default: as Pulumi has it. */
  readonly replaced?: ReplaceOptions;
  /** What the report calls its fields, by their paths. Default: as anybody's. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** The object that has a member's path. */
export interface Door extends RoutePart {
  readonly kind: DoorKind;
  readonly purpose: "door";
}

/** An object of a route, as far as it says what becomes of requests. */
export interface Treatment {
  readonly kind: string;
  readonly annotations: Readonly<Record<string, unknown>>;
  readonly spec: Readonly<Record<string, unknown>>;
}

/** How a Service is spoken to over TLS: with no certificate checked, or one that is for a name, which may be any. */
export type SpokenTls = "unchecked" | { readonly name: unknown };

/** What is decided about a member before their route is. */
export interface DecidedFirst {
  readonly member: Member;
  readonly starter: StarterPlan | undefined;
  readonly buckets: Pick<BucketsPlan, "made">;
}

/** What of a plan tells whether routes lead anywhere. */
export interface PlannedRoutes {
  readonly settings: Pick<Settings, "route">;
  readonly snapshot: Pick<ClusterSnapshot, "gateway" | "managedObjects" | "unread">;
  readonly members: readonly { readonly member: Named }[];
}

/** Everything that one kind of route has of its own: those of an ingress controller, or those of a Gateway. */
export interface RouteDriver {
  /** What its routes can be made of, each after what it refers to. */
  readonly parts: readonly RoutePart[];
  readonly door: Door;
  /** Whether no two of its doors may have one path, so that one gives it up before another gets it. */
  readonly isPathExclusive?: true;
  /** What to do where `route.namespace` is not there. */
  readonly install: string;
  /** Why a member's route can't be made, however fit their Service is. Default: it always can. */
  readonly obstacle?: (
    decided: DecidedFirst,
    settings: Pick<Settings, "stack" | "shards" | "route">,
    snapshot: Pick<ClusterSnapshot, "managedObjects">,
  ) => string | undefined;
  /** Routes that lead nowhere although they are open. Default: nothing tells. */
  readonly unserved?: (plan: PlannedRoutes) => Finding<"unserved">[];
  /** Which path one of type ImplementationSpecific catches; undefined where it can be any. Default: it can be any. */
  readonly caught?: (path: string) => string | undefined;
  /** Key of the Secret beside the controller in which it looks for a CA. Default: there is no such Secret. */
  readonly caKey?: "ca.crt" | "tls.crt";
  /** What the annotations begin with that it reads, of Ingresses or of the Services behind them. */
  readonly prefixes: readonly string[];
  /** Those that its routes can have, by the kind of object. */
  readonly annotations: { readonly Ingress: readonly string[]; readonly Service: readonly string[] };
  /** How an object of a route has TLS spoken to the member's Service; undefined where it says nothing of that. */
  readonly tlsOf: (object: Treatment) => SpokenTls | undefined;
  /** Whether an object of a route has the path taken off requests. */
  readonly strips: (object: Treatment) => boolean;
  /** API groups of what it is told by, which members may not write. */
  readonly apiGroups: readonly string[];
  /** What members may see of its objects, beside Ingresses: their own, and others'. */
  readonly visible?: {
    readonly apiGroups: string[];
    readonly own: string[];
    readonly others: string[];
  };
}
