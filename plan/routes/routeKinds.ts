import type { ObjectName } from "../../cluster/read/snapshot.ts";
import type { Member, Settings } from "../../config/model/settings.ts";
import { backendCaName } from "../../naming/names.ts";
import type { KindOfRoute } from "./drivers/driver.ts";
import { partsOf } from "./drivers/drivers.ts";

/**
 * Kinds that an open route is made of, each after what it refers to.
 * @param path the member's; default: any that routes of this stack can have
 */
export const kindsOfRoute = (settings: Pick<Settings, "route">, path?: string): KindOfRoute[] =>
  partsOf(settings, path).map(({ kind }) => kind);

/** Whether an object is the ConfigMap of a member's route, by its name: members have others. */
export const isBackendCa = ({ kind, name }: Pick<ObjectName, "kind" | "name">): boolean =>
  kind === "ConfigMap" && name === backendCaName;

/** Whether a member's route has a ConfigMap, which has to fit into their namespace. */
export const needsConfigMap = ({ route }: Pick<Member, "route">, settings: Pick<Settings, "route">): boolean =>
  kindsOfRoute(settings, route?.path).includes("ConfigMap");
