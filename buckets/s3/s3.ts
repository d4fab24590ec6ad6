import type { Permission } from "../../config/storage/buckets.ts";

export type Tags = Readonly<Record<string, string>>;

export interface Grant {
  /** A canonical user ID (with versitygw: an access key), or a group's URI, which begins with `http`. */
  readonly grantee: string;
  readonly permission: Permission;
}

export interface LiveAcl {
  readonly owner: string;
  readonly grants: readonly Grant[];
}

export interface ObjectVersion {
  readonly key: string;
  readonly versionId?: string;
  readonly lastModified?: Date;
  readonly marker: boolean;
}

export interface VersionMarker {
  readonly key?: string;
  readonly versionId?: string;
}

export interface VersionPage {
  readonly versions: readonly ObjectVersion[];
  readonly next?: VersionMarker;
}

export interface Upload {
  readonly key: string;
  readonly uploadId: string;
}

export interface KeptObject {
  readonly key: string;
  readonly reason: string;
}

export interface S3User {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The server's name of the role. kubecamp's users may do only what policies and ACLs allow. */
  readonly role: string;
}
