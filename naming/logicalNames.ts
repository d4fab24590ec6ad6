type Named = { readonly name: string };

/** What follows `<member>/route/` in the names of what an open route is made of; none ever changes. */
export const routeParts = [
  "service",
  "ingress",
  "middleware",
  "transport",
  "http",
  "backend-tls",
  "backend-ca",
] as const;

/** What follows `<member>/starter/` in the names of what a starter app is made of, beside the Service; none ever changes. */
export type StarterPart = "pages" | "deployment";

/**
 * Names by which Pulumi's state knows a member's resources, where something else than the resource itself goes by them.
 * @see https://www.pulumi.com/docs/iac/concepts/resources/names/#logicalname
 */
export const logicalNames = {
  namespace: ({ name }: Named) => `${name}/namespace`,
  /** The Service that kubecamp makes in their namespace. */
  service: ({ name }: Named) => `${name}/service`,
  /** One of what their starter app is made of. */
  starter: ({ name }: Named, part: StarterPart) => `${name}/starter/${part}`,
  /** One of what their open route is made of. */
  route: ({ name }: Named, part: (typeof routeParts)[number]) => `${name}/route/${part}`,
};
