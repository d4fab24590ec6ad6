import * as k8s from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import type { Member } from "../config/model/settings.ts";
import { madeAnnotation } from "../naming/labels.ts";
import { logicalNames } from "../naming/logicalNames.ts";
import type { ManagedService } from "../plan/decisions/managedService.ts";
import { leftStarterFields } from "../plan/decisions/starter/names.ts";
import { managedService } from "../plan/objects/route/managedService.ts";

/** Where it is made, and after what: a quota that this run raises may be what makes room for it. */
export interface ServicePlace {
  readonly parent: pulumi.Resource;
  readonly home: k8s.core.v1.Namespace;
  readonly dependsOn: readonly pulumi.Resource[];
}

/**
 * Makes the Service of a member who need not make it. It is never deleted by a run, whatever the settings become: what is
 * behind it is theirs, and it goes with their namespace.
 */
export function memberService(
  member: Member,
  service: ManagedService,
  { parent, home, dependsOn }: ServicePlace,
): k8s.core.v1.Service {
  // A member may delete it at any time. Pulumi's state would take it for unchanged, and the path would lead nowhere: the
  // trigger, which only the live Service remembers, has it made anew instead.
  const made = service.annotations[madeAnnotation] ?? new Date().toISOString();
  const isLeft = service.isLeft === true;
  const { metadata, spec } = managedService(member, service, made);
  const namespace = home.metadata.name;
  return new k8s.core.v1.Service(
    logicalNames.service(member),
    // Of what is left, nothing is said: should Pulumi's state not have it, nothing of it would be written all the same.
    isLeft ? { metadata: { name: metadata.name, namespace } } : { metadata: { ...metadata, namespace }, spec },
    {
      parent,
      dependsOn: [...dependsOn],
      // To an update, the plugin takes over whatever kubectl has written, and so takes away what is not declared: the
      // member's other ports, labels and annotations. A replacement in place applies what is declared, and no more.
      replaceOnChanges: ["*"],
      deleteBeforeReplace: false,
      // Both a replacement and the end of its declaration would delete it otherwise.
      retainOnDelete: true,
      // A trigger that the member can change would have it written over what they made of it.
      ...(isLeft ? { ignoreChanges: [...leftStarterFields.Service] } : { replacementTrigger: made }),
    },
  );
}
