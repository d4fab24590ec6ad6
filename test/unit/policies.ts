import type { Settings } from "../../config/model/settings.ts";
import { admissionPolicies } from "../../naming/names.ts";
import { policyOf } from "../../plan/objects/admission/policies.ts";

/** All admission policies of a stack, and of each what puts it in force. */
export const policiesOf = (settings: Settings) => admissionPolicies.map((name) => policyOf(name, settings));
