import type { ObjectName } from "../../../cluster/read/snapshot.ts";
import type { routeParts } from "../../../naming/logicalNames.ts";

/** One object of a member's route. */
export interface RouteObject {
  /** What follows `<member>/route/` in its logical name, which never changes. */
  readonly part: (typeof routeParts)[number];
  readonly apiVersion: string;
  readonly kind: ObjectName["kind"];
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}
