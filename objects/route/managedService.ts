import type { Member } from "../../config/member/member.ts";
import { madeAnnotation } from "../../config/names/labels.ts";
import { namespaceName, serviceName } from "../../config/names/names.ts";
import { notAwaited } from "../deletion.ts";
import { ownAnnotations } from "../field.ts";

/** Fields of the Service that depend on the one that is there. */
export interface ServiceFields {
  readonly labels: Readonly<Record<string, string>>;
  readonly selector: Readonly<Record<string, string>>;
  /** The routed port is the last; ports before it are the member's, unchanged. */
  readonly ports: readonly ServicePort[];
  readonly annotations: Readonly<Record<string, string>>;
}

export interface ServicePort {
  /** Absent if the member's port has none. */
  readonly name?: string;
  readonly port: number;
  readonly protocol: string;
  readonly targetPort: number | string;
}

/** The Service that a path leads to, where kubecamp makes it. @param made tells it from earlier ones of its name */
export function managedService(member: Member, { labels, selector, ports, annotations }: ServiceFields, made: string) {
  return {
    metadata: {
      name: serviceName(member),
      namespace: namespaceName(member),
      labels,
      annotations: {
        ...annotations,
        [madeAnnotation]: made,
        // There is nothing to wait for: route.readiness.requires decides whether there must be pods behind it.
        ...notAwaited,
        // Not `goneAtOnce`: Pulumi would replace every existing Service for it, and deletes none anyway.
      },
    },
    spec: { type: "ClusterIP", selector, ports: [...ports] },
  };
}

export const managedServiceFields = ownAnnotations(madeAnnotation);
