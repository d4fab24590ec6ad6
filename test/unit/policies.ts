import type { Settings } from "../../config/model/settings/settings.ts";
import { policyNamesOf } from "../../naming/names.ts";
import { bindingOf, policyOf } from "../../plan/objects/admission/policies.ts";

/** All admission policies of a stack, and of each what puts it in force. */
export const policiesOf = (settings: Settings) =>
  policyNamesOf(settings).map((name) => ({
    name,
    policy: policyOf(name, settings),
    binding: bindingOf(name, settings),
  }));
