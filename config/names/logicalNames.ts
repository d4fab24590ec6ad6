import { customVary, isCustomKind } from "./customKinds.ts";

type Named = { readonly name: string };

/** Last part of the logical names of a starter app's objects, after `<member>/starter/`. They never change. */
export type StarterPart = "pages" | "deployment";

/** Objects that come with a bucket. These names never change. */
export type BucketPart = "secret" | "config" | "claim" | "access";

/** Logical names of a member's resources. @see https://www.pulumi.com/docs/iac/concepts/resources/names/#logicalname */
export const logicalNames = {
  namespace: ({ name }: Named) => `${name}/namespace`,
  service: ({ name }: Named) => `${name}/service`,
  starter: ({ name }: Named, part: StarterPart) => `${name}/starter/${part}`,
  bucket: ({ name }: Named, bucket: string) => `${name}/bucket/${bucket}`,
  bucketUser: ({ name }: Named) => `${name}/bucket-user`,
  object: (member: Named, { kind, name }: { readonly kind: string; readonly name: string }) =>
    `${member.name}/object/${isCustomKind(kind) ? customVary(kind, name) : `${kind.toLowerCase()}/${name}`}`,
  route: ({ name }: Named, part: string) => `${name}/route/${part}`,
};

type Part = { readonly part: string };

/** A part is the logical name without the member's name and slash. */
export const isOfRoute = ({ part }: Part): boolean => part.startsWith("route/");
/** Not the Service beside the app, which is `service` whoever made it. */
export const isOfStarterApp = ({ part }: Part): boolean => part.startsWith("starter/");
/** The bucket itself on an S3 server, and the objects that come with it. */
export const isOfBucket = ({ part }: Part): boolean => part.startsWith("bucket/");

/** Hook before an object that opens a member's path is created. Pulumi's state keeps the name with each of them. */
export const routeHookName = "kubecamp/route";

/** Hook before an Ingress that takes over another's path is written. The state keeps the name until the next run. */
export const pathHookName = "kubecamp/handover";
