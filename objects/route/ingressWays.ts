import type { Member } from "../../config/member/member.ts";
import type { Annotations, Controller } from "../../config/route/controllers/controller.ts";
import type { Settings } from "../../config/settings.ts";
import type { RoutePart } from "./driver.ts";

/** A controller, with the objects of its own that routes can have. */
export interface IngressWays extends Controller {
  /** Objects that an Ingress or the Service beside it refers to. Default: none. */
  readonly treatments?: readonly RoutePart[];
  /** Annotations of an Ingress that refer to the treatments that a route has. Default: none. */
  readonly referring?: (treatments: readonly RoutePart[], member: Member, settings: Settings) => Annotations;
  /** Annotations of the Service that refer to treatments. Default: none. */
  readonly onService?: (member: Member, settings: Settings) => Annotations;
}
