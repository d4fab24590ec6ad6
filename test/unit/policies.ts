import { policyNamesOf } from "../../config/names/names.ts";
import type { Settings } from "../../config/settings.ts";
import { policyBinding, policyOf } from "../../objects/admission/policies.ts";

/** All admission policies of a stack, and of each what puts it in force. */
export const policiesOf = (settings: Settings) =>
  policyNamesOf(settings).map((name) => ({
    name,
    policy: policyOf(name, settings),
    binding: policyBinding(name, settings),
  }));
