/** A member's entry in the list, as an admin writes it. */
export interface Entry {
  readonly member: string;
  readonly type: "user";
  readonly maxCPUm?: number;
}

/** Members of type `user`, which gets every kind of object. */
export function entries(count: number, prefix = "member"): Entry[] {
  return Array.from({ length: count }, (_, index) => ({ member: `${prefix}-${index}`, type: "user" }));
}

/** The list with another limit for its first member. */
export function withLimit(list: readonly Entry[], maxCPUm: number): Entry[] {
  return list.map((entry, index) => (index === 0 ? { ...entry, maxCPUm } : entry));
}

/** The Service that a member creates to open their route. */
export function serviceOf({ member }: Entry): object {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: `${member}-svc`, namespace: member },
    spec: { selector: { app: "web" }, ports: [{ name: "http", port: 80, targetPort: 8080 }] },
  };
}
