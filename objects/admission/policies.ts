import type { AdmissionPolicy } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import type { admissionPolicy } from "./admissionPolicy.ts";
import { amountsPolicy } from "./amountsPolicy.ts";
import { devicesPolicy } from "./confined/devicesPolicy.ts";
import { poolsPolicy } from "./confined/poolsPolicy.ts";
import { runtimesPolicy } from "./confined/runtimesPolicy.ts";
import { usersPolicy } from "./confined/usersPolicy.ts";
import { finalizersPolicy } from "./finalizersPolicy.ts";
import { imagesPolicy } from "./imagesPolicy.ts";
import { podsPolicy } from "./podsPolicy.ts";
import { reservedPolicy } from "./reservedPolicy.ts";
import { restartsPolicy } from "./restartsPolicy.ts";
import { routesPolicy } from "./routesPolicy.ts";
import { servicesPolicy } from "./servicesPolicy.ts";
import { storagePolicy } from "./storagePolicy.ts";
import { tokensPolicy } from "./tokensPolicy.ts";

type Policy = ReturnType<typeof admissionPolicy>;

const policies: Readonly<Record<AdmissionPolicy, (settings: Settings) => Policy>> = {
  amounts: amountsPolicy,
  devices: devicesPolicy,
  finalizers: finalizersPolicy,
  images: imagesPolicy,
  pods: podsPolicy,
  pools: poolsPolicy,
  reserved: reservedPolicy,
  restarts: restartsPolicy,
  routes: routesPolicy,
  runtimes: runtimesPolicy,
  services: servicesPolicy,
  storage: storagePolicy,
  tokens: tokensPolicy,
  users: usersPolicy,
};

/** One of a stack's policies. */
export const policyOf = (name: AdmissionPolicy, settings: Settings): Policy => policies[name](settings);
